/**
 * What the prelude uses of the language, taken before a program can change it.
 *
 * Everything after this part may call only these names, never a method of a
 * value that a program could have touched; its own records have no prototype.
 *
 * @module
 */

/** The first part of the prelude. */
export const primordials = String.raw`
const bindCall = Function.prototype.bind.bind(Function.prototype.call);
const apply = Reflect.apply;
const getPrototypeOf = Reflect.getPrototypeOf;
const setPrototypeOf = Reflect.setPrototypeOf;
const keysOf = Object.keys;
const freeze = Object.freeze;
const createObject = Object.create;
const defineOwn = Object.defineProperty;
const isArray = Array.isArray;
const isView = ArrayBuffer.isView;
const parse = JSON.parse;
const stringify = JSON.stringify;
const toText = String;
const toNumber = Number;
const now = Date.now;
const truncate = Math.trunc;
const ErrorType = Error;
const TypeErrorType = TypeError;
const PromiseType = Promise;
const ProxyType = Proxy;
const ObjectPrototype = Object.prototype;
const PromisePrototype = Promise.prototype;
const ErrorPrototype = Error.prototype;
const InternalErrorPrototype = InternalError.prototype;
const RangeErrorPrototype = RangeError.prototype;
const MapPrototype = Map.prototype;
const SetPrototype = Set.prototype;
const DataViewPrototype = DataView.prototype;
const ArrayBufferPrototype = ArrayBuffer.prototype;
const NumberPrototype = Number.prototype;
const StringPrototype = String.prototype;
const BooleanPrototype = Boolean.prototype;
const BigIntPrototype = BigInt.prototype;
const toPrimitive = Symbol.toPrimitive;
const hasOwn = bindCall(Object.prototype.hasOwnProperty);
const isPrototypeOf = bindCall(Object.prototype.isPrototypeOf);
const wellFormed = bindCall(String.prototype.toWellFormed);
const slice = bindCall(String.prototype.slice);
const indexOf = bindCall(String.prototype.indexOf);
const unitAt = bindCall(String.prototype.charCodeAt);
const lowerCase = bindCall(String.prototype.toLowerCase);
const bigintText = bindCall(BigInt.prototype.toString);
const booleanValue = bindCall(Boolean.prototype.valueOf);
const copyList = bindCall(Array.prototype.toSpliced);
const symbolText = bindCall(Symbol.prototype.toString);
const mapForEach = bindCall(Map.prototype.forEach);
const setForEach = bindCall(Set.prototype.forEach);

/** Defines a property without asking any prototype. */
function define(target, key, value, enumerable) {
  defineOwn(target, key, {
    __proto__: null, value, enumerable, writable: true, configurable: true,
  });
}

/** Gives a function the name that a program sees, whatever it is called in here. */
function named(name, value) {
  return defineOwn(value, "name", { value: name });
}

/** An array that a changed Array.prototype cannot reach. */
function bareList() {
  const list = [];
  setPrototypeOf(list, null);
  return list;
}

/** Cuts a text, and mends what the cut or the program broke. */
function shorten(text, length) {
  return wellFormed(text.length > length ? slice(text, 0, length - 1) + "…" : text);
}

/** Reads a property; a getter that throws is as good as none. */
function read(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

function makeError(name, code, message) {
  return dressError(new ErrorType(message), name, code, message, false);
}

/** Gives an error what every refused or failed call carries. */
function dressError(error, name, code, message, retryable) {
  define(error, "name", name, false);
  define(error, "message", message, false);
  define(error, "code", code, true);
  define(error, "retryable", retryable, true);
  return error;
}
`;
