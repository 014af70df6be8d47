import { assertEquals } from "@std/assert";
import {
  type CellLimits,
  checkCellLimits,
} from "../../src/code_mode/limits.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";

Deno.test("checkCellLimits: takes the defaults", () => {
  assertEquals(checkCellLimits(defaultCellLimits), []);
});

const names = Object.keys(defaultCellLimits).filter(
  (name): name is keyof CellLimits => name in defaultCellLimits,
);

for (const name of names) {
  Deno.test(`checkCellLimits: ${name} is a whole number in its range`, () => {
    const problems = (value: number) =>
      checkCellLimits({ ...defaultCellLimits, [name]: value })
        .map((problem) => problem.name);
    assertEquals(problems(0), []);
    for (const wrong of [-1, 1.5, NaN, Infinity, 2 ** 31]) {
      assertEquals(problems(wrong), [name]);
    }
  });
}
