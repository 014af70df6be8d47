// The page where nothing was said yet, and what of a turn it shows at a glance.

import { assert, assertEquals } from "@std/assert";
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

Deno.test({ name: "start", ignore: noBrowser }, async (t) => {
  await using browser = await startBrowser();

  await t.step(
    "asks the server for no session in which nothing was said",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const asked = () =>
          fixture.requests.filter(({ method, url }) =>
            method === "GET" && /\/sessions\/\w+$/.test(url)
          ).length;
        await promptOf(page).waitFor();
        await page.reload();
        await page.getByText("lookup", { exact: true }).waitFor();
        const first = page.url();
        await page.getByRole("button", { name: "New session" }).click();
        assert(page.url() !== first, "The session is the same");
        await page.getByText("lookup", { exact: true }).waitFor();
        assertEquals(asked(), 0);

        await ask(page, fixture.model.add([{ text: "Here." }]));
        await turnIs(page, "completed");
        await page.reload();
        await turnIs(page, "completed");
        assertEquals(asked(), 1);
        await page.goBack();
        await page.getByText("lookup", { exact: true }).waitFor();
        await page.goForward();
        await turnIs(page, "completed");
        assertEquals(asked(), 2);
      }),
  );

  const suggestions = ["Which keys are there?", "And their values?"];
  await t.step(
    "sends a prompt that it suggests",
    () =>
      scenario(browser, { suggestions }, async ({ page }) => {
        const list = page.getByRole("list", { name: "Prompts to try" });
        assertEquals(
          await list.getByRole("button").allInnerTexts(),
          suggestions,
        );
        await list.getByRole("button", { name: "values" }).click();
        const turn = page.getByRole("article");
        await turn.waitFor();
        assertEquals(
          await turn.locator(".asked").innerText(),
          "And their values?",
        );
        await list.waitFor({ state: "hidden" });
      }),
  );

  await t.step(
    "says once why the calls of a turn were cancelled",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const calls = ["a", "b", "c"].map((key) =>
          call(key, "lookup", { key })
        );
        await ask(page, fixture.model.add([{ calls }]));
        await callOf(page, /"c".*running/).waitFor();
        await cancelOf(page).click();
        const turn = await turnIs(page, "cancelled");
        await callOf(page, /"c".*cancelled/).waitFor();
        const said = await turn.innerText();
        assertEquals(said.split("a client asked for it").length, 2);
      }),
  );

  await t.step(
    "on a narrow screen the axis stays in its card, and the meters in line",
    () =>
      scenario(
        browser,
        { window: { viewport: { width: 390, height: 844 } } },
        async ({ fixture, page }) => {
          fixture.release("a");
          const calls = [call("1", "lookup", { key: "a" })];
          await ask(page, fixture.model.add([{ calls }, { text: "Found." }]));
          const turn = await turnIs(page, "completed");
          const boxes = async (selector: string) =>
            await turn.locator(selector).evaluateAll((all) =>
              all.map((one) => {
                const range = one.ownerDocument.createRange();
                range.selectNodeContents(one);
                const { right } = range.getBoundingClientRect();
                return { right, top: one.getBoundingClientRect().top };
              })
            );
          const card = await turn.boundingBox();
          assert(card !== null);
          const marks = await boxes(".mark");
          assert(marks.length > 1, "There are no marks");
          assert(marks.every(({ right }) => right <= card.x + card.width));
          const gauges = await boxes(".gauge");
          assertEquals(new Set(gauges.map(({ top }) => top)).size, 1);
        },
      ),
  );

  await t.step(
    "what opens a receipt looks as if it did, and a step does not",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        fixture.release("a");
        const calls = [call("1", "lookup", { key: "a" })];
        await ask(page, fixture.model.add([{ calls }, { text: "Found." }]));
        const turn = await turnIs(page, "completed");
        const signs = await turn.locator(".row:not(.axis)").evaluateAll(
          (rows) =>
            rows.map((row) => {
              const time = row.querySelector(".time");
              const after = time === null
                ? ""
                : time.ownerDocument.defaultView?.getComputedStyle(
                  time,
                  "::after",
                )
                  .content ?? "";
              return `${row.tagName} ${after.includes("›")}`;
            }),
        );
        assertEquals(signs, ["DIV false", "BUTTON true", "DIV false"]);
      }),
  );
});
