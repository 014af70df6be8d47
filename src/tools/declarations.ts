/**
 * TypeScript declarations of the tools, for the model that writes code.
 *
 * @module
 */

import { byteLength, cutToBytes, shorten } from "../text.ts";
import { comment, declareType } from "./declared_type.ts";
import { toIdentifier } from "./identifier.ts";

/** What is declared. */
export type Declarations = {
  /** The declarations, or the names alone where they would be too long. */
  readonly text: string;
  /** Whether the text declares every tool in full. */
  readonly complete: boolean;
  /** Each tool's own declaration, by its name on the wire. */
  readonly perTool: ReadonlyMap<string, string>;
};

/** What a declaration is made of. */
export type DeclaredTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
};

// About 4,000 tokens: more than a model should read before it knows what it needs.
const defaultMaxBytes = 16_000;

/**
 * Declares tools.
 *
 * @param tools The tools.
 * @param options `maxBytes` bounds the text, in bytes; 16,000 without it.
 */
export function declare(
  tools: readonly DeclaredTool[],
  { maxBytes = defaultMaxBytes }: { readonly maxBytes?: number } = {},
): Declarations {
  // The tool `find` and its `$defs.node_x` ask for the same alias as the tool
  // `find_node` and its `$defs.x`.
  const taken = new Set<string>();
  const declared = tools.map((tool) => declareTool(tool, taken));
  const perTool = new Map(
    declared.map(({ name, aliases, method }) => [
      name,
      [...aliases, method].join("\n"),
    ]),
  );
  const text = tools.length === 0 ? "" : [
    ...declared.flatMap(({ aliases }) => aliases),
    "declare const tools: {",
    ...declared.map(({ method }) => indent(method)),
    "};",
  ].join("\n");
  if (byteLength(text) <= maxBytes) return { text, complete: true, perTool };
  return { text: listNames(tools, maxBytes), complete: false, perTool };
}

type Declared = {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly method: string;
};

function declareTool(
  { name, description, parameters }: DeclaredTool,
  taken: Set<string>,
): Declared {
  const identifier = toIdentifier(name);
  const wire = identifier === name
    ? ""
    : ` (also tools[${JSON.stringify(name)}])`;
  const { type, named, optional } = declareType(parameters, identifier, taken);
  const method = `${identifier}(input${
    optional ? "?" : ""
  }: ${type}): Promise<unknown>;`;
  const words = comment(`${description}${wire}`, 1000);
  return {
    name,
    aliases: named.map(([alias, text]) => `type ${alias} = ${text};`),
    method: words === "" ? method : `${words}\n${method}`,
  };
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`).join("\n");
}

/** A line a tool; as many as there is room for. */
function listNames(tools: readonly DeclaredTool[], maxBytes: number): string {
  const lines = tools.map(({ name, description }) =>
    `// ${toIdentifier(name)}: ${shorten(description, 80)}`
  );
  const text = lines.join("\n");
  if (byteLength(text) <= maxBytes) return text;
  const names = `// ${tools.map(({ name }) => toIdentifier(name)).join(", ")}`;
  return byteLength(names) <= maxBytes ? names : cutToBytes(names, maxBytes);
}
