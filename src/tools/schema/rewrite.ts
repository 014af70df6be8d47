/**
 * Rewrites a schema into one that the validator judges rightly: references are
 * local and point straight at their target, keywords that the draft does not
 * know are gone, and every visit of a subschema is counted.
 *
 * @module
 */

import { isRecord, type Json, type JsonObject } from "../../json.ts";
import { type Draft, refHidesSiblings } from "./draft.ts";
import { keywordUse, malformed } from "./keywords.ts";
import { type Place, type Places, resolve } from "./locate.ts";
import { typesOf } from "./nullable.ts";
import { memberPath } from "./path.ts";
import { judgePattern } from "./pattern.ts";
import type { ProblemList } from "./plain_copy.ts";
import type { StepCounter } from "./step_counter.ts";

/** A schema as the validator takes it. */
export type Rewritten = boolean | Record<string, unknown>;

/** Rewrites the schema at `root`; what it cannot is added to `list`. */
export function rewrite(
  root: Json,
  path: string,
  draft: Draft,
  places: Places,
  list: ProblemList,
  counter: StepCounter,
): Rewritten {
  if (typeof root === "boolean") return root;
  return new Rewriter(draft, places, list, counter).root(root, path);
}

class Rewriter {
  readonly #draft: Draft;
  readonly #places: Places;
  readonly #list: ProblemList;
  readonly #counter: StepCounter;
  /** The names of what references point to. */
  readonly #targets = new Map<Json, string>();
  readonly #waiting: { name: string; place: Place }[] = [];
  /** Whether names are judged by schemas, which any reference may lead to. */
  readonly #judgesNames: boolean;
  #root: Json = null;

  constructor(
    draft: Draft,
    places: Places,
    list: ProblemList,
    counter: StepCounter,
  ) {
    this.#draft = draft;
    this.#places = places;
    this.#list = list;
    this.#counter = counter;
    this.#judgesNames = [...places.all.keys()]
      .some((schema) => "propertyNames" in schema);
  }

  root(schema: Json, path: string): Rewritten {
    this.#root = schema;
    const body = this.#body(schema, path);
    if (typeof body === "boolean") return body;
    const targets: Record<string, unknown> = Object.create(null);
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      targets[next.name] = this.#body(next.place.schema, next.place.path);
    }
    if (Object.keys(targets).length > 0) body.$defs = targets;
    return body;
  }

  #body(schema: Json, path: string): Rewritten {
    if (typeof schema === "boolean") return schema;
    const out: Record<string, unknown> = Object.create(null);
    if (!isRecord(schema)) return out;
    const source: JsonObject = schema;
    const reference = this.#reference(source, path);
    if (reference !== undefined) out.$ref = reference;
    if (reference === undefined || !refHidesSiblings(this.#draft)) {
      for (const [keyword, value] of Object.entries(source)) {
        this.#keyword(out, keyword, value, path);
      }
    }
    if ("type" in out) out.type = typesOf(source);
    this.#counter.watch(out);
    if (typeof out.pattern === "string") this.#pattern(out, out.pattern, path);
    return out;
  }

  #keyword(
    out: Record<string, unknown>,
    keyword: string,
    value: Json,
    path: string,
  ): void {
    const use = keywordUse(keyword, this.#draft);
    if (use.tag !== "known" || keyword.startsWith("$")) return;
    if (keyword === "definitions" || malformed(value, use.shape)) return;
    const where = memberPath(path, keyword);
    if (keyword === "patternProperties" && isRecord(value)) {
      for (const name of Object.keys(value)) this.#namePattern(name, where);
    }
    if (keyword === "uniqueItems" && value === true) this.#counter.unique++;
    out[keyword] = this.#inside(value, use.shape, where);
  }

  #pattern(
    out: Record<string, unknown>,
    pattern: string,
    path: string,
  ): void {
    const verdict = judgePattern(pattern);
    if (verdict.tag === "refused") {
      this.#list.add(memberPath(path, "pattern"), verdict.reason);
      return;
    }
    this.#counter.watchPattern(out, verdict);
    if (this.#judgesNames) this.#counter.watchNames(verdict);
  }

  #namePattern(pattern: string, where: string): void {
    const verdict = judgePattern(pattern);
    if (verdict.tag === "accepted") this.#counter.watchNames(verdict);
    else this.#list.add(memberPath(where, pattern), verdict.reason);
  }

  #inside(value: Json, shape: string, where: string): unknown {
    if (shape === "schema map" || shape === "dependencies") {
      const out: Record<string, unknown> = Object.create(null);
      for (const [key, item] of Object.entries(isRecord(value) ? value : {})) {
        out[key] = shape === "dependencies" && Array.isArray(item)
          ? item
          : this.#sub(item, memberPath(where, key));
      }
      return out;
    }
    if (!shape.startsWith("schema")) return value;
    return Array.isArray(value)
      ? value.map((item, index) => this.#sub(item, `${where}[${index}]`))
      : this.#sub(value, where);
  }

  #sub(schema: Json, path: string): Rewritten {
    return this.#body(schema, path);
  }

  /** The `$ref` of a schema, rewritten; `undefined` where it has none. */
  #reference(schema: JsonObject, path: string): string | undefined {
    const given = this.#given(schema, path);
    if (given === undefined) return undefined;
    const [keyword, reference] = given;
    const base = this.#places.all.get(schema)?.base ?? "";
    const found = resolve(reference, base, this.#places);
    if (found === undefined) {
      this.#list.add(
        memberPath(path, keyword),
        "points to no schema inside this one; nothing is fetched. Put what it needs under $defs",
      );
      return undefined;
    }
    if (typeof found.schema === "boolean") {
      return this.#boolean(found.schema);
    }
    return "path" in found ? this.#target(found) : undefined;
  }

  #given(schema: JsonObject, path: string): [string, string] | undefined {
    for (const keyword of ["$ref", "$recursiveRef", "$dynamicRef"]) {
      const value = schema[keyword];
      if (
        typeof value !== "string" ||
        keywordUse(keyword, this.#draft).tag !== "known"
      ) continue;
      // With one resource, what is dynamic has only one place to point to.
      if (keyword === "$ref" || this.#places.resources === 1) {
        return [keyword, value];
      }
      this.#list.add(
        memberPath(path, keyword),
        `"${keyword}" across schemas with ids of their own is not judged; use "$ref"`,
      );
    }
    return undefined;
  }

  #target(place: Place): string {
    if (place.schema === this.#root) return "#";
    let name = this.#targets.get(place.schema);
    if (name === undefined) {
      name = `r${this.#targets.size}`;
      this.#targets.set(place.schema, name);
      this.#waiting.push({ name, place });
    }
    return `#/$defs/${name}`;
  }

  #boolean(value: boolean): string {
    const name = value ? "anything" : "nothing";
    if (!this.#waiting.some((one) => one.name === name)) {
      this.#waiting.push({
        name,
        place: { schema: value, path: "", base: "" },
      });
    }
    return `#/$defs/${name}`;
  }
}
