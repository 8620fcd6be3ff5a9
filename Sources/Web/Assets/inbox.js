// The inbox: going through what waits, saying whose it is, and taking that back. Nothing is filed unless somebody names the patient.

import { $, $$, ask, debounced, dropDraft, element, fill, key, offerCandidates, openDialog, refresh, showProblem, toast, unattended, values } from "./app.js";
import { at } from "./base.js";
import { openBooking } from "./dialogs.js";
import * as drafts from "./drafts.js";

const live = document.getElementById("live");
const done = document.getElementById("inbox-done");
const whole = () => $("[data-whole]", live);
const items = () => $$("[data-item]", live);
const place = (item) => "/api/v1/inbox/" + encodeURIComponent(item);
const titleOf = (item) => $(".inbox-title, h1 bdi", item)?.textContent ?? item.dataset.item;

/* What was done last, which can be taken back: here, or on the page that opened behind it */

const kept = drafts.ofWindow("inbox done");
let last = null;

/** Says what was done; `undo` takes it back. */
function tell(words, undo) {
  last = undo;
  $("[data-words]", done).textContent = words;
  $("[data-undo-done]", done).hidden = !undo;
  done.classList.remove("bad");
  done.hidden = false;
}

drafts.find(kept).then((before) => {
  if (!before) return;
  drafts.keep(kept, undefined);
  // What was done here meanwhile is newer.
  if (done.hidden) tell(before.words, before.undo);
});

/** Goes on to the page of the next item, which says what was done. */
async function goOnTelling(words, undo) {
  await drafts.keep(kept, { words, undo });
  location.assign(at("/inbox/next"));
}

/* Decisions */

// A request that nobody answered is sent again with the same key, and done once.
const keys = new Map();
let isBusy = false;
let shownOrder = order();
// A page of one item that opened a moment ago was meant no more than what moved.
let changedAt = whole() ? performance.now() : -Infinity;

function order() {
  return items().map((item) => item.dataset.item).join(" ");
}

async function post(path, body) {
  const name = path + JSON.stringify(body);
  if (!keys.has(name)) keys.set(name, key());
  try {
    const answer = await ask("POST", path, body, { "Idempotency-Key": keys.get(name) });
    keys.delete(name);
    return answer;
  } catch (problem) {
    if (problem.status >= 400 && problem.status < 500) keys.delete(name);
    throw problem;
  }
}

const counted = (ids) => (ids.length === 1 ? "1 item" : `${ids.length} items`);

/** What takes an answer back: one item as it stands since, or all that was decided as one. */
function undoOf(answer) {
  const changed = answer.items ?? [answer];
  if (changed.length > 1 && changed[0].batch) return { batch: changed[0].batch, count: changed.length };
  return changed.length ? { id: changed[0].id, seen: changed[0].revision } : null;
}

/** Does what was decided about some items, says it, and goes on to the next. */
async function decide(path, body, words, about, problemPlace) {
  // One item with the next at hand: that is shown at once, and what was decided is done behind it.
  if (whole() && !problemPlace && cards.isReady()) return decideBehind(path, body, words, about[0]);
  if (isBusy) return false;
  isBusy = true;
  const index = items().findIndex((item) => about.includes(item.dataset.item));
  try {
    const answer = await post(path, body);
    for (const id of about) chosen.delete(id);
    keepChosen();
    // Of several, those count that it changed.
    if (answer.items && about.length > 1) words = `${words}: ${counted(answer.items)}.`;
    const undo = undoOf(answer);
    if (whole()) {
      if (cards.isReady()) {
        tell(words, undo);
        cards.show();
        return true;
      }
      await goOnTelling(words, undo);
      return true;
    }
    tell(words, undo);
    live.addEventListener("updated", () => focusItem(index), { once: true });
    refresh();
    return true;
  } catch (problem) {
    showProblem(problemPlace, problem);
    if (problemPlace) offerCandidates(problemPlace.closest("form"), problem);
    return false;
  } finally {
    isBusy = false;
  }
}

