import { assertEquals } from "@std/assert";
import { receiptPages } from "../../../edge/session/receipt_pages.ts";
import { receipt, succeeded } from "./conversation_fixture.ts";

/** The sizes of pages for receipts whose outputs are that long. */
function sizes(...lengths: number[]): [first: number, size: number][] {
  const receipts = lengths.map((length, index) =>
    succeeded(receipt(`r${index}`), length)
  );
  const pages = receiptPages(receipts);
  assertEquals([...pages.values()].flat(), receipts);
  return [...pages].map(([first, page]) => [first, page.length]);
}

Deno.test("receiptPages: eight small receipts share a page", () => {
  assertEquals(sizes(), []);
  assertEquals(sizes(...Array(17).fill(10)), [[0, 8], [8, 8], [16, 1]]);
});

Deno.test("receiptPages: a page ends before it holds more than 16 KiB", () => {
  assertEquals(sizes(5000, 5000, 5000, 5000), [[0, 2], [2, 2]]);
});

Deno.test("receiptPages: a large receipt is alone, and its page is called by its own place", () => {
  assertEquals(sizes(10, 10, 50_000, 10), [[0, 2], [2, 1], [3, 1]]);
  assertEquals(sizes(50_000, 9_000, 50_000, 10), [[0, 1], [1, 1], [2, 1], [
    3,
    1,
  ]]);
});
