/**
 * The name that somebody probably meant.
 *
 * @module
 */

/** The nearest of `names` to `name`, where one is near. */
export function nearest(
  name: string,
  names: Iterable<string>,
): string | undefined {
  const wanted = plain(name).slice(0, 64);
  let best: string | undefined;
  // More than a third of the letters changed is no typing error.
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of names) {
    const known = plain(candidate);
    const steps = distance(wanted, known);
    // Short names of which no letter is kept are as few steps apart.
    const related = steps < Math.max(wanted.length, known.length);
    if (steps < least && related) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Letters to insert, delete or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replace = (row[j - 1] ?? 0) +
        (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
