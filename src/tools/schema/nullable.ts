/**
 * `nullable`, as OpenAPI 3.0 has it: no keyword of JSON Schema, but written by so
 * many that a `null` which it allows must not be refused.
 *
 * @module
 */

/** The `type` of a schema, with `null` where `nullable` adds it. */
export function typesOf(schema: Readonly<Record<string, unknown>>): unknown {
  const { type, nullable } = schema;
  if (nullable !== true || type === undefined) return type;
  return [...new Set([...(Array.isArray(type) ? type : [type]), "null"])];
}
