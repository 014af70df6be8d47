// The type of `input`, as the compiler sees it: a wrong line here fails the
// check of types, before any test runs.

import { assertEquals, assertStringIncludes } from "@std/assert";
import type {
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from "@standard-schema/spec";
import manifest from "../../deno.json" with { type: "json" };
import {
  defineTools,
  type StandardParameters,
  type ToolInput,
} from "nanocode-wasm";
import { test } from "../support/permissions.ts";

/** Compiles only where the two types are the same. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends
  (<T>() => T extends Other ? 1 : 2) ? true
  : { readonly one: One; readonly other: Other };

function same<One, Other>(_: Same<One, Other>): void {}

Deno.test("defineTools types the input from the JSON Schema as it is written", () => {
  const { tools } = defineTools({
    search: {
      description: "",
      parameters: {
        type: "object",
        properties: {
          text: { type: "string" },
          limit: { type: "integer", default: 10 },
          order: { enum: ["price", "name"] },
          tags: { type: "array", items: { type: "string" } },
          after: { type: ["string", "null"] },
        },
        required: ["text", "tags", "after"],
        additionalProperties: false,
      },
      run: (input, context) => {
        same<typeof input, {
          text: string;
          limit?: number;
          order?: "price" | "name";
          tags: string[];
          after: string | null;
        }>(true);
        same<typeof context.signal, AbortSignal>(true);
        // @ts-expect-error: there is no such property.
        input.missing;
      },
    },
    ping: {
      description: "",
      parameters: { type: "object", additionalProperties: false },
      async run(_input, { remainingMs }) {
        const left: number = await Promise.resolve(remainingMs());
        return left;
      },
    },
  });
  assertEquals(tools.map(({ name }) => name), ["search", "ping"]);
});

Deno.test("defineTools refuses a run that wants another input", () => {
  defineTools({
    count: {
      description: "",
      parameters: {
        type: "object",
        properties: { n: { type: "number" } },
        required: ["n"],
      },
      // @ts-expect-error: n is a number.
      run: (input: { n: string }) => input.n,
    },
  });
});

const item = {
  type: "object",
  properties: {
    name: { type: "string" },
    parts: { type: "array", items: { $ref: "#/$defs/item" } },
  },
  required: ["name", "parts"],
  additionalProperties: false,
} as const;

Deno.test("ToolInput reads references, and is wider where they go in circles", () => {
  type Input = ToolInput<{
    readonly type: "object";
    readonly properties: {
      readonly item: { readonly $ref: "#/$defs/item" };
      readonly whole: { readonly $ref: "#" };
    };
    readonly required: readonly ["item", "whole"];
    readonly additionalProperties: false;
    readonly $defs: { readonly item: typeof item };
  }>;
  same<Input, { item: { name: string; parts: unknown[] }; whole: unknown }>(
    true,
  );
});

Deno.test("ToolInput reads prefixItems, which draft 7 does not have", () => {
  type Input = ToolInput<{
    readonly type: "object";
    readonly properties: {
      readonly pair: {
        readonly type: "array";
        readonly prefixItems: readonly [
          { readonly type: "string" },
          { readonly type: "number" },
        ];
        readonly items: false;
        readonly minItems: 2;
      };
    };
    readonly required: readonly ["pair"];
    readonly additionalProperties: false;
  }>;
  same<Input, { pair: [string, number] }>(true);
});

Deno.test("ToolInput takes properties named like keywords for properties", () => {
  type Input = ToolInput<{
    readonly type: "object";
    readonly properties: {
      readonly $ref: { readonly type: "string" };
      readonly prefixItems: { readonly type: "number" };
      readonly items: { readonly const: { readonly $ref: "#" } };
    };
    readonly required: readonly ["$ref", "prefixItems", "items"];
    readonly additionalProperties: false;
  }>;
  same<Input, { $ref: string; prefixItems: number; items: { $ref: "#" } }>(
    true,
  );
});

Deno.test("ToolInput of a schema that is not known to the letter is an object", () => {
  same<ToolInput<Record<string, unknown>>, Record<string, unknown>>(true);
  const imported = {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  };
  same<ToolInput<typeof imported>, Record<string, unknown>>(true);
  const { tools } = defineTools({
    lookup: { description: "", parameters: imported, run: () => null },
  });
  assertEquals(tools[0]?.parameters, imported);
});

Deno.test("StandardParameters takes what the specification calls Standard JSON Schema", () => {
  type Describes = StandardJSONSchemaV1<{ from: string }, { from: Date }>;
  type Judges = Describes & StandardSchemaV1<{ from: string }, { from: Date }>;
  same<Describes extends StandardParameters ? "taken" : "not", "taken">(true);
  same<
    StandardSchemaV1 extends StandardParameters ? "taken" : "not",
    "not"
  >(true);
  same<ToolInput<Describes>, { from: string }>(true);
  same<ToolInput<Judges>["from"], Date>(true);
});

test("the packed package depends on the library of the types, in the version used here", async () => {
  assertStringIncludes(
    await Deno.readTextFile(
      new URL("../../src/tools/tool_input.ts", import.meta.url),
    ),
    `/// <reference types="${manifest.imports["json-schema-to-ts"]}" />`,
  );
});
