/**
 * Reading fields of a provider's JSON, whose shape nothing guarantees.
 *
 * @module
 */

import { isJsonObject, type JsonObject } from "../json.ts";

/** The object under `key`, or an empty one. */
export function objectField(data: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return isJsonObject(value) ? value : {};
}

/** The text under `key`, or `undefined`. */
export function textField(data: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The whole number, 0 or more, under `key`, or `undefined`. */
export function countField(data: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? value
    : undefined;
}

/** The objects in the array under `key`. */
export function objectsField(data: JsonObject, key: string): JsonObject[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
