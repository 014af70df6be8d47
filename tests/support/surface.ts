/**
 * The same calls on either surface: as tool calls of their own, or from a cell.
 *
 * @module
 */

import type { Receipt, Surface } from "../../src/receipt.ts";
import type { ScriptedStep } from "./wire.ts";

/** A call that a test wants the model to make. */
export type WantedCall = { readonly name: string; readonly input: unknown };

/** A step in which the model makes these calls at once. */
export function stepOfCalls(
  surface: Surface,
  calls: readonly WantedCall[],
): ScriptedStep {
  if (surface === "direct") {
    return {
      calls: calls.map(({ name, input }, index) => ({
        id: `call_${index + 1}`,
        name,
        arguments: JSON.stringify(input),
      })),
    };
  }
  const parts = calls.map(({ name, input }) =>
    `tools[${JSON.stringify(name)}](${JSON.stringify(input)})`
  );
  const code = `return await Promise.allSettled([${parts.join(", ")}]);`;
  return {
    calls: [{
      id: "cell_1",
      name: "exec",
      arguments: JSON.stringify({ code }),
    }],
  };
}

/** The receipts of the host's tools, without what differs between surfaces. */
export function hostReceipts(receipts: readonly Receipt[]): unknown[] {
  return receipts.filter(({ tool }) => tool !== "exec").map((receipt) => ({
    tool: receipt.tool,
    input: receipt.input,
    outcome: receipt.outcome,
    executed: receipt.executed,
    ...(receipt.output === undefined ? {} : { output: receipt.output }),
    ...(receipt.error === undefined ? {} : { error: receipt.error }),
    ...(receipt.abandoned === undefined
      ? {}
      : { abandoned: receipt.abandoned }),
  }));
}
