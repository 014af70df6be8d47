/**
 * Servers as processes of their own, which a test may kill.
 *
 * @module
 */

import type { Send } from "./client.ts";
import "../support/engine.ts";

/** A running server process. */
export type ServerProcess = AsyncDisposable & {
  readonly url: string;
  readonly send: Send;
  /** Ends it without giving it a chance to tidy up. */
  kill(): Promise<void>;
  /** What it printed. */
  output(): string;
  /**
   * The largest memory of the process that serves, in bytes, where the kernel
   * tells it.
   */
  peakBytes(): Promise<number | undefined>;
};

const root = new URL("../../", import.meta.url).pathname;

/** How long a server may take to start. */
const startMs = 90_000;

/**
 * Starts `deno` with these arguments, and waits until it says where it listens.
 *
 * @param args The arguments.
 * @param env Its environment, beside this process's own.
 */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const process = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: {
      ...env,
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  const ready = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const [, url] =
        /(?:Listening|Ready) on (http:\/\/[\w.:]+)/.exec(printed) ??
          [];
      if (url !== undefined) ready.resolve(url.replace("0.0.0.0", "127.0.0.1"));
    }
  };
  const reading = Promise.all([read(process.stdout), read(process.stderr)]);
  const fail = (why: string) => ready.reject(new Error(`${why}:\n${printed}`));
  const timer = setTimeout(() => fail("The server did not start"), startMs);
  const ended = process.status.then(() => fail("The server ended"));
  const kill = async () => {
    for (const pid of await family(process.pid)) killOne(pid);
    await Promise.all([ended, reading]);
  };
  try {
    const url = await ready.promise;
    return {
      url,
      send: (path, init) => fetch(`${url}${path}`, init),
      kill,
      output: () => printed,
      peakBytes: async () => peakOf(await family(process.pid)),
      [Symbol.asyncDispose]: kill,
    };
  } catch (error) {
    await kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The process and those that it started, the youngest first. */
async function family(pid: number): Promise<number[]> {
  const parents = await parentsOfAll();
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of parents) if (of === parent) found.push(child);
  }
  return found.reverse();
}

/** Every process with its parent: from the kernel, or else from `ps`. */
async function parentsOfAll(): Promise<[pid: number, parent: number][]> {
  if (Deno.build.os !== "linux") {
    const { stdout } = await new Deno.Command("ps", {
      args: ["-A", "-o", "pid=,ppid="],
    }).output();
    return pairs(new TextDecoder().decode(stdout).split("\n"));
  }
  const lines: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = Deno.readTextFileSync(`/proc/${name}/stat`);
      // After the command's name, which may hold anything: state, parent.
      const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      lines.push(`${name} ${parent}`);
    } catch {
      // It ended meanwhile.
    }
  }
  return pairs(lines);
}

function pairs(lines: readonly string[]): [number, number][] {
  return lines.flatMap((line): [number, number][] => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined ? [] : [[pid, parent]];
  });
}

/** Of several processes workerd is the one that serves. */
function peakOf(pids: readonly number[]): number | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const all = pids.map((pid) => Deno.readTextFileSync(`/proc/${pid}/status`));
  const status = all.find((text) => /^Name:\s*workerd/.test(text)) ??
    all.at(-1);
  const [, kib] = /^VmHWM:\s*(\d+) kB/m.exec(status ?? "") ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

function killOne(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
