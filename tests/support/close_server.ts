/**
 * Closes a Node server now, not when its clients let go of kept connections.
 *
 * @module
 */

/** What is needed of a Node HTTP server. */
export type Closable = {
  close(done: (error?: Error) => void): unknown;
  closeAllConnections(): void;
};

/** Closes `server` and its connections. */
export async function closeServer(server: Closable): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => error ? reject(error) : resolve());
  });
  server.closeAllConnections();
  await closed;
}
