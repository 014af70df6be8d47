/**
 * The checked tools of one agent.
 *
 * Before it on the path: `open.ts`. After it: `function_tool.ts`.
 *
 * @module
 */

import type { Problem } from "../failure.ts";
import { unknownFields } from "../field_check.ts";
import { isRecord, type JsonObject } from "../json.ts";
import type { Surface } from "../receipt.ts";
import { shorten } from "../text.ts";
import { type FunctionTool, toFunctionTool } from "./function_tool.ts";
import type { HostTool, HostTools } from "./host_tool.ts";
import { toIdentifier } from "./identifier.ts";
import { type CompiledSchema, compileSchema } from "./schema.ts";

/** The name of the tool that runs model-written code; no host tool may have it. */
export const codeToolName = "exec";

/** The most tools of one agent: what the OpenAI API takes in a request. */
export const maxTools = 128;

/** What both providers take as a tool's name. */
const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The checked tools, by name. */
export type ToolSet = ReadonlyMap<string, FunctionTool>;

/** What can be called on each surface. */
export type SurfaceTools = Readonly<Record<Surface, ToolSet>>;

/** The tool set, or everything that is wrong with it. */
export type ToolSetCheck =
  | { readonly tag: "accepted"; readonly tools: ToolSet }
  | { readonly tag: "refused"; readonly problems: readonly Problem[] };

/**
 * Checks the host's tools and gives the tool set, or all problems at once.
 *
 * @param declared What the configuration holds under `tools`.
 * @param runner What runs the calls; `undefined` makes each call fail.
 */
export function createToolSet(
  declared: unknown,
  runner: HostTools | undefined,
): ToolSetCheck {
  if (declared === undefined) return { tag: "accepted", tools: new Map() };
  if (!Array.isArray(declared)) {
    return refused([{ path: "tools", reason: "expected an array of tools" }]);
  }
  const problems: Problem[] = [];
  if (declared.length > maxTools) {
    problems.push({
      path: "tools",
      reason:
        `expected at most ${maxTools} tools, got ${declared.length}; a provider takes no more in one request`,
    });
  }
  // `map` would pass over holes.
  const checks = Array.from(
    declared.slice(0, maxTools),
    (tool: unknown, index) => checkTool(tool, `tools[${index}]`),
  );
  problems.push(...checks.flatMap((check) => check.problems));
  problems.push(...nameProblems(checks));
  if (problems.length > 0) return refused(problems);
  const tools = new Map<string, FunctionTool>();
  for (const { accepted } of checks) {
    if (accepted === undefined) continue;
    const { tool, parameters, schema } = accepted;
    tools.set(tool.name, toFunctionTool(tool, parameters, schema, runner));
  }
  return { tag: "accepted", tools };
}

type ToolCheck = {
  readonly path: string;
  readonly name: string | undefined;
  readonly problems: readonly Problem[];
  readonly accepted?: {
    readonly tool: HostTool;
    readonly parameters: JsonObject;
    readonly schema: CompiledSchema;
  };
};

const fields: ReadonlySet<string> = new Set([
  "name",
  "description",
  "parameters",
]);

const noSuchField =
  "no such field; a tool has name, description and parameters, and its code belongs in options.tools.call";

function checkTool(value: unknown, path: string): ToolCheck {
  if (!isRecord(value)) {
    const reason = "expected an object with name, description and parameters";
    return { path, name: undefined, problems: [{ path, reason }] };
  }
  const { name, description, parameters } = value;
  const problems: Problem[] = [
    ...unknownFields(value, fields, `${path}.`, noSuchField),
    ...nameProblem(name, `${path}.name`),
  ];
  if (typeof description !== "string") {
    problems.push({
      path: `${path}.description`,
      reason: "expected a string that tells the model what the tool does",
    });
  }
  const schemaPath = `${path}.parameters`;
  const compiled = compileSchema(parameters, schemaPath);
  if (compiled.tag === "refused") problems.push(...compiled.problems);
  else problems.push(...rootProblems(parameters, schemaPath));
  const known = typeof name === "string" ? name : undefined;
  if (
    problems.length > 0 || compiled.tag === "refused" ||
    known === undefined || typeof description !== "string"
  ) {
    return { path, name: known, problems };
  }
  // The compiler has seen that it is plain JSON.
  const copy: JsonObject = JSON.parse(JSON.stringify(parameters));
  return {
    path,
    name: known,
    problems,
    accepted: {
      tool: { name: known, description, parameters: copy },
      parameters: copy,
      schema: compiled.schema,
    },
  };
}

function nameProblem(name: unknown, path: string): Problem[] {
  if (typeof name !== "string") {
    return [{ path, reason: "expected a string" }];
  }
  if (!toolNamePattern.test(name)) {
    return [{
      path,
      reason: `"${
        shorten(name, 80)
      }" is no tool name; expected 1 to 64 letters, digits, "_" or "-", as the providers take no other`,
    }];
  }
  if (name === codeToolName) {
    return [{
      path,
      reason:
        `"${name}" is the name of the tool that runs code; choose another`,
    }];
  }
  return [];
}

/** Names that are the same, or that become the same identifier in code. */
function nameProblems(checks: readonly ToolCheck[]): Problem[] {
  const seen = new Map<string, ToolCheck>();
  return checks.flatMap((check): Problem[] => {
    const { name } = check;
    if (name === undefined || !toolNamePattern.test(name)) return [];
    const identifier = toIdentifier(name);
    const first = seen.get(identifier);
    if (first === undefined) {
      seen.set(identifier, check);
      return [];
    }
    const reason = first.name === name
      ? `"${name}" is declared twice, first in ${first.path}; names must differ`
      : `"${name}" and "${first.name}" of ${first.path} both become ${identifier} in code; rename one`;
    return [{ path: `${check.path}.name`, reason }];
  });
}

const rootCombinators = ["oneOf", "anyOf", "allOf", "enum", "not", "$ref"];

/** What providers demand of a schema's root beside that it is a sound schema. */
function rootProblems(parameters: unknown, path: string): Problem[] {
  if (!isRecord(parameters)) {
    return [{ path, reason: 'expected a schema with type "object"' }];
  }
  const problems: Problem[] = rootCombinators
    .filter((keyword) => Object.hasOwn(parameters, keyword))
    .map((keyword) => ({
      path: `${path}.${keyword}`,
      reason:
        `providers take no "${keyword}" at the root of a tool's schema; move it into a property`,
    }));
  if (parameters.type !== "object") {
    problems.push({
      path: `${path}.type`,
      reason:
        'expected "object": a model gives a tool\'s arguments as an object',
    });
  }
  return problems;
}

function refused(problems: readonly Problem[]): ToolSetCheck {
  return { tag: "refused", problems };
}
