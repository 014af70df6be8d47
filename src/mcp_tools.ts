/**
 * Tools of an MCP server, taken in as tools of the host.
 *
 * The client is the host's own: connected, with the transport and the
 * credentials that it needs. Only its two methods for tools are used, so this
 * module depends on no MCP library.
 *
 * @module
 */

import type { Problem } from "./failure.ts";
import { isRecord } from "./json.ts";
import type { HostTool, HostTools } from "./tools/host_tool.ts";
import { toIdentifier } from "./tools/identifier.ts";
import { codeToolName, createToolSet, maxTools } from "./tools/tool_set.ts";

export { joinTools } from "./tools/join_tools.ts";

/** What is needed of an MCP client; that of `@modelcontextprotocol/client` has it. */
export type McpClient = {
  /** Lists the server's tools, a page at a time or all at once. */
  listTools(
    params: { cursor: string } | undefined,
    options: { signal?: AbortSignal },
  ): Promise<{
    readonly tools: readonly McpTool[];
    readonly nextCursor?: string | undefined;
  }>;
  /** Calls one tool. */
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options: { signal: AbortSignal; timeout: number },
  ): Promise<McpCallResult>;
};

/** A tool as an MCP server lists it. */
export type McpTool = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** How an MCP server's tool answers. */
export type McpCallResult = {
  readonly content?: readonly McpContent[] | null | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

/** A piece of an answer; the fields are those of its type. */
export type McpContent = {
  readonly type: string;
  readonly text?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: unknown;
};

/** Which tools are taken in, and under which names. */
export type McpToolsOptions = {
  /** Stands before each name, for example `github_`, to tell servers apart. */
  readonly prefix?: string | undefined;
  /** Whether a tool is wanted; all are, without it. */
  readonly accept?: ((tool: McpTool) => boolean) | undefined;
  /** Ends the listing when it aborts. */
  readonly signal?: AbortSignal | undefined;
};

/** The tools of an MCP server, for a configuration and its options. */
export type McpTools = {
  /** For `config.tools`, alone or with others. */
  readonly tools: readonly HostTool[];
  /** For `options.tools`: runs a call of one of them. */
  readonly call: HostTools["call"];
  /** The tools that could not be taken in, and why; by the server's names. */
  readonly refused: readonly {
    readonly name: string;
    readonly problems: readonly Problem[];
  }[];
};

/**
 * Takes in the tools of an MCP server.
 *
 * Names are made to fit: what a model's provider does not take becomes `_`, and
 * a name that is taken gets a number. Tools whose schema cannot be judged are
 * left out and told in `refused`. A call that the server answers with `isError`
 * becomes a tool error with its text; otherwise the structured content is the
 * output, and where there is none the text. Cancelling a call cancels the
 * request.
 *
 * @param client A connected client.
 * @param options Which tools are taken in, and under which names.
 * @returns The tools, and what runs their calls.
 * @throws {Error} What the client throws where the server cannot be asked; and
 * where its list has more than 64 pages or 10,000 tools.
 *
 * @example Beside tools of one's own
 * ```ts no-assert
 * import { defineTools, open } from "@nanocode/wasm";
 * import { joinTools, mcpTools } from "@nanocode/wasm/mcp";
 * import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
 *
 * export async function ask(apiKey: string) {
 *   const client = new Client({ name: "my-agent", version: "1.0.0" });
 *   const url = new URL("https://tools.example.com/mcp");
 *   await client.connect(new StreamableHTTPClientTransport(url));
 *   const { tools, call } = joinTools(
 *     await mcpTools(client, { prefix: "shop_" }),
 *     defineTools({
 *       today: {
 *         description: "The day of today.",
 *         parameters: { type: "object" },
 *         run: () => new Date().toISOString().slice(0, 10),
 *       },
 *     }),
 *   );
 *   await using agent = await open(
 *     { backend: "openai", model: "gpt-5", tools },
 *     { apiKey, tools: { call } },
 *   );
 *   return await agent.prompt("What did we sell today?").result();
 * }
 * ```
 */
export async function mcpTools(
  client: McpClient,
  { prefix = "", accept = () => true, signal }: McpToolsOptions = {},
): Promise<McpTools> {
  const listed = (await listAll(client, signal)).filter(accept);
  const names = new Names();
  const original = new Map<string, string>();
  const tools: HostTool[] = [];
  const refused: { name: string; problems: readonly Problem[] }[] = [];
  for (const tool of listed) {
    const { name } = tool;
    const check = createToolSet([declaredTool(tool, "checked")], undefined);
    if (check.tag === "refused") {
      refused.push({ name, problems: ofOneTool(check.problems) });
    } else if (tools.length === mostTools) {
      refused.push({ name, problems: [tooMany] });
    } else {
      const declared = declaredTool(tool, names.fit(prefix + name));
      tools.push(declared);
      original.set(declared.name, name);
    }
  }
  return {
    tools,
    refused,
    call: async (name, input, signal, context) => {
      const result = await client.callTool({
        // A name that is not known here is the server's to refuse.
        name: original.get(name) ?? name,
        arguments: isRecord(input) ? input : {},
      }, { signal, timeout: Math.max(1, Math.ceil(context.remainingMs())) });
      return outputOf(result);
    },
  };
}

// What the official client allows itself; a list without an end would hang.
const maxPages = 64;
// Checking a tool takes about 12 µs; no server has a part of these.
const maxListed = 10_000;

// One place of a request is left to exec.
const mostTools = maxTools - 1;

const tooMany: Problem = {
  path: "",
  reason:
    `expected at most ${mostTools} tools; choose the wanted ones with options.accept`,
};

async function listAll(
  client: McpClient,
  signal: AbortSignal | undefined,
): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  const options = signal === undefined ? {} : { signal };
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? undefined : { cursor };
    const listed = await client.listTools(params, options);
    for (const tool of listed.tools) tools.push(tool);
    if (tools.length > maxListed) {
      throw new Error(`The MCP server lists over ${maxListed} tools`);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`The MCP server's list of tools has over ${maxPages} pages`);
}

