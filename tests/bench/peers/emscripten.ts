/** `quickjs-emscripten`: one engine, a fresh runtime and context for each cell. */

import { type RunCell, serve } from "../cells/contestant.ts";
import { tools } from "../cells/workloads.ts";
import { mainOf, toolsPrelude } from "./guest.ts";

async function load(): Promise<RunCell> {
  const { getQuickJS } = await import("quickjs-emscripten");
  const engine = await getQuickJS();
  return async (source) => {
    using runtime = engine.newRuntime({ memoryLimitBytes: 32 * 1024 * 1024 });
    using vm = runtime.newContext();
    {
      using call = vm.newFunction("call", (name, input) => {
        const deferred = vm.newPromise();
        const run = tools[vm.getString(name)];
        run?.(JSON.parse(vm.getString(input))).then((value) => {
          using text = vm.newString(JSON.stringify(value));
          deferred.resolve(text);
          runtime.executePendingJobs();
        });
        return deferred.handle;
      });
      vm.setProp(vm.global, "call", call);
    }
    vm.unwrapResult(vm.evalCode(toolsPrelude(Object.keys(tools)))).dispose();
    using main = vm.unwrapResult(vm.evalCode(mainOf(source)));
    const settled = vm.resolvePromise(main);
    runtime.executePendingJobs();
    using value = vm.unwrapResult(await settled);
    return JSON.parse(vm.getString(value));
  };
}

await serve(load);
