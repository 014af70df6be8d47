/**
 * Prints turns: as text for people, or as JSON lines.
 *
 * @module
 */

import { type Receipt, reportTurn, type Turn } from "@nanocode/wasm";

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
  /** It runs; resolves when it has ended. */
  turn(turn: Turn): Promise<void>;
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
  async turn(turn) {
    for await (const event of turn) line(event);
    const { receipts } = await turn.result();
    line({ type: "receipts", receipts });
  },
  end: (problems) =>
    line({ type: "result", ok: problems.length === 0, problems }),
};

const textReport: Report = {
  start({ backend, surface, model, where, prompt }) {
    console.log(`\n== ${backend}, ${surface} (${model}, ${where})`);
    console.log(`> ${prompt}`);
  },
  async turn(turn) {
    await reportTurn(turn);
    console.table((await turn.result()).receipts.map(row));
  },
  end(problems) {
    for (const problem of problems) {
      console.error(`not as expected: ${problem}`);
    }
    if (problems.length === 0) console.log("\nAll as expected.");
  },
};

/** A receipt as a line of a table. */
function row(
  { tool, surface, outcome, input, output, error, startedAt, endedAt }: Receipt,
): Record<string, string | number> {
  return {
    tool,
    surface,
    outcome: outcome ?? "running",
    input: brief(input),
    "output or error": brief(output ?? error?.message),
    ms: startedAt === undefined || endedAt === undefined
      ? "-"
      : endedAt - startedAt,
  };
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
