// Tools whose parameters are schemas of a schema library.

import {
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { defineTools, HostFailure, open, type Surface } from "nanocode-wasm";
import * as z from "zod";
import * as mini from "zod/mini";
import { manualAmbient } from "../support/ambient.ts";
import { scriptedModel } from "../support/model.ts";
import { test } from "../support/permissions.ts";
import { hostReceipts, stepOfCalls } from "../support/surface.ts";
import "../support/engine.ts";

const range = z.object({
  from: z.iso.date().transform((text) => new Date(text)),
  days: z.int().min(1).default(7),
  note: z.string().trim().optional(),
}).refine(({ days, note }) => days < 30 || note !== undefined, {
  error: "say why, for 30 days or more",
  path: ["note"],
});

Deno.test("defineTools() declares a Zod schema's input as JSON Schema, made once", () => {
  let made = 0;
  const counted = {
    "~standard": {
      ...range["~standard"],
      jsonSchema: {
        ...range["~standard"].jsonSchema,
        input: (options: { target: string }) => {
          made++;
          return range["~standard"].jsonSchema.input(options);
        },
      },
    },
  };
  const { tools } = defineTools({
    demand: { description: "", parameters: counted, run: () => null },
  });
  const [demand] = JSON.parse(JSON.stringify(tools));
  assertEquals(made, 1);
  assertEquals(demand.parameters.type, "object");
  assertEquals(demand.parameters.required, ["from"]);
  assertEquals(demand.parameters.properties.days.minimum, 1);
  assertEquals(demand.parameters.properties.from.type, "string");
});

for (const surface of ["direct", "code"] satisfies Surface[]) {
  test(`run gets the value that Zod parsed; what it refuses the model reads (${surface})`, async () => {
    const { tools, call } = defineTools({
      demand: {
        description: "Demand from a day on.",
        parameters: range,
        run: ({ from, days, note }) => {
          const typed: [Date, number, string | undefined] = [from, days, note];
          return [typed[0].getTime(), typed[1], typed[2] ?? "none"];
        },
      },
    });
    await using model = await scriptedModel([
      stepOfCalls(surface, [
        { name: "demand", input: { from: "1970-01-02", note: " sale " } },
        { name: "demand", input: { from: "1970-01-02", days: 30 } },
        { name: "demand", input: { from: "1970-01-02", days: 0 } },
      ]),
    ]);
    await using agent = await open({
      backend: "anthropic",
      model: "claude-sonnet-4-5",
      surfaces: [surface],
      tools,
    }, {
      ...manualAmbient(),
      apiKey: "key",
      baseUrl: model.baseUrl,
      tools: { call },
    });
    const { receipts } = await agent.prompt("Go").result();
    const refusal = (reason: string) => ({
      outcome: "rejected",
      executed: false,
      error: {
        name: "ToolError",
        code: "invalid_input",
        message:
          `the arguments do not fit the tool's schema. The tool did not run. ${reason}`,
        retryable: true,
      },
    });
    assertEquals(hostReceipts(receipts), [
      {
        tool: "demand",
        input: { from: "1970-01-02", note: " sale " },
        outcome: "succeeded",
        executed: true,
        output: [86_400_000, 7, "sale"],
      },
      {
        // Zod's own rule: JSON Schema cannot say it.
        tool: "demand",
        input: { from: "1970-01-02", days: 30 },
        ...refusal("input.note: say why, for 30 days or more"),
      },
      {
        // The JSON Schema's rule: it is judged first.
        tool: "demand",
        input: { from: "1970-01-02", days: 0 },
        ...refusal(
          "input.days: expected a number of at least 1, got the number 0",
        ),
      },
    ]);
  });
}

const context = {
  callId: "call_1",
  receiptId: "receipt_1",
  turnId: "turn_1",
  surface: "direct",
  idempotencyKey: "turn_1:call_1",
  deadline: 2_000,
  remainingMs: () => 500,
  remainingCalls: () => 3,
} as const;

Deno.test("a refusal names each place, the first five, without what looks like a secret", async () => {
  const { call } = defineTools({
    save: {
      description: "",
      parameters: z.object({
        items: z.array(z.object({ "a-b": z.string() })),
      }).superRefine(({ items }, ctx) => {
        for (const index of items.keys()) {
          ctx.addIssue({
            code: "custom",
            path: ["items", index, "a-b"],
            message: "refused by Bearer abcdefghijkl",
          });
        }
      }),
      run: () => null,
    },
  });
  const { signal } = new AbortController();
  const items = Array.from({ length: 9 }, () => ({ "a-b": "x" }));
  const { message } = await assertRejects(
    () => call("save", { items }, signal, context),
    Error,
  );
  assertStringIncludes(
    message,
    'input.items[4]["a-b"]: refused by [redacted]',
  );
  assertEquals(message.includes("items[5]"), false);
  assertEquals(message.includes("abcdefghijkl"), false);
});

Deno.test("a call that was stopped while its input was judged does not run", async () => {
  const judged = Promise.withResolvers<boolean>();
  let runs = 0;
  const { call } = defineTools({
    save: {
      description: "",
      parameters: z.object({ key: z.string().refine(() => judged.promise) }),
      run: () => ++runs,
    },
  });
  const controller = new AbortController();
  const ended = call("save", { key: "a" }, controller.signal, context);
  controller.abort(new Error("stopped"));
  judged.resolve(true);
  await assertRejects(() => ended, Error, "stopped");
  assertEquals(runs, 0);
});

Deno.test("z.toJSONSchema() of either Zod is taken too, with its parsing", async () => {
  const shape = mini.object({
    key: mini.pipe(mini.string(), mini.transform((key) => key.length)),
  });
  const { tools, call } = defineTools({
    size: {
      description: "",
      parameters: mini.toJSONSchema(shape, { io: "input" }),
      run: ({ key }) => key + 1,
    },
  });
  assertEquals(
    JSON.parse(JSON.stringify(tools))[0].parameters.properties,
    { key: { type: "string" } },
  );
  const { signal } = new AbortController();
  assertEquals(await call("size", { key: "four" }, signal, context), 5);
});

Deno.test("a schema object that only describes is not asked to judge", async () => {
  const { "~standard": { jsonSchema, vendor } } = range;
  const described = {
    "~standard": { version: 1, vendor, jsonSchema },
  } as const;
  const { call } = defineTools({
    demand: { description: "", parameters: described, run: (input) => input },
  });
  const { signal } = new AbortController();
  const input = { from: "1970-01-02", days: 30 };
  assertEquals(await call("demand", input, signal, context), input);
});

Deno.test("a library without draft 2020-12 is asked for draft 7", () => {
  const asked: string[] = [];
  const parameters = {
    "~standard": {
      version: 1,
      vendor: "old",
      jsonSchema: {
        input: ({ target }: { target: string }) => {
          asked.push(target);
          if (target !== "draft-07") throw new Error(`no ${target}`);
          return { type: "object" };
        },
        output: () => ({}),
      },
    },
  } as const;
  const { tools } = defineTools({
    old: { description: "", parameters, run: () => null },
  });
  assertEquals(asked, ["draft-2020-12", "draft-07"]);
  assertEquals(tools[0]?.parameters, { type: "object" });
});

Deno.test("a schema that JSON Schema cannot say is refused where it is defined", () => {
  const error = assertThrows(
    () =>
      defineTools({
        save: {
          description: "",
          parameters: z.object({ at: z.date() }),
          run: ({ at }) => at.getTime(),
        },
      }),
    HostFailure,
  );
  assertEquals(error.problems, [{
    path: "tools.save.parameters",
    reason: "it gave no JSON Schema: Date cannot be represented in JSON Schema",
  }]);
});

Deno.test("a schema object without JSON Schema is refused by the types and with what to do", () => {
  const parameters = mini.object({ key: mini.string() });
  const error = assertThrows(
    () =>
      defineTools({
        // @ts-expect-error: Zod Mini's schemas do not say themselves.
        save: { description: "", parameters, run: () => null },
      }),
    HostFailure,
  );
  assertEquals(error.problems[0]?.path, "tools.save.parameters");
  assertStringIncludes(error.message, '"~standard.jsonSchema" is missing');
});
