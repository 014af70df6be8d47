// @ts-check
/**
 * What the page takes from the server's answers. The shapes are checked as far as
 * the page relies on them: server and page may be of different versions while a
 * deployment changes. Whatever text is inside was written by models and tools,
 * and is shown as text only.
 *
 * @module
 */

/** @import { Receipt } from "../../../src/receipt.ts" */
/** @import { SessionEvent, TurnRecord } from "../../session/turn_record.ts" */

/**
 * @typedef {object} AgentDocument What the page shows of an agent.
 * @property {string} backend
 * @property {string} model
 * @property {{ readonly steps: number, readonly calls: number, readonly turnMs: number }} limits
 * @property {readonly string[]} [suggestions] Prompts to try.
 * @property {number} now The server's time, in milliseconds since 1970.
 */

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is AgentDocument}
 */
export function isAgent(value) {
  return isRecord(value) && hasText(value, "backend", "model") &&
    hasNumber(value, "now") && mayBeTexts(value.suggestions) &&
    isRecord(value.limits) &&
    hasNumber(value.limits, "steps", "calls", "turnMs");
}

/**
 * The turn that a document is about.
 *
 * @param {unknown} value
 * @returns {value is TurnRecord}
 */
export function isTurn(value) {
  return isRecord(value) && hasText(value, "id", "input") &&
    hasNumber(value, "number", "startedAt") &&
    (value.end === undefined || isEnd(value.end));
}

/**
 * @param {unknown} value
 * @returns {value is SessionEvent}
 */
export function isEvent(value) {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case "step_started":
      return hasNumber(value, "step", "at");
    case "step_finished":
      return hasNumber(value, "step", "at") &&
        hasText(value, "stopReason") && isUsage(value.usage);
    case "text":
    case "reasoning":
      return hasNumber(value, "step") && hasText(value, "delta");
    case "retry":
      return hasNumber(value, "step", "attempt", "delayMs") &&
        hasText(value, "message");
    case "tool_started":
    case "tool_finished":
      return isReceipt(value.receipt);
    case "end":
      return hasNumber(value, "at") && isEnd(value);
    default:
      // Of a later version: the page does without it.
      return false;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Receipt}
 */
function isReceipt(value) {
  return isRecord(value) && hasText(value, "id", "callId", "tool", "surface") &&
    hasNumber(value, "step", "requestedAt", "inputBytes", "outputBytes") &&
    mayBe(value.parentId, "string") && mayBe(value.outcome, "string") &&
    mayBe(value.startedAt, "number") && mayBe(value.endedAt, "number") &&
    (value.error === undefined ||
      isRecord(value.error) && hasText(value.error, "name", "code", "message"));
}

/** @param {unknown} value */
function isEnd(value) {
  return isRecord(value) && hasText(value, "stopReason", "text") &&
    isUsage(value.usage) && mayBe(value.cancelReason, "string") &&
    (value.failure === undefined ||
      isRecord(value.failure) && hasText(value.failure, "message")) &&
    (value.exhausted === undefined ||
      isRecord(value.exhausted) && hasText(value.exhausted, "budget") &&
        hasNumber(value.exhausted, "used", "limit"));
}

// The largest that can be a time.
const largest = 8.64e15;

/** @param {unknown} value */
function isUsage(value) {
  return isRecord(value) && hasNumber(value, "inputTokens", "outputTokens");
}

/**
 * @param {Record<string, unknown>} value
 * @param {...string} names
 */
function hasText(value, ...names) {
  return names.every((name) => typeof value[name] === "string");
}

/**
 * @param {Record<string, unknown>} value
 * @param {...string} names
 */
function hasNumber(value, ...names) {
  return names.every((name) => {
    const number = value[name];
    return typeof number === "number" && Math.abs(number) <= largest;
  });
}

/** @param {unknown} value */
function mayBeTexts(value) {
  return value === undefined ||
    Array.isArray(value) && value.every((text) => typeof text === "string");
}

/**
 * @param {unknown} value
 * @param {"string" | "number"} type
 */
function mayBe(value, type) {
  return value === undefined || typeof value === type;
}
