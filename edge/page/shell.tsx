/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
/**
 * The page before its script runs: what stands still, the places for what comes,
 * and the templates of what comes often. It holds nothing of the agent, so that
 * whoever has no token may have it.
 *
 * @module
 */

import type { HtmlEscapedString } from "hono/utils/html";

/** What the script and the tests find parts by. */
type Part = { readonly "data-part": string };

function part(name: string): Part {
  return { "data-part": name };
}

/**
 * The page.
 *
 * @param parts Where its files are, relative to its own address.
 */
export function Shell(
  { folder }: { readonly folder: string },
): HtmlEscapedString | Promise<HtmlEscapedString> {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>nanocode-wasm</title>
        <link rel="icon" href={`${folder}icon.svg`} />
        <link rel="stylesheet" href={`${folder}style.css`} />
        <script type="module" src={`${folder}main.js`} />
      </head>
      <body>
        <header>
          <h1>nanocode-wasm</h1>
          <p {...part("agent")} />
          <button type="button" hidden {...part("forget")}>Forget token</button>
        </header>
        <main>
          <noscript>
            <p class="problem">This page needs JavaScript.</p>
          </noscript>
          <p class="problem" role="alert" hidden {...part("problem")} />
          <Login />
          <Work />
        </main>
        <p class="unseen" role="status" {...part("status")} />
        <Receipt />
        <TurnTemplate />
      </body>
    </html>
  );
}

/** The field has no name: without a script, nothing of it could be sent. */
function Login() {
  return (
    <form class="login" method="post" hidden {...part("login")}>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-describedby="token-note"
        {...part("token")}
      />
      <button type="submit" class="primary">Enter</button>
      <p id="token-note">
        The bearer token of this deployment. It is kept in this tab until the
        tab is closed.
      </p>
    </form>
  );
}

function Work() {
  return (
    <div class="work" hidden {...part("work")}>
      <section class="intro" aria-labelledby="intro" {...part("intro")}>
        <h2 id="intro">What the model may use</h2>
        <dl {...part("tools")} />
      </section>
      <div class="turns" {...part("turns")} />
      <form class="prompt" {...part("prompt")}>
        <label class="unseen" for="prompt-input">Prompt</label>
        <textarea
          id="prompt-input"
          rows={2}
          placeholder="Ask the model. Enter sends, Shift+Enter begins a line."
          {...part("prompt-input")}
        />
        <div class="actions">
          <button type="submit" class="primary" {...part("send")}>Send</button>
          <button type="button" hidden {...part("cancel")}>Cancel</button>
          <button type="button" class="quiet" {...part("fresh")}>
            New session
          </button>
        </div>
      </form>
    </div>
  );
}

function Receipt() {
  return (
    <dialog
      class="receipt"
      aria-labelledby="receipt-title"
      {...part("receipt")}
    >
      <div class="sheet">
        <header>
          <h2 id="receipt-title">
            Receipt: <bdi {...part("tool")} />
          </h2>
          <span class="badge" {...part("outcome")} />
          <button type="button" {...part("close")}>Close</button>
        </header>
        <dl {...part("facts")} />
        <div {...part("values")} />
      </div>
    </dialog>
  );
}

function TurnTemplate() {
  return (
    <template {...part("turn")}>
      <article class="turn">
        <h2 class="unseen" {...part("number")} />
        <p class="asked" {...part("input")} />
        <p class="state">
          <span class="badge" {...part("badge")} />{" "}
          <span {...part("figures")} />
        </p>
        <p class="note" hidden {...part("note")} />
        <p class="answer" {...part("answer")} />
        <details class="how" {...part("how")}>
          <summary>Timeline</summary>
          <ul class="meters" {...part("meters")} />
          <div class="timeline" {...part("timeline")} />
        </details>
      </article>
    </template>
  );
}
