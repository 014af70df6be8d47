/**
 * Writes a value as JSON in one go of the engine's own, which reads each field
 * once and asks at each what is to stand for it.
 *
 * @module
 */

/** The part of the prelude that writes what needs no walk of our own. */
export const carry = String.raw`
/** What JSON carries, or drops, as it is. */
const scalars = { __proto__: null, string: 1, number: 1, boolean: 1, undefined: 1 };

/** JSON text of a value; throws, whatever it is, where JSON cannot carry all of it. */
function carriedText(value) {
  // The objects that are open, outermost first: a holder is the last one open.
  const open = bareList();
  let depth = 0;
  return stringify(value, function (_key, item) {
    if (typeof item in scalars || item === null) return item;
    if (typeof item !== "object") throw item;
    while (depth > 0 && open[depth - 1] !== this) depth--;
    if (depth >= deepest) throw item;
    return open[depth++] = inPlaceOf(item);
  });
}

/** What stands for an object; the engine goes on into that. */
function inPlaceOf(item) {
  if (isArray(item)) return item;
  const prototype = getPrototypeOf(item);
  if (prototype === ObjectPrototype || prototype === null) return item;
  if (item === toolsObject || isPrototypeOf(PromisePrototype, item) || isPrototypeOf(BigIntPrototype, item)) throw item;
  if (isPrototypeOf(ErrorPrototype, item)) {
    return { __proto__: null, name: errorName(item), message: errorMessage(item), ...item };
  }
  if (isPrototypeOf(MapPrototype, item)) return fieldsOf(item);
  if (isPrototypeOf(SetPrototype, item)) return itemsOf(item);
  if (isView(item) && !isPrototypeOf(DataViewPrototype, item)) return copyList(item);
  if (isPrototypeOf(ArrayBufferPrototype, item) || isView(item)) throw item;
  return item;
}

function fieldsOf(map) {
  const fields = { __proto__: null };
  mapForEach(map, (item, key) => {
    if (typeof key !== "string" && typeof key !== "number") throw map;
    fields[key] = item;
  });
  return fields;
}

function itemsOf(set) {
  const items = bareList();
  setForEach(set, (item) => {
    items[items.length] = item;
  });
  return items;
}
`;
