/** `quickjs-wasi`: its module compiled once, an engine created for each cell. */

import { type RunCell, serve } from "../cells/contestant.ts";
import { tools } from "../cells/workloads.ts";
import { mainOf, toolsPrelude } from "./guest.ts";

async function load(): Promise<RunCell> {
  const { QuickJS } = await import("quickjs-wasi");
  const wasm = await WebAssembly.compile(
    await Deno.readFile(
      new URL(import.meta.resolve("quickjs-wasi/quickjs.wasm")),
    ),
  );
  return async (source) => {
    using vm = await QuickJS.create({ wasm, memoryLimit: 32 * 1024 * 1024 });
    {
      using call = vm.newFunction("call", (name, input) => {
        const deferred = vm.newPromise();
        const run = tools[name?.toString() ?? ""];
        run?.(JSON.parse(input?.toString() ?? "null")).then((value) => {
          using text = vm.newString(JSON.stringify(value));
          deferred.resolve(text);
          vm.executePendingJobs();
        });
        return deferred.handle;
      });
      vm.setProp(vm.global, "call", call);
    }
    vm.evalCode(toolsPrelude(Object.keys(tools))).dispose();
    using main = vm.evalCode(mainOf(source));
    const settled = vm.resolvePromise(main);
    vm.executePendingJobs();
    const result = await settled;
    if ("error" in result) {
      throw new Error(result.error.consume((error) => error.toString()));
    }
    return JSON.parse(result.value.consume((value) => value.toString()));
  };
}

await serve(load);
