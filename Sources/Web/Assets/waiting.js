// What waits to be sent, and what needs a person: shown on every page, with a way on for each.

import { $, element, key, openDialog, toast } from "./app.js";
import { amend, count, drop, keepWrite, onChange, writes } from "./outbox.js";
import { replay } from "./replay.js";

const place = document.getElementById("waiting");
const clock = (time) => new Date(time).toTimeString().slice(0, 5);
const words = (number, one, many) => `${number} ${number === 1 ? one : many}`;

function button(label, work, properties = {}) {
  const made = element("button", { type: "button", class: "small", ...properties }, label);
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await work();
    } catch (problem) {
      toast(problem.message, "bad");
      made.disabled = false;
    }
  });
  return made;
}

async function sendAgain(write, change) {
  // What was refused did nothing, and other words are another request.
  await amend(write, { key: key(), state: "waiting", sentAt: undefined, failures: 0, repeats: 0, reason: undefined, ...change });
  await replay();
}

/** What was held up by it goes on. */
async function letGo(write) {
  await drop(write);
  await replay();
}

/** Lets somebody write the words, or the time, of a write anew. */
function edit(write) {
  const dialog = $("#waiting-edit");
  const form = $("form", dialog);
  const isTime = ["booking", "move"].includes(write.kind);
  const field = isTime
    ? element("input", { id: "waiting-words", type: "datetime-local", step: "300", value: (write.body.start ?? "").slice(0, 16) })
    : element("textarea", { id: "waiting-words", rows: "8" });
  if (!isTime) field.value = write.body.text ?? "";
  $("[data-field]", form).replaceChildren(element("label", { for: "waiting-words" }, isTime ? "Begins" : "Words"), field);
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!field.value.trim()) return field.focus();
    dialog.close();
    await sendAgain(write, { body: { ...write.body, [isTime ? "start" : "text"]: field.value } });
  };
  openDialog("waiting-edit");
}

/** The booking as a message in the inbox, where whoever makes up the day finds it. */
async function intoInbox(write) {
  const { patient_id, reason, start } = write.body;
  const text = `Wants a visit, wished for ${start.replace("T", " ")}, which was taken meanwhile.\n${reason ?? ""}`.trim();
  await keepWrite({ kind: "inbox", method: "POST", path: "/api/v1/inbox", body: { text, channel: "phone", ...(patient_id ? { animal: patient_id } : {}) }, record: "inbox " + write.id, label: "Onto the waiting pile: " + write.label });
  await drop(write);
  await replay();
}

function ways(write) {
  const offered = {
    mine: () => button("Keep mine", () => sendAgain(write, { revision: write.current.revision, base: write.current }), { "data-way": "mine" }),
    theirs: () => button("Take theirs", () => letGo(write), { "data-way": "theirs" }),
    again: () => button("Send again", () => sendAgain(write, {}), { "data-way": "again" }),
    edit: () => button("Edit and send again", () => edit(write), { "data-way": "edit" }),
    inbox: () => button("Into the inbox, to wait for a slot", () => intoInbox(write), { "data-way": "inbox" }),
    note: () => button("Keep my words as a note", () => sendAgain(write, { kind: "note", method: "POST", path: "/api/v1/notes", revision: undefined, record: "note " + write.id, body: { patient_id: write.patient, kind: "consult", text: write.body.text } }), { "data-way": "note" }),
    drop: () => button("Drop it", () => letGo(write), { "data-way": "drop" }),
    slots: () => write.slots?.length ? slots(write) : "",
  };
  return element("div", { class: "actions" }, ...(write.ways ?? []).map((way) => offered[way]?.() ?? ""));
}

function slots(write) {
  const buttons = write.slots.map((slot, index) => {
    const start = slot.start.slice(0, 16);
    const label = `${start.replace("T", " ")} · ${write.names?.[slot.clinician_id] ?? slot.clinician_id} · ${slot.minutes} min`;
    const take = () => sendAgain(write, { body: { ...write.body, start, clinician_id: slot.clinician_id, duration_minutes: slot.minutes } });
    return element("li", {}, button(label, take, { class: "slot", "data-testid": "conflict_slot_" + index }));
  });
  return element("ul", { class: "plain slots", "aria-label": "The nearest free slots" }, ...buttons);
}

function both(write) {
  const { current } = write;
  if (!current) return "";
  const text = write.kind === "encounter"
    ? `Theirs: “${(current.text ?? "").slice(0, 200)}”`
    : `Now: ${(current.start ?? "").slice(0, 16).replace("T", " ")}, ${current.clinician_name ?? current.clinician_id ?? "nobody yet"}, ${(current.status ?? "").replace("_", " ")}.`;
  return element("p", {}, text);
}