function declaredTool(
  { title, description, inputSchema }: McpTool,
  name: string,
): HostTool {
  return {
    name,
    description: description ?? title ?? name,
    parameters: { ...inputSchema },
  };
}

function ofOneTool(problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, reason }) => ({
    path: path.replace(/^tools\[0\]\.?/, ""),
    reason,
  }));
}

const maxNameLength = 64;

/** Names that providers take, each once, also as an identifier in code. */
class Names {
  readonly #taken = new Set([toIdentifier(codeToolName)]);
  /** How often each was asked for: a search for the next could take long. */
  readonly #counts = new Map<string, number>();

  /** The name itself where it fits, else one that is like it. */
  fit(name: string): string {
    const legal = name.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "_";
    for (let count = 1 + (this.#counts.get(legal) ?? 0);; count++) {
      const end = count === 1 ? "" : `_${count}`;
      const fitting = legal.slice(0, maxNameLength - end.length) + end;
      const identifier = toIdentifier(fitting);
      if (this.#taken.has(identifier)) continue;
      this.#taken.add(identifier);
      this.#counts.set(legal, count);
      return fitting;
    }
  }
}

/** The answer as a tool's output; throws where it is an error. */
function outputOf(
  { content, structuredContent, isError }: McpCallResult,
): unknown {
  // Servers were seen to send null for what they leave out.
  const parts = content ?? [];
  const text = parts.map(textOf).join("\n");
  if (isError) throw new McpToolError(text || "the tool failed without a word");
  if (structuredContent !== undefined && structuredContent !== null) {
    return structuredContent;
  }
  return parts.length === 0 ? undefined : text;
}

/** Thrown where an MCP server's tool answers that it failed. */
class McpToolError extends Error {
  override readonly name = "McpToolError";
}

/** A piece of an answer as text; of what is no text, what it is. */
function textOf(
  { type, text, mimeType, uri, name, resource }: McpContent,
): string {
  if (typeof text === "string") return text;
  if (isRecord(resource)) return textOf({ ...resource, type });
  const facts = [type, name, uri, mimeType].filter((fact) =>
    typeof fact === "string"
  );
  return `[${facts.join(" ")}]`;
}
