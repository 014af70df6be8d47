import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CellCall, CellCallOutcome } from "../../src/code_mode/cell.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";
import { ManualClock } from "../support/ambient.ts";
import { answer, run, settled, valueOf } from "./cells.ts";

Deno.test("runCell: gives the returned value as JSON", async () => {
  assertEquals(await run("return { a: [1, 'x', null, true] }"), {
    outcome: "returned",
    value: '{"a":[1,"x",null,true]}',
    text: "",
    textTruncated: false,
    console: "",
    consoleTruncated: false,
    stored: {},
    fuelUsed: (await run("return { a: [1, 'x', null, true] }")).fuelUsed,
    unfinishedCalls: [],
    unstartedCalls: [],
    refusedCalls: [],
    uncaughtRejections: [],
  });
});

Deno.test("runCell: returns no value for undefined", async () => {
  const result = await run("text('done')");
  assertEquals(result.outcome, "returned");
  assertEquals("value" in result, false);
});

Deno.test("runCell: runs two calls one after the other", async () => {
  // R36
  const body =
    "const a = await tools.echo({ n: 1 }); const b = await tools.echo({ n: a.n + 1 }); return [a, b]";
  assertEquals(await valueOf(body), [{ n: 1 }, { n: 2 }]);
});

Deno.test("runCell: runs the calls of a Promise.all at once", async () => {
  let running = 0;
  let most = 0;
  const call = async (made: CellCall): Promise<CellCallOutcome> => {
    most = Math.max(most, ++running);
    await settled();
    running--;
    return answer(made);
  };
  const body =
    "return (await Promise.all([...Array(10).keys()].map((n) => tools.echo(n)))).length";
  assertEquals(await valueOf(body, { call }), 10);
  assertEquals(most, 10);
});

Deno.test("runCell: numbers the calls in their order", async () => {
  const made: CellCall[] = [];
  const call = (each: CellCall) => {
    made.push(each);
    return answer(each);
  };
  await run("await tools.echo(1); await tools.find_items({ q: 'x' })", {
    call,
  });
  assertEquals(made, [
    { id: 1, name: "echo", input: 1 },
    { id: 2, name: "find-items", input: { q: "x" } },
  ]);
});

Deno.test("runCell: starts no call before the program rests", async () => {
  const order: string[] = [];
  const call = (made: CellCall) => {
    order.push(`start ${made.id}`);
    return answer(made);
  };
  const budget = () => {
    order.push("asked");
    return {};
  };
  await run("const p = tools.echo(1); budget(); await p", { call, budget });
  assertEquals(order, ["asked", "start 1"]);
});

Deno.test("runCell: aborts calls that still run at the end, and names them", async () => {
  // R38
  const signals: AbortSignal[] = [];
  const call = (made: CellCall, signal: AbortSignal) => {
    signals.push(signal);
    return answer(made);
  };
  const body = "const slow = tools.hang(); await tools.echo(1); return 'done'";
  const { outcome, unfinishedCalls } = await run(body, { call });
  assertEquals(outcome, "returned");
  assertEquals(unfinishedCalls, [1]);
  assertEquals(signals.map(({ aborted }) => aborted), [true, true]);
});

Deno.test("runCell: lists the calls made too late to start", async () => {
  // R38
  const call = () => {
    throw new Error("must not be called");
  };
  const { value, unstartedCalls } = await run(
    "tools.echo({ id: 1 }).then(() => {}); return 'done'",
    { call },
  );
  assertEquals(value, '"done"');
  assertEquals(unstartedCalls, [{ id: 1, name: "echo", input: { id: 1 } }]);
});

Deno.test("runCell: starts no call of a program that died", async () => {
  const call = () => {
    throw new Error("must not be called");
  };
  const { error, unstartedCalls } = await run(
    "tools.echo(1); for (;;) ;",
    { call, limits: { ...defaultCellLimits, fuel: 100_000 } },
  );
  assertEquals(error?.kind, "fuel");
  assertEquals(unstartedCalls.length, 1);
});

Deno.test("runCell: the losers of a race are unfinished, not failures", async () => {
  const body = "return await Promise.race([tools.hang(), tools.echo('won')])";
  const { value, unfinishedCalls } = await run(body);
  assertEquals(value, '"won"');
  assertEquals(unfinishedCalls, [1]);
});

Deno.test("runCell: a rejection nobody awaits changes nothing", async () => {
  const body = "tools.fail({}); await tools.echo(1); return 'fine'";
  assertEquals(await valueOf(body), "fine");
});

Deno.test("runCell: a late end of a call changes nothing", async () => {
  let finish: (outcome: CellCallOutcome) => void = () => {};
  const call = (made: CellCall) =>
    made.name === "hang"
      ? new Promise<CellCallOutcome>((resolve) => finish = resolve)
      : answer(made);
  const { value } = await run("tools.hang(); return await tools.echo(1)", {
    call,
  });
  finish({ ok: true, json: "2" });
  await settled();
  assertEquals(value, "1");
});

