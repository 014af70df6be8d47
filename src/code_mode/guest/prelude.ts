/**
 * The guest's own JavaScript, as it is written: a function that takes the way
 * out and returns the ways in.
 *
 * What is shipped is `../prelude.ts`, which `deno task build:guest` makes of it.
 * It runs once, in the base image. A program sees the globals it defines;
 * the way out stays in its closures.
 *
 * @module
 */

import { entryPoints } from "../protocol.ts";
import { codec } from "./codec.ts";
import { errors } from "./errors.ts";
import { output } from "./output.ts";
import { primordials } from "./primordials.ts";
import { quickCopy } from "./quick_copy.ts";
import { carry } from "./carry.ts";
import { tools } from "./tools.ts";
import { world } from "./world.ts";

const globals = String.raw`
const globalFunctions = {
  text, store, load, describe, search, budget,
  setTimeout: (callback, delay, ...values) => addTimer(callback, delay, false, values),
  setInterval: (callback, delay, ...values) => addTimer(callback, delay, true, values),
  setImmediate: (callback, ...values) => addTimer(callback, 0, false, values),
  clearTimeout: (id) => removeTimer(id),
  clearInterval: (id) => removeTimer(id),
  clearImmediate: (id) => removeTimer(id),
};
for (const name of keysOf(globalFunctions)) {
  define(globalThis, name, named(name, globalFunctions[name]), false);
}
define(globalThis, "console", consoleMethods, false);
define(globalThis, "performance", { now: () => now() - beginning, timeOrigin: 0 }, false);
define(Math, "random", random, false);
delete globalThis.SharedArrayBuffer;
// It would show a program the prelude's functions that are on the stack.
delete Error.prepareStackTrace;
`;

/** The prelude's text: an expression that evaluates to a function of `post`. */
export const preludeSource = `(function (post) {
"use strict";
${primordials}${carry}${quickCopy}${codec}${errors}${output}${tools}${world}${globals}
const entries = { define: defineTools, begin, settle, nextTimer, fireTimer, finish, report, summarize };
return [${entryPoints.map((name) => `entries.${name}`).join(", ")}];
})`;
