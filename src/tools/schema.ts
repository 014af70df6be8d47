/**
 * Judges inputs by a JSON Schema: exactly right, or not at all. A schema that
 * the validator cannot judge faithfully is refused when it is compiled, by the
 * keyword and with the path.
 *
 * `$schema` picks the draft: 4, 6 (as 7), 7, 2019-09, 2020-12, which is also the
 * one without it. `format` and keywords that the draft does not know are
 * annotations, as the drafts say: they do not refuse anything.
 *
 * @module
 */

import { type Schema, Validator } from "@cfworker/json-schema";
import type { Problem } from "../failure.ts";
import { describe } from "./schema/describe.ts";
import { type Draft, draftOf } from "./schema/draft.ts";
import {
  guardInput,
  type InputProblem,
  type InputSize,
  maxComparedItems,
} from "./schema/input_guard.ts";
import { locate } from "./schema/locate.ts";
import { findLoops } from "./schema/loops.ts";
import { copyPlain, ProblemList } from "./schema/plain_copy.ts";
import { rewrite, type Rewritten } from "./schema/rewrite.ts";
import {
  StepCounter,
  TextsUnknown,
  TextTooLong,
} from "./schema/step_counter.ts";

export type { InputProblem } from "./schema/input_guard.ts";

/** A schema that can judge inputs. */
export type CompiledSchema = {
  /** What is wrong with an input: the first few problems; none where it fits. */
  validate(input: unknown): readonly InputProblem[];
  /** Whether a small input fits, by the schema alone. Throws where that takes too long. */
  fits(input: unknown): boolean;
};

/** A compiled schema, or why it cannot be judged. */
export type SchemaCompilation =
  | { readonly tag: "accepted"; readonly schema: CompiledSchema }
  | { readonly tag: "refused"; readonly problems: readonly Problem[] };

/** Compiles a schema. Never throws, and never changes what it is given. */
export function compileSchema(
  schema: unknown,
  path: string,
): SchemaCompilation {
  const list = new ProblemList();
  const copy = copyPlain(schema, path, list);
  if (list.problems.length > 0) return refused(list);
  const draft = draftOf(copy);
  if (draft === undefined) {
    list.add(
      `${path}.$schema`,
      "names no draft that is judged; the drafts are 4, 6, 7, 2019-09 and 2020-12",
    );
    return refused(list);
  }
  const places = locate(copy, path, draft, list);
  if (list.problems.length === 0) findLoops(places, draft, list);
  const counter = new StepCounter();
  const rewritten = rewrite(copy, path, draft, places, list, counter);
  if (list.problems.length > 0) return refused(list);
  try {
    const validator = new Validator(asSchema(rewritten), draft, true);
    const compiled = { validator, draft, rewritten, counter };
    return { tag: "accepted", schema: judge(compiled) };
  } catch {
    list.add(path, "cannot be compiled by the validator; simplify it");
    return refused(list);
  }
}

type Compiled = {
  /** Stops at the first problem. */
  readonly validator: Validator;
  readonly draft: Draft;
  readonly rewritten: Rewritten;
  readonly counter: StepCounter;
};

function judge(compiled: Compiled): CompiledSchema {
  const { validator, draft, counter, rewritten } = compiled;
  let thorough: Validator | undefined;
  const run = (by: Validator, input: unknown, size: InputSize) => {
    counter.allow(size);
    try {
      return by.validate(input);
    } catch (error) {
      if (!(error instanceof TextsUnknown)) throw error;
      counter.allow(size);
      return by.validate(counter.follow(input));
    }
  };
  const findings = (input: unknown, size: InputSize) => {
    const { valid, errors } = run(validator, input, size);
    // Of a large input the first problem is enough: each takes memory.
    if (valid || size.values > mostDescribed) return errors;
    try {
      // Few inputs do not fit, and to make one takes about as long as to open.
      thorough ??= new Validator(asSchema(rewritten), draft, false);
      return run(thorough, input, size).errors;
    } catch {
      return errors;
    }
  };
  return {
    fits: (input) => run(validator, input, guardInput(input).size).valid,
    validate: (input) => {
      const { size, problem } = guardInput(input);
      if (problem !== undefined) return [problem];
      const tooLarge = sizeProblem(counter, size);
      if (tooLarge !== undefined) return [tooLarge];
      const present = withoutUndefined(input);
      try {
        const errors = findings(present, size);
        return errors.length === 0 ? [] : describe(errors, rewritten, present);
      } catch (error) {
        return [
          error instanceof TextTooLong ? textTooLong(error) : tooMuchWork,
        ];
      }
    },
  };
}

/** The most values of an input of which all problems are looked for. */
const mostDescribed = 10_000;

const tooMuchWork: InputProblem = {
  path: "input",
  expected: "an input that can be judged in bounded time",
  actual: "one that takes too long; send a smaller one",
};

function sizeProblem(
  counter: StepCounter,
  size: InputSize,
): InputProblem | undefined {
  if (counter.unique > 0 && size.longestArray > maxComparedItems) {
    return {
      path: "input",
      expected:
        `arrays of at most ${maxComparedItems} items, as they are compared with one another`,
      actual: `one of ${size.longestArray}`,
    };
  }
  if (size.longestName > counter.maxNameLength) {
    return {
      path: "input",
      expected:
        `property names of at most ${counter.maxNameLength} characters, as patterns apply to them`,
      actual: `one of ${size.longestName}`,
    };
  }
  return counter.isBeyond(size) ? tooMuchWork : undefined;
}

function textTooLong({ limit }: TextTooLong): InputProblem {
  return {
    path: "input",
    expected: `texts of at most ${limit} characters where the pattern applies`,
    actual: "a longer one",
  };
}

/** A property that holds `undefined` is none. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutUndefined);
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, withoutUndefined(item)]),
  );
}

function asSchema(rewritten: Rewritten): Schema | boolean {
  return rewritten;
}

function refused({ problems }: ProblemList): SchemaCompilation {
  return { tag: "refused", problems };
}
