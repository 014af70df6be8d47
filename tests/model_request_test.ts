import { assert, assertEquals } from "@std/assert";
import type { StepInput } from "../src/backends/backend.ts";
import { openai } from "../src/backends/openai.ts";
import type { HistoryItem } from "../src/history.ts";
import { type FixedRequest, ModelRequest } from "../src/model_request.ts";

const lookup = {
  name: "lookup",
  description: "Looks up.",
  parameters: { type: "object" },
};
const fixed: FixedRequest = {
  model: "m",
  instructions: "Be short.",
  settings: { maxOutputTokens: 100 },
  tools: [lookup],
};
const history: readonly HistoryItem[] = [{ type: "user", text: "Hello" }];

/** A request whose backend keeps what it was asked to write. */
function recording(): { request: ModelRequest; asked: StepInput[] } {
  const asked: StepInput[] = [];
  const backend: typeof openai = {
    ...openai,
    request: (input) => {
      asked.push(input);
      return { path: "/x", headers: { "x-a": "b" }, body: { n: asked.length } };
    },
  };
  return { request: new ModelRequest(backend, fixed), asked };
}

Deno.test("build() gives the backend what is fixed, the conversation and what to go without", () => {
  const { request, asked } = recording();
  const without = new Set(["include"]);
  assertEquals(request.build(history, without), {
    path: "/x",
    headers: { "x-a": "b" },
    body: { n: 1 },
  });
  assertEquals(asked, [{ ...fixed, history, without }]);
});

Deno.test("build() makes each request anew, with the conversation as it is then", () => {
  const { request, asked } = recording();
  const longer: HistoryItem[] = [...history, { type: "user", text: "More" }];
  request.build(history, request.without);
  assertEquals(request.build(longer, request.without).body, { n: 2 });
  assertEquals(asked.map((input) => input.history.length), [1, 2]);
});

Deno.test("offering() changes the tools, and nothing else; the first stays as it was", () => {
  const { request, asked } = recording();
  const exec = { ...lookup, name: "exec" };
  request.offering([exec]).build(history, new Set());
  request.build(history, new Set());
  const [other, first] = asked;
  assert(other !== undefined && first !== undefined);
  assertEquals(other, { ...first, tools: [exec] });
  assertEquals(first.tools, [lookup]);
});

Deno.test("without starts empty, and is each request's own", () => {
  const { request } = recording();
  assertEquals(request.without, new Set());
  request.without.add("include");
  assertEquals(request.offering([]).without, new Set());
  assertEquals(recording().request.without, new Set());
});
