// What every page needs: requests, live updates, messages, windows, drafts, the theme.

import "./access.js";
import { at, here } from "./base.js";
import * as drafts from "./drafts.js";

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

let token = $("meta[name=token]")?.content;
export const actor = $("meta[name=actor]")?.content ?? "";

/** Makes an element of text; never of markup. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name === "data") Object.assign(made.dataset, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export class Problem extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
    this.field = error.field;
    this.candidates = error.candidates ?? [];
    this.freeSlots = error.free_slots ?? [];
    this.current = error.current;
  }
}

async function send(method, path, body, headers) {
  const init = { method, headers: { ...headers }, credentials: "same-origin" };
  if (method !== "GET") {
    const isFile = body instanceof Blob;
    init.headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
    init.headers["X-VetNet-Token"] = token;
    init.body = isFile ? body : JSON.stringify(body ?? {});
  }
  try {
    return await fetch(at(path), init);
  } catch {
    throw new Problem(0, { code: "offline", message: "The server can't be reached. What you typed is still here." });
  }
}

/* Who acts is who is shown: a page of somebody who is signed in no more, or of another person, gives way */

let isLeaving = false;
const leaving = [];
const returning = [];
const signOutQuestions = [];
/** Has something done when nobody is signed in here any more, before the page goes to where it is told, if anywhere. */
export const atLeaving = (work) => leaving.push(work);
/** Has something done when whoever left a page comes back to it. */
export const atReturn = (work) => returning.push(work);
/** Has a question asked before somebody signs out; they stay where its answer is false. */
export const atSignOut = (question) => signOutQuestions.push(question);

const toSignIn = () => at("/login?to=" + encodeURIComponent(here() + location.search));
export const keepDrafts = () => Promise.all($$("form[data-draft][data-touched]").map(keepDraft));

async function leave(where) {
  if (isLeaving) return;
  // With the key that goes with the session.
  const parting = keepDrafts().then(() => Promise.allSettled(leaving.map((work) => work(where))));
  // Left alone, the page stays for whoever comes back, and nobody sees it until then.
  if (!where && person) return lock();
  isLeaving = true;
  // Whatever the storage does: nobody is kept here by it.
  await Promise.race([parting, new Promise((done) => setTimeout(done, 1500))]);
  location.replace(where ?? toSignIn());
}

/** Looks who is signed in; this page is theirs, or goes. */
async function check(session) {
  if (!token || isLeaving) return;
  if (session.actor !== actor) return leave(location.href);
  token = session.token;
  if (isLocked) unlock();
}

/* Another person, in two fields over the page; and the same, where the page was left alone */

const person = document.getElementById("person");
let isLocked = false;
let titleBefore = "";

export function openPerson() {
  const form = $("form", person);
  form.reset();
  $(".problem", form).hidden = true;
  $("[data-person-title]", person).textContent = isLocked ? "Nobody is signed in" : "Who goes on?";
  $("[data-person-hint]", person).textContent = isLocked
    ? "The page is hidden until somebody signs in: the same person finds it as it was, another gets it anew."
    : "Whoever signs in goes on at this page. What was typed is kept for whoever typed it.";
  $$("[data-close]", person).forEach((button) => (button.hidden = isLocked));
  if (!person.open) person.showModal();
  form.elements.name.focus();
}

function lock() {
  if (isLocked) return;
  isLocked = true;
  // Names stand in titles, too.
  titleBefore = document.title;
  document.title = "Signed out";
  document.documentElement.classList.add("locked");
  if (person.open) person.close();
  openPerson();
}

function unlock() {
  isLocked = false;
  document.title = titleBefore;
  document.documentElement.classList.remove("locked");
  person.close();
  used = Date.now();
  for (const work of returning) work();
  refresh();
}

/** Whoever signed in goes on: the same person at the page as it stands, another at one of theirs. */
export function goOn(session) {
  if (session.actor !== actor) {
    isLeaving = true;
    return location.reload();
  }
  token = session.token;
  if (isLocked) unlock();
  else person.close();
}

