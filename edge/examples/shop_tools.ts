/**
 * The example's tools: what a shop's own services would answer. They take their
 * time, one gives many rows, one is busy now and then, and one has an effect.
 *
 * @module
 */

import { defineTools } from "../../mod.ts";
import {
  articles,
  chance,
  dayIn,
  ordersOf,
  type Product,
  products,
} from "./shop_data.ts";

const product = {
  type: "string",
  enum: products,
  description: "The product's name.",
} as const;

/** The declarations, and what runs the calls. */
export const shop = defineTools({
  stock: {
    description:
      "How many pieces of a product are there now, in all and by warehouse.",
    parameters: {
      type: "object",
      properties: { product },
      required: ["product"],
      additionalProperties: false,
    },
    run: async ({ product }, { signal }) => {
      await pause(120 + 260 * chance(product), signal);
      const { stock: warehouses } = articles[product];
      const pieces = warehouses.north + warehouses.south;
      return { product, pieces, warehouses };
    },
  },
  demand: {
    description:
      "Every order of customers for a product in the last days: many rows { order, day, pieces, city }.",
    parameters: {
      type: "object",
      properties: {
        product,
        days: { type: "integer", minimum: 1, maximum: 90 },
      },
      required: ["product", "days"],
      additionalProperties: false,
    },
    run: async ({ product, days }, { signal }) => {
      const orders = ordersOf(product, days);
      await pause(250 + 4 * Math.min(orders.length, 150), signal);
      return { product, days, orders };
    },
  },
  suppliers: {
    description:
      "Who delivers a product: offers { supplier, price (euros a piece), days, minimum (pieces) }. Only two calls are answered at a time; a busy line is worth another try.",
    parameters: {
      type: "object",
      properties: { product },
      required: ["product"],
      additionalProperties: false,
    },
    run: ({ product }, { signal }) => askSuppliers(product, signal),
  },
  order: {
    description:
      "Orders pieces of a product from a supplier, at least the offer's minimum. Gives the order's number, what it costs and when it arrives.",
    parameters: {
      type: "object",
      properties: {
        product,
        supplier: { type: "string" },
        pieces: { type: "integer", minimum: 1, maximum: 1000 },
      },
      required: ["product", "supplier", "pieces"],
      additionalProperties: false,
    },
    run: async (
      { product, supplier, pieces },
      { signal, idempotencyKey },
    ) => {
      const { price, days, minimum } = offerOf(product, supplier);
      if (pieces < minimum) {
        throw new Error(
          `${supplier} delivers ${minimum} pieces of ${product} at least`,
        );
      }
      await pause(300 + 200 * chance(product), signal);
      return {
        // A call that runs again after a restart is no second order.
        number: `PO-${1000 + Math.floor(9000 * chance(idempotencyKey))}`,
        product,
        supplier,
        pieces,
        cost: Math.round(100 * price * pieces) / 100,
        arrives: dayIn(days),
      };
    },
  },
});

/** As the suppliers' service says it: the same call may succeed later. */
class LineBusy extends Error {
  override readonly name = "LineBusy";
  readonly retryable = true;
}

const lines = 2;
let taken = 0;

async function askSuppliers(product: Product, signal: AbortSignal) {
  if (taken >= lines) {
    await pause(450, signal);
    throw new LineBusy(
      "the suppliers' line is busy: two calls are answered at a time. Try again",
    );
  }
  taken++;
  try {
    await pause(200 + 200 * chance(product), signal);
    return { product, offers: articles[product].offers };
  } finally {
    taken--;
  }
}

function offerOf(product: Product, supplier: string) {
  const { offers } = articles[product];
  const found = offers.find((offer) => offer.supplier === supplier);
  if (found !== undefined) return found;
  const names = offers.map((offer) => offer.supplier).join(" or ");
  throw new Error(`${supplier} does not deliver ${product}; ask ${names}`);
}

/** Takes as long as a service over the network; a stopped call ends at once. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
