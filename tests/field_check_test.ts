import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { oneOf, unknownFields, unless } from "../src/field_check.ts";

const known = new Set(["name", "description"]);

Deno.test("unknownFields: has nothing against known fields, or none", () => {
  assertEquals(unknownFields({ name: "x", description: 1 }, known, ""), []);
  assertEquals(unknownFields({ name: undefined }, known, ""), []);
  assertEquals(unknownFields({}, known, ""), []);
});

Deno.test("unknownFields: names each unknown field and lists the known ones", () => {
  assertEquals(unknownFields({ nam: 1, name: 2, x: 3 }, known, "tools[0]."), [
    {
      path: "tools[0].nam",
      reason:
        "no such field; the fields are name, description; did you mean name?",
    },
    {
      path: "tools[0].x",
      reason: "no such field; the fields are name, description",
    },
  ]);
});

Deno.test("unknownFields: refuses a field that is undefined, too", () => {
  assertEquals(
    unknownFields({ nam: undefined }, known, "").map(({ path }) => path),
    ["nam"],
  );
});

Deno.test("unknownFields: knows no field by inheritance", () => {
  const value = JSON.parse('{"constructor":1,"__proto__":{},"toString":2}');
  assertEquals(
    unknownFields(value, known, "options.").map(({ path }) => path),
    ["options.constructor", "options.__proto__", "options.toString"],
  );
});

Deno.test("unknownFields: reads names only, never what stands there", () => {
  const value = {
    get secret(): never {
      throw new Error("read");
    },
  };
  assertEquals(unknownFields(value, known, "").map(({ path }) => path), [
    "secret",
  ]);
});

Deno.test("unknownFields: shows a long or broken name in part, on one line", () => {
  const [problem] = unknownFields(
    { ["x\n\ud83d".repeat(1e4)]: 1 },
    known,
    "a.",
  );
  assert(problem !== undefined && problem.path.length <= 66);
  assert(problem.path.isWellFormed() && !problem.path.includes("\n"));
  const [exact] = unknownFields({ ["y".repeat(64)]: 1 }, known, "");
  assertStrictEquals(exact?.path, "y".repeat(64));
});

Deno.test("unless: is a problem only where something is wrong", () => {
  assertEquals(unless(true, "model", "expected a string"), []);
  assertEquals(unless(false, "model", "expected a string"), [
    { path: "model", reason: "expected a string" },
  ]);
});

Deno.test("unknownFields: knows what other libraries call a field", () => {
  const fields = new Set(["instructions", "maxOutputTokens"]);
  assertEquals(
    unknownFields({ system: 1, maxTokens: 2, execute: 3 }, fields, "")
      .map(({ reason }) => reason.split("; ")[2]),
    ["did you mean instructions?", "did you mean maxOutputTokens?", undefined],
  );
});

Deno.test("oneOf: shows what is near to a known text, and nothing that may be a secret", () => {
  const reason = (value: unknown) =>
    oneOf(value, ["openai", "anthropic"], "backend")[0]?.reason;
  assertEquals(reason("openai"), undefined);
  assertEquals(
    reason("antropic"),
    'expected "openai" or "anthropic", got "antropic"',
  );
  for (const value of ["sk-0123456789abcdef", "", 7, null, ["openai"]]) {
    assertEquals(reason(value), 'expected "openai" or "anthropic"');
  }
});