function problemRow(write) {
  return element(
    "li", { "data-state": write.state, "data-kind": write.kind },
    element("p", {}, element("b", {}, write.label), write.madeAt ? ` · made at ${clock(write.madeAt)} by ${write.by}` : ""),
    write.body?.text ? element("p", { class: "said" }, "Yours: “" + write.body.text.slice(0, 400) + "”") : "",
    both(write), element("p", {}, write.reason ?? ""), ways(write));
}

function waitingRow(write) {
  return element(
    "li", { "data-state": write.state, "data-kind": write.kind },
    element("span", {}, element("b", {}, write.label), ` · made at ${clock(write.madeAt)}`, write.body?.text ? ` · “${write.body.text.slice(0, 160)}”` : ""), " ",
    button("Withdraw", () => drop(write), { "aria-label": "Withdraw: " + write.label }));
}

/* An urgent answer that came late */

const shown = new Set();
function showAlert(write) {
  const dialog = $("#waiting-alert");
  if (shown.has(write.id) || dialog.open) return;
  shown.add(write.id);
  const { urgency, action, minutes } = write.answer;
  $("[data-verdict]", dialog).className = "verdict level-" + urgency;
  $("[data-verdict]", dialog).replaceChildren(
    element("p", { class: "level" }, `${urgency}: to be seen ${minutes === 0 ? "now" : "within " + minutes + " min"}`),
    element("p", { class: "action" }, action));
  $("[data-words]", dialog).textContent = `Taken down at ${clock(write.madeAt)} without the server, assessed only now: “${write.body.text}”`;
  const seen = $("[data-seen]", dialog);
  let isSeen = false;
  const show = () => {
    dialog.showModal();
    seen.focus();
  };
  seen.onclick = async () => {
    isSeen = true;
    dialog.close();
    await drop(write);
  };
  // However a browser closes it, it stays until somebody has said that they saw it.
  dialog.oncancel = (event) => event.preventDefault();
  dialog.onclose = () => !isSeen && setTimeout(show);
  show();
}

/* All of it */

let drawing = Promise.resolve();
const draw = () => (drawing = drawing.then(drawNow, drawNow));

async function drawNow() {
  if (!place) return;
  const { own, others } = await count();
  const all = own ? await writes() : [];
  const problems = all.filter(({ state }) => ["refused", "conflict"].includes(state));
  const merged = all.filter(({ state }) => state === "merged");
  const waiting = all.filter(({ state }) => state === "waiting");
  for (const write of merged) {
    toast(`${write.label}: ${write.reason}`);
    await drop(write);
  }
  place.hidden = !problems.length && !waiting.length && !others;
  const list = $("[data-testid=pending_writes]", place);
  list.hidden = !waiting.length;
  $("summary", list).textContent = `${words(waiting.length, "change waits", "changes wait")} to be sent`;
  $("ul", list).replaceChildren(...waiting.map(waitingRow));
  const conflicts = $("[data-testid=conflict_list]", place);
  conflicts.hidden = !problems.length;
  $("[data-title]", conflicts).textContent = `${words(problems.length, "change needs", "changes need")} you to decide`;
  // Somebody who is at a button of the list stays there.
  const focused = conflicts.contains(document.activeElement) ? document.activeElement.dataset.way : undefined;
  $("ul", conflicts).replaceChildren(...problems.map(problemRow));
  if (focused) ($(`[data-way="${focused}"]`, conflicts) ?? $("button", conflicts))?.focus({ preventScroll: true });
  const notMine = $("[data-others]", place);
  notMine.hidden = !others;
  notMine.textContent = `${words(others, "change waits", "changes wait")} on this device for whoever made ${others === 1 ? "it" : "them"} to sign in here.`;
  const alert = all.find(({ state }) => state === "alert");
  if (alert) showAlert(alert);
}

onChange(draw);
draw();

/** Whether somebody who leaves knows that something of theirs waits. */
export async function mayLeave() {
  const { own } = await count();
  const waiting = own ? (await writes()).filter(({ state }) => state !== "merged").length : 0;
  if (!waiting) return true;
  const dialog = $("#waiting-leave");
  $("[data-words]", dialog).textContent = `${words(waiting, "change of yours waits", "changes of yours wait")} on this device and ${waiting === 1 ? "is" : "are"} not on the server yet. Sealed, ${waiting === 1 ? "it stays" : "they stay"} here, and nobody can read or send ${waiting === 1 ? "it" : "them"} until you sign in on this device again.`;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "leave"), { once: true }));
}
