import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStrictEquals,
} from "@std/assert";
import { type Budget, BudgetMeter } from "../src/budget.ts";
import { budgetProblems, completeBudget } from "../src/budget_check.ts";
import { budgets, defaultBudget } from "../src/budget_presets.ts";
import { ManualClock } from "./support/ambient.ts";
import { test } from "./support/permissions.ts";

const start = 1_000_000;

function meterOf(limits: Partial<Budget>): {
  readonly meter: BudgetMeter;
  readonly clock: ManualClock;
} {
  const clock = new ManualClock(start);
  const budget = { ...defaultBudget, ...limits };
  return { meter: new BudgetMeter(budget, () => clock.now()), clock };
}

Deno.test("BudgetMeter: gives as many steps as there are, then says what ran out", () => {
  const { meter } = meterOf({ steps: 2 });
  assertEquals([meter.chargeStep(), meter.chargeStep()], [
    undefined,
    undefined,
  ]);
  const spent = { budget: "steps", used: 2, limit: 2 };
  assertEquals([meter.chargeStep(), meter.chargeStep()], [spent, spent]);
});

Deno.test("BudgetMeter: counts calls and steps apart from one another", () => {
  const { meter } = meterOf({ steps: 1, calls: 1 });
  assertEquals([meter.chargeStep(), meter.chargeCall()], [
    undefined,
    undefined,
  ]);
  assertEquals(meter.chargeCall(), { budget: "calls", used: 1, limit: 1 });
  assertEquals(meter.chargeStep(), { budget: "steps", used: 1, limit: 1 });
});

Deno.test("BudgetMeter.remainingCalls: falls with each call, and not below none", () => {
  const { meter } = meterOf({ calls: 2 });
  const left = [meter.remainingCalls()];
  for (let call = 0; call < 4; call++) {
    meter.chargeCall();
    left.push(meter.remainingCalls());
  }
  assertEquals(left, [2, 1, 0, 0, 0]);
});

Deno.test("BudgetMeter: a budget of no calls is spent from the start", () => {
  const { meter } = meterOf({ calls: 0 });
  assertStrictEquals(meter.remainingCalls(), 0);
  assertEquals(meter.chargeCall(), { budget: "calls", used: 0, limit: 0 });
});

Deno.test("BudgetMeter: counts time from when it was made", () => {
  const { meter, clock } = meterOf({ turnMs: 100 });
  assertStrictEquals(meter.startedAt, start);
  assertStrictEquals(meter.deadline(), start + 100);
  assertStrictEquals(meter.remainingMs(), 100);
  clock.advance(40);
  assertStrictEquals(meter.startedAt, start);
  assertStrictEquals(meter.deadline(), start + 100);
  assertStrictEquals(meter.remainingMs(), 60);
  clock.advance(61);
  assertStrictEquals(meter.remainingMs(), 0);
});

Deno.test("BudgetMeter.turnTimeSpent: says how much time was used", () => {
  const { meter, clock } = meterOf({ turnMs: 100 });
  clock.advance(130);
  assertEquals(meter.turnTimeSpent(), {
    budget: "turnMs",
    used: 130,
    limit: 100,
  });
});

// R51
Deno.test("BudgetMeter.turnTimeSpent: a clock that stood still used the whole time", () => {
  const { meter } = meterOf({ turnMs: 100 });
  assertEquals(meter.turnTimeSpent(), {
    budget: "turnMs",
    used: 100,
    limit: 100,
  });
});

const presets = Object.entries({ ...budgets, defaultBudget });

for (const [name, budget] of presets) {
  Deno.test(`budgets: ${name} is complete, and a budget that open takes`, () => {
    assertEquals(
      Object.keys(budget).sort(),
      Object.keys(defaultBudget).sort(),
    );
    assertEquals(budgetProblems(budget, "budget"), []);
  });

  Deno.test(`budgets: no limit of ${name} is out of another's reach`, () => {
    assert(budget.callMs <= budget.turnMs);
    assert(budget.cellMs <= budget.turnMs);
    assert(budget.cellCalls <= budget.calls);
    assert(budget.concurrentCalls <= budget.calls);
  });
}

Deno.test("budgets: the presets for Workers hold six connections open at most", () => {
  for (
    const budget of [budgets.workersFree, budgets.workersPaid, defaultBudget]
  ) assertStrictEquals(budget.concurrentCalls, 6);
});

Deno.test("budgets: a turn on Workers Free makes 50 subrequests at most", () => {
  const { steps, retries, calls } = budgets.workersFree;
  assert(steps * (1 + retries) + calls <= 50);
});

Deno.test("budgets: a turn on Workers Paid makes 10,000 subrequests at most", () => {
  const { steps, retries, calls } = budgets.workersPaid;
  assert(steps * (1 + retries) + calls <= 10_000);
});

Deno.test("budgets: the free preset is tighter than the paid one", () => {
  const tighter = [
    "turnMs",
    "steps",
    "calls",
    "cellFuel",
    "outputBytes",
  ] as const;
  for (const name of tighter) {
    assert(budgets.workersFree[name] < budgets.workersPaid[name], name);
  }
  assertNotEquals(budgets.denoDeploy, budgets.workersPaid);
});

test("the documentation of each limit says its default", async () => {
  const source = await Deno.readTextFile(
    new URL("../src/budget.ts", import.meta.url),
  );
  for (const [name, limit] of Object.entries(completeBudget({}))) {
    const [doc = ""] =
      new RegExp(`/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*readonly ${name}:`)
        .exec(source) ?? [];
    const said = doc.replaceAll(/\s+\*?\s*/g, " ");
    assert(
      said.includes(` ${limit.toLocaleString("en-US")} by default.`),
      name,
    );
  }
});
