// `deno pack` makes a dependency only of what runs or is named here.
/// <reference types="npm:json-schema-to-ts@3.1.1" />

/**
 * The type of a tool's input, from how its parameters are written. Types only:
 * nothing of this runs.
 *
 * @module
 */

import type { FromSchema, JSONSchema } from "json-schema-to-ts";

/**
 * A schema object of a library that can say itself as a JSON Schema: what
 * https://standardschema.dev calls Standard JSON Schema, as far as it is used.
 */
export type StandardParameters = {
  /** What the libraries agreed on. */
  readonly "~standard": {
    /** The agreement's version. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    /** The types that stand for the schema; there is no such value. */
    readonly types?:
      | { readonly input: unknown; readonly output: unknown }
      | undefined;
    /** What says the schema as JSON Schema. */
    readonly jsonSchema: {
      /** What goes in, before the schema's transforms. */
      readonly input: (
        options: { readonly target: string },
      ) => Record<string, unknown>;
    };
  };
};

/**
 * The input of a tool with such parameters. Of a JSON Schema: what fits it, or
 * something wider where its type cannot say it; of one that is not known to the
 * letter, such as one read from a file: an object. Of a schema object: what its
 * parsing gives.
 *
 * @typeParam Parameters The type of the tool's parameters.
 */
export type ToolInput<Parameters> = Parameters extends
  { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends
    { readonly input: infer Input; readonly output: infer Output }
    ? Parameters extends
      { readonly "~standard": { readonly validate: unknown } } ? Output
    : Input
  : unknown
  : SchemaInput<Parameters>;

/**
 * What fits a JSON Schema. Public only because {@link ToolInput} names it.
 *
 * @typeParam Schema The JSON Schema, to the letter.
 * @internal
 */
export type SchemaInput<Schema> = string extends keyof Schema
  ? Record<string, unknown>
  : Plain<Schema, Schema> extends infer Known extends JSONSchema
    ? FromSchema<Known, { keepDefaultedPropertiesOptional: true }>
  : Record<string, unknown>;

/**
 * A schema in words that `json-schema-to-ts` knows: it knows draft 7, and no
 * recursion. So `prefixItems` becomes what draft 7 has for it, each `$ref` what
 * it names; one that goes in a circle, or that cannot be followed, becomes a
 * schema that everything fits.
 */
type Plain<Schema, Root, Above = never> = Schema extends
  { readonly $ref: infer Reference }
  ? Reference extends Above ? Anything : Named<Reference, Root, Above>
  : Schema extends object ? {
      readonly [Key in keyof Schema as PlainKey<Key, Schema>]: Key extends
        SchemaListKey ? PlainEach<Schema[Key], Root, Above>
        : Key extends SchemaKey
          ? Schema[Key] extends readonly unknown[]
            ? PlainEach<Schema[Key], Root, Above>
          : Plain<Schema[Key], Root, Above>
        : Schema[Key];
    }
  : Schema;

type Anything = Record<never, never>;

type SchemaKey = "items" | "additionalItems" | "additionalProperties";

type SchemaListKey =
  | "properties"
  | "patternProperties"
  | "prefixItems"
  | "allOf"
  | "anyOf"
  | "oneOf";

type PlainKey<Key, Schema> = Key extends "$defs" | "definitions" ? never
  : Key extends "prefixItems" ? "items"
  : Key extends "items"
    ? Schema extends { readonly prefixItems: unknown } ? "additionalItems" : Key
  : Key;

type PlainEach<Schemas, Root, Above> = {
  [Key in keyof Schemas]: Plain<Schemas[Key], Root, Above>;
};

/** What `#/$defs/name` or `#/definitions/name` names. */
type Named<Reference, Root, Above> = Reference extends
  `#/${infer Place}/${infer Name}`
  ? Root extends { readonly [P in Place]: infer Definitions }
    ? Definitions extends { readonly [N in Name]: infer Definition }
      ? Plain<Definition, Root, Above | Reference>
    : Anything
  : Anything
  : Anything;