if (person) {
  // However a browser closes it, what is hidden stays so.
  person.addEventListener("close", () => isLocked && setTimeout(openPerson));
  person.addEventListener("cancel", (event) => isLocked && event.preventDefault());
  $("form", person).addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const { name, passphrase } = form.elements;
    const empty = name.value.trim() ? passphrase : name;
    if (!empty.value.trim()) return empty.focus();
    const button = $("[type=submit]", form);
    button.disabled = true;
    $(".problem", form).hidden = true;
    await keepDrafts();
    try {
      const session = await ask("POST", "/api/v1/session", { name: name.value.trim(), passphrase: passphrase.value });
      form.reset();
      goOn(session);
    } catch (error) {
      showProblem($(".problem", form), error);
      passphrase.select();
    } finally {
      button.disabled = false;
    }
  });
  $("[data-testid=switch_person_button]")?.addEventListener("click", (event) => {
    event.preventDefault();
    openPerson();
  });
}

// Who signs out does so in every window of this browser.
const signedOut = token && window.BroadcastChannel ? new BroadcastChannel("vetnet-signed-out") : null;
if (signedOut) signedOut.onmessage = () => leave(toSignIn());

export async function signOut() {
  for (const question of signOutQuestions) if (!(await question())) return;
  await keepDrafts();
  try {
    await ask("DELETE", "/api/v1/session");
    signedOut?.postMessage("out");
    leave(toSignIn());
  } catch (problem) {
    toast(problem.message, "bad");
  }
}
$("#logout")?.addEventListener("click", signOut);

let used = Date.now();
for (const type of ["keydown", "pointerdown"]) {
  document.addEventListener(type, () => {
    // Somebody who writes for long is here all the while.
    if (!token || Date.now() - used < 60000) return;
    used = Date.now();
    ask("GET", "/api/v1/session").then(check, () => {});
  }, { passive: true, capture: true });
}

/** What a page asks for by itself keeps nobody signed in. */
export const unattended = { "X-VetNet-Unattended": "1" };

/** What the server answers, if it does as it is asked. Throws a Problem that says what to do. */
export async function answered(method, path, body, headers) {
  let response = await send(method, path, body, headers);
  if (response.status === 403 && method !== "GET") {
    const refusal = await response.clone().json().catch(() => ({}));
    if (refusal.error?.code === "stale_token") {
      // The server was started anew since this page was loaded.
      const session = await (await send("GET", "/api/v1/session", undefined, unattended)).json();
      await check(session);
      if (!isLeaving) response = await send(method, path, body, headers);
    }
  }
  // A wrong passphrase is said where it was typed, and so is a passkey that lets nobody in.
  const isSignIn = method === "POST" && ["/api/v1/session", "/api/v1/session/passkey"].includes(path);
  if (response.status === 401 && token && !isSignIn) leave();
  if (!response.ok) {
    const error = isJSON(response) ? (await response.json()).error : { code: "failed", message: "The server answered " + response.status };
    throw new Problem(response.status, error);
  }
  return response;
}

const isJSON = (response) => response.headers.get("Content-Type")?.startsWith("application/json");

/** Asks the server; pieces of pages come as text, everything else as JSON. Throws a Problem that says what to do. */
export async function ask(method, path, body, headers = {}) {
  const response = await answered(method, path, body, headers);
  return isJSON(response) ? response.json() : response.text();
}

/** Asks for markup that comes in pieces, and shows each as it comes. */
export async function askPieces(method, path, body, show) {
  const response = await answered(method, path, body, {});
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unread = "";
  for (;;) {
    const { value, done } = await reader.read();
    unread += value ?? "";
    const pieces = unread.split("<!--end-->");
    unread = pieces.pop();
    for (const piece of pieces) show(piece);
    if (!done) continue;
    if (unread.trim()) show(unread);
    return;
  }
}

export const key = () => crypto.randomUUID();

/** A message that goes by itself, and is read out. */
export function toast(text, kind = "") {
  const made = element("p", { class: "toast " + kind }, text);
  $("#toasts").append(made);
  setTimeout(() => made.remove(), kind === "bad" ? 12000 : 6000);
}

export function showProblem(place, problem) {
  if (!place) return toast(problem.message, "bad");
  place.hidden = false;
  // What is still free is offered below as buttons.
  const hint = problem.hint && !problem.freeSlots?.length ? " " + problem.hint : "";
  place.replaceChildren(problem.message + (/[.?!]$/.test(problem.message) ? "" : ".") + hint);
}

