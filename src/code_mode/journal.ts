/**
 * What a running cell has said so far.
 *
 * Takes the guest's messages as they come, so that nothing is lost when the
 * guest dies.
 *
 * Before it on the path: `guest.ts`. After it: `cell_result.ts`.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { CappedText } from "./capped_text.ts";
import type { CellCall, CellRequest, RefusedCall } from "./cell.ts";
import { readMessage } from "./guard.ts";
import type { ConsoleLevel, GuestError, GuestMessage } from "./protocol.ts";

/** How a program ended by itself. */
export type GuestEnd =
  | { readonly kind: "returned"; readonly json: string | undefined }
  | { readonly kind: "threw"; readonly error: GuestError };

/** Everything a guest has sent. */
export class Journal {
  readonly text: CappedText;
  readonly console: CappedText;
  readonly refused: RefusedCall[] = [];
  /** How the program ended; unset while it runs. */
  end: GuestEnd | undefined;
  readonly #stored = new Map<string, string | null>();
  readonly #request: CellRequest;
  readonly #lines: number;
  readonly #make: (call: CellCall) => void;
  #storedBytes = 0;
  #calls = 0;

  /**
   * @param request What runs.
   * @param lines How many lines its program has.
   * @param make Takes the calls that the program makes.
   */
  constructor(
    request: CellRequest,
    lines: number,
    make: (call: CellCall) => void,
  ) {
    this.#request = request;
    this.#lines = lines;
    this.#make = make;
    this.text = new CappedText(request.limits.outputBytes);
    this.console = new CappedText(request.limits.consoleBytes);
  }

  /** The changes that `store()` made. */
  get stored(): Record<string, string | null> {
    return Object.fromEntries(this.#stored);
  }

  /**
   * Takes one message.
   *
   * @param fuel What is left, for `budget()`.
   * @returns Whether the message was one, and the answer if it wants any.
   */
  take(
    op: number,
    id: number,
    text: string,
    bytes: number,
    fuel: number,
  ): { readonly ok: boolean; readonly answer?: string } {
    const message = readMessage(op, id, text, {
      nextCallId: this.#calls + 1,
      calls: this.#request.limits.calls,
      lines: this.#lines,
    });
    if (message === undefined || this.end !== undefined) return broken;
    const answer = this.#apply(message, bytes, fuel);
    return answer === undefined ? taken : { ok: true, answer };
  }

  #apply(
    message: GuestMessage,
    bytes: number,
    fuel: number,
  ): string | undefined {
    switch (message.kind) {
      case "call":
        this.#calls++;
        this.#make({
          id: message.id,
          name: message.tool,
          input: message.input,
        });
        return undefined;
      case "refused":
        this.#refuse(message.tool, message.code, message.message);
        return undefined;
      case "text":
        this.text.add(message.text, bytes);
        return undefined;
      case "console": {
        const mark = markOf(message.level);
        this.console.add(mark + message.text, mark.length + bytes);
        return undefined;
      }
      case "store":
        return this.#store(message.key, message.json, bytes);
      case "load":
        return this.#load(message.key);
      case "budget":
        return this.#budget(fuel);
      case "returned":
      case "threw":
        this.end = message;
        return undefined;
      default:
        return message satisfies never;
    }
  }

  #refuse(name: string, code: string, message: string): void {
    if (this.refused.length < this.#request.limits.calls) {
      this.refused.push({ name, code, message });
    }
  }

  #store(
    key: string,
    json: string | undefined,
    bytes: number,
  ): string | undefined {
    const { storeBytes } = this.#request.limits;
    if (this.#storedBytes + bytes > storeBytes) {
      return `A cell may store ${storeBytes} bytes; this needs ${
        this.#storedBytes + bytes
      }`;
    }
    this.#storedBytes += bytes;
    this.#stored.set(key, json ?? null);
    return undefined;
  }

  #load(key: string): string | undefined {
    const changed = this.#stored.get(key);
    if (changed !== undefined) return changed ?? undefined;
    const { stored } = this.#request;
    return Object.hasOwn(stored, key) ? stored[key] : undefined;
  }

  #budget(fuel: number): string {
    try {
      const left = this.#request.budget();
      return JSON.stringify({ ...(isRecord(left) ? left : {}), fuel });
    } catch {
      return JSON.stringify({ fuel });
    }
  }
}

const taken = Object.freeze({ ok: true });
const broken = Object.freeze({ ok: false });

/** What stands before a line that tells of trouble. */
function markOf(level: ConsoleLevel): string {
  return level === "warn" || level === "error" ? `[${level}] ` : "";
}
