/**
 * The books of a small bicycle shop, up to a day that never changes: whoever asks
 * the same gets the same.
 *
 * @module
 */

/** What the shop sells. */
export const products = [
  "bell",
  "chain",
  "helmet",
  "lamp",
  "lock",
  "pump",
  "saddle",
  "tyre",
] as const;

/** One of the {@link products}. */
export type Product = (typeof products)[number];

/** What a supplier asks for a product. */
export type Offer = {
  readonly supplier: string;
  /** Euros a piece. */
  readonly price: number;
  /** Days until it arrives. */
  readonly days: number;
  /** The smallest order, in pieces. */
  readonly minimum: number;
};

/** What is known of a product. */
export type Article = {
  /** Pieces, by warehouse. */
  readonly stock: { readonly north: number; readonly south: number };
  /** Orders of customers, a day on average. */
  readonly ordersPerDay: number;
  readonly offers: readonly Offer[];
};

/** An order of a customer. */
export type CustomerOrder = {
  readonly order: string;
  readonly day: string;
  readonly pieces: number;
  readonly city: string;
};

function offer(
  supplier: string,
  price: number,
  days: number,
  minimum: number,
): Offer {
  return { supplier, price, days, minimum };
}

/** Every product's article. */
export const articles: Readonly<Record<Product, Article>> = {
  bell: {
    stock: { north: 64, south: 41 },
    ordersPerDay: 3,
    offers: [offer("Kettler & Sons", 3.2, 6, 50)],
  },
  chain: {
    stock: { north: 52, south: 68 },
    ordersPerDay: 4,
    offers: [offer("Velopart", 14.9, 4, 10), offer("Nordrad", 16.5, 2, 5)],
  },
  helmet: {
    stock: { north: 18, south: 23 },
    ordersPerDay: 5,
    offers: [offer("Nordrad", 24.5, 3, 10), offer("Safehead", 27, 1, 1)],
  },
  lamp: {
    stock: { north: 35, south: 12 },
    ordersPerDay: 6,
    offers: [offer("Brightside", 11.75, 5, 20), offer("Velopart", 13, 4, 10)],
  },
  lock: {
    stock: { north: 80, south: 75 },
    ordersPerDay: 4,
    offers: [offer("Kettler & Sons", 19.9, 6, 10)],
  },
  pump: {
    stock: { north: 30, south: 36 },
    ordersPerDay: 2,
    offers: [offer("Velopart", 9.4, 4, 10)],
  },
  saddle: {
    stock: { north: 22, south: 19 },
    ordersPerDay: 1,
    offers: [offer("Nordrad", 31, 3, 4), offer("Kettler & Sons", 29.5, 6, 10)],
  },
  tyre: {
    stock: { north: 57, south: 44 },
    ordersPerDay: 9,
    offers: [offer("Velopart", 17.2, 4, 20), offer("Nordrad", 18.8, 2, 10)],
  },
};

const cities = ["Aarhus", "Bremen", "Ghent", "Malmö", "Utrecht"];

/**
 * The orders of a product's customers, the latest first: many rows.
 *
 * @param product The product.
 * @param days The last days that count.
 */
export function ordersOf(product: Product, days: number): CustomerOrder[] {
  return Array.from({ length: days }, (_, ago) => ordersOn(product, ago))
    .flat();
}

function ordersOn(product: Product, ago: number): CustomerOrder[] {
  const day = dayIn(-ago);
  const { ordersPerDay } = articles[product];
  const length = Math.round(ordersPerDay * 2 * chance(`${product} ${day}`));
  return Array.from({ length }, (_, index) => {
    const order = `${product}-${day}-${index + 1}`;
    const city = cities[Math.floor(chance(`${order} to`) * cities.length)];
    const pieces = 1 + Math.floor(chance(order) * 2.2);
    return { order, day, pieces, city: city ?? "" };
  });
}

/** The date some days after the last day in the books. */
export function dayIn(days: number): string {
  return new Date(Date.UTC(2026, 5, 30 + days)).toISOString().slice(0, 10);
}

/** A number from 0 up to, not including, 1: the same for the same text. */
export function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (const unit of text) {
    hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  }
  // FNV's high bits hardly change with a text's end.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