// What was decided and is not answered yet, in order.
let behind = Promise.resolve();
let unanswered = 0;

function decideBehind(path, body, words, id) {
  unanswered += 1;
  cards.show();
  tell(words.replace(/\.$/, "") + "…", null);
  behind = behind.then(async () => {
    try {
      tell(words, undoOf(await post(path, body)));
    } catch (problem) {
      last = null;
      cards.isDone(id, false);
      done.hidden = false;
      done.classList.add("bad");
      $("[data-undo-done]", done).hidden = true;
      $("[data-words]", done).replaceChildren(
        "Not done: " + problem.message + (problem.hint ? " " + problem.hint : "") + " ",
        element("a", { href: at("/inbox/" + encodeURIComponent(id)), "data-testid": "inbox_back_link" }, "Back to it"),
      );
    } finally {
      unanswered -= 1;
      refresh();
    }
  });
  return true;
}

addEventListener("beforeunload", (event) => unanswered > 0 && event.preventDefault());

const seenOf = (item) => (item.dataset.revision ? { seen: Number(item.dataset.revision) } : {});

function file(item, patient, name, problemPlace) {
  const body = { patient_id: patient, ...seenOf(item) };
  const date = document.getElementById("inbox-date");
  if (date && date.value && date.value !== date.dataset.was) body.date = date.value;
  return decide(place(item.dataset.item) + "/file", body, `Filed to ${name}: ${titleOf(item)}.`, [item.dataset.item], problemPlace);
}

const later = (item, until, problemPlace) =>
  decide(
    place(item.dataset.item) + "/later", { ...seenOf(item), ...(until ? { until } : {}) },
    `Put off${until ? " until " + until.replace("T", " ") : ""}: ${titleOf(item)}.`, [item.dataset.item], problemPlace);

async function undo(what) {
  if (isBusy || !what) return;
  isBusy = true;
  try {
    await behind;
    const answer = what.batch
      ? await post("/api/v1/inbox/undo-several", { batch: what.batch })
      : await post(place(what.id) + "/undo", what.seen === undefined ? {} : { seen: what.seen });
    done.hidden = true;
    last = null;
    const count = answer.items?.length ?? 1;
    toast(count === 1 ? "Taken back: it waits again." : `Taken back: ${count} wait again.`, "good");
    cards.forget();
    if (whole() && what.id && whole().dataset.item !== what.id) location.assign(at("/inbox/" + encodeURIComponent(what.id)));
  } catch (problem) {
    toast(problem.message + (problem.hint ? " " + problem.hint : ""), "bad");
  } finally {
    isBusy = false;
    refresh();
  }
}

/* The next cards, loaded before they are needed */

const most = 4;
const cards = {
  loaded: new Map(),
  decided: new Set(),

  next() {
    const names = (whole()?.dataset.next ?? "").split(" ").filter(Boolean);
    return names.filter((id) => !this.decided.has(id) && id !== whole()?.dataset.item);
  },

  isReady() {
    return this.loaded.has(this.next()[0]);
  },

  isDone(id, isIt = true) {
    if (isIt) this.decided.add(id);
    else this.decided.delete(id);
  },

  /** Shows the next at once. */
  show(keepsThis = false) {
    const before = whole().dataset.item;
    const id = this.next()[0];
    if (!keepsThis) this.isDone(before);
    const progress = $(".inbox-progress", live);
    fill(live, this.loaded.get(id));
    // The one that was loaded with it is older.
    if (progress) $(".inbox-progress", live)?.replaceWith(progress);
    this.loaded.delete(id);
    live.dataset.live = "/inbox/" + encodeURIComponent(id) + "?part=live";
    history.pushState(null, "", at("/inbox/" + encodeURIComponent(id)));
    document.title = titleOf(whole()) + " · VetNet";
    scrollTo(0, 0);
    changedAt = performance.now();
    const heading = $("h1", live);
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    this.open();
    refresh();
  },

  /** Says which item is open here, and loads those behind it. */
  async open() {
    const item = whole();
    if (!item) return;
    if ("decidable" in item.dataset) ask("POST", "/api/v1/inbox-session", { item: item.dataset.item }, unattended).catch(() => {});
    for (const id of this.next().slice(0, most)) {
      if (this.loaded.has(id)) continue;
      try {
        const markup = await ask("GET", "/inbox/" + encodeURIComponent(id) + "?part=live", undefined, unattended);
        if (markup.includes("data-decidable")) this.loaded.set(id, markup);
        else this.isDone(id);
      } catch {
        // It is loaded when it is wanted.
        return;
      }
    }
  },

  forget() {
    this.loaded.clear();
    this.decided.clear();
    this.open();
  },
};

