/**
 * A model without a provider: a real HTTP server on a local port that speaks
 * both providers' wires. What it says is up to who starts it. For development
 * and demos; it is never deployed.
 *
 * @module
 */

import { createServer, type Fixture } from "@copilotkit/aimock";

/** A running model. */
export type EmbeddedModel = AsyncDisposable & {
  /** What the agent takes as `baseUrl`. */
  readonly baseUrl: string;
};

/**
 * Starts a model.
 *
 * @param says What it says, and when.
 * @param chunkMs How long each piece of an answer takes, in milliseconds.
 */
export async function startEmbeddedModel(
  says: Fixture[],
  chunkMs = 0,
): Promise<EmbeddedModel> {
  const { server, url } = await createServer(says, {
    port: 0,
    host: "127.0.0.1",
    latency: chunkMs,
  });
  return {
    baseUrl: `${url}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
