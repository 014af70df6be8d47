/**
 * Where the subschemas of a schema are, and what its references point to.
 *
 * @module
 */

import { isRecord, type Json, type JsonObject } from "../../json.ts";
import { type Draft, draftNamed, refHidesSiblings } from "./draft.ts";
import { keywordUse, malformed } from "./keywords.ts";
import { itemPath, memberPath } from "./path.ts";
import type { ProblemList } from "./plain_copy.ts";

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
  const all = new Map<JsonObject, Place>();
  const byAddress = new Map<string, Place>();
  let resources = 1;
  const name = (address: string, place: Place) => {
    const known = byAddress.get(address);
    if (known === undefined) byAddress.set(address, place);
    else {
      list.add(
        place.path,
        `has the same address or anchor as ${known.path}; each needs its own`,
      );
    }
  };

  const visit = (schema: Json, at: string, base: string): void => {
    if (typeof schema === "boolean") return;
    if (!isObject(schema)) {
      list.add(at, "expected a schema (an object or a boolean)");
      return;
    }
    const hidden = refHidesSiblings(draft) && Object.hasOwn(schema, "$ref");
    const id = hidden ? undefined : schema[draft === "4" ? "id" : "$id"];
    const own = identify(id, at, base);
    const place = { schema, path: at, base: own.base };
    all.set(schema, place);
    if (own.isResource) {
      if (at !== path) resources++;
      name(own.base, place);
    } else if (at === path) name(base, place);
    if (own.anchor !== undefined) name(`${base}#${own.anchor}`, place);
    checkDialect(schema, at);
    visitKeywords(schema, at, own.base, hidden, place);
  };

  const identify = (
    id: Json | undefined,
    at: string,
    base: string,
  ): { base: string; isResource: boolean; anchor?: string } => {
    if (typeof id !== "string") return { base, isResource: false };
    if (id.startsWith("#") && refHidesSiblings(draft)) {
      return { base, isResource: false, anchor: id.slice(1) };
    }
    if (!URL.canParse(id, base)) {
      list.add(at, "has an id that is no address");
      return { base, isResource: false };
    }
    const url = new URL(id, base);
    if (url.hash.length > 1) {
      list.add(
        at,
        "has an id with a fragment, which is not judged; use $anchor",
      );
    }
    url.hash = "";
    return { base: url.href, isResource: true };
  };

  const checkDialect = (schema: JsonObject, at: string): void => {
    if (at === path || !Object.hasOwn(schema, "$schema")) return;
    if (draftNamed(schema.$schema ?? null) === draft) return;
    list.add(
      `${at}.$schema`,
      "names another draft than the root; one schema follows one draft",
    );
  };

  const visitKeywords = (
    schema: JsonObject,
    at: string,
    base: string,
    hidden: boolean,
    place: Place,
  ): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      const use = keywordUse(keyword, draft);
      if (use.tag !== "known") continue;
      const where = memberPath(at, keyword);
      const reason = malformed(value, use.shape);
      if (reason !== undefined) {
        if (!hidden || keyword === "$ref") {
          list.add(where, reason + hint(keyword, value));
        }
        continue;
      }
      if (/^\$(?:dynamicA|a)nchor$/.test(keyword) && !hidden) {
        name(`${base}#${String(value)}`, place);
      }
      visitInside(value, use.shape, where, base);
    }
  };

  const visitInside = (
    value: Json,
    shape: string,
    where: string,
    base: string,
  ): void => {
    if (shape === "schema map" || shape === "dependencies") {
      for (const [key, item] of Object.entries(isObject(value) ? value : {})) {
        if (shape === "schema map" || !Array.isArray(item)) {
          visit(item, memberPath(where, key), base);
        }
      }
    } else if (shape.startsWith("schema")) {
      if (Array.isArray(value)) {
        value.forEach((item, index) =>
          visit(item, itemPath(where, index), base)
        );
      } else visit(value, where, base);
    }
  };

  visit(root, path, noAddress);
  return { all, byAddress, resources };
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
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null) return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    const next: unknown = Reflect.get(at, key);
    if (!isJson(next)) return undefined;
    at = next;
  }
  if (typeof at === "boolean") return { schema: at };
  return isObject(at) ? places.all.get(at) : undefined;
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

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
