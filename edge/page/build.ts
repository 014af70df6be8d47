/**
 * Makes `texts.ts` from the page's files in `client/`: they are served from
 * memory, and a module of strings is what every runtime and bundler can load.
 * The scripts become one, and all is made small: the strings are part of a
 * Worker's upload, and one script is one round trip.
 *
 * @module
 */

import * as esbuild from "esbuild";

const client = new URL("./client/", import.meta.url);
const target = new URL("./texts.ts", import.meta.url);

const head = `// deno-fmt-ignore-file
/**
 * The page's files as text.
 *
 * Made by \`deno task build:page\` from \`client/\`; change that.
 *
 * @module
 */

`;

/** What `texts.ts` must hold. */
export async function textsModule(): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: client.pathname,
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
    const page = JSON.stringify(await shell());
    const made = entries.sort().join("");
    return `${head}/** Tells these texts from those of another version. */
export const version = "${await digestOf(page + made)}";

/** The page itself; \`{folder}\` is where its files are. */
export const shell: string =
  ${page};

/** The files by name. */
export const texts: Readonly<Record<string, string>> = {
${made}};
`;
  } finally {
    await esbuild.stop();
  }
}

async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.toHex().slice(0, 16);
}

/** The page's HTML without its comments and what sets its lines in. */
async function shell(): Promise<string> {
  const html = await Deno.readTextFile(new URL("shell.html", client));
  return html.replaceAll(/\n?\s*<!--.*?-->/gs, "").replaceAll(/\n\s*/g, "\n");
}

if (import.meta.main) await Deno.writeTextFile(target, await textsModule());
