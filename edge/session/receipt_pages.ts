/**
 * A turn's receipts in pages. A receipt is written when its call starts and when
 * it ends, and its page with it: so a page is small, and a large receipt has one
 * of its own.
 *
 * @module
 */

import type { Receipt } from "../../src/receipt.ts";

const maxReceipts = 8;
const maxBytes = 16 * 1024;

// What a receipt holds beside its input and output, about.
const frameBytes = 512;

/**
 * The pages, each by the index of its first receipt.
 *
 * A page that would become too large ends before the receipt that makes it so.
 * As a large one is always alone, its page keeps its name whatever becomes of
 * the others.
 */
export function receiptPages(
  receipts: readonly Receipt[],
): Map<number, readonly Receipt[]> {
  const pages = new Map<number, Receipt[]>();
  let page: Receipt[] = [];
  let room = 0;
  receipts.forEach((receipt, index) => {
    const bytes = sizeOf(receipt);
    if (page.length === maxReceipts || bytes > room) {
      pages.set(index, page = []);
      room = maxBytes;
    }
    page.push(receipt);
    room -= bytes;
  });
  return pages;
}

/** About how large a receipt is as JSON; it has counted that itself. */
function sizeOf({ inputBytes, output, outputBytes }: Receipt): number {
  return frameBytes + inputBytes + (output === undefined ? 0 : outputBytes);
}
