// An encounter: saved while it is typed, read beside it, decided on section by section, signed.

import { $, $$, ask, debounced, element, key, openDialog, pauseUpdatesWhile, refresh, resumeUpdates, showProblem, toast } from "./app.js";
import { at } from "./base.js";
import { openBooking } from "./dialogs.js";
import * as drafts from "./drafts.js";

const root = document.getElementById("encounter");
const live = document.getElementById("live");
const words = document.getElementById("narrative");
const savedLine = document.getElementById("enc-saved");
const banner = document.getElementById("enc-banner");
const working = document.getElementById("enc-working");
const pause = 500;
// While somebody types without a pause, no more than this is unsaved.
const longest = 1500;

let id = root.dataset.id ?? null;
let revision = Number(root.dataset.revision ?? 0);
// What the server has.
let saved = words?.value ?? "";
const made = "enc-" + crypto.randomUUID().replaceAll("-", "");
const path = () => "/api/v1/encounters/" + encodeURIComponent(id);
const match = () => ({ "If-Match": `"${revision}"` });

/* What takes longer is said */

let busy = 0;
async function showing(label, work) {
  busy += 1;
  const timer = setTimeout(() => {
    working.textContent = label;
    working.hidden = false;
  }, 300);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    busy -= 1;
    if (!busy) working.hidden = true;
  }
}

/* What this browser keeps until the server has it */

const place = () => "encounter " + (id ?? "new-" + root.dataset.patient);
// What was kept before is not written over until it was looked for.
let isLookedFor = false;

function keepHere() {
  if (isLookedFor) drafts.keep(place(), words.value === saved ? undefined : { text: words.value, revision });
}

/* Saving: one request at a time, the newest words, again until it is done */

let line = Promise.resolve();
const inTurn = (work) => (line = line.then(work, work));
let sending = null;
let typedAt = 0;
let unsavedSince = 0;
let timer;
let failedAt = null;
let isStopped = false;

const isDirty = () => words && words.value !== saved;

function said(text) {
  savedLine.textContent = text;
}

function done(answer, text) {
  const isNew = !id;
  const before = place();
  id = answer.id;
  revision = answer.revision;
  saved = text;
  failedAt = null;
  banner.hidden = true;
  unsavedSince = isDirty() ? Date.now() : 0;
  said(isDirty() ? "Saving…" : `Saved at ${answer.saved_at.slice(11, 19)}.`);
  if (isNew) {
    drafts.keep(before, undefined);
    root.dataset.id = id;
    document.getElementById("main").dataset.presence = "encounter:" + id;
    live.dataset.live = `/encounter/${encodeURIComponent(id)}?part=live`;
    history.replaceState(null, "", at("/encounter/" + encodeURIComponent(id)));
  }
  keepHere();
  read();
}

/** Has what was written read anew, which is said where it takes longer. */
let readSince;
function read() {
  clearTimeout(readSince);
  readSince = setTimeout(() => {
    working.textContent = "Reading…";
    working.hidden = false;
  }, 340);
  refresh();
}
live.addEventListener("updated", () => {
  clearTimeout(readSince);
  if (!busy) working.hidden = true;
});

async function saveNow() {
  clearTimeout(timer);
  if (!isDirty() || isStopped) return;
  if (!id && !words.value.trim()) return;
  const text = words.value;
  if (!sending || sending.text !== text) sending = { text, key: key() };
  const headers = { "Idempotency-Key": sending.key };
  try {
    const answer = await showing("Saving…", () =>
      id
        ? ask("PUT", path(), { text }, { ...headers, ...match() })
        : ask("POST", "/api/v1/encounters", { id: made, patient_id: root.dataset.patient, text, ...(root.dataset.appointment ? { appointment_id: root.dataset.appointment } : {}) }, headers));
    sending = null;
    done(answer, text);
    if (isDirty()) plan();
  } catch (problem) {
    if (problem.status === 412 && problem.current) {
      sending = null;
      return conflict(problem.current);
    }
    failed(problem);
  }
}

const save = () => inTurn(saveNow);

function failed(problem) {
  failedAt ??= new Date();
  const since = failedAt.toTimeString().slice(0, 8);
  const isOver = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
  const retry = element("button", { type: "button", "data-testid": "encounter_retry" }, "Try again now");
  retry.addEventListener("click", save);
  banner.replaceChildren(
    element("p", {}, `Not saved since ${since}: ${problem.message}${/[.?!]$/.test(problem.message) ? "" : "."} ${problem.hint ?? ""}`),
    element("p", {}, isOver ? "What you typed is kept in this browser. Copy it before you leave, if the hint does not help." : "What you typed is kept in this browser, and saving is tried again every two seconds. Leave this page open."),
    retry,
  );
  banner.hidden = false;
  said("Not saved.");
  if (!isOver) timer = setTimeout(save, 2000);
}

