// The MCP endpoint as the official client uses it, over real HTTP.

import { mcpRoutes } from "../../edge/mcp.ts";
import { engineModule } from "../support/engine.ts";
import { test } from "../support/permissions.ts";
import { token } from "./client.ts";
import { config, tools } from "./mcp/agent.ts";
import { startWorker } from "./servers/start.ts";
import { eras, mcpContract } from "./mcp/contract.ts";

for (const era of eras) {
  test(`the official client works with the endpoint on Deno (${era})`, async (test) => {
    const app = mcpRoutes({
      config,
      options: () => ({ wasm: engineModule, tools }),
      auth: () => ({ tokens: [token] }),
    });
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      app.fetch,
    );
    const url = `http://127.0.0.1:${server.addr.port}/`;
    await mcpContract(test, url, era);
  });
}

test("the official client works with the endpoint on workerd, without Node compatibility", async (test) => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = await startWorker(
      "../mcp/worker.ts",
      folder,
      { NANOCODE_TOKEN: token },
      [],
    );
    for (const era of eras) await mcpContract(test, `${server.url}/mcp`, era);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
