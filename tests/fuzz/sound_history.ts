/**
 * What a provider demands of a conversation: every call has its one answer.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { BackendName } from "../../src/backends/backend.ts";
import { isRecord } from "../../src/json.ts";

/** Asserts that a provider would take the request's conversation. */
export function assertSound(
  backend: BackendName,
  body: unknown,
  what: string,
): void {
  const { input, messages } = Object(body);
  if (backend === "openai") assertSoundInput(records(input), what);
  else assertSoundMessages(records(messages), what);
}

type Item = Record<string, unknown>;

function records(list: unknown): Item[] {
  assert(Array.isArray(list) && list.every(isRecord));
  return list;
}

function assertSoundInput(items: readonly Item[], what: string): void {
  const ids = (type: RegExp) =>
    items.filter((item) => type.test(String(item.type)))
      .map(({ call_id }) => call_id);
  const calls = ids(/^(?:function|custom_tool)_call$/);
  assertEquals(ids(/_call_output$/), calls, what);
  assert(calls.every((id) => typeof id === "string" && id !== ""), what);
  assertEquals(new Set(calls).size, calls.length, what);
}

function assertSoundMessages(messages: readonly Item[], what: string): void {
  messages.forEach(({ role }, index) => {
    assertEquals(role, index % 2 === 0 ? "user" : "assistant", what);
  });
  messages.forEach(({ role, content }, index) => {
    if (role !== "assistant") return;
    const calls = records(content).filter(({ type }) => type === "tool_use");
    const results = records(messages[index + 1]?.content ?? [])
      .filter(({ type }) => type === "tool_result");
    assertEquals(
      results.map(({ tool_use_id }) => tool_use_id),
      calls.map(({ id }) => id),
      what,
    );
    assert(calls.every(({ id }) => typeof id === "string" && id !== ""), what);
    assertEquals(new Set(calls.map(({ id }) => id)).size, calls.length, what);
  });
}
