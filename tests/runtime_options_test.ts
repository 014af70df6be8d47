import { assertEquals, assertStringIncludes } from "@std/assert";
import { optionProblems, type RuntimeOptions } from "../src/runtime_options.ts";
import { manualAmbient } from "./support/ambient.ts";
import { engineModule, sourceBytes } from "./support/engine.ts";

/** The smallest WebAssembly module: its magic number and version. */
const emptyModule = new WebAssembly.Module(
  new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
);

/** The problems of options that have a key and these changes. */
function problemsOf(changes: Record<string, unknown>) {
  return optionProblems({ apiKey: "test-key", ...changes });
}

Deno.test("optionProblems() finds nothing in the least, and in the fullest options", () => {
  const full: Required<Omit<RuntimeOptions, "snapshot">> = {
    tools: { call: () => Promise.resolve() },
    apiKey: () => "test-key",
    baseUrl: "https://gateway.example/v1/",
    headers: { "x-team": "tools" },
    fetch: () => Promise.reject(new Error("not called")),
    wasm: engineModule,
    ...manualAmbient(),
  };
  assertEquals(optionProblems({ apiKey: "test-key" }), []);
  assertEquals(optionProblems(full), []);
  const names = [...Object.keys(full), "snapshot"]
    .filter((name) => name !== "apiKey");
  assertEquals(
    problemsOf(Object.fromEntries(names.map((name) => [name, undefined]))),
    [],
  );
});

for (const options of [undefined, null, [], "key", () => ({})]) {
  Deno.test(`optionProblems() refuses ${Deno.inspect(options)} as options`, () => {
    assertEquals(optionProblems(options), [
      { path: "options", reason: "expected an object" },
    ]);
  });
}

const call = () => Promise.resolve();
const aFunction = "expected a function";
const aRunner = "expected an object with a function call";
const aClock = "expected an object with the functions now and timer";
const anAddress =
  "expected an http or https address without query, fragment or credentials";

for (
  const [field, value, reason] of [
    ["tools", null, aRunner],
    ["tools", {}, aRunner],
    ["tools", { call: "call" }, aRunner],
    // Every function has a method `call`, which is not meant.
    ["tools", call, aRunner],
    ["fetch", "fetch", aFunction],
    ["newId", 7, aFunction],
    ["random", 0.5, aFunction],
    ["clock", Date, aClock],
    ["clock", { now: call }, aClock],
    ["clock", { now: call, timer: 1 }, aClock],
    ["wasm", new Uint8Array(), "expected a compiled WebAssembly.Module"],
    ["wasm", null, "expected a compiled WebAssembly.Module"],
    ["baseUrl", "", anAddress],
    ["baseUrl", "api.openai.com/v1", anAddress],
    ["baseUrl", "ftp://host/v1", anAddress],
    ["baseUrl", "file:///v1", anAddress],
    ["baseUrl", "https://host/v1?key=1", anAddress],
    ["baseUrl", "https://host/v1#top", anAddress],
    ["baseUrl", "https://user@host/v1", anAddress],
    ["baseUrl", "https://:word@host/v1", anAddress],
    ["baseUrl", new URL("https://host/v1"), anAddress],
    ["baseUrl", null, anAddress],
    ["headers", null, "expected an object"],
    ["headers", [["a", "b"]], "expected an object"],
  ] as const
) {
  Deno.test(`optionProblems() refuses ${Deno.inspect(value)} as ${field}`, () => {
    assertEquals(problemsOf({ [field]: value }), [
      { path: `options.${field}`, reason },
    ]);
  });
}

Deno.test("optionProblems() refuses an engine that was not metered, and any other module", async () => {
  const unmetered = await WebAssembly.compile(sourceBytes);
  for (const wasm of [unmetered, emptyModule]) {
    assertEquals(problemsOf({ wasm }), [{
      path: "options.wasm",
      reason:
        "expected this package's src/code_mode/engine.wasm, which counts fuel; this is another module",
    }]);
  }
});

Deno.test("optionProblems() takes methods of a class as they are", () => {
  class Runner {
    call(): Promise<void> {
      return Promise.resolve();
    }
  }
  assertEquals(problemsOf({ tools: new Runner() }), []);
});

for (const apiKey of [" ", "a key", "key\n", "schlüssel", 7, null, {}]) {
  Deno.test(`optionProblems() refuses the key ${Deno.inspect(apiKey)}, and does not repeat it`, () => {
    const problems = problemsOf({ apiKey });
    assertEquals(problems.map(({ path }) => path), ["options.apiKey"]);
    assertStringIncludes(problems[0]?.reason ?? "", "visible ASCII");
    assertEquals(problems[0]?.reason.includes("schlüssel"), false);
  });
}

Deno.test("optionProblems() says of an empty key that it is empty", () => {
  assertEquals(problemsOf({ apiKey: "" }), [{
    path: "options.apiKey",
    reason:
      "expected the provider's key, got an empty text; is its secret set?",
  }]);
});

Deno.test("optionProblems() wants a key, unless a server is named or a header carries one", () => {
  assertEquals(optionProblems({}), [{
    path: "options.apiKey",
    reason: "expected the provider's key, or a function that gives it",
  }]);
  for (
    const options of [
      { baseUrl: "http://127.0.0.1:8080" },
      { headers: { Authorization: "Bearer x" } },
      { headers: { "X-API-Key": "x" } },
    ]
  ) assertEquals(optionProblems(options), []);
  assertEquals(
    optionProblems({ headers: { "x-team": "a" } }).map(({ path }) => path),
    ["options.apiKey"],
  );
});

Deno.test("optionProblems() refuses each header that cannot be sent, and does not repeat its value", () => {
  const problems = problemsOf({
    headers: {
      "x-fine": "a",
      "x bad": "a",
      "": "a",
      "x-line": "secret\r\nx: y",
      "x-number": 7,
      "x-none": undefined,
      "x-wide": "secret ✓",
    },
  });
  assertEquals(problems.map(({ path }) => path), [
    "options.headers.x bad",
    "options.headers.",
    "options.headers.x-line",
    "options.headers.x-number",
    "options.headers.x-none",
    "options.headers.x-wide",
  ]);
  for (const { reason } of problems) {
    assertEquals(
      reason,
      "expected a header's name and a string that a header can carry",
    );
  }
});

Deno.test("optionProblems() refuses each field that it does not know, and names those that it does", () => {
  const problems = problemsOf({ key: "secret", model: "gpt-5" });
  assertEquals(problems.map(({ path }) => path), [
    "options.key",
    "options.model",
  ]);
  assertStringIncludes(
    problems[0]?.reason ?? "",
    "no such field; the fields are tools, apiKey, baseUrl",
  );
  assertEquals(JSON.stringify(problems).includes("secret"), false);
});

Deno.test("optionProblems() reports all problems at once", () => {
  const problems = optionProblems({
    extra: 1,
    tools: 1,
    baseUrl: 1,
    headers: 1,
    fetch: 1,
    wasm: 1,
    clock: 1,
    newId: 1,
    random: 1,
  });
  assertEquals(
    problems.map(({ path }) => path.replace("options.", "")).sort(),
    "baseUrl clock extra fetch headers newId random tools wasm".split(" "),
  );
});
