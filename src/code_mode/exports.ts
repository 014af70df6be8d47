/**
 * The engine's exports, checked once by name and sort.
 *
 * Every guest value crosses as a pointer to a box in linear memory, so all of
 * these functions take and give plain numbers.
 *
 * @module
 */

type Native = (...args: number[]) => number;

/** A mutable 32-bit integer of the engine. */
export type IntegerGlobal = { value: number };

const functionNames = [
  "_initialize",
  "qjs_init2",
  "qjs_set_memory_limit",
  "qjs_set_max_stack_size",
  "qjs_set_gc_threshold",
  "qjs_set_promise_rejection_handler",
  "qjs_get_allocated_size",
  "qjs_run_gc",
  "qjs_eval",
  "qjs_call",
  "qjs_new_host_function",
  "qjs_new_string",
  "qjs_new_number",
  "qjs_get_undefined",
  "qjs_get_exception",
  "qjs_get_float64",
  "qjs_get_string_len",
  "qjs_free_cstring",
  "qjs_get_prop_uint32",
  "qjs_dup_value",
  "qjs_free_value",
  "qjs_is_exception",
  "qjs_is_promise",
  "qjs_is_string",
  "qjs_is_undefined",
  "qjs_promise_state",
  "qjs_promise_result",
  "qjs_is_job_pending",
  "qjs_execute_pending_job",
  "wasm_malloc",
  "wasm_free",
] as const;

/** The engine functions the sandbox uses. */
export type EngineFunctions = Readonly<
  Record<typeof functionNames[number], Native>
>;

/** What an engine instance gives to the host. */
export type EngineExports = {
  readonly functions: EngineFunctions;
  readonly memory: WebAssembly.Memory;
  readonly stackPointer: IntegerGlobal;
  readonly fuel: IntegerGlobal;
  /** How many pages of 64 KiB the engine sees, of a memory that may be larger. */
  readonly pages: IntegerGlobal;
  /** How many it may come to see. */
  readonly pageLimit: IntegerGlobal;
};

/** Everything that the sandbox takes out of the engine, by name. */
export const exportNames: readonly string[] = [
  ...functionNames,
  "memory",
  "__stack_pointer",
  "fuel",
  "pages",
  "page_limit",
];

// To list the exports takes longer than a step of a turn, and every agent asks.
const judged = new WeakMap<WebAssembly.Module, boolean>();

/** Whether a module has what the sandbox needs. The unmetered engine has not. */
export function isEngine(module: WebAssembly.Module): boolean {
  const known = judged.get(module);
  if (known !== undefined) return known;
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const fits = exportNames.every((name) => names.includes(name));
  judged.set(module, fits);
  return fits;
}

/** Takes the exports that the sandbox needs out of an instance. */
export function readExports(exports: WebAssembly.Exports): EngineExports {
  const memory = exports.memory;
  if (!(memory instanceof WebAssembly.Memory)) {
    throw new TypeError("The engine exports no memory");
  }
  return {
    functions: readFunctions(exports),
    memory,
    stackPointer: readGlobal(exports, "__stack_pointer"),
    fuel: readGlobal(exports, "fuel"),
    pages: readGlobal(exports, "pages"),
    pageLimit: readGlobal(exports, "page_limit"),
  };
}

function readFunctions(exports: WebAssembly.Exports): EngineFunctions {
  const found: Partial<Record<typeof functionNames[number], Native>> = {};
  for (const name of functionNames) {
    const value = exports[name];
    if (!isNative(value)) {
      throw new TypeError(`The engine exports no function: ${name}`);
    }
    found[name] = value;
  }
  if (!isComplete(found)) throw new TypeError("The engine is incomplete");
  return found;
}

function isNative(value: unknown): value is Native {
  return typeof value === "function";
}

function isComplete(
  found: Partial<Record<typeof functionNames[number], Native>>,
): found is Record<typeof functionNames[number], Native> {
  return functionNames.every((name) => found[name] !== undefined);
}

function readGlobal(
  exports: WebAssembly.Exports,
  name: string,
): IntegerGlobal {
  const value = exports[name];
  if (!(value instanceof WebAssembly.Global)) {
    throw new TypeError(`The engine exports no global: ${name}`);
  }
  return value;
}
