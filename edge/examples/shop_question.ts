/**
 * What the embedded model takes a prompt for. It knows a few questions, and says
 * so where it is asked another.
 *
 * @module
 */

import { suggestions } from "./agent.ts";

/** What somebody wants to know, or to have done. */
export type Question = "stock" | "suppliers" | "order" | "short";

const forms: readonly (readonly [Question, RegExp])[] = [
  ["order", /(?<!\bin )\b(order|reorder|buy|restock)\b/i],
  ["suppliers", /\b(deliver\w*|suppl(y|ies|iers?)|offers?)\b/i],
  ["short", /\b(short\w*|missing|run(s|ning)? (out|low)|needed)\b/i],
  ["stock", /\bhow many\b(?! orders)|\b(stock|count)\b/i],
];

/** The question that a prompt asks; none where it is not known. */
export function questionOf(prompt: string): Question | undefined {
  return forms.find(([, form]) => form.test(prompt))?.[0];
}

/** What it says where it does not know the question. */
export const otherQuestion = [
  "I am a scripted model and know a few questions about this shop:",
  suggestions.map((suggestion) => `- ${suggestion}`).join("\n"),
  "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, and a real model answers any other.",
].join("\n\n");