export function debounced(milliseconds, work) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

// Markup comes from this server only, which escapes whatever anybody wrote.
export function fill(place, markup) {
  place.innerHTML = markup;
}

export function append(place, markup) {
  place.insertAdjacentHTML("beforeend", markup);
}

/* Live updates */

let isBusy = () => false;
export function pauseUpdatesWhile(condition) {
  isBusy = condition;
}

// What is drawn anew between pressing and letting go loses the click.
let isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), { capture: true, passive: true });
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => setTimeout(() => {
    isPressed = false;
    resumeUpdates();
  }), { capture: true, passive: true });
}

let pending = false;
let shown = "";
let asked = 0;
let answeredLast = 0;
export const refresh = debounced(40, async () => {
  const live = $("#live");
  if (!live?.dataset.live) return;
  if (isBusy() || isPressed) {
    pending = true;
    return;
  }
  pending = false;
  asked += 1;
  const number = asked;
  try {
    const markup = await ask("GET", live.dataset.live, undefined, unattended);
    // Of two that were under way at once, the one that was asked for later counts.
    if (number < answeredLast) return;
    answeredLast = number;
    if (isBusy() || isPressed) {
      pending = true;
      return;
    }
    // A change elsewhere: what stands here stays as it is.
    if (markup === shown) return void live.dispatchEvent(new Event("updated"));
    shown = markup;
    const focused = document.activeElement?.closest("#live") ? document.activeElement : null;
    const focus = focused?.dataset.testid ? `[data-testid="${CSS.escape(focused.dataset.testid)}"]` : focused?.dataset.kind ? `input[data-kind="${CSS.escape(focused.dataset.kind)}"]` : null;
    const words = focused?.matches("input[type=search]") ? { value: focused.value, end: focused.selectionEnd } : null;
    const open = $$("details[open] > summary", live).map((summary) => summary.textContent);
    const scrolled = $$("[tabindex='0']", live).map((part) => [part.scrollLeft, part.scrollTop]);
    fill(live, markup);
    const head = $("[data-head]", live);
    if (head) {
      $("#head").replaceChildren(...head.childNodes);
      head.remove();
    }
    for (const summary of $$("details > summary", live)) {
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    }
    $$("[tabindex='0']", live).forEach((part, index) => part.scrollTo(...(scrolled[index] ?? [0, 0])));
    const again = focus && $(focus, live);
    again?.focus({ preventScroll: true });
    if (again && words) {
      again.value = words.value;
      again.setSelectionRange(words.end, words.end);
    }
    live.dispatchEvent(new Event("updated"));
  } catch (problem) {
    // What isn't there any more, or isn't for this person, is not to be read on.
    if ([403, 404].includes(problem.status)) $("main").replaceChildren(element("p", { class: "alert" }, problem.message));
    else if (problem.code !== "offline") toast(problem.message, "bad");
  }
});

export function resumeUpdates() {
  if (pending) refresh();
}

/** How much waits in the inbox, beside its tab. */
const countInbox = debounced(300, async () => {
  const badge = $("[data-inbox-count]");
  if (!badge) return;
  try {
    const { waiting, urgent } = await ask("GET", "/api/v1/inbox-count", undefined, unattended);
    badge.hidden = waiting === 0;
    badge.classList.toggle("urgent", urgent > 0);
    badge.firstChild.data = waiting;
  } catch {
    // The number stays as it was, and is right on the next page.
  }
});

const onServerState = [];
const onEvents = [];
/** Calls back with whether the server can be reached, when that has changed or is said anew. */
export const onServer = (work) => onServerState.push(work);
/** Calls back with what events of a type say. */
export const onEvent = (type, work) => onEvents.push({ type, work });

