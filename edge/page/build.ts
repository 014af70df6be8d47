/**
 * Makes `texts.ts` from the page's files in `client/`: they are served from
 * memory, and a module of strings is what every runtime and bundler can load.
 * Comments stay behind, as they are for who reads the source, and a third of it.
 *
 * @module
 */

const folder = new URL("./client/", import.meta.url);
const target = new URL("./texts.ts", import.meta.url);

// Comments that have lines of their own.
const scriptComment = /^[ \t]*(?:\/\*\*[^]*?\*\/|\/\/.*)\n/gm;
const styleComment = /^[ \t]*\/\*[^]*?\*\/\n/gm;

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
  const names = await Array.fromAsync(
    Deno.readDir(folder),
    ({ name }) => name,
  );
  const entries = await Promise.all(
    names.sort().map(async (name) => {
      const text = await Deno.readTextFile(new URL(name, folder));
      const comment = name.endsWith(".js") ? scriptComment : styleComment;
      const kept = text.replaceAll(comment, "").trimStart();
      return `  "${name}":\n    ${JSON.stringify(kept)},\n`;
    }),
  );
  return `${head}${entries.join("")}};\n`;
}

if (import.meta.main) await Deno.writeTextFile(target, await textsModule());
