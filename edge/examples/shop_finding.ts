/**
 * What the embedded model finds out about the products.
 *
 * @module
 */

import * as z from "zod";

const offer = z.object({
  supplier: z.string(),
  price: z.number(),
  days: z.number(),
  minimum: z.number(),
});

/** What a supplier delivers a product for. */
export type Offer = z.infer<typeof offer>;

/** A row of what the programs give. */
export const row = z.object({
  product: z.string(),
  sold: z.number(),
  offer: offer.optional(),
});

/** What is known of a product. */
export type Finding = {
  readonly product: string;
  readonly stock: number;
  /** Sold in the last days. */
  readonly sold: number;
  /** The cheapest offer, where it was asked for. */
  readonly offer: Offer | undefined;
};
