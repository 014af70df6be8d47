/**
 * Tools with their code beside them: declared, typed and dispatched in one.
 *
 * It makes what the runtime takes anyway, a list of {@link HostTool}s and one
 * `call`; who writes those by hand needs nothing of this.
 *
 * @module
 */

import { configurationFailure, type Problem } from "../failure.ts";
import { unknownFields } from "../field_check.ts";
import { isRecord } from "../json.ts";
import { nearest } from "../nearest.ts";
import { Redaction } from "../redaction.ts";
import { shorten } from "../text.ts";
import { refusedInput, unknownTool } from "../tool_error.ts";
import { ToolFailure } from "./function_tool.ts";
import type { CallContext, HostTool, HostTools } from "./host_tool.ts";
import { memberPath } from "./schema/path.ts";
import { type StandardSchema, standardSchemaOf } from "./standard_schema.ts";
import type { StandardParameters, ToolInput } from "./tool_input.ts";

/**
 * What a tool's input is described with: a JSON Schema, or a schema object of a
 * library that can say itself as one (Zod since 4.2, ArkType since 2.1.28,
 * Valibot through `toStandardJsonSchema`; see https://standardschema.dev).
 */
export type ToolParameters =
  | StandardParameters
  | Readonly<Record<string, unknown>>;

/** What a tool is told of the call that it answers. */
export type ToolContext = CallContext & {
  /** Aborts when the call is cancelled or its time is over. */
  readonly signal: AbortSignal;
};

/**
 * One tool of {@link defineTools}.
 *
 * @typeParam Parameters The type of the tool's parameters.
 */
export type ToolDefinition<Parameters> = {
  /** What the model reads to decide when to call the tool. */
  readonly description: string;
  /** What the tool's input is: a JSON Schema, or a schema object. */
  readonly parameters: Parameters;
  /**
   * Runs one call; what it gives becomes the tool output, `undefined` becomes
   * `null`. What it throws or rejects with becomes a tool error that the model
   * reads; with a property `retryable` that is `true`, it is told that another
   * try may help.
   *
   * @param input The model's arguments; they fit the parameters.
   * @param context What is known of the call beside that.
   */
  readonly run: (
    input: NoInfer<ToolInput<Parameters>>,
    context: ToolContext,
  ) => unknown;
};

/** What {@link defineTools} gives. */
export type DefinedTools = {
  /** For `AgentConfiguration.tools`: plain JSON. */
  readonly tools: readonly HostTool[];
  /** For `RuntimeOptions.tools.call`. */
  readonly call: HostTools["call"];
};

/**
 * Declares tools together with their code. The input of each `run` is typed from
 * its `parameters`; no `as const` is needed.
 *
 * A schema object is asked for its JSON Schema once, here. Its own rules count
 * too: each input is parsed by it, `run` gets the parsed value, with its
 * defaults and transforms, and what it refuses is told to the model like any
 * other input that does not fit.
 *
 * @typeParam Parameters The parameters of the tools, by name.
 * @param definitions The tools, by the name that the model calls.
 * @returns The declarations and what runs their calls.
 * @throws {HostFailure} Of kind `configuration`, with all that is wrong: a field
 * that is missing or unknown, a schema object that has no JSON Schema. The rest
 * is checked by `open`.
 *
 * @example A JSON Schema types the input
 * ```ts
 * import { defineTools } from "@nanocode/wasm";
 * import { assertEquals } from "@std/assert";
 *
 * const { tools, call } = defineTools({
 *   lookup: {
 *     description: "Look up the value stored under a key.",
 *     parameters: {
 *       type: "object",
 *       properties: { key: { type: "string" } },
 *       required: ["key"],
 *       additionalProperties: false,
 *     },
 *     run: ({ key }) => ({ value: key.toUpperCase() }),
 *   },
 * });
 *
 * // open({ …, tools }, { …, tools: { call } })
 * assertEquals(tools[0]?.name, "lookup");
 * assertEquals(typeof call, "function");
 * ```
 *
 * @example A Zod schema types and parses it
 * ```ts
 * import { defineTools } from "@nanocode/wasm";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const { tools } = defineTools({
 *   demand: {
 *     description: "Count the orders since a day.",
 *     parameters: z.object({
 *       since: z.iso.date().transform((text) => new Date(text)),
 *     }),
 *     run: ({ since }, { signal }) =>
 *       fetch(`https://shop.example.com/orders?since=${since.getTime()}`, {
 *         signal,
 *       }).then((response) => response.json()),
 *   },
 * });
 *
 * assertEquals(tools[0]?.parameters.required, ["since"]);
 * ```
 */
export function defineTools<
  const Parameters extends Readonly<Record<string, ToolParameters>>,
