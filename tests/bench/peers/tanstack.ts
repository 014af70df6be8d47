/** `@tanstack/ai-isolate-quickjs`: a new context of one shared engine a cell. */

import { type RunCell, serve } from "../cells/contestant.ts";
import { tools } from "../cells/workloads.ts";

async function load(): Promise<RunCell> {
  const { createQuickJSIsolateDriver } = await import(
    "@tanstack/ai-isolate-quickjs"
  );
  const driver = createQuickJSIsolateDriver();
  const bindings = Object.fromEntries(
    Object.entries(tools).map(([name, execute]) => [name, {
      name,
      description: `The tool ${name}`,
      inputSchema: { type: "object" },
      execute,
    }]),
  );
  // Its tools are global functions.
  const head = `const tools = { ${Object.keys(tools).join(", ")} };`;
  return async (source) => {
    const context = await driver.createContext({ bindings });
    try {
      const result = await context.execute(`${head}${source}`);
      if (result.success) return result.value;
      throw new Error(`${result.error?.name}: ${result.error?.message}`);
    } finally {
      await context.dispose();
    }
  };
}

await serve(load);
