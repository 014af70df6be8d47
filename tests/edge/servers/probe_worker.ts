/**
 * A Worker that shows what runs on workerd, and how: cells, agents, the store of
 * a Durable Object, and the platform's own rules.
 *
 * @module
 */

import { Hono } from "hono";
import { HostFailure, open } from "../../../mod.ts";
import { createPool } from "../../../src/code_mode/pool.ts";
import type {
  ObjectNamespace,
  ObjectState,
  ObjectStub,
} from "../../../edge/cloudflare_types.ts";
import engine from "../../../edge/engine.js";
import type { SessionStore } from "../../../edge/store.ts";
import { durableObjectStore } from "../../../edge/stores/durable_object_store.ts";
import { cell } from "../../code_mode/cell_request.ts";
import { hostileLimits } from "../../code_mode/hostile_guests.ts";
import { answerStoreCall } from "./remote_store.ts";

type Env = {
  readonly PROVIDER_URL: string;
  readonly STORES: ObjectNamespace;
  /** This Worker itself, as another one would reach it. */
  readonly SELF: ObjectStub;
};

const app = new Hono<{ Bindings: Env }>();

/** Runs a hostile program; beside it, and after it, a friendly one. */
app.post("/cell", async (c) => {
  const { code, fuel } = Object(await c.req.json());
  const limits = { ...hostileLimits, fuel: fuel ?? hostileLimits.fuel };
  const pool = createPool(engine);
  const neighbour = pool.run(cell("return await tools.echo({ a: 1 })"));
  const { outcome, value, error, fuelUsed } = await pool.run(
    cell(String(code), { limits }),
  );
  const next = await pool.run(cell("return [1].map((x) => x + 1)"));
  return c.json({
    got: outcome === "returned" ? { value } : { error: error?.kind },
    fuelUsed,
    neighbour: (await neighbour).value,
    next: next.value,
  });
});

/** Runs a turn whose requests go out through one kind of `fetch`. */
app.get("/turn/:fetch", async (c) => {
  const { PROVIDER_URL, SELF } = c.env;
  const fetches: Record<string, typeof fetch | undefined> = {
    default: undefined,
    detached: globalThis.fetch,
    binding: (input, init) => SELF.fetch(new Request(input, init)),
  };
  const custom = fetches[c.req.param("fetch")];
  await using agent = await open({ backend: "openai", model: "gpt-5" }, {
    apiKey: "key",
    baseUrl: PROVIDER_URL,
    ...(custom === undefined ? {} : { fetch: custom }),
  });
  return c.text((await agent.prompt("Hello").result()).text);
});

// What the binding above reaches.
app.post("/v1/*", (c) => fetch(c.req.raw));

/** What the platform forbids, and what the package says where it must give up. */
app.get("/platform", async (c) => {
  const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  return c.json({
    code: await nameOf(() => new Function("return 1")()),
    bytes: await nameOf(() => WebAssembly.compile(wasm)),
    withoutEngine: await nameOf(() =>
      open({
        backend: "openai",
        model: "gpt-5",
        surfaces: ["code"],
        tools: [{ name: "a", description: "", parameters: { type: "object" } }],
      }, { apiKey: "key" })
    ),
  });
});

async function nameOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return "nothing";
  } catch (error) {
    if (!(error instanceof HostFailure)) return String(Object(error).name);
    return error.problems.map(({ path }) => path).join();
  }
}

app.post("/store/:session", (c) => {
  const { STORES } = c.env;
  const id = STORES.idFromName(c.req.param("session"));
  return STORES.get(id).fetch(c.req.raw);
});

/** An object that answers for its store. */
export class StoreObject {
  readonly #store: SessionStore;

  constructor({ storage }: ObjectState) {
    this.#store = durableObjectStore(storage);
  }

  fetch(request: Request): Promise<Response> {
    return answerStoreCall(this.#store, request);
  }
}

export default app;
