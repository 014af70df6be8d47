/**
 * The tool `exec`: runs a program that the model wrote, in the sandbox, and
 * makes the calls of the host's tools that the program asks for. It is a tool
 * like any other; the calls are nested in its own, each with its own receipt.
 *
 * Before it on the path: `call.ts`. After it: `source.ts`, `pool.ts`, and `call.ts`
 * again for each call of the program.
 *
 * @module
 */

import type { Budget } from "../budget.ts";
import type { Clock } from "../ambient.ts";
import { isRecord, type JsonObject } from "../json.ts";
import type { Stop } from "../stop.ts";
import { toolError } from "../tool_error.ts";
import { declare } from "../tools/declarations.ts";
import type {
  FunctionTool,
  NestedEnd,
  ToolRun,
} from "../tools/function_tool.ts";
import { toIdentifier } from "../tools/identifier.ts";
import { compileSchema } from "../tools/schema.ts";
import { codeToolName, type ToolSet } from "../tools/tool_set.ts";
import type { CellCall, CellRequest, CellResult, CellTool } from "./cell.ts";
import { CallLog } from "./call_log.ts";
import type { CellStore } from "./cell_store.ts";
import { describeExec } from "./exec_description.ts";
import { resultOf, sourceFailure } from "./exec_result.ts";
import { cellLimits } from "./limits.ts";
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
  return isRecord(input) && typeof input.code === "string" ? input.code : "";
}

async function runProgram(
  parts: ExecParts,
  tools: readonly CellTool[],
  code: string,
  run: ToolRun,
): Promise<unknown> {
  const source = normalizeSource(code);
  if (source.tag === "refused") throw sourceFailure(source);
  const cell = run.stop.child();
  const log = new CallLog();
  try {
    const result = await parts.pool.run({
      ...cellRequest(parts, run),
      body: source.body,
      tools,
      call: (call) => log.follow(call, perform(run, call, cell.stop)),
    });
    cell.stop.stop({
      tag: "interrupted",
      reason: "the program ended before the call did",
    });
    await endOthers(run, result, log, cell.stop);
    const notes = [
      ...source.notes,
      ...unawaited(result),
      ...uncaught(result),
      ...parts.store.apply(result.stored),
    ];
    return resultOf({ result, log, notes, code });
  } finally {
    cell.release();
  }
}

/** What a cell is given whatever its program is. */
function cellRequest(
  { store, budget, clock }: ExecParts,
  { context, stop, turnStartedAt }: ToolRun,
): Omit<CellRequest, "body" | "tools" | "call"> {
  return {
    limits: cellLimits(budget),
    startTime: turnStartedAt,
    seed: `${context.turnId}:${context.callId}`,
    stored: store.values,
    budget: () => ({
      calls: context.remainingCalls(),
      ms: context.remainingMs(),
      outputBytes: budget.outputBytes,
    }),
    signal: stop.signal,
    timer: (ms, fire) => clock.timer(ms, fire),
  };
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

/** Errors in functions that nobody awaited; more than a few say no more. */
function uncaught({ uncaughtRejections }: CellResult): string[] {
  return [...new Set(uncaughtRejections)].slice(0, 3).map((line) =>
    `A promise was rejected and nobody caught it: ${line}`
  );
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
        refusal: toolError(
          "interrupted",
          "the program ended before the call could start; await every call",
        ),
      }, stop),
      false,
    )
  );
  const refused = refusedCalls.map(({ name, code, message }, index) =>
    run.call({
      callId: `refused_${index + 1}`,
      tool: name,
      arguments: undefined,
      refusal: toolError(
        code === "calls" ? "budget_spent" : "invalid_input",
        message,
      ),
    }, stop)
  );
  await Promise.all([...late, ...refused, log.settled()]);
}
