// Random schemas and inputs, judged by another validator too: where both take
// the schema, every verdict is the same.

import { assert, assertEquals } from "@std/assert";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/json.ts";
import { compileSchema } from "../../src/tools/schema.ts";
import { type FuzzedDraft, input, schemaOf } from "./schema_arbitraries.ts";

type Case = { readonly schema: JsonObject; readonly inputs: readonly Json[] };

// Without `allErrors` it skips `contains` after a tuple on an empty array.
const options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
} as const;

function compileByAjv(
  draft: FuzzedDraft,
  schema: JsonObject,
): ValidateFunction | undefined {
  const ajv = draft === "7" ? new Ajv(options) : new Ajv2020(options);
  try {
    return ajv.compile(schema);
  } catch {
    return undefined;
  }
}

/** The verdict; none where its code throws. */
function judgeByAjv(judge: ValidateFunction, value: Json): boolean | undefined {
  try {
    return judge(value);
  } catch {
    return undefined;
  }
}

/**
 * Where ajv 8.20.0 is known to judge wrong, with the sentence that it breaks.
 *
 * - `contains` beside `unevaluatedItems`, 2020-12: it does not count what
 *   `contains` found. Core 11.2: "the annotations from "prefixItems", "items",
 *   and "contains", which can come from those keywords when they are adjacent to
 *   the "unevaluatedItems" keyword".
 * - `multipleOf` of large numbers: it divides in floating point. Validation 6.2.1:
 *   "valid only if division by this keyword's value results in an integer".
 *
 * Left out of what is generated:
 *
 * - `required: [""]`: it finds nothing missing. Validation 6.5.3: "valid against
 *   this keyword if every item in the array is the name of a property in the
 *   instance".
 * - `$dynamicRef` to a JSON pointer, 2020-12: it recurses without end. Core
 *   8.2.3.2: "Otherwise, its behavior is identical to "$ref"".
 * - Keywords beside `$ref`, draft 7: it applies them. Core 8.3: "All other
 *   properties in a "$ref" object MUST be ignored".
 * - Properties with names that objects inherit: it takes some for evaluated, and
 *   calls others where it compares. Core 4.2.1: "An unordered set of properties
 *   mapping a string to an instance".
 */
function isMisjudgedByAjv(text: string): boolean {
  return text.includes('"contains"') && text.includes('"unevaluatedItems"') ||
    text.includes('"multipleOf"') && /\d{15}|e\+/.test(text);
}

for (const draft of ["7", "2020-12"] as const) {
  Deno.test(`compileSchema: judges as another validator does, by draft ${draft}`, () => {
    const counts = {
      accepted: 0,
      refused: 0,
      refusedByOther: 0,
      otherThrew: 0,
      leftOut: 0,
      compared: 0,
      fitting: 0,
    };
    const judge = (text: string) => {
      const { schema, inputs }: Case = JSON.parse(text);
      const compiled = compileSchema(schema, "schema");
      counts[compiled.tag]++;
      if (compiled.tag === "refused") return;
      if (isMisjudgedByAjv(text)) {
        counts.leftOut++;
        return;
      }
      const other = compileByAjv(draft, schema);
      if (other === undefined) {
        counts.refusedByOther++;
        return;
      }
      for (const value of inputs) {
        const fits = compiled.schema.validate(value).length === 0;
        const otherFits = judgeByAjv(other, value);
        if (otherFits === undefined) {
          counts.otherThrew++;
          continue;
        }
        assertEquals(fits, otherFits, JSON.stringify({ schema, value }));
        counts.compared++;
        if (fits) counts.fitting++;
      }
    };
    const cases = fc.record({
      schema: schemaOf(draft),
      inputs: fc.array(input, { minLength: 8, maxLength: 8 }),
    }).map((made) => JSON.stringify(made));
    fc.assert(fc.property(cases, judge), {
      seed: 7,
      numRuns: 350,
    });
    console.log(`draft ${draft}: ${JSON.stringify(counts)}`);
    assert(counts.compared > 1_000);
    assert(counts.fitting > counts.compared / 10);
    assert(counts.fitting < counts.compared * 9 / 10);
  });
}