addEventListener("popstate", () => location.reload());
if (whole()) {
  cards.open();
  // Whoever has it open for long has it open still.
  setInterval(() => document.visibilityState === "visible" && cards.open(), 60000);
}

/* Windows: another patient, a time, a question, and why something is not to be filed */

const choose = document.getElementById("choose");
const reject = document.getElementById("reject");
const until = document.getElementById("until");
const askBack = document.getElementById("ask-back");
const message = document.getElementById("message");
const several = document.getElementById("file-several");
let meant = [];

function openFor(dialog, about) {
  meant = about;
  const form = $("form", dialog);
  form.reset();
  for (const hidden of $$("input[type=hidden]", form)) hidden.value = "";
  $(".problem", form).hidden = true;
  const words = $("[data-about]", form);
  if (words) words.textContent = about.length === 1 ? titleOf(about[0]) : `${about.length} items`;
  openDialog(dialog.id);
}

$("form", choose).addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { patient_id: patient } = values(form);
  if (!patient) return $("input[role=combobox]", form).focus();
  const name = $("input[role=combobox]", form).value;
  if (await file(meant[0], patient, name, $(".problem", form))) choose.close();
});

$("form", reject).addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { reason } = values(form);
  const problem = $(".problem", form);
  if (!reason) return showProblem(problem, { message: "Say why it is not to be filed." });
  const ids = meant.map((item) => item.dataset.item);
  const isDone =
    ids.length === 1
      ? await decide(place(ids[0]) + "/reject", { reason, ...seenOf(meant[0]) }, `Rejected: ${titleOf(meant[0])}.`, ids, problem)
      : await decide("/api/v1/inbox/aside", { ids, state: "rejected", reason }, "Rejected", ids, problem);
  if (isDone) reject.close();
});

$("form", until).addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const time = form.elements.until.value;
  const problem = $(".problem", form);
  if (!time) return showProblem(problem, { message: "Say when it comes back." });
  if (await later(meant[0], time, problem)) until.close();
});

$("form", askBack).addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { text, until: time } = values(form);
  const problem = $(".problem", form);
  if (!text) return showProblem(problem, { message: "Write what is asked." });
  const body = { text, ...seenOf(meant[0]), ...(time ? { until: time } : {}) };
  const id = meant[0].dataset.item;
  if (await decide(place(id) + "/ask", body, `Asked back: ${titleOf(meant[0])}.`, [id], problem)) askBack.close();
});

$("form", message)?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const problem = $(".problem", form);
  const body = values(form);
  if (!body.text) return showProblem(problem, { message: "Write what the owner says." });
  try {
    const taken = await post("/api/v1/inbox", { ...body, channel: "phone" });
    message.close();
    form.reset();
    dropDraft(form);
    toast(`Waits in the inbox${taken.urgency ? ", " + taken.urgency : ""}.`, "good");
    refresh();
  } catch (error) {
    showProblem(problem, error);
  }
});

/** Those of several for which one patient stands alone, each with the name: whoever files them sees who is meant. */
function openSeveral(about) {
  const clear = about.filter((item) => item.dataset.clear);
  meant = clear;
  $("[data-pairs]", several).replaceChildren(
    ...clear.map((item) => element("li", {}, titleOf(item) + " → ", element("b", {}, item.dataset.clearName))));
  const rest = about.length - clear.length;
  $("[data-left]", several).textContent = rest ? `${rest} of those chosen could be several patients, or nobody: file these one by one.` : "";
  $("[type=submit]", several).disabled = !clear.length;
  $(".problem", several).hidden = true;
  openDialog(several.id);
}

