// The patterns that Zod writes for its string formats, on texts of any length.

import { assertEquals } from "@std/assert";
import { z } from "zod";
import { compileSchema } from "../../../src/tools/schema.ts";
import { judgePattern } from "../../../src/tools/schema/pattern.ts";
import { isRecord } from "../../../src/json.ts";

const uuid = "f81d4fae-7dec-41d0-a765-00a0c91e6bf6";

/** A format, a text that has it, and one that has not. */
const formats: Readonly<Record<string, readonly [z.ZodType, string, string]>> =
  {
    email: [z.email(), "a.b@example.com", "a@b"],
    uuid: [z.uuid(), uuid, uuid.slice(1)],
    guid: [z.guid(), uuid, `${uuid}0`],
    ipv4: [z.ipv4(), "192.168.0.255", "192.168.0.256"],
    ipv6: [z.ipv6(), "2001:db8::8a2e:370:7334", "2001:db8::g"],
    cidrv4: [z.cidrv4(), "10.0.0.0/8", "10.0.0.0/33"],
    cidrv6: [z.cidrv6(), "2001:db8::/32", "2001:db8::/129"],
    mac: [z.mac(), "00:1A:2B:3C:4D:5E", "00:1A:2B"],
    hostname: [z.hostname(), "a-b.example.com", "-a.example.com"],
    base64: [z.base64(), "aGVsbG8=", "aGVsbG8"],
    base64url: [z.base64url(), "aGVsbG8", "aGVsbG8+"],
    emoji: [z.emoji(), "😀", "a"],
    date: [z.iso.date(), "2024-02-29", "2023-02-29"],
    time: [z.iso.time(), "23:59:59.5", "24:00"],
    datetime: [z.iso.datetime(), "2024-02-29T12:00:00Z", "2024-02-29"],
    "datetime with offset": [
      z.iso.datetime({ offset: true, local: true }),
      "2024-02-29T12:00:00+02:00",
      "2024-02-29 12:00",
    ],
    duration: [z.iso.duration(), "P1Y2M3DT4H5M6S", "P"],
    e164: [z.e164(), "+4915112345678", "015112345678"],
    cuid: [z.cuid(), "cjld2cjxh0000qzrmn831i7rn", "cj"],
    cuid2: [z.cuid2(), "tz4a98xxat96iws9zmbrgj3a", "A"],
    ulid: [z.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "81ARZ3NDEK"],
    xid: [z.xid(), "9m4e2mr0ui3e8a215n4g", "9m4e"],
    ksuid: [z.ksuid(), "0ujtsYcgvSTl8PAuAdqWYSMnLOv", "0ujts"],
    nanoid: [z.nanoid(), "V1StGXR8_Z5jdHi6B-myT", "V1St"],
    sha256: [z.hash("sha256"), "0".repeat(64), "0".repeat(63)],
  };

for (const [name, [schema, fitting, other]] of Object.entries(formats)) {
  Deno.test(`compileSchema: judges Zod's ${name} by its pattern, on any length`, () => {
    const json = z.toJSONSchema(schema);
    const patterns = [json, ...json.allOf ?? []].flatMap((part) =>
      isRecord(part) && typeof part.pattern === "string" ? [part.pattern] : []
    );
    assertEquals(
      patterns.map(judgePattern).map((verdict) =>
        verdict.tag === "accepted" && verdict.maxLength
      ),
      [Infinity],
    );
    const compiled = compileSchema(json, "s");
    if (compiled.tag === "refused") throw new Error(JSON.stringify(compiled));
    assertEquals(compiled.schema.fits(fitting), true);
    assertEquals(compiled.schema.fits(other), false);
  });
}

Deno.test("compileSchema: takes Zod's url and jwt, which have no pattern", () => {
  for (const schema of [z.url(), z.httpUrl(), z.jwt()]) {
    const json = z.toJSONSchema(schema);
    assertEquals(json.pattern, undefined);
    assertEquals(compileSchema(json, "s").tag, "accepted");
  }
});
