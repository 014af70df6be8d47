/**
 * Prints a turn: as a transcript with a table of receipts, or as JSON lines.
 *
 * @module
 */

import type { Receipt, TurnEvent } from "nanocode-wasm";

/** Where a demo's turns are told. */
export type Report = {
  /** A turn begins. */
  start(turn: {
    readonly backend: string;
    readonly surface: string;
    readonly model: string;
    readonly where: string;
    readonly prompt: string;
  }): void;
  /** Something happened in it. */
  event(event: TurnEvent): void;
  /** It ended, with these receipts. */
  receipts(receipts: readonly Receipt[]): void;
  /** All turns ended. */
  end(problems: readonly string[]): void;
};

/** A report as text, or as JSON lines. */
export function createReport(json: boolean): Report {
  return json ? jsonReport : textReport;
}

function line(value: unknown): void {
  console.log(JSON.stringify(value));
}

const jsonReport: Report = {
  start: (turn) => line({ type: "start", ...turn }),
  event: line,
  receipts: (receipts) => line({ type: "receipts", receipts }),
  end: (problems) =>
    line({ type: "result", ok: problems.length === 0, problems }),
};

const textReport: Report = {
  start({ backend, surface, model, where, prompt }) {
    console.log(`\n== ${backend}, ${surface} (${model}, ${where})`);
    console.log(`user       ${prompt}`);
  },
  event(event) {
    const told = describe(event);
    if (told !== undefined) console.log(told);
  },
  receipts(receipts) {
    console.table(
      receipts.map((
        { tool, surface, outcome, input, output, error, startedAt, endedAt },
      ) => ({
        tool,
        surface,
        outcome,
        input: brief(input),
        output: brief(output ?? error?.message),
        ms: startedAt === undefined || endedAt === undefined
          ? "-"
          : endedAt - startedAt,
      })),
    );
  },
  end(problems) {
    for (const problem of problems) {
      console.error(`not as expected: ${problem}`);
    }
    if (problems.length === 0) console.log("\nAll as expected.");
  },
};

function describe(event: TurnEvent): string | undefined {
  switch (event.type) {
    case "step_started":
      return `step       ${event.step}`;
    case "step_finished":
      return `           ${event.stopReason}, ${event.calls} calls`;
    case "text":
      return `model      ${event.delta}`;
    case "reasoning":
      return `thinks     ${event.delta}`;
    case "retry":
      return `retry      in ${event.delayMs} ms: ${event.message}`;
    case "tool_started":
      return call(event.receipt);
    case "tool_finished":
      return `receipt    ${event.receipt.tool} ${event.receipt.outcome}: ${
        brief(event.receipt.output ?? event.receipt.error?.message)
      }`;
    case "end":
      return `end        ${event.stopReason}, ${event.usage.inputTokens} tokens in, ${event.usage.outputTokens} out`;
  }
}

/** A program is shown line by line; any other input in brief. */
function call({ tool, input, surface }: Receipt): string {
  const code = typeof input === "object" && input !== null && "code" in input
    ? input.code
    : undefined;
  if (typeof code !== "string") {
    return `${surface === "code" ? "  nested   " : "call       "}${tool} ${
      brief(input)
    }`;
  }
  const lines = code.split("\n").map((line) => `           | ${line}`);
  return [`call       ${tool}`, ...lines].join("\n");
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
