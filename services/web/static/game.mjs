// The page of a game in a browser that runs modules: shows moves when they are made, sends choices without a new page, and
// leads from a hex of the map to what can be done there. Without it the page is a list of forms.

import { beginSteps, endSteps, offerHexes } from "./map.mjs";
import { setNow, writeTimes } from "./times.mjs";

const VALUE_MILLISECONDS = 400;
const ENDED = [401, 403, 404];
// Until a refresh that failed is repeated; twice as long after each failure.
const RETRY_MILLISECONDS = [500, 16_000];
// Until best runs that were not known are asked for again.
const LOOK_AGAIN_MILLISECONDS = 5_000;
// More moves at once are not read out.
const SAID_MOST = 5;
// Until a stream that has ended is opened again.
const WATCH_AGAIN_MILLISECONDS = 3_000;
const game = document.getElementById("game");
const panels = document.getElementById("panels");
const picture = document.getElementById("picture");
const live = document.getElementById("live");
const steps = document.getElementById("steps");
const said = document.getElementById("said");
const refusal = document.getElementById("refusal");
const path = `/games/${encodeURIComponent(game.dataset.game)}`;
const isPast = game.dataset.past === "1";
// The stream, null where there is none: a page that nobody sees has none, and gets everything since when it is seen again.
let source = null;
let refreshing = Promise.resolve();
// The sequence that could not be fetched, null for none: the server takes for known what it told of.
let missed = null;
let retry = 0;
let pause = RETRY_MILLISECONDS[0];
// A button that is disabled while its form is sent loses the focus.
let isSentFromHere = false;
// The field of the run that is drawn on the map.
let run = null;
// Runs are valued when nothing was drawn for a moment; the answer to an older question comes too late.
let valuing = 0;
let lookingAgain = 0;
let watchingAgain = 0;

function markHexes() {
  const hexes = [...panels.querySelectorAll("[data-choices-of]")].map((each) => each.dataset.choicesOf);
  offerHexes(new Set(hexes));
}

function markRun() {
  for (const each of picture.querySelectorAll("path.drawn")) each.classList.remove("drawn");
  if (!run?.isConnected) return;
  for (const hex of run.value.split(/[\s,;>-]+/)) document.getElementById(`hex-${hex}`)?.classList.add("drawn");
}

function fragment(text) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml");
  return document.importNode(parsed.documentElement.firstElementChild, true);
}

function showPicture(changes) {
  if (changes.document) {
    const parsed = new DOMParser().parseFromString(changes.document, "image/svg+xml");
    picture.replaceChildren(document.importNode(parsed.documentElement, true));
  }
  for (const [id, text] of Object.entries(changes.elements)) {
    document.getElementById(id)?.replaceWith(fragment(text));
  }
}

function isInUse() {
  const isChanged = (each) => each.value !== each.defaultValue;
  return panels.contains(document.activeElement) || [...panels.querySelectorAll("[data-run]")].some(isChanged);
}

function lookAgainSoon() {
  clearTimeout(lookingAgain);
  if (!panels.querySelector("[data-look-again]")) return;
  lookingAgain = setTimeout(() => (isInUse() ? lookAgainSoon() : refreshTo(0)), LOOK_AGAIN_MILLISECONDS);
}

// What screen readers say of a change: the moves since a sequence, and whose turn it is.
function say(before) {
  const isNew = (each) => each.value > before;
  const moves = [...panels.querySelectorAll(".log li")].filter(isNew).slice(0, SAID_MOST).reverse();
  if (!moves.length) return;
  const turn = document.getElementById("turn");
  said.textContent = [...moves, turn].map((each) => each.textContent.trim().replace(/\.?$/, ".")).join(" ");
}

