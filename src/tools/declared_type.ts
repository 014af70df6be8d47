/**
 * The TypeScript type of what a JSON Schema means, as near as a type can say:
 * `unknown` where none says it. Text of the host's appears only in comments and
 * in quoted strings.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { typesOf } from "./schema/nullable.ts";
import { shorten } from "../text.ts";
import { resolver } from "./reference.ts";

/** A type, and the named types that it uses. */
export type DeclaredType = {
  readonly type: string;
  /** Alias and type, in the order of their first use. */
  readonly named: readonly (readonly [alias: string, type: string])[];
  /** Whether the type needs no property, so that the argument may be left out. */
  readonly optional: boolean;
};

// Deeper parts are of little use to a reader, and cost all the more.
const maxDepth = 12;

/**
 * The type of `schema`. Its aliases start with `prefix`, are none of `taken`,
 * and are added to it: declarations that are shown together share one.
 */
export function declareType(
  schema: Record<string, unknown>,
  prefix: string,
  taken: Set<string> = new Set(),
): DeclaredType {
  return new Declarer(schema, prefix, taken).declare();
}

class Declarer {
  readonly #root: Record<string, unknown>;
  readonly #prefix: string;
  readonly #taken: Set<string>;
  readonly #resolve: (reference: string) => unknown;
  readonly #aliases = new Map<unknown, string>();
  readonly #waiting: [alias: string, schema: unknown][] = [];

  constructor(
    root: Record<string, unknown>,
    prefix: string,
    taken: Set<string>,
  ) {
    this.#root = root;
    this.#prefix = prefix;
    this.#taken = taken;
    this.#resolve = resolver(root);
  }

  declare(): DeclaredType {
    const type = this.#type(this.#root, 0);
    const named: [string, string][] = [];
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const [alias, schema] = next;
      named.push([alias, this.#type(schema, 0)]);
    }
    const { required } = this.#root;
    const optional = !Array.isArray(required) || required.length === 0;
    return { type, named, optional };
  }

  #type(schema: unknown, depth: number): string {
    if (isRecord(schema)) {
      for (const keyword of ["$ref", "$recursiveRef", "$dynamicRef"]) {
        const reference = schema[keyword];
        if (typeof reference === "string") return this.#alias(reference);
      }
    }
    return this.#body(schema, depth);
  }