>(
  definitions: {
    readonly [Name in keyof Parameters]: ToolDefinition<Parameters[Name]>;
  },
): DefinedTools {
  const checks = checkAll(definitions);
  const problems = checks.flatMap((check) =>
    check.tag === "refused" ? check.problems : []
  );
  if (problems.length > 0) throw configurationFailure(problems);
  const defined = checks.flatMap((check) =>
    check.tag === "accepted" ? [check.defined] : []
  );
  const byName = new Map(defined.map((tool) => [tool.declared.name, tool]));
  return {
    tools: defined.map(({ declared }) => declared),
    call: async (name, input, signal, context) => {
      const tool = byName.get(name);
      if (tool === undefined) throw notDefined(name, [...byName.keys()]);
      const parsed = await tool.parse?.(input);
      // A refinement may have taken until after the call was stopped.
      if (parsed !== undefined) signal.throwIfAborted();
      if (parsed?.tag === "refused") throw refused(parsed.reasons);
      const value = parsed === undefined ? input : parsed.value;
      return await tool.run(value, { ...context, signal });
    },
  };
}

type Defined = {
  readonly declared: HostTool;
  readonly parse: StandardSchema["parse"];
  readonly run: (input: unknown, context: ToolContext) => unknown;
};

type Check =
  | { readonly tag: "accepted"; readonly defined: Defined }
  | { readonly tag: "refused"; readonly problems: readonly Problem[] };

const fields: ReadonlySet<string> = new Set([
  "description",
  "parameters",
  "run",
]);

function checkAll(definitions: unknown): Check[] {
  if (!isRecord(definitions) || hasMaker(definitions)) {
    const reason =
      'expected a plain object of tools by name; write a tool named "__proto__" as ["__proto__"]';
    return [{ tag: "refused", problems: [{ path: "tools", reason }] }];
  }
  return Object.keys(definitions).map((name) =>
    check(name, definitions[name], memberPath("tools", name))
  );
}

/** `{ __proto__: … }` names no property: it would be lost without a word. */
function hasMaker(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === "object" && prototype !== null &&
    Object.getPrototypeOf(prototype) !== null;
}

function check(name: string, definition: unknown, path: string): Check {
  if (!isRecord(definition)) {
    const reason = "expected an object with description, parameters and run";
    return { tag: "refused", problems: [{ path, reason }] };
  }
  const { description, parameters, run } = definition;
  const problems = unknownFields(
    definition,
    fields,
    `${path}.`,
    "no such field; a tool has description, parameters and run",
  );
  const schema = declaredSchema(parameters, `${path}.parameters`);
  if (schema.tag === "refused") problems.push(...schema.problems);
  if (typeof description !== "string") {
    problems.push({ path: `${path}.description`, reason: "expected a string" });
  }
  if (typeof run !== "function") {
    problems.push({ path: `${path}.run`, reason: "expected a function" });
  }
  if (
    problems.length > 0 || schema.tag === "refused" ||
    typeof description !== "string" || typeof run !== "function"
  ) return { tag: "refused", problems };
  return {
    tag: "accepted",
    defined: {
      declared: { name, description, parameters: schema.parameters },
      parse: schema.parse,
      run: (input, context) => Reflect.apply(run, definition, [input, context]),
    },
  };
}

type DeclaredSchema =
  | {
    readonly tag: "declared";
    readonly parameters: Record<string, unknown>;
    readonly parse: StandardSchema["parse"];
  }
  | { readonly tag: "refused"; readonly problems: readonly Problem[] };

function declaredSchema(value: unknown, path: string): DeclaredSchema {
  const standard = standardSchemaOf(value);
  try {
    const parameters = standard === undefined ? value : standard.toJsonSchema();
    if (isRecord(parameters)) {
      return { tag: "declared", parameters, parse: standard?.parse };
    }
    const reason = "expected a JSON Schema, or a schema object that has one";
    return { tag: "refused", problems: [{ path, reason }] };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "it threw";
    const reason = `it gave no JSON Schema: ${shorten(why, 300)}`;
    return { tag: "refused", problems: [{ path, reason }] };
  }
}

function notDefined(name: string, names: readonly string[]): ToolFailure {
  return new ToolFailure(unknownTool(name, nearest(name, names), names), {
    outcome: "rejected",
    executed: false,
  });
}

// What looks like one; the agent's own are cut out where its call ends.
const withoutSecrets = new Redaction();

/** The reasons are the library's words, or the host's in a rule of its own. */
function refused(reasons: readonly string[]): ToolFailure {
  const error = refusedInput(
    reasons.map((reason) => withoutSecrets.clean(reason)),
  );
  return new ToolFailure(error, { outcome: "rejected", executed: false });
}
