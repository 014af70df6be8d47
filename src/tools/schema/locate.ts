/**
 * Where the subschemas of a schema are, and what its references point to.
 *
 * @module
 */

import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { type Draft, draftNamed, refHidesSiblings } from "./draft.ts";
import { keywordUse, malformed, type Shape } from "./keywords.ts";
import { itemPath, memberPath } from "./path.ts";
import type { ProblemList } from "./plain_copy.ts";
import { unescapeToken } from "./pointer.ts";

/** A subschema, where it stands. */
export type Place = {
  readonly schema: Json;
  /** For people. */
  readonly path: string;
  /** What relative references in it are relative to. */
  readonly base: string;
};

/** What is known of the places in a schema. */
export type Places = {
  /** Every subschema that is an object, once. */
  readonly all: ReadonlyMap<JsonObject, Place>;
  /** By absolute address: a resource's, or an anchor's. */
  readonly byAddress: ReadonlyMap<string, Place>;
  /** How many schemas have an address of their own, the root included. */
  readonly resources: number;
};

/** The base of a schema without an address. Nothing is ever fetched from it. */
const noAddress = "schema://none/";

/** Finds every subschema, and reports keywords whose value makes no sense. */
export function locate(
  root: Json,
  path: string,
  draft: Draft,
  list: ProblemList,
): Places {
  return new Locator(path, draft, list).locate(root);
}

/** What an id says of its schema. */
type Identity = {
  /** What references inside are relative to. */
  readonly base: string;
  readonly isResource: boolean;
  readonly anchor?: string;
};

class Locator {
  readonly #path: string;
  readonly #draft: Draft;
  readonly #list: ProblemList;
  readonly #all = new Map<JsonObject, Place>();
  readonly #byAddress = new Map<string, Place>();
  #resources = 1;

  constructor(path: string, draft: Draft, list: ProblemList) {
    this.#path = path;
    this.#draft = draft;
    this.#list = list;
  }

  locate(root: Json): Places {
    this.#visit(root, this.#path, noAddress);
    return {
      all: this.#all,
      byAddress: this.#byAddress,
      resources: this.#resources,
    };
  }

  #visit(schema: Json, at: string, base: string): void {
    if (typeof schema === "boolean") return;
    if (!isJsonObject(schema)) {
      this.#list.add(at, "expected a schema (an object or a boolean)");
      return;
    }
    const draft = this.#draft;
    const isRoot = at === this.#path;
    const hidden = refHidesSiblings(draft) && Object.hasOwn(schema, "$ref");
    const id = hidden ? undefined : schema[draft === "4" ? "id" : "$id"];
    const own = this.#identify(id, at, base);
    const place = { schema, path: at, base: own.base };
    this.#all.set(schema, place);
    if (own.isResource && !isRoot) this.#resources++;
    if (own.isResource || isRoot) this.#name(own.base, place);
    if (own.anchor !== undefined) this.#name(`${base}#${own.anchor}`, place);
    if (!isRoot) this.#checkDialect(schema, at);
    this.#visitKeywords(place, schema, hidden);
  }

  #name(address: string, place: Place): void {
    const known = this.#byAddress.get(address);
    if (known === undefined) this.#byAddress.set(address, place);
    else {
      this.#list.add(
        place.path,
        `has the same address or anchor as ${known.path}; each needs its own`,
      );
    }
  }

  #identify(id: Json | undefined, at: string, base: string): Identity {
    if (typeof id !== "string") return { base, isResource: false };
    if (id.startsWith("#") && refHidesSiblings(this.#draft)) {
      return { base, isResource: false, anchor: id.slice(1) };
    }
    if (!URL.canParse(id, base)) {
      this.#list.add(at, "has an id that is no address");
      return { base, isResource: false };
    }
    const url = new URL(id, base);
    if (url.hash.length > 1) {
      this.#list.add(
        at,
        "has an id with a fragment, which is not judged; use $anchor",
      );
    }
    url.hash = "";
    return { base: url.href, isResource: true };
  }

  #checkDialect(schema: JsonObject, at: string): void {
    if (!Object.hasOwn(schema, "$schema")) return;
    if (draftNamed(schema.$schema ?? null) === this.#draft) return;
    this.#list.add(
      `${at}.$schema`,
      "names another draft than the root; one schema follows one draft",
    );
  }

  #visitKeywords(place: Place, schema: JsonObject, hidden: boolean): void {
    const { path, base } = place;
    for (const [keyword, value] of Object.entries(schema)) {
      const use = keywordUse(keyword, this.#draft);
      if (use.tag !== "known") continue;
      const where = memberPath(path, keyword);
      const reason = malformed(value, use.shape);
      if (reason !== undefined) {
        if (!hidden || keyword === "$ref") {
          this.#list.add(where, reason + hint(keyword, value));
        }
        continue;
      }
      if (/^\$(?:dynamicA|a)nchor$/.test(keyword) && !hidden) {
        this.#name(`${base}#${String(value)}`, place);
      }
      this.#visitInside(value, use.shape, where, base);
    }
  }

  #visitInside(value: Json, shape: Shape, where: string, base: string): void {
    if (shape === "schema map" || shape === "dependencies") {
      for (
        const [key, item] of Object.entries(isJsonObject(value) ? value : {})
      ) {
        if (shape === "schema map" || !Array.isArray(item)) {
          this.#visit(item, memberPath(where, key), base);
        }
      }
    } else if (shape.startsWith("schema")) {
      if (Array.isArray(value)) {
        value.forEach((item, index) =>
          this.#visit(item, itemPath(where, index), base)
        );
      } else this.#visit(value, where, base);
    }
  }
}

/** What people mean who write a keyword as another draft has it. */
function hint(keyword: string, value: Json): string {
  if (/^exclusive/.test(keyword) && typeof value === "boolean") {
    return "; true or false is draft 4's form: give the bound itself, or name that draft in $schema";
  }
  if (keyword === "items" && Array.isArray(value)) {
    return "; in this draft the items of a tuple stand under prefixItems";
  }
  return "";
}

/** The place that a reference points to; `undefined` where it is none. */
export function resolve(
  reference: string,
  base: string,
  places: Places,
): Place | { readonly schema: boolean } | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  const fragment = decode(url.hash.slice(1));
  url.hash = "";
  if (fragment === undefined) return undefined;
  if (fragment === "") return places.byAddress.get(url.href);
  if (!fragment.startsWith("/")) {
    return places.byAddress.get(`${url.href}#${fragment}`);
  }
  const resource = places.byAddress.get(url.href);
  return resource && follow(resource.schema, fragment, places);
}

/** Follows a JSON pointer; it must end at what is a schema there. */
function follow(
  from: Json,
  pointer: string,
  places: Places,
): Place | { readonly schema: boolean } | undefined {
  let at: Json = from;
  for (const token of pointer.slice(1).split("/")) {
    const key = unescapeToken(token);
    if (typeof at !== "object" || at === null) return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    const next: unknown = Reflect.get(at, key);
    if (!isJson(next)) return undefined;
    at = next;
  }
  if (typeof at === "boolean") return { schema: at };
  return isJsonObject(at) ? places.all.get(at) : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return value === null || ["boolean", "number", "string", "object"]
    .includes(typeof value);
}