let wasDown = false;
function hear(message) {
  const banner = $("#offline");
  for (const { type, work } of onEvents) if (type === message.type) work(message.data);
  if (message.type === "up") {
    banner.hidden = true;
    if (wasDown) refresh();
    wasDown = false;
    for (const work of onServerState) work(true);
  } else if (message.type === "down") {
    banner.hidden = false;
    wasDown = true;
    for (const work of onServerState) work(false);
  } else if (message.type === "session") {
    if (message.session) check(message.session);
    else leave();
  } else if (message.type === "job") {
    document.dispatchEvent(new CustomEvent("job", { detail: message.data }));
  } else if (message.type === "reset") {
    refresh();
    countInbox();
  } else if (message.type === "change") {
    const kinds = ($("#live")?.dataset.kinds ?? "").split(" ");
    const records = message.data.records;
    if (!records.length || records.some((record) => ["inbox", "records"].includes(record.kind))) countInbox();
    if (!records.length || records.some((record) => kinds.includes(record.kind) || record.kind === "records")) refresh();
  }
}

function listen() {
  const path = new URL("events.js", import.meta.url);
  if (window.SharedWorker) {
    const worker = new SharedWorker(path, { name: "vetnet-events" });
    worker.port.onmessage = (message) => hear(message.data);
    worker.port.start();
    addEventListener("pagehide", () => worker.port.postMessage("bye"));
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    return;
  }
  const source = new EventSource(at("/api/v1/events"));
  source.onopen = () => hear({ type: "up" });
  source.onerror = async () => {
    hear({ type: "down" });
    ask("GET", "/api/v1/session", undefined, unattended).then(check, () => {});
  };
  for (const type of ["change", "reset", "job", "presence"]) {
    source.addEventListener(type, (event) => hear({ type, data: JSON.parse(event.data) }));
  }
}
if (token) listen();

/* Windows */

export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (dialog && !dialog.open) {
    dialog.showModal();
    // Where typing begins; the first button is the one that closes.
    $("input:not([type=hidden]), textarea", dialog)?.focus();
  }
  return dialog;
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-open], [data-close], a[data-note]");
  if (!target) return;
  if (target.dataset.open) openDialog(target.dataset.open);
  else if (target.matches("[data-close]")) target.closest("dialog")?.close();
  else if (document.getElementById("panel") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openPanel(target.getAttribute("href"));
  }
});

/** Shows a piece of the server in the window for details. */
export async function openPanel(path) {
  const panel = document.getElementById("panel");
  const content = $("[data-content]", panel);
  try {
    fill(content, await ask("GET", path + (path.includes("?") ? "&" : "?") + "part=panel"));
  } catch (problem) {
    content.replaceChildren(element("p", { class: "alert" }, problem.message), element("button", { type: "button", "data-close": "" }, "Close"));
  }
  openDialog("panel");
  const words = $("#cited", panel);
  words?.scrollIntoView({ block: "center" });
  words?.focus({ preventScroll: true });
  return panel;
}

/* Fields that find patients */

export function initPicker(picker) {
  const input = $("input[role=combobox]", picker);
  const chosen = $("input[type=hidden]", picker);
  const list = $("[role=listbox]", picker);
  let place = -1;

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    place = -1;
  }

  function choose(id, words) {
    chosen.value = id;
    input.value = words;
    close();
    picker.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function show(patients) {
    list.replaceChildren(
      ...patients.map((patient, index) => {
        const owner = patient.owner_name ? " · " + patient.owner_name : "";
        const option = element(
          "li",
          { role: "option", id: list.id + "-" + index, "aria-selected": "false", "data-testid": "patient_result_" + patient.id },
          element("b", {}, patient.name), ` ${patient.id} · ${patient.species}${patient.breed ? ", " + patient.breed : ""}${owner}`,
        );
        option.addEventListener("mousedown", (event) => event.preventDefault());
        option.addEventListener("click", () => choose(patient.id, `${patient.name} (${patient.id})`));
        return option;
      }),
    );
    if (!patients.length) list.append(element("li", { role: "option", "aria-disabled": "true", class: "empty" }, "No patient matches"));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  const look = debounced(180, async () => {
    const words = input.value.trim();
    if (!words || chosen.value) return close();
    try {
      const found = await ask("GET", "/api/v1/patients?limit=8&q=" + encodeURIComponent(words));
      if (input.value.trim() !== words || chosen.value) return;
      // Somebody who has gone on to the next field is not held up.
      if (document.activeElement === input) show(found.patients);
    } catch (problem) {
      toast(problem.message, "bad");
    }
  });

  input.addEventListener("input", () => {
    chosen.value = "";
    // What is listed is of other words.
    close();
    look();
  });
  input.addEventListener("blur", () => setTimeout(close, 150));
  input.addEventListener("keydown", (event) => {
    const options = $$("[role=option]:not([aria-disabled])", list);
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden && options.length) {
      event.preventDefault();
      place = (place + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
      options.forEach((option, index) => option.setAttribute("aria-selected", String(index === place)));
      input.setAttribute("aria-activedescendant", options[place].id);
      options[place].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && !list.hidden && options.length) {
      event.preventDefault();
      // Of several, somebody has to say which.
      if (place >= 0 || options.length === 1) options[Math.max(0, place)].click();
    }
  });
  picker.choose = choose;
  picker.offer = show;
}
$$("[data-picker]").forEach(initPicker);

/** What a form says, without what is empty; somebody who was typed and not chosen is named by their words. */
export function values(form) {
  const result = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim()) result[name] = value;
  }
  for (const picker of $$("[data-picker]", form)) {
    if (!result.patient_id) {
      const words = $("input[role=combobox]", picker).value.trim();
      if (words) result.patient_id = words;
    }
  }
  for (const name of ["duration_minutes", "weight_kg"]) if (name in result) result[name] = Number(result[name]);
  return result;
}

