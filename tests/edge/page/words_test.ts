import { assertEquals } from "@std/assert";
import {
  brief,
  counted,
  duration,
  exact,
  markDistance,
  pretty,
  size,
  spoken,
} from "../../../edge/page/client/words.js";

Deno.test("duration: suits its length", () => {
  assertEquals(
    [0, 0.4, 999, 1000, 59_949, 59_950, 60_000, 125_000, -5].map(duration),
    [
      "0 ms",
      "0 ms",
      "999 ms",
      "1.0 s",
      "59.9 s",
      "1 min",
      "1 min",
      "2 min 5 s",
      "0 ms",
    ],
  );
  assertEquals(exact(1240), "1,240 ms");
});

Deno.test("size: suits its length", () => {
  assertEquals(
    [0, 1, 999, 1500, 999_949, 999_950].map(size),
    ["0 bytes", "1 byte", "999 bytes", "1.5 kB", "999.9 kB", "1.0 MB"],
  );
});

Deno.test("counted, spoken, pretty, brief: as one would say it", () => {
  assertEquals([counted(1, "call"), counted(0, "call")], ["1 call", "0 calls"]);
  assertEquals(spoken("timed_out"), "timed out");
  assertEquals(pretty("a\nb"), "a\nb");
  assertEquals(pretty({ a: 1 }), '{\n  "a": 1\n}');
  assertEquals(pretty(undefined), "");
  assertEquals(brief({ key: "a  b" }, 8), '{"key":…');
});

Deno.test("markDistance: round, and few marks", () => {
  assertEquals(
    [1, 40, 900, 1000, 1001, 2001, 5000, 300_000].map((total) =>
      markDistance(total, 4)
    ),
    [1, 10, 500, 500, 500, 1000, 2000, 100_000],
  );
  for (let total = 1; total < 1e6; total = Math.ceil(total * 1.1)) {
    assertEquals(total / markDistance(total, 4) <= 4, true, `${total}`);
  }
});
