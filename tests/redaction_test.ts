import { assert, assertFalse, assertStrictEquals } from "@std/assert";
import { maxMessageLength, redacted, Redaction } from "../src/redaction.ts";

function redactionOf(...secrets: string[]): Redaction {
  const redaction = new Redaction();
  for (const secret of secrets) redaction.add(secret);
  return redaction;
}

Deno.test("Redaction.clean: leaves a message without secrets as it is", () => {
  const message = "No row with id 7; the table has 3.\n  Try id 1.";
  assertStrictEquals(redactionOf("hunter2hunter2").clean(message), message);
  assertStrictEquals(new Redaction().clean(""), "");
});

Deno.test("Redaction.clean: takes every known secret out, wherever it stands", () => {
  const redaction = redactionOf("hunter2hunter2", "  padded-value\n");
  assertStrictEquals(
    redaction.clean("hunter2hunter2: xhunter2hunter2y, (padded-value)"),
    `${redacted}: x${redacted}y, (${redacted})`,
  );
});

Deno.test("Redaction.clean: takes the longest of two secrets first", () => {
  const redaction = redactionOf("secret", "secret-and-more");
  assertStrictEquals(redaction.clean("secret-and-more"), redacted);
});

Deno.test("Redaction.add: passes over what is no secret of its own", () => {
  const redaction = redactionOf("true", " beta ", "", "      ");
  redaction.add(undefined);
  assertStrictEquals(
    redaction.clean("true beta      end"),
    "true beta      end",
  );
});

Deno.test("Redaction.add: takes a secret literally, not as a pattern", () => {
  const redaction = redactionOf("a.c*e(f$&");
  assertStrictEquals(
    redaction.clean("abcdeef a.c*e(f$&"),
    `abcdeef ${redacted}`,
  );
});

Deno.test("Redaction.clean: leaves the prompt in a tool's words, which the model must read", () => {
  const redaction = redactionOf("a-secret");
  redaction.setPrompt("orders");
  const text = "no orders found; did you mean preorders?";
  assertStrictEquals(redaction.clean(text), text);
  assertStrictEquals(
    redaction.cleanAnswer("about orders: a-secret"),
    `about ${redacted}: ${redacted}`,
  );
});

Deno.test("Redaction.cleanAnswer: hides the last prompt, and the earlier one no more", () => {
  const redaction = new Redaction();
  redaction.setPrompt(" my diary entry ");
  assertStrictEquals(
    redaction.cleanAnswer("in my diary entry:"),
    `in ${redacted}:`,
  );
  redaction.setPrompt("another one");
  assertStrictEquals(
    redaction.cleanAnswer("my diary entry, another one"),
    `my diary entry, ${redacted}`,
  );
  redaction.setPrompt("hi");
  assertStrictEquals(
    redaction.cleanAnswer("hi, another one"),
    "hi, another one",
  );
});

const forms: readonly (readonly [message: string, cleaned: string])[] = [
  ["Authorization: Bearer abc.def-12345", `Authorization: ${redacted}`],
  ["basic dXNlcjpwYXNz failed", `${redacted} failed`],
  ["Incorrect API key sk-proj-abcd1234efgh", `Incorrect API key ${redacted}`],
  ["use ghp_abcdefgh1234 or xoxb-12345678", `use ${redacted} or ${redacted}`],
  ["jwt eyJhbGciOiJI.eyJzdWIi.c2ln!", `jwt ${redacted}!`],
  ["at postgres://joe:pa55@db:5432/x", `at postgres://${redacted}@db:5432/x`],
  ["?api_key=abcdef123&page=2", `?api_key=${redacted}&page=2`],
  ['{"password": "correct-horse"}', `{"password": "${redacted}"}`],
  ["client-secret = s3cr3t-v4lue;", `client-secret = ${redacted};`],
];

for (const [message, cleaned] of forms) {
  Deno.test(`Redaction.clean: knows a credential by its form: ${message}`, () => {
    assertStrictEquals(new Redaction().clean(message), cleaned);
  });
}

const harmless = [
  "The token is missing",
  "token: none",
  "see https://example.com:8080/a@b",
  "sk-short",
  "the basic idea",
  "secret ingredients: flour",
];

for (const message of harmless) {
  Deno.test(`Redaction.clean: leaves what only resembles one: ${message}`, () => {
    assertStrictEquals(new Redaction().clean(message), message);
  });
}

Deno.test("Redaction.clean: bounds the message, on one line where it is cut", () => {
  const exact = "a\n".repeat(maxMessageLength / 2);
  assertStrictEquals(new Redaction().clean(exact), exact);
  const cut = new Redaction().clean(`${exact}b`);
  assert(cut.length <= maxMessageLength && cut.endsWith("…"));
  assertFalse(cut.includes("\n"));
});

Deno.test("Redaction.clean: no part of a secret stays at the place of a cut", () => {
  const secret = "k3y/".repeat(25);
  const redaction = redactionOf(secret);
  redaction.setPrompt("my diary. ".repeat(700));
  for (let before = 0; before < secret.length; before++) {
    const message = secret.repeat(79) + "-".repeat(before) + secret.repeat(3);
    assertFalse(redaction.clean(message).includes("k3y"));
  }
  const twice = "my diary. ".repeat(700).trim() + " and " +
    "my diary. ".repeat(700).trim();
  assertStrictEquals(
    redaction.cleanAnswer(twice),
    `${redacted} and ${redacted}`,
  );
});

// R30
Deno.test("Redaction.clean: gives well-formed text", () => {
  assertStrictEquals(new Redaction().clean("a\ud83db"), "a\ufffdb");
  assert(new Redaction().clean("🎉".repeat(maxMessageLength)).isWellFormed());
});
