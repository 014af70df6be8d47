/**
 * Makes `../prelude.ts` from the guest's files: no minifier of a bundle looks into
 * a text, and every engine's image carries it.
 *
 * Only names and spaces shrink. More would save little, and change what the
 * engine compiles.
 *
 * @module
 */

import * as esbuild from "esbuild";
import { preludeSource } from "./prelude.ts";

const target = new URL("../prelude.ts", import.meta.url);

const head = `// deno-fmt-ignore-file
/**
 * The prelude as it is shipped.
 *
 * Made by \`deno task build:guest\` from \`guest/\`; change that.
 *
 * @module
 */

/** An expression that evaluates to a function of \`post\`. */
export const prelude =
`;

/** What `../prelude.ts` must hold. */
export async function preludeModule(): Promise<string> {
  try {
    const { code } = await esbuild.transform(preludeSource, {
      minifyIdentifiers: true,
      minifyWhitespace: true,
      target: "esnext",
      charset: "utf8",
    });
    return `${head}  ${JSON.stringify(code.trim())};\n`;
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) await Deno.writeTextFile(target, await preludeModule());
