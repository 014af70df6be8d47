/**
 * A user's project outside the repository, made from the packed package.
 *
 * @module
 */

import { writeEngine } from "../../src/code_mode/build/write_engine.ts";

/** A folder with the package installed. */
export type Project = AsyncDisposable & {
  readonly folder: string;
  /** Writes a file of the user's. */
  write(name: string, text: string): Promise<void>;
  /** Runs a program in the folder; gives what it printed, and throws if it failed. */
  run(
    program: string,
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<string>;
};

const root = new URL("../../", import.meta.url).pathname;

/**
 * Packs the package, and installs the tarball with npm in a new folder.
 *
 * @param dependencies Other packages that the user has, as npm takes them.
 */
export async function makeProject(
  dependencies: readonly string[],
): Promise<Project> {
  await writeEngine();
  const folder = await Deno.makeTempDir({ prefix: "nanocode_" });
  const project: Project = {
    folder,
    write: (name, text) => Deno.writeTextFile(`${folder}/${name}`, text),
    run: (program, args, env) => run(program, args, folder, env),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
  try {
    const tarball = `${folder}/package.tgz`;
    await run(
      Deno.execPath(),
      ["pack", "--allow-dirty", `--output=${tarball}`],
      root,
    );
    await project.write("package.json", '{ "type": "module" }');
    await project.run("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      tarball,
      ...dependencies,
    ]);
    return project;
  } catch (error) {
    await project[Symbol.asyncDispose]();
    throw error;
  }
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { ...env, NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" },
    stdin: "null",
  }).output();
  const [printed, complaints] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (code === 0) return printed ?? "";
  throw new Error(
    `${program} ${
      args.join(" ")
    } ended with ${code}:\n${printed}\n${complaints}`,
  );
}
