/**
 * Puts the engine where this package ships it.
 *
 * @module
 */

import { buildEngine, engineHash, hashOf } from "./engine.ts";
import { enginePath, sourcePath } from "./paths.ts";

/**
 * Makes the engine's file unless it is there and right.
 *
 * @returns Whether the file had to be made.
 */
export async function writeEngine(): Promise<boolean> {
  if (await isThere()) return false;
  const engine = await buildEngine(await Deno.readFile(sourcePath()));
  // Others may be reading or making it: they see all of the old or the new one.
  const half = new URL(`${enginePath}.${crypto.randomUUID()}`);
  await Deno.writeFile(half, engine);
  await Deno.rename(half, enginePath);
  return true;
}

async function isThere(): Promise<boolean> {
  try {
    return await hashOf(await Deno.readFile(enginePath)) === engineHash;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