const elsewhere = "This encounter was changed elsewhere since you began: nothing of yours was saved over it. Which is to stand?";

/** Somebody else, or another window, saved meanwhile: both, and which is to stand. */
function conflict(current, other = current.text, sentence = elsewhere) {
  isStopped = true;
  const mine = words.value;
  const own = element("button", { type: "button", "data-testid": "encounter_keep_mine" }, "Keep mine");
  const theirs = element("button", { type: "button", "data-testid": "encounter_take_theirs" }, "Take theirs");
  const settle = (text) => {
    isStopped = false;
    revision = current.revision;
    saved = current.text;
    words.value = text;
    banner.hidden = true;
    keepHere();
    save();
    refresh();
    words.focus();
  };
  own.addEventListener("click", () => settle(mine));
  theirs.addEventListener("click", () => settle(other));
  const side = (title, text) => element("div", {}, element("h3", {}, title), element("pre", { class: "note", tabindex: "0", role: "region", "aria-label": title }, text));
  banner.replaceChildren(
    element("p", {}, sentence),
    element("div", { class: "enc-both", "data-testid": "encounter_both" }, side("Yours", mine), side("Theirs", other)),
    element("div", { class: "actions" }, own, theirs),
  );
  banner.hidden = false;
  own.focus();
}

function plan() {
  clearTimeout(timer);
  const wait = Math.min(pause, Math.max(0, unsavedSince + longest - Date.now()));
  timer = setTimeout(save, wait);
}

if (words && !words.readOnly) {
  words.addEventListener("input", () => {
    typedAt = Date.now();
    if (!unsavedSince) unsavedSince = typedAt;
    keepHere();
    if (isDirty()) said("Saving…");
    plan();
  });
  addEventListener("pagehide", () => isDirty() && keepHere());
  document.addEventListener("visibilitychange", () => document.hidden && save());
  addEventListener("beforeunload", (event) => {
    if (isDirty() && failedAt) event.preventDefault();
  });
  const [began, loaded] = [place(), words.value];
  drafts.find(began).then((kept) => {
    isLookedFor = true;
    if (kept && ![saved, words.value].includes(kept.text)) bringBack(kept, words.value !== loaded);
    // Begun and saved before it was looked for.
    if (began !== place()) drafts.keep(began, undefined);
    keepHere();
  });
}

/** Words that were typed here before, and that the server never got; others may have been typed since the page was loaded. */
function bringBack(kept, areOthersTyped) {
  const server = { text: saved, revision };
  if (areOthersTyped) return conflict(server, kept.text, "What was typed here before and not saved, as “theirs”, is back. Which is to stand?");
  words.value = kept.text;
  if (id && kept.revision !== revision) return conflict(server);
  toast("What was typed here and not saved is back.", "good");
  unsavedSince = Date.now();
  save();
}

/* What changed elsewhere */

pauseUpdatesWhile(() => $$("dialog[open]").length > 0 || live.contains(getSelection()?.anchorNode ?? null) && !getSelection().isCollapsed);
for (const dialog of $$("dialog")) dialog.addEventListener("close", () => setTimeout(resumeUpdates));

live.addEventListener("updated", () => {
  const now = $("[data-revision-now]", live);
  if (!now) return;
  const newest = Number(now.dataset.revisionNow);
  if (["final", "amended"].includes(now.dataset.stateNow) && words) {
    // Signed, here or elsewhere: there is nothing to type any more.
    if (!isDirty()) location.reload();
    return;
  }
  if (!words || newest <= revision || isDirty() || isStopped) return;
  revision = newest;
  saved = $("[data-narrative-now]", live).textContent;
  if (words.value !== saved) words.value = saved;
});

/* Decisions: behind what is being saved, so that they are about what is shown */

async function change(label, method, address, body, problemPlace) {
  return inTurn(async () => {
    await saveNow();
    if (isDirty() || isStopped || !id) return false;
    const once = key();
    try {
      const answer = await showing(label, () => ask(method, path() + address, body, { ...match(), "Idempotency-Key": once }));
      revision = answer.revision;
      refresh();
      return answer;
    } catch (problem) {
      if (problem.status === 412 && problem.current) {
        // The words are the same; only what was decided on is newer.
        if (problem.current.text === saved) revision = problem.current.revision;
        else if (words) conflict(problem.current);
        refresh();
      }
      showProblem(problemPlace, problem);
      if (!problemPlace && problem.hint) toast(problem.hint);
      return false;
    }
  });
}

const sections = () => $$("[data-section]", live);
const titleOf = (section) => $("h3", section)?.firstChild.textContent.trim() ?? section.dataset.section;

