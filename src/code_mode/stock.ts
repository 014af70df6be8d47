/**
 * The idle engine instances and images of one engine module.
 *
 * All of it is inert: bytes, and instances in which nothing runs. So it may
 * outlive the request that made it, and serve another.
 *
 * @module
 */

import { type BaseImage, bootImage, imageWithTools } from "./base_image.ts";
import type { CellTool } from "./cell.ts";
import { Engine } from "./engine.ts";

/** How many idle instances and images a module keeps. */
const keptInstances = 8;
const keptImages = 8;

const stocks = new WeakMap<WebAssembly.Module, Stock>();

/** The stock of a module. */
export function stockOf(module: WebAssembly.Module): Stock {
  let stock = stocks.get(module);
  if (stock === undefined) {
    stock = new Stock(module);
    stocks.set(module, stock);
  }
  return stock;
}

/** Engine instances and images that are ready for use. */
export class Stock {
  /** How many instances were ever made. */
  made = 0;
  readonly #module: WebAssembly.Module;
  readonly #idle: Engine[] = [];
  readonly #byTools = new WeakMap<readonly CellTool[], BaseImage>();
  readonly #byText = new Map<string, BaseImage>();
  #base: BaseImage | undefined;

  /** @param module The compiled, metered engine. */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** How many instances wait for a cell. */
  get idle(): number {
    return this.#idle.length;
  }

  /** Takes an instance, in any state. */
  take(): Engine {
    const engine = this.#idle.pop();
    if (engine !== undefined) return engine;
    this.made++;
    return new Engine(this.#module);
  }

  /**
   * Takes an instance back, or drops it. Memory never shrinks, and the engine's
   * heap would go on from its end: so one that grew would differ from a new one.
   */
  give(engine: Engine): void {
    if (engine.bytes.length !== this.#base?.memoryBytes) return;
    if (this.#idle.length < keptInstances) this.#idle.push(engine);
  }

  /** The image for a set of tools; makes it on the instance if it is new. */
  image(engine: Engine, tools: readonly CellTool[]): BaseImage {
    const known = this.#byTools.get(tools);
    if (known !== undefined) return known;
    const image = this.#imageByText(engine, textOf(tools));
    this.#byTools.set(tools, image);
    return image;
  }

  #imageByText(engine: Engine, text: string): BaseImage {
    const known = this.#byText.get(text);
    const image = known ?? imageWithTools(engine, this.#boot(engine), text);
    this.#byText.delete(text);
    this.#byText.set(text, image);
    for (const oldest of this.#byText.keys()) {
      if (this.#byText.size <= keptImages) break;
      this.#byText.delete(oldest);
    }
    return image;
  }

  /** The image without tools. The first instance of all is still fresh, and boots. */
  #boot(engine: Engine): BaseImage {
    this.#base ??= bootImage(engine);
    return this.#base;
  }
}

function textOf(tools: readonly CellTool[]): string {
  return JSON.stringify(
    tools.map(({ name, identifier, description, declaration }) => ({
      name,
      identifier,
      description,
      declaration,
    })),
  );
}
