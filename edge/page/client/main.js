/**
 * The page: who the user is, which session is shown, and the turn that runs.
 *
 * @module
 */

import { Announcer } from "./announcer.js";
import { Api, Problem, randomId } from "./api.js";
import { element, part } from "./dom.js";
import { keepInView } from "./keep_in_view.js";
import { ReceiptView } from "./receipt_view.js";
import { savedToken, saveEvents, saveToken, takeEvents } from "./saved.js";
import { TurnView } from "./turn_view.js";

/** @import { AgentDocument } from "./guard.js" */
/** @import { NumberedEvent } from "./api.js" */
/** @import { TurnRecord } from "../../session/turn_record.ts" */

const page = {
  agent: part(document, "agent", HTMLElement),
  forget: part(document, "forget", HTMLButtonElement),
  fresh: part(document, "fresh", HTMLButtonElement),
  login: part(document, "login", HTMLFormElement),
  token: part(document, "token", HTMLInputElement),
  work: part(document, "work", HTMLElement),
  intro: part(document, "intro", HTMLElement),
  tools: part(document, "tools", HTMLElement),
  suggestions: part(document, "suggestions", HTMLElement),
  turns: part(document, "turns", HTMLElement),
  problem: part(document, "problem", HTMLElement),
  prompt: part(document, "prompt", HTMLFormElement),
  input: part(document, "prompt-input", HTMLTextAreaElement),
  send: part(document, "send", HTMLButtonElement),
  cancel: part(document, "cancel", HTMLButtonElement),
};

// This file is served below the app, wherever that stands.
const api = new Api(new URL("../", import.meta.url));
const announcer = new Announcer(part(document, "status", HTMLElement));
const receipts = new ReceiptView();
const tickMs = 100;

/** @type {AgentDocument | undefined} */
let agent;
/** What the server's clock is ahead of the browser's, in milliseconds. */
let ahead = 0;
/** Ends what is read for the session that is shown. */
let shown = new AbortController();
/** @typedef {{ readonly view: TurnView, readonly events: NumberedEvent[] }} RunningTurn */
/** @type {RunningTurn | undefined} */
let running;
/** Whether a turn is being started. */
let starting = false;

/**
 * What the browser keeps beside the address of a session in which nothing was
 * said: the server does not know it, and is not asked for it.
 */
const unused = { isUnused: true };

/** @returns {string} The session that the address names. */
function session() {
  const [, id] = /^#session=([A-Za-z0-9_-]{1,64})$/.exec(location.hash) ?? [];
  if (id !== undefined) return id;
  const made = randomId();
  history.replaceState(unused, "", `#session=${made}`);
  return made;
}

/** @param {unknown} error */
function tell(error) {
  const known = error instanceof Problem;
  if (!known) console.error(error);
  page.problem.textContent = known ? error.message : "The page has a fault.";
  page.problem.hidden = false;
}

function untell() {
  page.problem.textContent = "";
  page.problem.hidden = true;
}

/** Asks for the agent; for a token first, where the server wants one. */
async function begin() {
  untell();
  const asked = Date.now();
  try {
    agent = await api.agent();
  } catch (error) {
    const refused = error instanceof Problem && error.status === 401;
    if (!refused) return tell(error);
    if (api.token !== "") tell(error);
    api.token = "";
    saveToken("");
    page.login.hidden = false;
    return page.token.focus();
  }
  ahead = agent.now - (asked + Date.now()) / 2;
  saveToken(api.token);
  page.forget.hidden = api.token === "";
  page.login.hidden = true;
  page.work.hidden = false;
  page.agent.textContent = `${agent.model} · ${agent.backend}`;
  showSuggestions(agent.suggestions ?? []);
  await Promise.all([showTools(), showSession()]);
}

function isUnused() {
  return history.state?.isUnused === true;
}

/** @param {readonly string[]} suggestions */
function showSuggestions(suggestions) {
  page.suggestions.replaceChildren(...suggestions.map((text) => {
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", () => {
      page.input.value = text;
      page.prompt.requestSubmit();
    });
    return element("li", "", button);
  }));
}

async function showTools() {
  const tools = await api.tools();
  const shown = tools.length > 0
    ? tools
    : [{ name: "no tools", description: "It can only answer." }];
  page.tools.replaceChildren(...shown.flatMap(({ name, description }) => [
    element("dt", "", name),
    element("dd", "", description),
  ]));
}

