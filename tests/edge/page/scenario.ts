/**
 * What scenarios of the page have in common.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { Browser, Locator, Page } from "playwright-core";
import type { ScriptedCall } from "../../support/wire.ts";
import { complaintsOf } from "./browser.ts";
import { type PageFixture, pageFixture } from "./page_fixture.ts";

/** A call that the model makes. */
export function call(id: string, name: string, input: unknown): ScriptedCall {
  return { id, name, arguments: JSON.stringify(input) };
}

/** Where the user writes. */
export function promptOf(page: Page): Locator {
  return page.getByRole("textbox", { name: "Prompt" });
}

/** The line of a call; the text is in it. */
export function callOf(page: Page, text: string | RegExp): Locator {
  return page.getByRole("button", { name: text });
}

/** What cancels the turn. */
export function cancelOf(page: Page): Locator {
  return page.getByRole("button", { name: "Cancel", exact: true });
}

/** Sends a prompt. */
export async function ask(page: Page, text: string): Promise<void> {
  await promptOf(page).fill(text);
  await promptOf(page).press("Enter");
}

/** Waits until a turn is in that state. */
export async function turnIs(
  page: Page,
  state: string,
  index = 0,
): Promise<Locator> {
  const turn = page.getByRole("article").nth(index);
  await turn.locator(".state .badge", { hasText: state }).waitFor();
  return turn;
}

/** What the meters of steps and calls say. */
export async function metersOf(turn: Locator): Promise<(string | null)[]> {
  const all = await turn.getByRole("meter").evaluateAll((meters) =>
    meters.map((meter) => meter.getAttribute("aria-valuetext"))
  );
  return all.slice(0, 2);
}

/** What a scenario works with. */
export type Scenario = {
  readonly fixture: PageFixture;
  readonly page: Page;
};

/** Runs a scenario in a window of its own; the page may complain of nothing. */
export async function scenario(
  browser: Browser,
  { window, ...parts }:
    & NonNullable<Parameters<typeof pageFixture>[0]>
    & { readonly window?: Parameters<Browser["newContext"]>[0] },
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  await using fixture = await pageFixture(parts);
  const context = await browser.newContext(window);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints = complaintsOf(page);
    await page.goto(fixture.url);
    await run({ fixture, page });
    assertEquals(complaints, []);
  } finally {
    await context.close();
  }
}
