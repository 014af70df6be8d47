import {
  assert,
  assertEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import {
  outcomes,
  type Receipt,
  ReceiptBook,
  type ReceiptEnd,
  surfaces,
  toolErrorCodes,
} from "../src/receipt.ts";

const opened: Receipt = {
  id: "receipt_1",
  turnId: "turn_1",
  step: 1,
  callId: "call_1",
  tool: "lookup",
  surface: "direct",
  input: { key: "a" },
  executed: false,
  requestedAt: 1_000,
  inputBytes: 11,
  outputBytes: 0,
  truncated: false,
};

const succeeded: ReceiptEnd = {
  outcome: "succeeded",
  executed: true,
  output: "A",
  startedAt: 1_001,
  outputBytes: 3,
  truncated: false,
};

const failed: ReceiptEnd = {
  outcome: "failed",
  executed: true,
  error: {
    name: "Error",
    code: "tool_failed",
    message: "no such key",
    retryable: false,
  },
  outputBytes: 0,
  truncated: false,
};

Deno.test("ReceiptBook.open: keeps the receipt, without an end", () => {
  const book = new ReceiptBook();
  assertStrictEquals(book.open(opened), opened);
  assertEquals(book.list(), [opened]);
  assert(!("outcome" in opened) && !("endedAt" in opened));
});

Deno.test("ReceiptBook.end: adds how and when the call ended", () => {
  const book = new ReceiptBook();
  book.open(opened);
  const ended = book.end("receipt_1", succeeded, 1_005);
  assertEquals(ended, { ...opened, ...succeeded, endedAt: 1_005 });
  assertEquals(book.list(), [{ ...opened, ...succeeded, endedAt: 1_005 }]);
});

Deno.test("ReceiptBook.end: the first end stays, and a second one gives it", () => {
  const book = new ReceiptBook();
  book.open(opened);
  const first = book.end("receipt_1", failed, 1_005);
  const second = book.end("receipt_1", succeeded, 2_000);
  assertStrictEquals(second, first);
  assertStrictEquals(first?.outcome, "failed");
  assertEquals(book.list(), [first]);
});

for (const outcome of outcomes) {
  Deno.test(`ReceiptBook.end: ${outcome} is an end for good`, () => {
    const book = new ReceiptBook();
    book.open(opened);
    book.end("receipt_1", { ...failed, outcome }, 1_005);
    book.end("receipt_1", succeeded, 1_006);
    assertEquals(
      book.list().map((receipt) => [receipt.outcome, receipt.endedAt]),
      [
        [outcome, 1_005],
      ],
    );
  });
}

Deno.test("ReceiptBook.end: gives nothing for a receipt that was never opened", () => {
  const book = new ReceiptBook();
  assertStrictEquals(book.end("receipt_9", succeeded, 1_005), undefined);
  assertEquals(book.list(), []);
});

// R05
Deno.test("ReceiptBook.list: stands in the order of the calls, not of their ends", () => {
  const book = new ReceiptBook();
  for (const id of ["b", "10", "a", "2"]) book.open({ ...opened, id });
  for (const id of ["2", "a", "10", "b"]) book.end(id, succeeded, 1_005);
  assertEquals(book.list().map(({ id }) => id), ["b", "10", "a", "2"]);
});

Deno.test("ReceiptBook.list: is a copy of its own", () => {
  const book = new ReceiptBook();
  book.open(opened);
  book.list().length = 0;
  assertStrictEquals(book.list().length, 1);
});

Deno.test("ReceiptBook: nobody who holds a receipt can change it", () => {
  const book = new ReceiptBook();
  const open = book.open({ ...opened });
  const ended = book.end("receipt_1", succeeded, 1_005);
  for (const receipt of [open, ended]) {
    assertThrows(
      () => Object.assign(receipt ?? {}, { outcome: "failed" }),
      TypeError,
    );
  }
  assertStrictEquals(open.outcome, undefined);
});

Deno.test("surfaces, outcomes and toolErrorCodes name each word once", () => {
  for (const list of [surfaces, outcomes, toolErrorCodes]) {
    assertStrictEquals(new Set(list).size, list.length);
    assert(list.every((word) => /^[a-z_]+$/.test(word)));
  }
});
