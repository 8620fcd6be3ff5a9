// The inbox: going through what waits, saying whose it is, and taking that back. Nothing is filed unless somebody names the patient.

import { $, $$, actor, ask, key, offerCandidates, openDialog, refresh, showProblem, toast, values } from "./app.js";
import { openBooking } from "./dialogs.js";

const live = document.getElementById("live");
const done = document.getElementById("inbox-done");
const whole = () => $("[data-whole]", live);
const items = () => $$("[data-item]", live);
const place = (item) => "/api/v1/inbox/" + encodeURIComponent(item);
const titleOf = (item) => $(".inbox-title, h1 bdi", item)?.textContent ?? item.dataset.item;

/* What was done last, which can be taken back: here, or on the page that opened behind it */

const kept = `vetnet-inbox-done-${actor}`;
let last = null;

function tell(words, ids) {
  last = ids;
  $("[data-words]", done).textContent = words;
  $("[data-undo-done]", done).hidden = !ids.length;
  done.hidden = false;
}

try {
  const before = JSON.parse(sessionStorage.getItem(kept) ?? "null");
  sessionStorage.removeItem(kept);
  if (before) tell(before.words, before.ids);
} catch {
  // Nothing is kept here; what was decided stands in the list.
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

/** Does what was decided about some items, says it, and goes on to the next. Of several, those count that it changed. */
async function decide(path, body, words, about, problemPlace) {
  if (isBusy) return false;
  isBusy = true;
  const at = items().findIndex((item) => about.includes(item.dataset.item));
  try {
    const answer = await post(path, body);
    for (const id of about) chosen.delete(id);
    const ids = answer.items?.map((item) => item.id) ?? about;
    if (answer.items) words = `${words}: ${counted(ids)}.`;
    if (whole()) {
      sessionStorage.setItem(kept, JSON.stringify({ words, ids }));
      location.assign("/inbox/next");
      return true;
    }
    tell(words, ids);
    live.addEventListener("updated", () => focusItem(at), { once: true });
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

function file(item, patient, name, problemPlace) {
  const body = { patient_id: patient };
  const date = document.getElementById("inbox-date");
  if (date && date.value && date.value !== date.dataset.was) body.date = date.value;
  return decide(place(item.dataset.item) + "/file", body, `Filed to ${name}: ${titleOf(item)}.`, [item.dataset.item], problemPlace);
}

const later = (item) => decide(place(item.dataset.item) + "/later", {}, `Put off: ${titleOf(item)}.`, [item.dataset.item]);

async function undo(ids) {
  if (isBusy) return;
  isBusy = true;
  try {
    for (const id of ids) await post(place(id) + "/undo", {});
    done.hidden = true;
    last = null;
    toast(ids.length === 1 ? "Taken back: it waits again." : `Taken back: ${ids.length} wait again.`, "good");
    if (whole() && ids.length === 1 && whole().dataset.item !== ids[0]) location.assign("/inbox/" + encodeURIComponent(ids[0]));
  } catch (problem) {
    toast(problem.message + (problem.hint ? " " + problem.hint : ""), "bad");
  } finally {
    isBusy = false;
    refresh();
  }
}

/* Windows: another patient, and why something is not to be filed */

const choose = document.getElementById("choose");
const reject = document.getElementById("reject");
let meant = [];

function openFor(dialog, about) {
  meant = about;
  const form = $("form", dialog);
  form.reset();
  for (const hidden of $$("input[type=hidden]", form)) hidden.value = "";
  $(".problem", form).hidden = true;
  $("[data-about]", form).textContent = about.length === 1 ? titleOf(about[0]) : `${about.length} items`;
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
      ? await decide(place(ids[0]) + "/reject", { reason }, `Rejected: ${titleOf(meant[0])}.`, ids, problem)
      : await decide("/api/v1/inbox/aside", { ids, state: "rejected", reason }, "Rejected", ids, problem);
  if (isDone) reject.close();
});

/* Several at once */

const chosen = new Set();
const selection = document.getElementById("selection");

function showChosen() {
  const there = new Set(items().map((item) => item.dataset.item));
  for (const id of chosen) if (!there.has(id)) chosen.delete(id);
  for (const box of $$("[data-select]", live)) box.checked = chosen.has(box.closest("[data-item]").dataset.item);
  if (!selection) return;
  selection.hidden = chosen.size === 0;
  $("[data-selected]", selection).textContent = chosen.size;
}

function toggle(item) {
  const id = item.dataset.item;
  if (!chosen.delete(id)) chosen.add(id);
  showChosen();
}

selection?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-several]");
  if (!button) return;
  const about = items().filter((item) => chosen.has(item.dataset.item));
  const ids = about.map((item) => item.dataset.item);
  if (button.dataset.several === "rejected") openFor(reject, about);
  else if (button.dataset.several === "later") decide("/api/v1/inbox/aside", { ids, state: "later" }, "Put off", ids);
  else {
    chosen.clear();
    showChosen();
  }
});

/* Clicks and keys */

live.addEventListener("change", (event) => {
  const box = event.target.closest("[data-select]");
  if (box) toggle(box.closest("[data-item]"));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("undoDone" in button.dataset) return void (last && undo(last));
  if (button.dataset.undo) return void undo([button.dataset.undo]);
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
  else if (button.dataset.book) {
    // A message says what is wrong; of a letter its subject is enough.
    const reason = "message" in item.dataset ? $("[data-testid=inbox_text]", item)?.textContent.slice(0, 2000) : titleOf(item);
    openBooking({ patient_id: button.dataset.book, name, reason });
  }
});

live.addEventListener("updated", () => {
  if (order() !== shownOrder) changedAt = performance.now();
  shownOrder = order();
  showChosen();
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
  const at = all.findIndex((item) => item.contains(document.activeElement));
  const item = whole() ?? all[at];
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step && !whole()) {
    // On a page that is scrolled by arrows, only whoever is in the list moves in it.
    if (at < 0 && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    return focusItem(at < 0 ? 0 : at + step);
  }
  // A key that is held down decides once.
  if (event.repeat) return;
  if (event.key === "u" && last) return void undo(last);
  if (!item) return;
  if (/^[1-9]$/.test(event.key)) return void $(`[data-number="${event.key}"]`, item)?.click();
  if (event.key === "Enter" && !document.activeElement.closest("a, button, summary, input")) $("a.inbox-title", item)?.click();
  else if (event.key === "c") $("[data-choose-patient]", item)?.click();
  else if (event.key === "r") $("[data-reject]", item)?.click();
  else if (event.key === "l") $("[data-later]", item)?.click();
  else if (event.key === "x" && !whole()) toggle(item);
  else return;
  event.preventDefault();
});

document.getElementById("inbox-kind")?.addEventListener("change", (event) => {
  location.assign("/inbox" + (event.target.value ? "?kind=" + event.target.value : ""));
});
