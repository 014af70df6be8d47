/**
 * A real browser for the page's tests, where the machine has one.
 *
 * @module
 */

import type { Browser, Page } from "playwright-core";
import { permitted } from "../../support/permissions.ts";

const path = (permitted && Deno.env.get("CHROMIUM_PATH")) ||
  "/usr/bin/chromium";

/** Whether there is no browser to test with, or no permission. Says the former. */
export const noBrowser: boolean = !permitted || !(await isThere(path));
if (permitted && noBrowser) {
  console.warn(`Tests of the page are skipped: there is no browser at ${path}`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}

/** Starts the browser. */
export async function startBrowser(): Promise<Browser & AsyncDisposable> {
  const { chromium } = await import("playwright-core");
  return await chromium.launch({
    executablePath: path,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What a page complained of: errors, and breaches of its policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused request is told like an error; tests cause some on purpose.
    const { url } = message.location();
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) {
      complaints.push(`${message.text()} (${url})`);
    }
  });
  return complaints;
}
