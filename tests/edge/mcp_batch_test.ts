// Several calls in one HTTP request, as the protocol's older revisions allow.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { engineModule } from "../support/engine.ts";
import { test } from "../support/permissions.ts";
import { config } from "./mcp/agent.ts";
import { callOf, fixture } from "./mcp/fixture.ts";

/** Tools that count how many of their calls run at a time. */
function crowd() {
  let here = 0;
  const seen = { calls: 0, most: 0, opened: 0 };
  return {
    seen,
    options: () => {
      seen.opened++;
      return {
        wasm: engineModule,
        tools: {
          call: async () => {
            seen.calls++;
            seen.most = Math.max(seen.most, ++here);
            // Longer than all calls need to begin that may.
            for (let tick = 0; tick < 200; tick++) await Promise.resolve();
            here--;
            return null;
          },
        },
      };
    },
  };
}

function batchOf(count: number, name: string, input: unknown) {
  return Array.from({ length: count }, (_, id) => callOf(name, input, id + 1));
}

/** The ids that a stream's answers are for. */
async function answeredBy(response: Response): Promise<number[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.+)$/gm)]
    .map(([, data = ""]) => JSON.parse(data).id).sort((a, b) => a - b);
}

Deno.test("the calls of a batch run only so many at a time, on tools that are opened once", async () => {
  const { seen, options } = crowd();
  const { post } = fixture({
    config: {
      ...config,
      surfaces: ["direct"],
      budget: { calls: 8, concurrentCalls: 2 },
    },
    options,
  });
  const response = await post(batchOf(8, "greet", { name: "Ada" }));
  assertEquals(await answeredBy(response), [1, 2, 3, 4, 5, 6, 7, 8]);
  assertEquals(seen, { calls: 8, most: 2, opened: 1 });
});

Deno.test("a batch with more calls than the budget has is refused, and none of it runs", async () => {
  const { seen, options } = crowd();
  const { post } = fixture({ options, config: { ...config } });
  const response = await post([
    ...batchOf(4, "greet", { name: "Ada" }),
    { jsonrpc: "2.0", id: 9, method: "tools/list" },
  ]);
  const { error } = await response.json();
  assertEquals([response.status, error.code], [400, -32600]);
  assertStringIncludes(error.message, "makes 4 calls; at most 3");
  assertEquals(seen.calls, 0);
});

test("programs of a batch run only so many at a time too", async () => {
  const { seen, options } = crowd();
  const { post } = fixture({
    config: { ...config, budget: { calls: 3, concurrentCalls: 1 } },
    options,
  });
  const code = `await Promise.all([1, 2, 3].map(() => tools.state({})));`;
  const response = await post(batchOf(3, "exec", { code }));
  assertEquals(await answeredBy(response), [1, 2, 3]);
  assertEquals(seen, { calls: 9, most: 1, opened: 1 });
});