Deno.test("runCell: a host that throws or rejects fails the call, without its secrets", async () => {
  const body =
    "return await tools.echo(1).catch((e) => [e.name, e.code, e.message])";
  const hostError = [
    "HostError",
    "internal",
    "The host failed while it ran this call",
  ];
  const throwing = () => {
    throw new Error("secret");
  };
  const rejecting = () => Promise.reject(new Error("secret"));
  assertEquals(await valueOf(body, { call: throwing }), hostError);
  assertEquals(await valueOf(body, { call: rejecting }), hostError);
});

Deno.test("runCell: a host answer that is no JSON fails the call", async () => {
  const call = () => Promise.resolve({ ok: true as const, json: "{" });
  const body = "return await tools.echo(1).catch((e) => e.name)";
  assertEquals(await valueOf(body, { call }), "SyntaxError");
});

Deno.test("runCell: a program that waits for nothing is deadlocked at once", async () => {
  // R35
  const { outcome, error } = await run("await new Promise(() => {})");
  assertEquals(outcome, "stopped");
  assertEquals(error?.kind, "deadlock");
});

Deno.test("runCell: a call that never settles ends with the wall time", async () => {
  // R35
  const clock = new ManualClock();
  let aborted = false;
  const promise = run("await tools.hang()", {
    timer: (ms, fire) => clock.timer(ms, fire),
    limits: { ...defaultCellLimits, waitMs: 100 },
    call: (made, signal) => {
      signal.addEventListener("abort", () => aborted = true);
      return answer(made);
    },
  });
  await settled();
  clock.advance(100);
  const { outcome, error, unfinishedCalls } = await promise;
  assertEquals([outcome, error?.kind], ["stopped", "wait"]);
  assertEquals([error?.used, error?.allowed], [100, 100]);
  assertEquals(unfinishedCalls, [1]);
  assert(aborted);
  assertEquals(clock.pending, 0);
});

Deno.test("runCell: leaves no timer behind", async () => {
  const clock = new ManualClock();
  await run("setTimeout(() => {}, 50); await tools.echo(1)", {
    timer: (ms, fire) => clock.timer(ms, fire),
  });
  assertEquals(clock.pending, 0);
});

Deno.test("runCell: a signal cancels a cell that waits", async () => {
  const controller = new AbortController();
  const promise = run("text('before'); await tools.hang()", {
    signal: controller.signal,
  });
  await settled();
  controller.abort();
  const { outcome, error, text } = await promise;
  assertEquals([outcome, error?.kind, text], [
    "stopped",
    "cancelled",
    "before",
  ]);
});

Deno.test("runCell: a signal that is aborted runs nothing", async () => {
  const { error, fuelUsed } = await run("return 1", {
    signal: AbortSignal.abort(),
  });
  assertEquals([error?.kind, fuelUsed], ["cancelled", 0]);
});

Deno.test("runCell: a host may cancel while its call starts", async () => {
  const controller = new AbortController();
  const call = (made: CellCall) => {
    controller.abort();
    return answer(made);
  };
  const { error } = await run("return await tools.echo(1)", {
    call,
    signal: controller.signal,
  });
  assertEquals(error?.kind, "cancelled");
});

Deno.test("runCell: what was said before a program died is kept", async () => {
  const body = "text('a'); console.log('b'); store('c', 1); for (;;) ;";
  const result = await run(body, {
    limits: { ...defaultCellLimits, fuel: 200_000 },
  });
  assertEquals([result.text, result.console], ["a", "b"]);
  assertEquals(result.stored, { c: "1" });
});

Deno.test("runCell: fuel is for the whole cell, waiting included", async () => {
  const body =
    "for (let i = 0; i < 50; i++) { await tools.echo(i); for (let j = 0; j < 2000; j++) ; }";
  const limits = { ...defaultCellLimits, fuel: 100_000 };
  const { error } = await run(body, { limits });
  assertEquals([error?.kind, error?.used, error?.allowed], [
    "fuel",
    100_000,
    100_000,
  ]);
});

Deno.test("runCell: the same cell takes the same fuel", async () => {
  const body = "return [Math.random(), await tools.echo([1, 2]), Date.now()]";
  const results = [await run(body), await run(body), await run(body)];
  assertEquals(results[1], results[0]);
  assertEquals(results[2], results[0]);
});

Deno.test("runCell: one cell sees nothing of another", async () => {
  await run(
    "globalThis.left = 1; Array.prototype.left = 1; tools.echo.left = 1; return 1",
  );
  const body = "return [typeof left, typeof [].left, typeof tools.echo.left]";
  assertEquals(await valueOf(body), ["undefined", "undefined", "undefined"]);
});