$("form", several)?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const files = meant.map((item) => ({ id: item.dataset.item, patient_id: item.dataset.clear, ...seenOf(item) }));
  const ids = files.map((one) => one.id);
  if (await decide("/api/v1/inbox/file-several", { files }, "Filed", ids, $(".problem", several))) several.close();
});

/* Several at once */

const selection = document.getElementById("selection");
const chosen = new Set((selection?.dataset.chosen ?? "").split(" ").filter(Boolean));
// On any device somebody finds what they chose.
const keepChosen = debounced(800, () => {
  if (selection) ask("POST", "/api/v1/inbox-session", { chosen: [...chosen] }, unattended).catch(() => {});
});

function showChosen() {
  const there = new Set(items().map((item) => item.dataset.item));
  if (!selection) return;
  for (const box of $$("[data-select]", live)) box.checked = chosen.has(box.closest("[data-item]").dataset.item);
  const count = [...chosen].filter((id) => there.has(id)).length;
  selection.hidden = count === 0;
  $("[data-selected]", selection).textContent = count;
}

function toggle(item) {
  const id = item.dataset.item;
  if (!chosen.delete(id)) chosen.add(id);
  showChosen();
  keepChosen();
}

selection?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-several]");
  if (!button) return;
  const about = items().filter((item) => chosen.has(item.dataset.item));
  const ids = about.map((item) => item.dataset.item);
  if (button.dataset.several === "rejected") openFor(reject, about);
  else if (button.dataset.several === "file") openSeveral(about);
  else if (button.dataset.several === "later") decide("/api/v1/inbox/aside", { ids, state: "later" }, "Put off", ids);
  else {
    chosen.clear();
    showChosen();
    keepChosen();
  }
});
showChosen();

/* Clicks and keys */

live.addEventListener("change", (event) => {
  const box = event.target.closest("[data-select]");
  if (box) toggle(box.closest("[data-item]"));
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-next-item]");
  if (step && cards.isReady()) {
    event.preventDefault();
    return cards.show(true);
  }
  const button = event.target.closest("button");
  if (!button) return;
  if ("undoDone" in button.dataset) return void undo(last);
  if (button.dataset.undoBatch) return void undo({ batch: Number(button.dataset.undoBatch) });
  if (button.dataset.undo) return void undo({ id: button.dataset.undo, ...seenOf(button) });
  const item = button.closest("[data-item]");
  if (!item || button.disabled) return;
  const { file: patient, name } = button.dataset;
  if (patient) {
    // What moved under the pointer, or took the focus, a moment ago is not what somebody meant.
    if (performance.now() - changedAt < 500) return toast(`${whole() ? "This has just opened" : "The list has just changed"}: look again.`);
    file(item, patient, name);
  } else if ("choosePatient" in button.dataset) openFor(choose, [item]);
  else if ("reject" in button.dataset) openFor(reject, [item]);
  else if ("later" in button.dataset) later(item);
  else if ("until" in button.dataset) openFor(until, [item]);
  else if ("ask" in button.dataset) openFor(askBack, [item]);
  else if (button.dataset.book) book(item, button.dataset.book, name);
});

/** A visit for the patient, at the level that the item waited with; the item is filed with it. */
function book(item, patient, name) {
  const id = item.dataset.item;
  // A message says what is wrong; of a letter its subject is enough.
  const reason = "message" in item.dataset ? $("[data-testid=inbox_text]", item)?.textContent.slice(0, 2000) : titleOf(item);
  const title = titleOf(item);
  const level = item.dataset.level;
  openBooking({
    patient_id: patient, name, reason,
    case: level ? { text: reason, patient_id: patient, urgency: level } : undefined,
    elsewhere: {
      path: place(id) + "/book",
      fields: seenOf(item),
      done: (answer) => {
        const words = `Booked and filed to ${name}: ${title}.`;
        if (cards.isReady()) {
          tell(words, undoOf(answer));
          cards.show();
        } else {
          goOnTelling(words, undoOf(answer));
        }
      },
    },
  });
}

