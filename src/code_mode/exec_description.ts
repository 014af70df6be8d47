/**
 * What the model reads of the tool `exec`.
 *
 * @module
 */

import type { Declarations } from "../tools/declarations.ts";

const storing =
  " `store(key, value)` and `load(key)` keep JSON values for later programs.";

const how = (keeps: string) =>
  `Runs a JavaScript program in a sandbox and gives back what it returns. Use it to call several tools at once, to loop over them, and to keep large results out of your context by returning only what you need.

The code is the body of an async function: \`await\` and \`return\` work at the top level. TypeScript annotations are removed.
- \`tools.name(input)\` calls a tool and gives a promise of its result. A failed call rejects with an Error that has \`code\`, \`message\` and \`retryable\`. Run independent calls together: \`await Promise.all([tools.a({}), tools.b({})])\`. Await every call: those that still run when the program ends are stopped.
- \`text(value)\` and \`console.log(…)\` add to what you read.${keeps} \`budget()\` tells what is left. \`ALL_TOOLS\` lists the tools; \`describe(name)\` and \`search(query)\` tell more.
- There is no network, no file and no module. \`Date\` shows the start of the turn, \`Math.random\` is seeded.`;

/** The description, with the tools' declarations; `keeps`: whether cells store. */
export function describeExec(
  { text, complete }: Declarations,
  keeps: boolean,
): string {
  const intro = how(keeps ? storing : "");
  if (text.trim() === "") return `${intro}\n\nThere are no tools to call.`;
  const note = complete
    ? "The tools:"
    : "The tools, by name only; `describe(name)` gives a tool's types:";
  return `${intro}\n\n${note}\n\`\`\`ts\n${text}\n\`\`\``;
}
