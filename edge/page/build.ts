/**
 * Makes `texts.ts` from the page's files in `client/`: they are served from
 * memory, and a module of strings is what every runtime and bundler can load.
 * The scripts become one, and all is made small: the strings are part of a
 * Worker's upload, and one script is one round trip.
 *
 * @module
 */

import * as esbuild from "esbuild";

const target = new URL("./texts.ts", import.meta.url);

const head = `// deno-fmt-ignore-file
/**
 * The page's files as text.
 *
 * Made by \`deno task build:page\` from \`client/\`; change that.
 *
 * @module
 */

/** The files by name. */
export const texts: Readonly<Record<string, string>> = {
`;

/** What `texts.ts` must hold. */
export async function textsModule(): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: new URL("./client/", import.meta.url).pathname,
      entryPoints: ["icon.svg", "main.js", "style.css"],
      entryNames: "[name]",
      outdir: ".",
      write: false,
      bundle: true,
      minify: true,
      format: "esm",
      target: "esnext",
      charset: "utf8",
      loader: { ".svg": "copy" },
    });
    const entries = outputFiles.map(({ path, text }) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return `  "${name}":\n    ${JSON.stringify(text.trimEnd())},\n`;
    });
    return `${head}${entries.sort().join("")}};\n`;
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) await Deno.writeTextFile(target, await textsModule());