live.addEventListener("updated", () => {
  if (order() !== shownOrder) changedAt = performance.now();
  shownOrder = order();
  showChosen();
  if (whole()) cards.open();
});

function focusItem(index) {
  const all = items();
  const item = all[Math.max(0, Math.min(index, all.length - 1))];
  const link = item && $(".inbox-title", item);
  link?.focus();
  item?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
  const all = items();
  const here = all.findIndex((item) => item.contains(document.activeElement));
  const item = whole() ?? all[here];
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step && !whole()) {
    // On a page that is scrolled by arrows, only whoever is in the list moves in it.
    if (here < 0 && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    return focusItem(here < 0 ? 0 : here + step);
  }
  // A key that is held down decides once.
  if (event.repeat) return;
  // Without anything done on this page, what this person decided last.
  if (event.key === "u") return last ? void undo(last) : void $(".lately [data-own]")?.click();
  if (!item) return;
  if (/^[1-9]$/.test(event.key)) return void $(`[data-number="${event.key}"]`, item)?.click();
  if (event.key === "Enter" && !document.activeElement.closest("a, button, summary, input")) $("a.inbox-title", item)?.click();
  else if (event.key === "c") $("[data-choose-patient]", item)?.click();
  else if (event.key === "r") $("[data-reject]", item)?.click();
  else if (event.key === "l") $("[data-later]", item)?.click();
  else if (event.key === "t") $("[data-until]", item)?.click();
  else if (event.key === "a") $("[data-ask]", item)?.click();
  else if (event.key === "b") $("[data-book]", item)?.click();
  else if (event.key === "n" && whole()) $("[data-next-item]", item)?.click();
  else if (event.key === "x" && !whole()) toggle(item);
  else return;
  event.preventDefault();
});

/* By touch: right files to the patient whose name stands on the card, left puts off. Each has a button and a key. */

const far = 90;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
let swipe = null;

live.addEventListener("pointerdown", (event) => {
  const item = whole();
  if (event.pointerType === "mouse" || !item || !("decidable" in item.dataset)) return;
  if (event.target.closest("button, a, input, select, textarea, summary, pre")) return;
  swipe = { id: event.pointerId, x: event.clientX, y: event.clientY, item, by: 0 };
});

live.addEventListener("pointermove", (event) => {
  if (!swipe || event.pointerId !== swipe.id) return;
  const by = event.clientX - swipe.x;
  // Scrolling up and down is no swipe.
  if (Math.abs(event.clientY - swipe.y) > Math.abs(by) + 12) return endSwipe();
  swipe.by = by;
  swipe.item.dataset.swipe = Math.abs(by) < 20 ? "" : by > 0 ? "right" : "left";
  swipe.item.toggleAttribute("data-far", Math.abs(by) >= far);
  if (!isCalm.matches) swipe.item.style.transform = `translateX(${Math.max(-160, Math.min(160, by))}px)`;
});

function endSwipe() {
  if (!swipe) return;
  swipe.item.style.transform = "";
  delete swipe.item.dataset.swipe;
  swipe.item.removeAttribute("data-far");
  swipe = null;
}

live.addEventListener("pointerup", (event) => {
  if (!swipe || event.pointerId !== swipe.id) return;
  const { item, by } = swipe;
  endSwipe();
  if (by <= -far) return void $("[data-later], [data-until]", item)?.click();
  if (by < far) return;
  const { clear, clearName } = item.dataset;
  if (clear) file(item, clear, clearName);
  // Nobody is alone in question: whoever files it says who is meant.
  else openFor(choose, [item]);
});
live.addEventListener("pointercancel", endSwipe);

document.getElementById("inbox-kind")?.addEventListener("change", (event) => {
  location.assign(at("/inbox" + (event.target.value ? "?kind=" + event.target.value : "")));
});