function show(changes) {
  const before = Number(game.dataset.sequence);
  const isFocused = isSentFromHere || [panels, steps].some((each) => each.contains(document.activeElement));
  isSentFromHere = false;
  endSteps();
  showPicture(changes);
  panels.innerHTML = changes.panels;
  writeTimes(panels);
  game.dataset.sequence = changes.sequence;
  game.dataset.checksum = changes.checksum;
  document.title = changes.title;
  caughtUp(changes.sequence);
  refusal.querySelector(".unanswered")?.remove();
  markHexes();
  markRun();
  lookAgainSoon();
  say(before);
  if (isFocused) {
    const heading = document.getElementById("choices-heading");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

async function refresh(least) {
  const known = Number(game.dataset.sequence);
  if (least && least <= known) return;
  const query = new URLSearchParams({ known, checksum: game.dataset.checksum, least });
  const answer = await fetch(`${path}/changes?${query}`, { headers: { Accept: "application/json" } });
  if (answer.status === 401) location.reload();
  if (ENDED.includes(answer.status)) return;
  if (!answer.ok) throw new Error(`${path}/changes: ${answer.status}`);
  show(await answer.json());
}

function caughtUp(sequence) {
  if (missed !== null && sequence < missed) return;
  clearTimeout(retry);
  [missed, retry, pause] = [null, 0, RETRY_MILLISECONDS[0]];
  live.textContent = "";
}

function miss(sequence) {
  missed = Math.max(missed ?? 0, sequence);
  live.textContent = game.dataset.offline;
  if (retry) return;
  retry = setTimeout(fetchMissed, pause);
  pause = Math.min(2 * pause, RETRY_MILLISECONDS[1]);
}

function fetchMissed() {
  clearTimeout(retry);
  retry = 0;
  if (missed !== null) refreshTo(missed);
}

function refreshTo(sequence) {
  // One after the other: what an answer replaces depends on the one before.
  refreshing = refreshing.then(() => refresh(sequence)).catch(() => miss(sequence));
  return refreshing;
}

function showNext(changes) {
  // What everybody sees comes with the news; where the page shows something else than the news begins with, it asks.
  const showOrAsk = () => (changes.known === Number(game.dataset.sequence) ? show(changes) : refresh(changes.sequence));
  refreshing = refreshing.then(showOrAsk).catch(() => miss(changes.sequence));
}

async function value(form) {
  const question = ++valuing;
  const shown = form.querySelector("[data-valued]");
  try {
    const answer = await fetch(`${path}/value`, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { "X-Signalbox-Module": "1" },
    });
    if (question === valuing) shown.innerHTML = answer.ok ? await answer.text() : "";
  } catch {
    live.textContent = game.dataset.offline;
  }
}

function valueSoon(form) {
  const question = ++valuing;
  setTimeout(() => { if (question === valuing && form.isConnected) value(form); }, VALUE_MILLISECONDS);
}

// Until something is refused or done: who sent it may think that it was.
function showUnanswered() {
  const notice = document.createElement("p");
  notice.className = "problem unanswered";
  notice.setAttribute("role", "alert");
  notice.textContent = game.dataset.unanswered;
  refusal.replaceChildren(notice);
  notice.scrollIntoView({ block: "nearest" });
}

async function send(form) {
  const buttons = [...panels.querySelectorAll("button")];
  const sender = document.activeElement;
  isSentFromHere = panels.contains(sender);
  for (const each of buttons) each.disabled = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { "X-Signalbox-Module": "1" },
    });
    if (answer.ok) {
      refusal.replaceChildren();
      await refreshTo((await answer.json()).sequence);
    } else if (answer.status === 401) {
      // The page then leads to where one signs in, and back.
      location.reload();
    } else {
      refusal.innerHTML = await answer.text();
      refusal.scrollIntoView({ block: "nearest" });
      if (answer.status === 409) await refreshTo(0);
    }
  } catch {
    // Nothing of the form is lost: the same request, sent again, is carried out once.
    live.textContent = game.dataset.offline;
    showUnanswered();
  } finally {
    for (const each of buttons) each.disabled = false;
    if (isSentFromHere) sender.focus({ preventScroll: true });
    isSentFromHere = false;
  }
}

function reached() {
  live.textContent = "";
  fetchMissed();
}

function watch() {
  clearTimeout(watchingAgain);
  if (source || document.hidden) return;
  const shown = new URLSearchParams({ after: game.dataset.sequence, checksum: game.dataset.checksum });
  source = new EventSource(`${path}/live?${shown}`);
  source.onopen = reached;
  source.onmessage = (event) => {
    const found = JSON.parse(event.data);
    if (found.sequence) refreshTo(Number(found.sequence));
  };
  source.addEventListener("changes", (event) => showNext(JSON.parse(event.data)));
  source.addEventListener("clocks", (event) => {
    const found = JSON.parse(event.data);
    const clocks = document.getElementById("clocks");
    setNow(found.now);
    clocks.innerHTML = found.clocks;
    writeTimes(clocks);
  });
  source.addEventListener("away", () => { live.textContent = game.dataset.offline; });
  source.addEventListener("back", reached);
  source.addEventListener("problem", (event) => {
    // The page then says what is wrong.
    if (ENDED.includes(JSON.parse(event.data).status)) location.reload();
    else watchAgain();
  });
  source.onerror = () => {
    live.textContent = game.dataset.offline;
    if (source?.readyState === EventSource.CLOSED) watchAgain();
  };
}

function leave() {
  source?.close();
  source = null;
}

function watchAgain() {
  leave();
  watchingAgain = setTimeout(watch, WATCH_AGAIN_MILLISECONDS);
}

panels.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  if (event.submitter?.hasAttribute("formaction")) value(event.target);
  else send(event.target);
});
panels.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-run], button")) run = event.target.matches("[data-run]") ? event.target : null;
  markRun();
});
panels.addEventListener("input", (event) => {
  markRun();
  if (event.target.matches("[data-run]")) valueSoon(event.target.form);
});
picture.addEventListener("click", (event) => {
  const hex = event.target.closest("[data-hex]")?.dataset.hex;
  if (hex && run?.isConnected) {
    run.value = `${run.value} ${hex}`.trim();
    markRun();
    valueSoon(run.form);
    return;
  }
  const choices = [...panels.querySelectorAll("[data-choices-of]")].filter((each) => each.dataset.choicesOf === hex);
  for (const each of panels.querySelectorAll("[data-choices-of]")) each.open = choices.includes(each);
  if (beginSteps(hex)) return;
  choices[0]?.scrollIntoView({ block: "center" });
  choices[0]?.querySelector("button")?.focus({ preventScroll: true });
});
panels.addEventListener("change", (event) => {
  if (event.target.id === "at") event.target.form.requestSubmit();
});

markHexes();
lookAgainSoon();
if (!isPast) {
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : watch()));
  watch();
}
