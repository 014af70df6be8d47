import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStrictEquals,
} from "@std/assert";
import type { BudgetName } from "../src/budget.ts";
import { budgetProblems, completeBudget } from "../src/budget_check.ts";
import { defaultBudget } from "../src/budget_presets.ts";

const ranges: Readonly<Record<BudgetName, readonly [number, number]>> = {
  turnMs: [1, 2_147_483_647],
  callMs: [1, 2_147_483_647],
  steps: [1, 100_000],
  calls: [0, 1_000_000],
  concurrentCalls: [1, 1_000],
  outputBytes: [256, 100_000_000],
  resultBytes: [256, 100_000_000],
  retries: [0, 100],
  cellFuel: [1, 2_147_483_647],
  cellMemoryBytes: [1_048_576, 2_147_483_647],
  cellSourceBytes: [1, 16_777_216],
  cellOutputBytes: [1, 268_435_456],
  cellConsoleBytes: [0, 268_435_456],
  cellStoreBytes: [0, 268_435_456],
  cellCalls: [0, 1_000_000],
  cellMs: [1, 2_147_483_647],
};

for (const [name, [least, most]] of Object.entries(ranges)) {
  Deno.test(`budgetProblems: ${name} is a whole number from ${least} to ${most}`, () => {
    for (const limit of [least, least + 1, most, undefined]) {
      assertEquals(budgetProblems({ [name]: limit }, "budget"), []);
    }
    const wrong = [
      least - 1,
      most + 1,
      least + 0.5,
      NaN,
      Infinity,
      -Infinity,
      String(least),
      null,
      true,
      [least],
      BigInt(least),
    ];
    for (const limit of wrong) {
      assertEquals(budgetProblems({ [name]: limit }, "budget"), [{
        path: `budget.${name}`,
        reason: `expected a whole number from ${least} to ${most}${
          typeof limit === "number" ? `, got ${limit}` : ""
        }`,
      }]);
    }
  });
}

Deno.test("budgetProblems: knows every limit of the defaults", () => {
  assertEquals(Object.keys(ranges).sort(), Object.keys(defaultBudget).sort());
});

Deno.test("budgetProblems: has nothing against a budget that is not given", () => {
  assertEquals(budgetProblems(undefined, "budget"), []);
  assertEquals(budgetProblems({}, "budget"), []);
});

for (const value of [null, 5, "10", true, [], () => {}]) {
  Deno.test(`budgetProblems: wants an object, not ${JSON.stringify(value)}`, () => {
    assertEquals(budgetProblems(value, "config.budget"), [{
      path: "config.budget",
      reason: "expected an object with limits by name",
    }]);
  });
}

Deno.test("budgetProblems: refuses a limit it does not know, and lists those it knows", () => {
  const names = ["maxSteps", "constructor", "toString", ""];
  for (const name of names) {
    const [problem, ...more] = budgetProblems({ [name]: 1 }, "budget");
    assertEquals(more, []);
    assertEquals(problem, {
      path: `budget.${name}`,
      reason: `no such limit; the limits are ${Object.keys(ranges).join(", ")}`,
    });
  }
  const [near] = budgetProblems({ turn_ms: 1 }, "budget");
  assert(near?.reason.endsWith("; did you mean turnMs?"));
  const [own] = budgetProblems(JSON.parse('{"__proto__":{}}'), "budget");
  assertStrictEquals(own?.path, "budget.__proto__");
});

Deno.test("budgetProblems: shows a long or broken name in part", () => {
  const [problem] = budgetProblems({ ["x\n\ud83d".repeat(1e5)]: 1 }, "budget");
  assert(problem !== undefined && problem.path.length < 80);
  assert(problem.path.isWellFormed() && !problem.path.includes("\n"));
});

Deno.test("budgetProblems: reports every problem, each in its place", () => {
  const budget = { steps: 0, calls: 5, nope: 1, turnMs: 1.5 };
  assertEquals(budgetProblems(budget, "budget").map(({ path }) => path), [
    "budget.steps",
    "budget.nope",
    "budget.turnMs",
  ]);
});

Deno.test("completeBudget: fills in the defaults for what is left out", () => {
  assertEquals(completeBudget(undefined), defaultBudget);
  assertEquals(completeBudget({}), defaultBudget);
  const budget = completeBudget({ steps: 3, calls: 0 });
  assertNotEquals(budget, defaultBudget);
  assertEquals(budget, { ...defaultBudget, steps: 3, calls: 0 });
});

Deno.test("completeBudget: takes undefined for left out", () => {
  const given: Record<string, number | undefined> = { steps: undefined };
  assertEquals(completeBudget(Object.assign({}, given)), defaultBudget);
});

Deno.test("completeBudget: leaves the defaults and what was given alone", () => {
  const before = structuredClone(defaultBudget);
  const given = { steps: 3 };
  completeBudget(given);
  assertEquals(defaultBudget, before);
  assertEquals(given, { steps: 3 });
});
