import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { noBrowser, startBrowser } from "./browser.ts";
import {
  ask,
  call,
  callOf,
  cancelOf,
  promptOf,
  scenario,
  turnIs,
} from "./scenario.ts";

/** What axe finds, and whether the page is wider than its window. */
async function faults(page: Page): Promise<string[]> {
  const { default: axe } = await import("axe-core");
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(`axe.run().then((result) =>
    result.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) =>
        [id, html, any[0]?.message].join(" | ")
      )
    ).concat(
      document.documentElement.scrollWidth > innerWidth ? ["too wide"] : [],
    )
  )`);
  assert(Array.isArray(found));
  return found.map(String);
}

Deno.test({ name: "access", ignore: noBrowser }, async (t) => {
  await using browser = await startBrowser();

  await t.step(
    "works with the keyboard alone",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const focused = async () =>
          await page.locator(":focus").textContent() ?? "";
        const text = fixture.model.add([
          { calls: [call("1", "lookup", { key: "a" })] },
          { text: "Found." },
        ]);
        await promptOf(page).and(page.locator(":focus")).waitFor();
        await page.keyboard.type(text);
        await page.keyboard.press("Shift+Enter");
        await page.keyboard.press("Backspace");
        await page.keyboard.press("Enter");
        await callOf(page, /"a".*running/).waitFor();
        await page.keyboard.press("Shift+Tab");
        assertMatch(await focused(), /^lookup.*running/);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "Receipt: lookup" });
        await dialog.waitFor();
        assertEquals(await focused(), "Close");
        // An open receipt shows what becomes of its call.
        fixture.release("a");
        await dialog.getByText('"value": "A"').waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
        assertMatch(await focused(), /^lookup.*succeeded/);
        await turnIs(page, "completed");
        await page.getByRole("status").getByText(/Turn completed\. Found\./)
          .waitFor();

        await promptOf(page).focus();
        await page.keyboard.type(fixture.model.add([
          { calls: [call("1", "lookup", { key: "b" })] },
        ]));
        await page.keyboard.press("Tab");
        assertEquals(await focused(), "Send");
        await page.keyboard.press("Space");
        await callOf(page, /"b".*running/).waitFor();
        assertEquals(await focused(), "Cancel");
        await page.keyboard.press("Enter");
        await turnIs(page, "cancelled", 1);
        await cancelOf(page).waitFor({ state: "hidden" });
        assertEquals(await focused(), "Send");
      }),
  );

  await t.step(
    "asks for a token, and keeps it out of the address",
    () =>
      scenario(browser, { token: "right-token" }, async ({ fixture, page }) => {
        const field = page.getByLabel("Token");
        await field.fill("wrong-token");
        await field.press("Enter");
        await page.getByRole("alert").getByText(/missing or wrong/).waitFor();
        await field.fill("right-token");
        await field.press("Enter");
        await promptOf(page).waitFor();
        await ask(page, fixture.model.add([{ text: "Hello." }]));
        await turnIs(page, "completed");
        await page.reload();
        await turnIs(page, "completed");
        for (const { url } of fixture.requests) {
          assert(!url.includes("token"), url);
        }
        assert(!page.url().includes("token"), page.url());
        await page.getByRole("button", { name: "Forget token" }).click();
        await field.waitFor();
        assertEquals(await page.evaluate(() => sessionStorage.length), 0);
      }),
  );

  for (
    const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const
  ) {
    await t.step(
      `has no fault that axe finds, ${colorScheme}, ${width}`,
      () => {
        const viewport = { width, height: 844 };
        // axe-core makes styles of its own, which the policy forbids.
        const window = { colorScheme, viewport, bypassCSP: true };
        return scenario(browser, { window, token: "token" }, async (
          { fixture, page },
        ) => {
          await page.getByLabel("Token").waitFor();
          assertEquals(await faults(page), []);
          await page.getByLabel("Token").fill("token");
          await page.keyboard.press("Enter");
          await promptOf(page).waitFor();
          await page.getByText("Look up the value").waitFor();
          assertEquals(await faults(page), []);
          const code = `// A program\nawait tools.fail({ message: "no" });`;
          await ask(
            page,
            fixture.model.add([{
              text: "I look.",
              calls: [
                call("1", "exec", { code }),
                call("2", "lookup", { key: "k".repeat(500) }),
                call("3", "lookup", { key: "a" }),
              ],
            }, { text: "w".repeat(500) }]),
          );
          fixture.release("k".repeat(500));
          await callOf(page, /"a".*running/).waitFor();
          await callOf(page, /exec failed/).waitFor();
          assertEquals(await faults(page), []);
          await callOf(page, /exec/).click();
          await page.getByRole("dialog").waitFor();
          assertEquals(await faults(page), []);
          await page.keyboard.press("Escape");
          fixture.release("a");
          await turnIs(page, "completed");
          assertEquals(await faults(page), []);
        });
      },
    );
  }
});
