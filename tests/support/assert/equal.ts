/**
 * Structural equality, as `jsr:@std/assert@1` sees it: own keys, prototypes,
 * dates, patterns, maps, sets, typed arrays; a missing key differs from one
 * that holds `undefined`.
 */
export function equal(left: unknown, right: unknown): boolean {
  return compare(left, right, new Map());
}

function compare(
  left: unknown,
  right: unknown,
  seen: Map<object, object>,
): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) {
    return false;
  }
  if (seen.get(left) === right) return true;
  seen.set(left, right);
  if (left instanceof Date && right instanceof Date) {
    return Object.is(left.getTime(), right.getTime());
  }
  if (left instanceof RegExp && right instanceof RegExp) {
    return String(left) === String(right);
  }
  if (left instanceof Set && right instanceof Set) {
    return compareSets(left, right, seen);
  }
  if (left instanceof Map && right instanceof Map) {
    return compareSets(new Set(left), new Set(right), seen);
  }
  return compareKeys(left, right, seen);
}

function compareSets(
  left: Set<unknown>,
  right: Set<unknown>,
  seen: Map<object, object>,
): boolean {
  if (left.size !== right.size) return false;
  const rest = [...right];
  return [...left].every((value) => {
    const at = rest.findIndex((other) => compare(value, other, new Map(seen)));
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

function compareKeys(
  left: object,
  right: object,
  seen: Map<object, object>,
): boolean {
  const keys = Reflect.ownKeys(left);
  if (keys.length !== Reflect.ownKeys(right).length) return false;
  return keys.every((key) =>
    Object.hasOwn(right, key) &&
    compare(Reflect.get(left, key), Reflect.get(right, key), seen)
  );
}
