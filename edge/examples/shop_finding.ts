/**
 * What the embedded model finds out about the products.
 *
 * @module
 */

import * as z from "zod";

/** A row of what the programs give. */
export const row = z.object({
  product: z.string(),
  sold: z.number(),
  offer: z.object({
    supplier: z.string(),
    price: z.number(),
    days: z.number(),
    minimum: z.number(),
  }).optional(),
});

/** What is known of a product. */
export type Finding = {
  readonly product: string;
  readonly stock: number;
  /** Sold in the last days. */
  readonly sold: number;
  /** The cheapest offer, where it was asked for. */
  readonly offer: z.infer<typeof row>["offer"];
};
