/**
 * What the adapter uses of Cloudflare Workers, so that this package needs none
 * of their type packages; their own types fit.
 *
 * @module
 */

/** SQL on a Durable Object's storage. */
export type SqlStorage = {
  exec(
    query: string,
    ...bindings: (string | number | Uint8Array | null)[]
  ): Iterable<Record<string, unknown>> & {
    toArray(): Record<string, unknown>[];
  };
};

/** A Durable Object's storage. */
export type Storage = {
  readonly sql: SqlStorage;
  transactionSync<T>(run: () => T): T;
  setAlarm(at: number): Promise<void>;
  deleteAll(): Promise<void>;
};

/** A Durable Object's state. */
export type ObjectState = { readonly storage: Storage };

/** A way to an object. */
export type ObjectStub = { fetch(request: Request): Promise<Response> };

/** The objects of a class, by name. */
export type ObjectNamespace<Id = unknown> = {
  idFromName(name: string): Id;
  get(id: Id): ObjectStub;
};

/** A Worker, as it is exported. */
export type Worker<Env> = {
  fetch(
    request: Request,
    env: Env,
    context?: unknown,
  ): Response | Promise<Response>;
};

/** An object of a Durable Object class. */
export type SessionObject = {
  fetch(request: Request): Response | Promise<Response>;
  alarm(): Promise<void>;
};

/** A Durable Object class, as it is exported. */
export type SessionClass<Env> = new (
  state: ObjectState,
  env: Env,
) => SessionObject;
