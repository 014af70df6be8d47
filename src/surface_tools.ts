/**
 * Which tools the model can call on which surface.
 *
 * @module
 */

import type { Ambient } from "./ambient.ts";
import type { Budget } from "./budget.ts";
import type { CellStore } from "./code_mode/cell_store.ts";
import { createExecTool } from "./code_mode/exec.ts";
import { createPool } from "./code_mode/pool.ts";
import type { Surface } from "./receipt.ts";
import {
  codeToolName,
  type SurfaceTools,
  type ToolSet,
} from "./tools/tool_set.ts";

/** What the code surface needs. */
export type CodeParts = {
  readonly wasm: WebAssembly.Module;
  readonly store: CellStore;
  readonly budget: Budget;
  readonly ambient: Ambient;
};

/**
 * The surfaces that an agent has. Without any tool of the host there is nothing
 * to call from code, so code is offered only where it was asked for.
 */
export function surfacesOf(
  asked: readonly Surface[] | undefined,
  toolCount: number,
): readonly Surface[] {
  return asked ?? (toolCount === 0 ? ["direct"] : ["direct", "code"]);
}

/** The tools by surface; `exec` is called directly, and calls the host's. */
export function surfaceTools(
  tools: ToolSet,
  surfaces: readonly Surface[],
  code: CodeParts | undefined,
): SurfaceTools {
  const none: ToolSet = new Map();
  const direct = surfaces.includes("direct") ? tools : none;
  if (code === undefined) return { direct, code: none };
  const exec = createExecTool({
    tools,
    pool: createPool(code.wasm),
    store: code.store,
    budget: code.budget,
    clock: code.ambient.clock,
  });
  return { direct: new Map([...direct, [codeToolName, exec]]), code: tools };
}
