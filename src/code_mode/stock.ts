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
/** The most memory that an idle instance holds; a fresh one has about 1.7 MB. */
const keptBytes = 6 * 1024 * 1024;

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
    const engine = this.#smallest();
    if (engine !== undefined) return engine;
    this.made++;
    return new Engine(this.#module);
  }

  /**
   * Takes an instance back, or drops it: memory never shrinks, and what grew has
   * to be cleared before every cell.
   */
  give(engine: Engine): void {
    if (engine.bytes.length > keptBytes) return;
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

  /** The one that takes the least clearing. */
  #smallest(): Engine | undefined {
    let best = 0;
    for (const [index, { bytes }] of this.#idle.entries()) {
      if (bytes.length < (this.#idle[best]?.bytes.length ?? 0)) best = index;
    }
    return this.#idle.splice(best, 1)[0];
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
