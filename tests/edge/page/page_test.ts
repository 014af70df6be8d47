import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator } from "playwright-core";
import { noBrowser, startBrowser } from "./browser.ts";
import {
  ask,
  call,
  callOf,
  cancelOf,
  metersOf,
  scenario,
  turnIs,
} from "./scenario.ts";

/** Where the call's bar begins and ends, in pixels. */
async function barOf(call: Locator): Promise<{ from: number; to: number }> {
  const box = await call.locator(".bar").boundingBox();
  assert(box !== null, "The bar is not shown");
  return { from: box.x, to: box.x + box.width };
}

Deno.test({ name: "page", ignore: noBrowser }, async (t) => {
  await using browser = await startBrowser();

  await t.step(
    "shows parallel and nested calls on one axis",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const code = `const found = await Promise.all(["c", "d"].map((key) =>
  tools.lookup({ key })));
return found;`;
        const text = fixture.model.add([
          {
            text: "I look.",
            calls: [
              call("1", "lookup", { key: "a" }),
              call("2", "lookup", { key: "b" }),
            ],
          },
          { calls: [call("3", "exec", { code })] },
          { text: "All found." },
        ]);
        await ask(page, text);
        await callOf(page, /"b".*running/).waitFor();
        const [a, b] = [callOf(page, /"a"/), callOf(page, /"b"/)];
        assertMatch(await a.innerText(), /running/);
        fixture.release("a");
        await callOf(page, /"a".*succeeded/).waitFor();
        fixture.release("b");

        await callOf(page, /"d".*running/).waitFor();
        const exec = page.locator(".call", { has: page.locator(".program") });
        assertEquals(
          await exec.locator(".calls").getByRole("button").count(),
          2,
        );
        assertEquals(
          await exec.locator(".program .tool").allInnerTexts(),
          ["tools.lookup"],
        );
        fixture.release("c");
        fixture.release("d");

        const turn = await turnIs(page, "completed");
        assertEquals(await turn.locator(".answer").innerText(), "All found.");
        assertEquals(
          await turn.locator(".said").first().innerText(),
          "I look.",
        );
        const bars = await Promise.all(
          [a, b, callOf(page, "exec"), callOf(page, /"c"/), callOf(page, /"d"/)]
            .map(barOf),
        );
        const [first, second, program, third, fourth] = bars;
        assert(first && second && program && third && fourth);
        assert(first.to > second.from && second.to > first.from, "a and b");
        assert(third.to > fourth.from && fourth.to > third.from, "c and d");
        assert(program.from > second.to - 5, "exec comes after b");
        assert(third.from >= program.from - 1, "c begins in its program");
        assert(fourth.to <= program.to + 5, "d ends in its program");
        assertEquals(
          await metersOf(turn),
          ["3 of 50", "4 of 200"],
        );

        await callOf(page, /"c"/).click();
        const dialog = page.getByRole("dialog", { name: "Receipt: lookup" });
        const said = await dialog.innerText();
        assertMatch(said, /succeeded/);
        assertMatch(said, /Called\s+from a program/);
        assertMatch(said, /Input\s+11 bytes/);
        assertMatch(said, /Took\s+[\d,]+ ms/);
        assertMatch(said, /"value": "C"/);
        await dialog.getByRole("button", { name: "Close" }).click();
        await dialog.waitFor({ state: "hidden" });
      }),
  );

  await t.step(
    "shows why a cell failed, and hostile text as text",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const hostile = `<img src=x onerror="document.title='broken in'">`;
        const code = `// ${hostile}
await tools.fail({ message: ${JSON.stringify(hostile)} });`;
        const text = fixture.model.add([
          {
            calls: [
              call("1", "exec", { code }),
              call("2", hostile, {}),
            ],
          },
          { text: hostile },
        ]);
        await ask(page, text);
        const turn = await turnIs(page, "completed");
        assertEquals(await turn.locator(".answer").innerText(), hostile);
        const reasons = await turn.locator(".reason").allInnerTexts();
        assertMatch(reasons[0] ?? "", /^code failed: .*<img src=x/);
        assertMatch(reasons[1] ?? "", /^tool failed: <img src=x/);
        assertMatch(reasons[2] ?? "", /^unknown tool: /);
        assertMatch(
          await turn.locator(".blamed").innerText(),
          /await tools\.fail.*failed here/s,
        );
        await callOf(page, /exec failed/).click();
        const said = await page.getByRole("dialog").innerText();
        assertMatch(said, /failed/);
        assertMatch(said, /code failed/);
        assertMatch(said, /at line 2/);
        assertEquals(await page.locator("img").count(), 0);
        assertEquals(await page.title(), "nanocode-wasm");
      }),
  );

  await t.step(
    "cancels a turn, and the session goes on",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const text = fixture.model.add([
          {
            calls: [
              call("1", "lookup", { key: "a" }),
              call("2", "exec", { code: `await tools.lookup({ key: "b" })` }),
            ],
          },
        ]);
        await ask(page, text);
        await callOf(page, /"b".*running/).waitFor();
        await cancelOf(page).click();
        const turn = await turnIs(page, "cancelled");
        assertEquals(
          await turn.locator(".call > .row .word").allInnerTexts(),
          ["cancelled", "cancelled", "cancelled"],
        );
        assertMatch(await turn.innerText(), /Cancelled: a client asked for it/);
        await cancelOf(page).waitFor({ state: "hidden" });

        await ask(page, fixture.model.add([{ text: "Here again." }]));
        const next = await turnIs(page, "completed", 1);
        assertEquals(await next.locator(".answer").innerText(), "Here again.");
      }),
  );

  await t.step(
    "goes on after a reload in the middle of a turn",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const text = fixture.model.add([
          {
            text: "I look.",
            calls: [
              call("1", "lookup", { key: "a" }),
              call("2", "lookup", { key: "b" }),
            ],
          },
          { text: "All found." },
        ]);
        fixture.release("a");
        await ask(page, text);
        await callOf(page, /"a".*succeeded/).waitFor();
        const before = page.url();
        const asked = fixture.requests.length;
        await page.reload();
        await callOf(page, /"a".*succeeded/).waitFor();
        await callOf(page, /"b".*running/).waitFor();
        assertEquals(page.url(), before);
        const resumed = fixture.requests.slice(asked).find(({ url }) =>
          url.endsWith("/events")
        );
        assert(Number(resumed?.lastEventId) >= 4, "It began from the start");

        fixture.release("b");
        const turn = await turnIs(page, "completed");
        assertEquals(await turn.locator(".answer").innerText(), "All found.");
        assertEquals(await turn.locator(".call").count(), 2);
        assertEquals(await turn.locator(".asked").innerText(), text);

        // Without what the tab kept, from the first event.
        await page.evaluate(() => sessionStorage.clear());
        await page.reload();
        const again = await turnIs(page, "completed");
        await again.locator(".call").nth(1).waitFor();
        assertEquals(await again.locator(".call").count(), 2);
      }),
  );

  await t.step(
    "goes on where the connection breaks",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        const text = fixture.model.add([
          { calls: [call("1", "lookup", { key: "a" })] },
          { text: "Found." },
        ]);
        await ask(page, text);
        await callOf(page, /"a".*running/).waitFor();
        fixture.breakStreams();
        await page.waitForRequest(/\/events$/);
        fixture.release("a");
        const turn = await turnIs(page, "completed");
        assertEquals(await turn.locator(".call").count(), 1);
        assertEquals(await turn.locator(".answer").innerText(), "Found.");
      }),
  );

  await t.step(
    "tells what a budget allowed, and that it is spent",
    () =>
      scenario(browser, { budget: { calls: 1, steps: 2 } }, async (
        { fixture, page },
      ) => {
        const lookups = [
          call("1", "lookup", { key: "a" }),
          call("2", "lookup", { key: "b" }),
        ];
        fixture.release("a");
        fixture.release("b");
        await ask(
          page,
          fixture.model.add([{ calls: lookups }, { calls: lookups }]),
        );
        const turn = await turnIs(page, "budget spent");
        assertMatch(
          await turn.innerText(),
          /The budget steps ran out: 2 of 2 used/,
        );
        await callOf(page, /"b".*rejected/).first().waitFor();
        assertEquals(
          await metersOf(turn),
          ["2 of 2, spent", "1 of 1, spent"],
        );
      }),
  );

  await t.step(
    "shows earlier turns on demand, and begins a new session",
    () =>
      scenario(browser, {}, async ({ fixture, page }) => {
        fixture.release("a");
        const first = fixture.model.add([
          { calls: [call("1", "lookup", { key: "a" })] },
          { text: "First answer." },
        ]);
        await ask(page, first);
        await turnIs(page, "completed");
        await ask(page, fixture.model.add([{ text: "Second answer." }]));
        await turnIs(page, "completed", 1);
        await page.reload();
        const earlier = await turnIs(page, "completed");
        await turnIs(page, "completed", 1);
        assertEquals(
          await earlier.locator(".answer").innerText(),
          "First answer.",
        );
        assertEquals(await earlier.locator(".call").count(), 0);
        await earlier.getByText("Timeline").click();
        await callOf(page, /"a".*succeeded/).waitFor();

        const before = page.url();
        await page.getByRole("button", { name: "New session" }).click();
        await page.getByRole("heading", { name: "What the model may use" })
          .waitFor();
        assertEquals(await page.getByRole("article").count(), 0);
        await page.goBack();
        await turnIs(page, "completed", 1);
        assertEquals(page.url(), before);
      }),
  );
});