/** Several patients fit what was typed: they are shown under the field. */
export function offerCandidates(form, problem) {
  if (problem.candidates.length) $("[data-picker]", form)?.offer(problem.candidates);
}

/* What was typed survives a reload, a restart of the server, and a closed window */

// Of one person: on a shared machine nobody finds another's words in their form.
const draftName = (form) => "form " + form.dataset.draft;

/** Resolves when it is kept, as far as anything can be kept here. */
export function keepDraft(form) {
  const fields = form.dataset.revision ? { ":revision": form.dataset.revision } : {};
  for (const field of form.elements) {
    if (field.id && (field.value || form.dataset.revision) && !["datetime-local", "checkbox"].includes(field.type)) fields[field.id] = field.value;
    else if (field.name === "patient_id" && field.value) fields[":patient_id"] = field.value;
  }
  return drafts.keep(draftName(form), fields);
}

/** Resolves when it is gone: a page that goes on to another waits for that. */
export function dropDraft(form) {
  delete form.dataset.touched;
  return drafts.keep(draftName(form), undefined);
}

async function restoreDraft(form) {
  const known = await drafts.find(draftName(form));
  // Over something on file, what somebody types by now counts.
  if (!known || (form.dataset.touched && form.dataset.revision)) return;
  for (const [id, value] of Object.entries(known)) {
    // What was typed over something on file is based on what it was then.
    if (id === ":revision") form.dataset.revision = value;
    const field = id === ":patient_id" ? form.elements.patient_id : document.getElementById(id);
    if (!field || (field.value && !form.dataset.revision)) continue;
    field.dataset.restored = String(field.value !== value);
    field.value = value;
  }
  form.dispatchEvent(new Event("restored"));
}

for (const form of $$("form[data-draft]")) {
  restoreDraft(form);
  form.addEventListener("input", () => {
    form.dataset.touched = "1";
    keepDraft(form);
  });
  form.addEventListener("change", () => keepDraft(form));
}

/* Copying, with what it rests on */

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = button.dataset.copy ? document.getElementById(button.dataset.copy) : $("[data-copy-text]", button.parentElement);
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.", "good");
  } catch {
    toast("This browser lets nothing be copied from here: mark the text, and copy it yourself.", "bad");
  }
});

/* Keys, theme, printing */

// A link may lead to a window of its page. The page's own module is loaded by then.
const wanted = new URLSearchParams(location.search).get("open");
if (wanted) addEventListener("load", () => $(`[data-open="${CSS.escape(wanted)}"]`)?.click());
// On a narrow screen the tabs scroll.
$(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

$("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("vetnet-theme", root.dataset.theme);
  } catch {
    // It lasts as long as this page.
  }
});

$("#print")?.addEventListener("click", () => print());