  #body(schema: unknown, depth: number): string {
    if (schema === false) return "never";
    if (!isRecord(schema) || depth > maxDepth) return "unknown";
    const parts = [
      this.#base(schema, depth),
      ...["anyOf", "oneOf"].map((keyword) =>
        this.#union(schema[keyword], depth)
      ),
      this.#intersection(schema.allOf, depth),
    ].filter((part) => part !== "unknown");
    return parts.length === 0 ? "unknown" : join(parts, " & ");
  }

  #base(schema: Record<string, unknown>, depth: number): string {
    if (Object.hasOwn(schema, "const")) return literal(schema.const);
    if (Array.isArray(schema.enum)) {
      return join([...new Set(schema.enum.map(literal))], " | ");
    }
    const type = typesOf(schema);
    const names = Array.isArray(type) ? type : [type ?? implied(schema)];
    return join(
      [...new Set(names.map((name) => this.#named(name, schema, depth)))],
      " | ",
    );
  }

  #named(
    name: unknown,
    schema: Record<string, unknown>,
    depth: number,
  ): string {
    switch (name) {
      case "string":
      case "boolean":
      case "null":
        return name;
      case "number":
      case "integer":
        return "number";
      case "array":
        return this.#array(schema, depth);
      case "object":
        return this.#object(schema, depth);
      default:
        return "unknown";
    }
  }

  #array(schema: Record<string, unknown>, depth: number): string {
    const { items, prefixItems, additionalItems } = schema;
    const tuple = Array.isArray(prefixItems)
      ? prefixItems
      : Array.isArray(items)
      ? items
      : undefined;
    if (tuple === undefined) {
      return `${grouped(this.#type(items, depth + 1))}[]`;
    }
    const rest = Array.isArray(prefixItems) ? items : additionalItems;
    const least = typeof schema.minItems === "number" ? schema.minItems : 0;
    const parts = tuple.map((item, index) =>
      grouped(this.#type(item, depth + 1)) + (index < least ? "" : "?")
    );
    if (rest !== false) {
      parts.push(`...${grouped(this.#type(rest, depth + 1))}[]`);
    }
    return `[${parts.join(", ")}]`;
  }

  #object(schema: Record<string, unknown>, depth: number): string {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required = new Set(
      Array.isArray(schema.required) ? schema.required : [],
    );
    const members = Object.entries(properties).map(([name, property]) => {
      const mark = required.has(name) ? "" : "?";
      const hint = comment(hints(property));
      return `${hint === "" ? "" : `${hint} `}${propertyName(name)}${mark}: ${
        this.#type(property, depth + 1)
      }`;
    });
    for (const name of required) {
      if (typeof name === "string" && !Object.hasOwn(properties, name)) {
        members.push(`${propertyName(name)}: unknown`);
      }
    }
    return this.#withIndex(schema, members, depth);
  }

  #withIndex(
    schema: Record<string, unknown>,
    members: string[],
    depth: number,
  ): string {
    const { additionalProperties, patternProperties } = schema;
    const patterns = isRecord(patternProperties)
      ? Object.values(patternProperties)
      : [];
    const open = isRecord(additionalProperties) ||
      additionalProperties === true;
    if (!open && patterns.length === 0) {
      return members.length > 0
        ? `{ ${members.join("; ")} }`
        : additionalProperties === false
        ? "Record<string, never>"
        : "Record<string, unknown>";
    }
    // An index signature must take the named properties too.
    const loose = members.length > 0 || patterns.length > 1 ||
      (open && patterns.length > 0);
    const value = loose
      ? "unknown"
      : this.#type(open ? additionalProperties : patterns[0], depth + 1);
    return `{ ${[...members, `[name: string]: ${value}`].join("; ")} }`;
  }

  #union(parts: unknown, depth: number): string {
    if (!Array.isArray(parts)) return "unknown";
    const types = parts.map((part) => this.#type(part, depth + 1));
    return types.includes("unknown")
      ? "unknown"
      : join([...new Set(types)], " | ");
  }

  #intersection(parts: unknown, depth: number): string {
    if (!Array.isArray(parts)) return "unknown";
    const types = parts.map((part) => this.#type(part, depth + 1))
      .filter((type) => type !== "unknown");
    return types.length === 0 ? "unknown" : join([...new Set(types)], " & ");
  }

  #alias(reference: string): string {
    const target = this.#resolve(reference);
    if (target === undefined) return "unknown";
    const known = this.#aliases.get(target);
    if (known !== undefined) return known;
    const token = reference.split(/[/#]/).at(-1) ?? "";
    const word = token.replaceAll(/[^A-Za-z0-9_]/g, "_") || "Root";
    let alias = `${this.#prefix}_${word}`;
    for (let count = 2; this.#taken.has(alias); count++) {
      alias = `${this.#prefix}_${word}${count}`;
    }
    this.#taken.add(alias);
    this.#aliases.set(target, alias);
    this.#waiting.push([alias, target]);
    return alias;
  }
}

/** The type that keywords speak of where none is named. */
function implied(schema: Record<string, unknown>): string | undefined {
  if (isRecord(schema.properties) && schema.required !== undefined) {
    return "object";
  }
  return undefined;
}

function literal(value: unknown): string {
  return quote(value);
}

function quote(value: unknown): string {
  return (JSON.stringify(value) ?? "unknown").toWellFormed()
    .replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function join(types: readonly string[], by: " | " | " & "): string {
  const [only] = types;
  if (only === undefined) return "unknown";
  return types.length === 1
    ? only
    : types.map((type) => by === " & " ? grouped(type) : type).join(by);
}

function grouped(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

/** What a type cannot say of a property. */
function hints(schema: unknown): string {
  if (!isRecord(schema)) return "";
  const facts = [
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "default",
  ]
    .filter((keyword) =>
      Object.hasOwn(schema, keyword) && !isSafeBound(schema[keyword])
    )
    .map((keyword) => `${keyword} ${shorten(quote(schema[keyword]), 60)}`);
  if (schema.type === "integer") facts.unshift("integer");
  const { description } = schema;
  const words = typeof description === "string" ? [description] : [];
  return [...words, ...facts].join("; ");
}

/** The bounds of the integers that are exact: libraries state them of any. */
function isSafeBound(value: unknown): boolean {
  return typeof value === "number" &&
    Math.abs(value) === Number.MAX_SAFE_INTEGER;
}

/** A comment on one line; nothing for no text. */
export function comment(text: string, limit = 300): string {
  const line = shorten(text.trim(), limit).replaceAll("*/", "*\\/");
  return line === "" ? "" : `/** ${line} */`;
}