Deno.test("runCell: a program too long does not run", async () => {
  const limits = { ...defaultCellLimits, sourceBytes: 10 };
  const { outcome, error } = await run("return 'é'; //", { limits });
  assertEquals(outcome, "stopped");
  assertEquals([error?.kind, error?.used, error?.allowed], ["source", 15, 10]);
});

Deno.test("runCell: a value too large is an error that says the sizes", async () => {
  // R29
  const limits = { ...defaultCellLimits, outputBytes: 10 };
  const { outcome, error } = await run("return 'x'.repeat(20)", { limits });
  assertEquals(outcome, "threw");
  assertEquals([error?.kind, error?.used, error?.allowed], ["output", 22, 10]);
});

Deno.test("runCell: memory beyond the limit is a typed error", async () => {
  // R34
  const limits = { ...defaultCellLimits, memoryBytes: 4_000_000 };
  const body = "const a = []; for (;;) a.push(new Uint8Array(1e6))";
  const { error } = await run(body, { limits });
  assertEquals([error?.kind, error?.allowed], ["memory", 4_000_000]);
  assertEquals(await valueOf("return 1"), 1);
});

Deno.test("runCell: no limit is too small to end well", async () => {
  const names = [
    "fuel",
    "memoryBytes",
    "sourceBytes",
    "outputBytes",
    "waitMs",
  ] as const;
  for (const name of names) {
    const { outcome } = await run("return await tools.echo('x'.repeat(1e5))", {
      limits: { ...defaultCellLimits, [name]: 0 },
    });
    assert(
      outcome === "stopped" || outcome === "threw" || name === "waitMs",
      name,
    );
  }
});

Deno.test("runCell: a refused call beyond the limit can be caught", async () => {
  const limits = { ...defaultCellLimits, calls: 2 };
  const body =
    "const r = await Promise.allSettled([1, 2, 3].map((n) => tools.echo(n))); return r.map((x) => x.status + (x.reason?.code ?? ''))";
  const { value, refusedCalls } = await run(body, { limits });
  assertEquals(value, '["fulfilled","fulfilled","rejectedcalls"]');
  assertEquals(refusedCalls.map(({ name, code }) => [name, code]), [[
    "echo",
    "calls",
  ]]);
});

Deno.test("runCell: a refused call that is not caught is a typed error", async () => {
  const limits = { ...defaultCellLimits, calls: 1 };
  const { error } = await run("await tools.echo(1);\nawait tools.echo(2)", {
    limits,
  });
  assertEquals([error?.kind, error?.line, error?.allowed], ["calls", 2, 1]);
});

Deno.test("runCell: a program cannot forge the kind of its error", async () => {
  const body =
    "throw Object.assign(new Error('x'), { name: 'LimitError', kind: 'fuel', code: 'calls' })";
  assertEquals((await run(body)).error?.kind, "thrown");
});

Deno.test("runCell: a clock that stands still stops no loop from ending", async () => {
  // R51
  const { error } = await run("while (true) {}", {
    limits: { ...defaultCellLimits, fuel: 1_000_000 },
  });
  assertStringIncludes(error?.message ?? "", "1000000 units");
});

for (
  const after of [
    "await 1; text('late')",
    "await tools.echo(1)",
    "queueMicrotask(() => { text('late'); }); await tools.hang(1)",
    "queueMicrotask(() => { throw new Error('second'); }); await tools.echo(1)",
    "await null; store('late', 1)",
    "try { await 1; } finally { console.log('late'); }",
  ]
) {
  Deno.test(`runCell: an error in a job ends the program, and what was still to run is not heard: ${after}`, async () => {
    const { error, outcome, ...rest } = await run(
      `queueMicrotask(() => { throw new Error("first"); });\n${after}`,
    );
    assertEquals([outcome, error?.kind, error?.message, error?.line], [
      "threw",
      "thrown",
      "first",
      1,
    ]);
    assertEquals([rest.text, rest.console, rest.stored], ["", "", {}]);
  });
}

Deno.test("runCell: two calls that settle at once end a program once", async () => {
  const open = Promise.withResolvers<CellCallOutcome>();
  const running = run(
    `Object.defineProperty(Object.prototype, "then", {
       get() { throw new Error("no"); }, configurable: true,
     });
     tools.echo(1); tools.echo(2); await tools.echo(3)`,
    { call: () => open.promise },
  );
  await settled();
  open.resolve({ ok: true, json: "{}" });
  const { error } = await running;
  assertEquals([error?.kind, error?.message], ["thrown", "no"]);
});

Deno.test("runCell: the marks of warnings and errors count as console output", async () => {
  const limits = { ...defaultCellLimits, consoleBytes: 1_000 };
  const { console, consoleTruncated } = await run(
    "for (let i = 0; i < 500; i++) console.error('x');",
    { limits },
  );
  assert(console.length <= 1_000, `${console.length}`);
  assertEquals(consoleTruncated, true);
});
