/**
 * A real browser for the page's tests, where the machine has one.
 *
 * @module
 */

import { type Browser, chromium, type Page } from "playwright-core";

const path = Deno.env.get("CHROMIUM_PATH") ?? "/usr/bin/chromium";

/** Whether there is no browser to test with. Says so. */
export const noBrowser: boolean = !(await isThere(path));
if (noBrowser) {
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
