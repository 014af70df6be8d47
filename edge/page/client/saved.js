// @ts-check
/**
 * What the browser tab keeps while the page is reloaded: the token, and the
 * events of the turn that runs. Gone with the tab.
 *
 * @module
 */

/** @import { NumberedEvent } from "./api.js" */

import { isEvent, isRecord } from "./guard.js";

const tokenKey = "nanocode-token";
const eventsKey = "nanocode-events";

// Browsers keep about five million characters for all of a site.
const mostCharacters = 1_000_000;

/** @returns {string} The token; empty where there is none. */
export function savedToken() {
  return read(tokenKey) ?? "";
}

/** @param {string} token The token; none where it is empty. */
export function saveToken(token) {
  write(tokenKey, token);
}

/**
 * Keeps the events of a turn. Without them they are fetched from the first.
 *
 * @param {string} turn
 * @param {readonly NumberedEvent[]} events
 */
export function saveEvents(turn, events) {
  const text = JSON.stringify({ turn, events });
  write(eventsKey, text.length > mostCharacters ? "" : text);
}

/**
 * Takes out the events that were kept of a turn.
 *
 * @param {string} turn
 * @returns {NumberedEvent[]}
 */
export function takeEvents(turn) {
  const text = read(eventsKey) ?? "";
  write(eventsKey, "");
  if (text === "") return [];
  const kept = JSON.parse(text);
  if (!isRecord(kept) || kept.turn !== turn || !Array.isArray(kept.events)) {
    return [];
  }
  const fine = kept.events.every((numbered) =>
    isRecord(numbered) && Number.isInteger(numbered.number) &&
    isEvent(numbered.event)
  );
  return fine ? kept.events : [];
}

/**
 * @param {string} key
 * @returns {string | null}
 */
function read(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    // The browser may be set to keep nothing.
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} text
 */
function write(key, text) {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The page works without it.
  }
}
