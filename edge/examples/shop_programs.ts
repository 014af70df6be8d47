/**
 * The programs that the embedded model writes.
 *
 * @module
 */

/** The days that a forecast is made of. */
export const days = 14;

const cheapest = `
async function cheapest(product, tries = 6) {
  try {
    const { offers } = await tools.suppliers({ product });
    return offers.sort((a, b) => a.price - b.price)[0];
  } catch (error) {
    // Their line may be busy: then once more.
    if (!error.retryable || tries === 1) throw error;
    return await cheapest(product, tries - 1);
  }
}`;

/** Sums the orders of all products up; asks who delivers what runs short. */
export function programForStock(stock: ReadonlyMap<string, number>): string {
  const known = JSON.stringify(Object.fromEntries(stock));
  return `// The orders are many rows: only their sums matter.
const stock = ${known};
const rows = await Promise.all(Object.keys(stock).map(async (product) => {
  const { orders } = await tools.demand({ product, days: ${days} });
  const sold = orders.reduce((sum, { pieces }) => sum + pieces, 0);
  return { product, sold };
}));

// Who delivers what runs short, and at what price?
const short = rows.filter(({ product, sold }) => sold > stock[product]);
await Promise.all(short.map(async (row) => {
  row.offer = await cheapest(row.product);
}));
return rows;
${cheapest}`;
}

/** Sums the orders of some products up, and asks who delivers them. */
export function programForProducts(products: readonly string[]): string {
  return `// The orders are many rows: only their sums matter.
const products = ${JSON.stringify(products)};
return await Promise.all(products.map(async (product) => {
  const [{ orders }, offer] = await Promise.all([
    tools.demand({ product, days: ${days} }),
    cheapest(product),
  ]);
  const sold = orders.reduce((sum, { pieces }) => sum + pieces, 0);
  return { product, sold, offer };
}));
${cheapest}`;
}

/** The same program with a mistake: it takes what `demand` gives for a list. */
export function withMistake(program: string): string {
  return program.replace("{ orders }", "orders");
}
