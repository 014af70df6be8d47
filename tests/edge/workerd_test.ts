// What runs on workerd, and how: hostile programs, agents, the store of a
// Durable Object; and that workerd forbids there what Workers forbid.

import { assert, assertEquals } from "@std/assert";
import { hostileGuests, hostileLimits } from "../code_mode/hostile_guests.ts";
import { permitted, test } from "../support/permissions.ts";
import { type ScenarioModel, scenarioModel } from "./scenario_model.ts";
import type { ServerProcess } from "./server_process.ts";
import { remoteStore } from "./servers/remote_store.ts";
import { startWorker } from "./servers/start.ts";
import { storeContract } from "./store_contract.ts";

let folder = "";
let model: ScenarioModel;
let server: ServerProcess;

if (permitted) {
  Deno.test.beforeAll(async () => {
    folder = await Deno.makeTempDir();
    model = await scenarioModel();
    server = await startWorker("probe_worker.ts", folder, {
      PROVIDER_URL: model.baseUrl,
    }, [{ name: "STORES", class_name: "StoreObject" }]);
  });
  Deno.test.afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });
}

// R47, R48
test("workerd: code from strings and WebAssembly from bytes are forbidden, and an engine is asked for by name", async () => {
  const response = await server.send("/platform");
  assertEquals(await response.json(), {
    code: "EvalError",
    bytes: "CompileError",
    withoutEngine: "options.wasm",
  });
});

// R46
for (const kind of ["default", "detached", "binding"]) {
  test(`workerd: a turn goes through the ${kind} fetch`, async () => {
    const response = await server.send(`/turn/${kind}`);
    assertEquals(await response.text(), "done");
  });
}

// R32, R33, R34, R37
for (const { name, code, expect, fuel } of hostileGuests) {
  test(`workerd: hostile guest: ${name}`, async () => {
    const response = await server.send("/cell", {
      method: "POST",
      body: JSON.stringify({ code, fuel }),
    });
    const { got, fuelUsed, neighbour, next } = await response.json();
    assertEquals(got, expect);
    assert(fuelUsed <= (fuel ?? hostileLimits.fuel));
    assertEquals([neighbour, next], ['{"a":1}', "[2]"]);
  });
}

storeContract("Durable Object", () => {
  // Objects outlive a test: each has names of its own.
  const own = crypto.randomUUID();
  return Promise.resolve({
    ...remoteStore((path, init) => server.send(`${path}-${own}`, init)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}, test);
