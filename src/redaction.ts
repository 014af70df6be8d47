/**
 * Keeps secrets out of messages: the values that the host gave (key, headers,
 * instructions) wherever a provider or a tool repeats them, and what looks
 * like a credential by its form.
 *
 * @module
 */

import { shorten } from "./text.ts";

/** What stands in a message where a secret was. */
export const redacted = "[redacted]";

/** The longest message that is passed on, in characters. */
export const maxMessageLength = 2000;

// Shorter values are ordinary words ("true", "beta"): to hide them would only
// garble messages.
const shortestSecret = 6;

const credentialForms: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  // The first part only saves time: no look back where nothing can follow.
  /(?=[^\s"'&,;]{6})(?<=\b(?:api[-_]?key|token|secret|password|authorization)["']?\s*[=:]\s*["']?)[^\s"'&,;]{6,}/gi,
];

/** Takes the known secrets of one agent out of messages. */
export class Redaction {
  readonly #secrets = new Set<string>();
  #prompt: string | undefined;

  /** Adds a value that no message may hold. */
  add(secret: string | undefined): void {
    if (secret === undefined) return;
    const trimmed = secret.trim();
    if (trimmed.length >= shortestSecret) this.#secrets.add(trimmed);
  }

  /** The user's last text, for {@link Redaction.cleanAnswer}. */
  setPrompt(text: string): void {
    const trimmed = text.trim();
    this.#prompt = trimmed.length >= shortestSecret ? trimmed : undefined;
  }

  /** `message` without secrets, well-formed and of bounded length. */
  clean(message: string): string {
    return cleaned(message, [...this.#secrets]);
  }

  /** As {@link Redaction.clean}, of what a provider says: without the prompt too. */
  cleanAnswer(message: string): string {
    const prompt = this.#prompt === undefined ? [] : [this.#prompt];
    return cleaned(message, [...this.#secrets, ...prompt]);
  }
}

function cleaned(message: string, secrets: string[]): string {
  let text = message;
  // The longest first: one may be a part of another.
  for (const secret of secrets.sort((a, b) => b.length - a.length)) {
    text = text.replaceAll(secret, redacted);
  }
  // Cut only now: before, a cut could leave a part of a secret unknown.
  text = text.slice(0, 4 * maxMessageLength);
  for (const form of credentialForms) text = text.replace(form, redacted);
  return text.length > maxMessageLength
    ? shorten(text, maxMessageLength)
    : text.toWellFormed();
}
