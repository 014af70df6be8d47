/**
 * A contestant's process, as the contest sees it.
 *
 * @module
 */

import { lines, type Order, type Report, reportMark } from "./contestant.ts";

/** Who takes part: a script, and the configuration it needs. */
export type Contestant = {
  readonly name: string;
  readonly script: URL;
  /** A `deno.json` of its own, for packages that this project does not depend on. */
  readonly config?: URL;
};

/** Loading may have to fetch a package first. */
const loadPatienceMs = 120_000;
const runPatienceMs = 30_000;

/** A running contestant. */
export class Child implements AsyncDisposable {
  /** How long it took to load, or why it could not. */
  readonly loaded: Promise<Report>;
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #reports: AsyncGenerator<Report>;
  readonly #lastWords: Promise<string>;
  #dead = false;

  /** @param contestant Who is to start. */
  constructor({ script, config }: Contestant) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--allow-all",
        ...(config === undefined ? [] : [`--config=${config.pathname}`]),
        script.href,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#reports = reportsOf(this.#process.stdout);
    this.#lastWords = firstError(this.#process.stderr);
    this.loaded = this.#next(loadPatienceMs);
  }

  /** Whether it has crashed, or was given up. */
  get isDead(): boolean {
    return this.#dead;
  }

  /** Has a workload run; never rejects. */
  async run(order: Order): Promise<Report> {
    try {
      const line = new TextEncoder().encode(`${JSON.stringify(order)}\n`);
      await this.#input.write(line);
    } catch {
      // Its end shows below.
    }
    return await this.#next(runPatienceMs);
  }

  /** Ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await this.#reports.return(undefined);
    await this.#process.status;
  }

  async #next(patienceMs: number): Promise<Report> {
    const expired = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => expired.resolve(undefined), patienceMs);
    const next = await Promise.race([this.#reports.next(), expired.promise]);
    clearTimeout(timer);
    if (next?.done === false) return next.value;
    this.#kill();
    return {
      failed: next === undefined
        ? `No answer within ${patienceMs / 1000} s`
        : `Crashed: ${await this.#lastWords}`,
    };
  }

  #kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

async function* reportsOf(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Report> {
  for await (const line of lines(stdout)) {
    if (line.startsWith(reportMark)) yield JSON.parse(line.slice(1));
  }
}

/** The first line that tells of an error; all must be read, or the writer stalls. */
async function firstError(
  stderr: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  let found: string | undefined;
  for await (const line of lines(stderr)) {
    if (/error/i.test(line)) found ??= line.trim();
  }
  return found ?? "without a word";
}
