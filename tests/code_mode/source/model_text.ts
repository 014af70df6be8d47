/**
 * A model's text, read and run as `exec` does it, with every call noted.
 *
 * @module
 */

import { normalizeSource } from "../../../src/code_mode/source.ts";
import { answer, run } from "../cells.ts";

/** What became of the text. */
export type Ran = {
  /** Why it did not run at all. */
  readonly refusal?: string;
  readonly value?: unknown;
  readonly notes: readonly string[];
  /** The calls that were made, with their inputs. */
  readonly calls: readonly (readonly [string, unknown])[];
};

/** Runs a model's text with the tool `echo`; throws where the program does. */
export async function ran(code: string): Promise<Ran> {
  const source = normalizeSource(code);
  if (source.tag === "refused") {
    return { refusal: source.message, notes: [], calls: [] };
  }
  const { notes, body } = source;
  const calls: [string, unknown][] = [];
  const { value, error } = await run(body, {
    call: (call) => {
      calls.push([call.name, call.input]);
      return answer(call);
    },
  });
  if (error !== undefined) throw new Error(`${error.message}\n\nin: ${body}`);
  return { value: JSON.parse(value ?? "null"), notes, calls };
}