async function decide(names, verdict, text, problemPlace) {
  const next = sections().find((section) => section.dataset.open && !names.includes(section.dataset.section))?.dataset.section;
  const answer = await change("Deciding…", "POST", "/decisions", { sections: names, verdict, ...(text === undefined ? {} : { text }) }, problemPlace);
  if (answer && document.activeElement?.closest("#live, dialog") !== null) {
    live.addEventListener("updated", () => focusOn(next ?? names[0]), { once: true });
  }
  return answer;
}

function focusOn(name) {
  const section = sections().find((one) => one.dataset.section === name) ?? $(".enc-steps button", live);
  section?.focus({ preventScroll: true });
  section?.scrollIntoView({ block: "nearest" });
}

let edited = null;
function edit(section) {
  edited = section.dataset.section;
  const dialog = document.getElementById("enc-edit");
  $("[data-about]", dialog).textContent = titleOf(section);
  $(".problem", dialog).hidden = true;
  $("textarea", dialog).value = $("[data-words-now]", section).textContent;
  openDialog("enc-edit");
}

function onSubmit(name, work) {
  const dialog = document.getElementById(name);
  $("form", dialog)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("[type=submit]", dialog);
    button.disabled = true;
    try {
      if (await work(dialog, $(".problem", dialog))) dialog.close();
    } finally {
      button.disabled = false;
    }
  });
}

onSubmit("enc-edit", (dialog, problem) => {
  const text = $("textarea", dialog).value;
  if (!text.trim()) return showProblem(problem, { message: "Without words there is nothing to take: drop the section instead." });
  return decide([edited], "edited", text, problem);
});
onSubmit("enc-sign", async (dialog, problem) => {
  const answer = await change("Signing…", "POST", "/sign", {}, problem);
  if (answer) location.reload();
  return answer;
});
onSubmit("enc-amend", async (dialog, problem) => {
  const { text, reason } = dialog.querySelector("form").elements;
  if (!reason.value.trim()) return showProblem(problem, { message: "Say why: it is kept with the note." });
  const answer = await change("Amending…", "POST", "/amend", { text: text.value, reason: reason.value }, problem);
  if (answer) reason.value = "";
  return answer;
});
onSubmit("enc-discard", async (dialog, problem) => {
  const answer = await change("Throwing away…", "DELETE", "", {}, problem);
  if (answer) {
    saved = words?.value ?? "";
    keepHere();
    location.assign(at("/patient/" + encodeURIComponent(root.dataset.patient)));
  }
  return answer;
});

/** Marks words of the narrative, which are counted in code points. */
function mark(start, end) {
  if (!words) return;
  const points = [...words.value];
  const from = points.slice(0, start).join("").length;
  words.focus();
  words.setSelectionRange(from, from + points.slice(start, end).join("").length);
}

live.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const section = button.closest("[data-section]");
  if (button.dataset.words) mark(...button.dataset.words.split(":").map(Number));
  else if (button.dataset.verdict) decide([section.dataset.section], button.dataset.verdict);
  else if ("edit" in button.dataset) edit(section);
  else if (button.dataset.acceptOpen) decide(button.dataset.acceptOpen.split(" "), "accepted");
  else if (button.dataset.step) change("Going on…", "POST", "/" + button.dataset.step, {});
  else if ("sign" in button.dataset) {
    $("[data-note-text]", document.getElementById("enc-sign")).textContent = $("[data-note-now]", live).textContent;
    $(".problem", document.getElementById("enc-sign")).hidden = true;
    openDialog("enc-sign");
  } else if ("discard" in button.dataset) openDialog("enc-discard");
  else if (button.dataset.open === "enc-amend") $("#enc-amend-words").value = $("[data-note-now]", live).textContent;
  else if ("book" in button.dataset) openBooking({ patient_id: root.dataset.patient, name: root.dataset.name, reason: button.dataset.reason, start: button.dataset.start });
});

document.addEventListener("keydown", (event) => {
  if (event.target === words && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    save();
    return focusOn(sections().find((section) => section.dataset.open)?.dataset.section);
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog, a, summary")) return;
  const all = sections();
  const at = all.findIndex((section) => section.contains(document.activeElement));
  const step = { j: 1, k: -1 }[event.key];
  if (step && all.length) all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))].focus();
  else if (event.key === "n" && words) words.focus();
  else if (at >= 0 && event.key === "a") $("[data-verdict=accepted]", all[at])?.click();
  else if (at >= 0 && event.key === "d") $("[data-verdict=dropped]", all[at])?.click();
  else if (at >= 0 && event.key === "e") $("[data-edit]", all[at])?.click();
  else return;
  event.preventDefault();
});
