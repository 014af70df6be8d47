/**
 * The tool `exec`: runs a program that the model wrote, in the sandbox, and
 * makes the calls of the host's tools that the program asks for. It is a tool
 * like any other; the calls are nested in its own, each with its own receipt.
 *
 * Before it on the path: `call.ts`. After it: the pool, and `call.ts` again.
 *
 * @module
 */

import type { Budget } from "../budget.ts";
import type { Clock } from "../ambient.ts";
import type { JsonObject } from "../json.ts";
import type { ToolError } from "../receipt.ts";
import type { Stop } from "../stop.ts";
import { declare } from "../tools/declarations.ts";
import type {
  FunctionTool,
  NestedEnd,
  ToolRun,
} from "../tools/function_tool.ts";
import { toIdentifier } from "../tools/identifier.ts";
import { compileSchema } from "../tools/schema.ts";
import { codeToolName, type ToolSet } from "../tools/tool_set.ts";
import type { CellCall, CellResult, CellTool } from "./cell.ts";
import { CallLog } from "./call_log.ts";
import type { CellStore } from "./cell_store.ts";
import { describeExec } from "./exec_description.ts";
import { resultOf, sourceFailure } from "./exec_result.ts";
import type { CellLimits } from "./limits.ts";
import type { Pool } from "./pool.ts";
import { normalizeSource } from "./source.ts";

/** What the tool is made of. */
export type ExecParts = {
  /** The tools that programs may call. */
  readonly tools: ToolSet;
  readonly pool: Pool;
  readonly store: CellStore;
  readonly budget: Budget;
  readonly clock: Clock;
};

const parameters: JsonObject = {
  type: "object",
  properties: {
    code: {
      type: "string",
      description: "JavaScript: the body of an async function.",
    },
  },
  required: ["code"],
};

const compiled = compileSchema(parameters, "parameters");

/** Makes the tool. */
export function createExecTool(parts: ExecParts): FunctionTool {
  const listed = [...parts.tools.values()];
  const declared = declare(listed);
  const tools: CellTool[] = listed.map(({ name, description }) => ({
    name,
    identifier: toIdentifier(name),
    description,
    declaration: declared.perTool.get(name) ?? "",
  }));
  return {
    name: codeToolName,
    description: describeExec(declared, parts.budget.cellStoreBytes > 0),
    parameters,
    metered: false,
    check: (input) =>
      compiled.tag === "accepted" ? compiled.schema.validate(input) : [],
    run: (input, run) => runProgram(parts, tools, codeOf(input), run),
  };
}

function codeOf(input: unknown): string {
  const code = typeof input === "object" && input !== null && "code" in input
    ? input.code
    : undefined;
  return typeof code === "string" ? code : "";
}

async function runProgram(
  { pool, store, budget, clock }: ExecParts,
  tools: readonly CellTool[],
  code: string,
  run: ToolRun,
): Promise<unknown> {
  const source = normalizeSource(code);
  if (source.tag === "refused") throw sourceFailure(source);
  const { context, stop } = run;
  const cell = stop.child();
  const log = new CallLog();
  try {
    const result = await pool.run({
      body: source.body,
      tools,
      limits: limitsOf(budget),
      startTime: run.turnStartedAt,
      seed: `${context.turnId}:${context.callId}`,
      stored: store.values,
      budget: () => ({
        calls: context.remainingCalls(),
        ms: context.remainingMs(),
        outputBytes: budget.outputBytes,
      }),
      call: (call) => log.follow(call, perform(run, call, cell.stop)),
      signal: stop.signal,
      timer: (ms, fire) => clock.timer(ms, fire),
    });
    cell.stop.stop({
      tag: "interrupted",
      reason: "the program ended before the call did",
    });
    await endOthers(run, result, log, cell.stop);
    const notes = [
      ...source.notes,
      ...unawaited(result),
      ...store.apply(result.stored),
    ];
    return resultOf({ result, log, notes, code });
  } finally {
    cell.release();
  }
}

/** A program that ends well may still have forgotten an `await`. */
function unawaited({ unfinishedCalls, unstartedCalls }: CellResult): string[] {
  const count = unfinishedCalls.length + unstartedCalls.length;
  if (count === 0) return [];
  const calls = count === 1 ? "1 call was" : `${count} calls were`;
  return [
    `${calls} not awaited and stopped when the program ended; await what must finish.`,
  ];
}

function limitsOf(budget: Budget): CellLimits {
  return {
    fuel: budget.cellFuel,
    memoryBytes: budget.cellMemoryBytes,
    sourceBytes: budget.cellSourceBytes,
    outputBytes: budget.cellOutputBytes,
    consoleBytes: budget.cellConsoleBytes,
    storeBytes: budget.cellStoreBytes,
    calls: budget.cellCalls,
    // The turn's time ends the cell through its signal: a second timer for it
    // would race with that one.
    waitMs: budget.cellMs,
  };
}

async function perform(
  run: ToolRun,
  { id, name, input }: CellCall,
  stop: Stop,
): Promise<NestedEnd> {
  return await run.call({
    callId: String(id),
    tool: name,
    arguments: JSON.stringify(input),
  }, stop);
}

/** Every call gets its receipt: also those that were refused, or never started. */
async function endOthers(
  run: ToolRun,
  { refusedCalls, unstartedCalls }: CellResult,
  log: CallLog,
  stop: Stop,
): Promise<void> {
  const late = unstartedCalls.map((call) =>
    log.follow(
      call,
      run.call({
        callId: String(call.id),
        tool: call.name,
        arguments: JSON.stringify(call.input),
        refusal: error(
          "interrupted",
          "the program ended before the call could start; await every call",
        ),
      }, stop),
    )
  );
  const refused = refusedCalls.map(({ name, code, message }, index) =>
    run.call({
      callId: `refused_${index + 1}`,
      tool: name,
      arguments: undefined,
      refusal: error(
        code === "calls" ? "budget_spent" : "invalid_input",
        message,
      ),
    }, stop)
  );
  await Promise.all([...late, ...refused, log.settled()]);
}

function error(code: ToolError["code"], message: string): ToolError {
  return { name: "ToolError", code, message, retryable: false };
}
