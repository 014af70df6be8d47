// The official JSON Schema test suite, where it is at hand: every schema is
// refused, or judged rightly on every instance.

import { assertEquals } from "@std/assert";
import { isRecord } from "../../src/json.ts";
import { compileSchema } from "../../src/tools/schema.ts";
import { toCurrentForm } from "../../src/tools/schema/current_form.ts";
import { permitted } from "../support/permissions.ts";

const root = new URL(
  "../../../shared/json-schema-test-suite/tests/",
  import.meta.url,
);

type Group = {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
};

const dialects: Readonly<Record<string, string>> = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
};

function isThere(): boolean {
  if (!permitted) return false;
  try {
    return Deno.statSync(root).isDirectory;
  } catch {
    console.log(
      "The JSON Schema test suite is not at hand: its test is skipped",
    );
    return false;
  }
}

/** The schema under the draft of its folder, unless it names one itself. */
function underDraft(schema: unknown, dialect: string): unknown {
  return typeof schema === "object" && schema !== null && !("$schema" in schema)
    ? { $schema: dialect, ...schema }
    : schema;
}

function groupsOf(draft: string): { file: string; group: Group }[] {
  const folder = new URL(`${draft}/`, root);
  return [...Deno.readDirSync(folder)]
    .filter(({ name }) => name.endsWith(".json"))
    .sort((one, other) => one.name < other.name ? -1 : 1)
    .flatMap(({ name }) => {
      const groups: Group[] = JSON.parse(
        Deno.readTextFileSync(new URL(name, folder)),
      );
      return groups.map((group) => ({ file: name, group }));
    });
}

// The accepted counts are pinned, so that none falls without being seen.
const accepted: Readonly<Record<string, number>> = {
  draft4: 150,
  draft7: 244,
  "draft2019-09": 343,
  "draft2020-12": 345,
};

for (const [draft, dialect] of Object.entries(dialects)) {
  Deno.test({
    name: `every accepted schema of the suite is judged rightly: ${draft}`,
    // Without the suite there is nothing to judge; CI has it.
    ignore: !isThere(),
    fn() {
      const wrong: string[] = [];
      const refused: string[] = [];
      let schemas = 0;
      let verdicts = 0;
      for (const { file, group } of groupsOf(draft)) {
        const compiled = compileSchema(
          underDraft(group.schema, dialect),
          "schema",
        );
        if (compiled.tag === "refused") {
          refused.push(
            `${file}: ${group.description}: ${compiled.problems[0]?.path}: ${
              compiled.problems[0]?.reason
            }`,
          );
          continue;
        }
        schemas++;
        for (const { description, data, valid } of group.tests) {
          verdicts++;
          if (compiled.schema.fits(data) !== valid) {
            wrong.push(`${file}: ${group.description}: ${description}`);
          }
        }
      }
      console.log(
        `${draft}: ${schemas} schemas accepted (${verdicts} verdicts), ${refused.length} refused, ${wrong.length} wrong`,
      );
      if (Deno.env.get("SHOW_REFUSED")) console.log(refused.join("\n"));
      assertEquals(wrong, []);
      assertEquals(schemas, accepted[draft]);
    },
  });
}

for (const [draft, dialect] of Object.entries(dialects)) {
  Deno.test({
    name:
      `every accepted schema of the suite keeps its meaning in the form of draft 2020-12: ${draft}`,
    ignore: !isThere(),
    fn() {
      const wrong: string[] = [];
      for (const { file, group } of groupsOf(draft)) {
        const schema = underDraft(group.schema, dialect);
        if (
          !isRecord(schema) || compileSchema(schema, "").tag === "refused"
        ) continue;
        const form = compileSchema(
          toCurrentForm(JSON.parse(JSON.stringify(schema))),
          "schema",
        );
        for (const { description, data, valid } of group.tests) {
          if (form.tag === "refused" || form.schema.fits(data) !== valid) {
            wrong.push(`${file}: ${group.description}: ${description}`);
          }
        }
      }
      assertEquals(wrong, []);
    },
  });
}
