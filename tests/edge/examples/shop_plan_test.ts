// What the embedded model of the example does next.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { nextStep, type PastCall } from "../../../edge/examples/shop_plan.ts";
import { suggestions } from "../../../edge/examples/agent.ts";

const counted: PastCall[] = [
  { name: "stock", output: { product: "helmet", pieces: 41 } },
];

const offer = { supplier: "Nordrad", price: 24.5, days: 3, minimum: 10 };

function summed(sold: number): PastCall[] {
  const result = [{ product: "helmet", sold, offer }];
  return [...counted, { name: "exec", output: { result } }];
}

function namesOf(prompt: string, past: readonly PastCall[]): string[] {
  return nextStep(prompt, past).calls.map(({ name }) => name);
}

for (const prompt of ["hello", "¿Qué?", "x", "Who wrote this?"]) {
  Deno.test(`nextStep() says which questions it knows where it is asked another: ${prompt}`, () => {
    const { text, calls } = nextStep(prompt, []);
    assertEquals(calls, []);
    for (const suggestion of suggestions) {
      assertStringIncludes(text, suggestion);
    }
  });
}

for (const suggestion of suggestions) {
  Deno.test(`nextStep() begins to answer what is suggested: ${suggestion}`, () => {
    assert(namesOf(suggestion, []).length > 0);
  });
}

Deno.test("nextStep() answers how many there are of a product with that number only", () => {
  const prompt = "How many helmets are there?";
  const [first] = nextStep(prompt, []).calls;
  assertEquals([first?.name, first?.input], ["stock", { product: "helmet" }]);
  assertEquals(nextStep(prompt, counted), {
    text: "helmet: 41 there.",
    calls: [],
  });
  assertEquals(namesOf("How many are there of each?", []).length, 8);
  const lost = [{ name: "stock", output: { error: { message: "timed out" } } }];
  assertEquals(nextStep(prompt, lost), {
    text: "I could not count it.",
    calls: [],
  });
});

Deno.test("nextStep() answers who delivers with offers, of what is named or runs short", () => {
  for (const prompt of ["And who delivers?", "Who delivers helmets?"]) {
    assert(namesOf(prompt, []).length > 0);
    assertEquals(nextStep(prompt, summed(60)), {
      text:
        "The cheapest offers:\n\nhelmet: Nordrad delivers in 3 days, at €24.50 each.",
      calls: [],
    });
  }
  const result = [{ product: "helmet", sold: 1 }];
  const past = [...counted, { name: "exec", output: { result } }];
  const { text } = nextStep("And who delivers?", past);
  assertStringIncludes(text, "Nothing runs short");
});

Deno.test("nextStep() takes the products that are named, in any number and case", () => {
  const { calls } = nextStep("Helmets, a LAMP; not the lampshade", []);
  assertEquals(calls.slice(0, -1).map(({ input }) => input), [
    { product: "helmet" },
    { product: "lamp" },
  ]);
  assertEquals(calls.at(-1)?.name, "exec");
});

Deno.test("nextStep() puts the stock that it was told into its program", () => {
  const [call] = nextStep("What is short?", counted).calls;
  assertStringIncludes(JSON.stringify(call?.input), '{\\"helmet\\":41}');
});

for (
  const [prompt, names] of [
    ["Order 5 helmets", ["order"]],
    ["Please restock the helmets", ["order"]],
    ["How many orders of helmets were there?", []],
    ["Sort them in order of price: helmets", []],
  ] as const
) {
  Deno.test(`nextStep() orders only where it is asked to: ${prompt}`, () => {
    assertEquals(namesOf(prompt, summed(60)), [...names]);
  });
}

Deno.test("nextStep() orders the supplier's minimum at least, and nothing that is not missing", () => {
  const [call] = nextStep("Order 5 helmets", summed(60)).calls;
  assertEquals(
    call?.input,
    { product: "helmet", supplier: "Nordrad", pieces: 10 },
  );
  assertEquals(namesOf("Order missing helmets", summed(40)), []);
});

Deno.test("nextStep() tells of an order that failed", () => {
  const output = { error: { message: "the supplier is closed" } };
  const { text, calls } = nextStep("Order helmets", [
    ...summed(60),
    { name: "order", output },
  ]);
  assertEquals(calls, []);
  assertStringIncludes(text, "An order failed: the supplier is closed");
});

Deno.test("nextStep() mends a program once, then says why it failed", () => {
  const failure = { name: "exec", output: { error: { message: "no way" } } };
  assertEquals(namesOf("What is short?", [...counted, failure]), ["exec"]);
  assertEquals(
    nextStep("What is short?", [...counted, failure, failure]),
    { text: "My program failed: no way", calls: [] },
  );
});

Deno.test("nextStep() copes with outputs that were cut or failed", () => {
  const past: PastCall[] = [
    { name: "stock", output: undefined },
    { name: "stock", output: { error: { message: "cancelled" } } },
    { name: "exec", output: undefined },
  ];
  const { text, calls } = nextStep("What is short?", past);
  assertEquals([text, calls], [
    "Nothing runs short within two weeks (0 products checked).",
    [],
  ]);
});
