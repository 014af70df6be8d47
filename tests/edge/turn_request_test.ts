import { assertEquals } from "@std/assert";
import { prefersJson } from "../../edge/turn_request.ts";

for (
  const [accept, json] of [
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["application/json", true],
    ["APPLICATION/JSON; charset=utf-8", true],
    ["application/*", true],
    ["text/event-stream", false],
    ["text/event-stream, application/json", false],
    ["application/json, text/event-stream;q=0.9", true],
    ["application/json;q=0.5, text/event-stream", false],
    ["text/*;q=0.1, application/json;q=0.2", true],
    // A range of its own goes before that of its kind.
    ["application/*, application/json;q=0", false],
    ["application/json;q=0", false],
    ["application/json;q=lots", false],
    ["application/jsonl", false],
    [`${";,".repeat(1000)}application/json`, true],
  ] as const
) {
  Deno.test(`prefersJson: ${JSON.stringify(accept)?.slice(0, 60)}: ${json}`, () => {
    assertEquals(prefersJson(accept), json);
  });
}
