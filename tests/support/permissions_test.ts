import { assertEquals } from "@std/assert";
import { permitted, test } from "./permissions.ts";

Deno.test("the gate lets every test run where all permissions are given", async () => {
  const { state } = await Deno.permissions.query({ name: "read" });
  // The tests run with all permissions or with none.
  assertEquals(permitted, state === "granted");
  assertEquals(test, permitted ? Deno.test : Deno.test.ignore);
});
