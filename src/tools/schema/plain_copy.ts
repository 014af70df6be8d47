/**
 * The private copy of a host's schema. Everything after it works on plain JSON
 * that nobody else can change, whatever the host handed in.
 *
 * @module
 */

import type { Problem } from "../../failure.ts";
import type { Json, JsonObject } from "../../json.ts";
import { itemPath, memberPath } from "./path.ts";

/** How deep a schema may nest, in JSON levels. */
const maxSchemaDepth = 128;

/** How many JSON values a schema may hold. */
const maxSchemaValues = 50_000;

/** How many problems of one schema are reported. */
const maxSchemaProblems = 20;

/** Collects the problems of one schema, up to {@link maxSchemaProblems}. */
export class ProblemList {
  /** What was found so far. */
  readonly problems: Problem[] = [];

  /** Adds a problem, unless there are enough. */
  add(path: string, reason: string): void {
    if (this.problems.length < maxSchemaProblems) {
      this.problems.push({ path, reason: reason.toWellFormed() });
    }
  }
}

/**
 * Copies plain JSON. What is not plain JSON is reported and left out.
 * Objects of the copy have no prototype, so `__proto__` is a key like others.
 */
export function copyPlain(
  value: unknown,
  path: string,
  list: ProblemList,
): Json {
  return new Copier(list).copy(value, path, 0);
}

class Copier {
  #values = 0;
  readonly #above: object[] = [];

  constructor(readonly list: ProblemList) {}

  copy(value: unknown, path: string, depth: number): Json {
    if (++this.#values > maxSchemaValues) {
      if (this.#values === maxSchemaValues + 1) {
        this.list.add(
          path,
          `the schema is too large; it may hold ${maxSchemaValues} values`,
        );
      }
      return null;
    }
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return Number.isFinite(value) ? value : this.#refuse(path, `${value}`);
      case "object":
        return value === null ? null : this.#copyObject(value, path, depth);
      default:
        return this.#refuse(
          path,
          value === undefined ? "undefined" : `a ${typeof value}`,
        );
    }
  }

  #copyObject(value: object, path: string, depth: number): Json {
    if (this.#above.includes(value)) return this.#refuse(path, "a cycle");
    if (depth >= maxSchemaDepth) {
      this.list.add(
        path,
        `the schema nests too deep; ${maxSchemaDepth} levels are allowed. Move inner parts to "$defs"`,
      );
      return null;
    }
    this.#above.push(value);
    try {
      return Array.isArray(value)
        ? this.#copyItems(value, path, depth)
        : this.#copyMembers(value, path, depth);
    } catch {
      return this.#refuse(path, "something that cannot be read");
    } finally {
      this.#above.pop();
    }
  }

  #copyItems(value: readonly unknown[], path: string, depth: number): Json {
    const copy: Json[] = [];
    for (let index = 0; index < value.length; index++) {
      if (this.#values > maxSchemaValues) break;
      const at = itemPath(path, index);
      if (!Object.hasOwn(value, index)) {
        return this.#refuse(at, "a missing item");
      }
      copy.push(this.copy(read(value, String(index)), at, depth + 1));
    }
    return copy;
  }

  #copyMembers(value: object, path: string, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (
      prototype !== null && Object.getPrototypeOf(prototype) !== null
    ) return this.#refuse(path, "an object of a class");
    const copy: JsonObject = Object.create(null);
    for (const key of Object.keys(value)) {
      if (this.#values > maxSchemaValues) break;
      const at = memberPath(path, key);
      if (key.isWellFormed()) {
        copy[key] = this.copy(read(value, key), at, depth + 1);
      } else this.list.add(at, "the name is not well-formed Unicode");
    }
    return copy;
  }

  #refuse(path: string, what: string): null {
    this.list.add(
      path,
      `${what} is not plain JSON; a schema is data that JSON can carry`,
    );
    return null;
  }
}

/** A getter could answer differently each time; it comes out as a function. */
function read(owner: object, key: string): unknown {
  const property = Object.getOwnPropertyDescriptor(owner, key);
  return property?.get ?? property?.value;
}