/** Shows the session from its beginning, and goes on with a turn that runs. */
async function showSession() {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  setRunning(undefined);
  page.turns.replaceChildren();
  page.intro.hidden = true;
  untell();
  try {
    const id = session();
    const found = isUnused()
      ? { turns: [], running: undefined }
      : await api.session(id);
    if (signal.aborted) return;
    const views = found.turns.map(addTurn);
    page.intro.hidden = views.length > 0;
    page.input.focus();
    const last = views.at(-1);
    if (last === undefined) return;
    if (last.id === found.running) {
      return await follow(last, takeEvents(last.id));
    }
    last.root.scrollIntoView({ block: "start" });
    last.unfold();
  } catch (error) {
    if (!signal.aborted) tell(error);
  }
}

/**
 * @param {TurnRecord} record
 * @returns {TurnView}
 */
function addTurn(record) {
  const view = new TurnView(record, {
    limits: agent?.limits ?? { steps: 1, calls: 1, turnMs: 1 },
    now: () => Date.now() + ahead,
    say: (sentence) => announcer.say(sentence),
    openReceipt: (receipt, since) => receipts.open(receipt, since),
    refreshReceipt: (receipt, since) => receipts.refresh(receipt, since),
    onFirstLook: (view) => {
      if (running?.view !== view) look(view);
    },
  });
  page.turns.append(view.root);
  return view;
}

/**
 * Reads the events of a turn that has ended.
 *
 * @param {TurnView} view
 */
async function look(view) {
  const { signal } = shown;
  try {
    const events = api.events(session(), view.id, 0, signal);
    for await (const { event } of events) view.apply(event);
  } catch (error) {
    if (!signal.aborted) tell(error);
  }
}

/**
 * Shows a turn while it runs, to its end.
 *
 * @param {TurnView} view
 * @param {NumberedEvent[]} known Its first events.
 */
async function follow(view, known) {
  const { signal } = shown;
  const events = [...known];
  for (const { event } of known) view.apply(event);
  setRunning({ view, events });
  view.unfold();
  view.root.scrollIntoView({ block: "start" });
  const keep = keepInView(view.root, page.prompt);
  const ticking = setInterval(() => {
    view.tick();
    keep();
  }, tickMs);
  const after = known.at(-1)?.number ?? 0;
  try {
    for await (
      const numbered of api.events(session(), view.id, after, signal)
    ) {
      events.push(numbered);
      view.apply(numbered.event);
    }
  } finally {
    clearInterval(ticking);
    keep();
    if (running?.view === view) setRunning(undefined);
  }
}

/** @param {RunningTurn | undefined} turn The turn that runs now. */
function setRunning(turn) {
  running = turn;
  const isRunning = turn !== undefined;
  const [off, on] = isRunning
    ? [page.send, page.cancel]
    : [page.cancel, page.send];
  page.cancel.textContent = "Cancel";
  // A button that is switched off loses the focus to nowhere.
  const focused = document.activeElement === off;
  page.send.disabled = page.cancel.hidden = false;
  if (focused) on.focus();
  page.send.disabled = isRunning;
  page.cancel.hidden = !isRunning;
}

async function send() {
  const input = page.input.value;
  if (running !== undefined || starting || input.trim() === "") return;
  const { signal } = shown;
  untell();
  starting = true;
  // From now on the server may know it, also where no answer comes.
  history.replaceState(null, "");
  try {
    const record = await api.start(session(), input)
      .finally(() => starting = false);
    if (signal.aborted) return;
    page.intro.hidden = true;
    page.input.value = "";
    const view = addTurn(record);
    await follow(view, []);
  } catch (error) {
    if (signal.aborted) return;
    // Another tab started a turn here: show that one.
    const busy = error instanceof Problem && error.status === 409;
    if (busy) showSession().then(() => tell(error));
    else tell(error);
  }
}

async function cancel() {
  if (running === undefined) return;
  page.cancel.textContent = "Cancelling…";
  try {
    await api.cancel(session(), running.view.id);
  } catch (error) {
    setRunning(running);
    tell(error);
  }
}

page.login.addEventListener("submit", (event) => {
  event.preventDefault();
  api.token = page.token.value.trim();
  page.token.value = "";
  begin().catch(tell);
});
page.forget.addEventListener("click", () => {
  saveToken("");
  location.reload();
});
page.fresh.addEventListener("click", () => {
  history.pushState(unused, "", `#session=${randomId()}`);
  showSession().catch(tell);
});
page.prompt.addEventListener("submit", (event) => {
  event.preventDefault();
  send().catch(tell);
});
page.input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  page.prompt.requestSubmit();
});
page.cancel.addEventListener("click", () => {
  cancel().catch(tell);
});
addEventListener("hashchange", () => {
  if (agent !== undefined) showSession().catch(tell);
});
addEventListener("pagehide", () => {
  if (running !== undefined) saveEvents(running.view.id, running.events);
});

api.token = savedToken();
begin().catch(tell);
