import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { bodyWithin, readBody } from "../../edge/body.ts";
import { problemResponse, toProblem } from "../../edge/problem.ts";

/** An app that gives a body back, and takes ten bytes. */
function echo(): Hono {
  const app = new Hono();
  app.onError((error) => {
    const { code, details, headers } = toProblem(error);
    return problemResponse(code, details, headers);
  });
  app.post("/", bodyWithin(10), async (c) => {
    const text = await readBody(c.req.raw);
    if (text === "throw") throw new Error("the app's own");
    return c.text(text);
  });
  return app;
}

/** A body in pieces, of a length that nobody was told; `undefined` breaks it off. */
function pieces(...given: readonly (string | undefined)[]): ReadableStream {
  const left = [...given];
  return new ReadableStream({
    pull(controller) {
      if (left.length === 0) return controller.close();
      const piece = left.shift();
      if (piece === undefined) controller.error(new TypeError("reset"));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
}

async function post(
  body: BodyInit,
  headers: HeadersInit = {},
): Promise<[status: number, text: string]> {
  const response = await echo().request("/", { method: "POST", body, headers });
  const { status } = response;
  const text = await response.text();
  return [status, status === 200 ? text : JSON.parse(text).code];
}

Deno.test("a body within the limit comes whole, however it is cut", async () => {
  assertEquals(await post("0123456789"), [200, "0123456789"]);
  assertEquals(await post(pieces("01234", "56789")), [200, "0123456789"]);
});

Deno.test("a body over the limit is refused, however it is cut", async () => {
  assertEquals(await post("0123456789a"), [413, "body_too_large"]);
  assertEquals(await post(pieces("0123456", "789a")), [413, "body_too_large"]);
});

Deno.test("a body that breaks off is the client's fault", async () => {
  const broken = [400, "body_invalid"] as const;
  assertEquals(await post(pieces("01", undefined)), [...broken]);
  assertEquals(
    await post(pieces("01", undefined), { "content-length": "5" }),
    [...broken],
  );
});

Deno.test("a compressed body is refused, and told what is taken instead", async () => {
  for (const encoding of ["gzip", "br, gzip", "unknown"]) {
    const response = await echo().request("/", {
      method: "POST",
      body: "x",
      headers: { "content-encoding": encoding },
    });
    assertEquals([response.status, (await response.json()).code], [
      415,
      "body_encoded",
    ]);
    assertEquals(response.headers.get("accept-encoding"), "identity");
  }
  const plain = { "content-encoding": "Identity" };
  assertEquals(await post("x", plain), [200, "x"]);
});

Deno.test("what the app throws itself stays its own fault", async () => {
  assertEquals(await post("throw"), [500, "internal"]);
});
