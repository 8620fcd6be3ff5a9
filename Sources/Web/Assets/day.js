// The day: opening, booking by a click on free time, moving and resizing by dragging or by keys, a better plan, taking back.

import { $, $$, ask, element, fill, key, openDialog, openPanel, pauseUpdatesWhile, refresh, resumeUpdates, showProblem, toast, values } from "./app.js";
import { at } from "./base.js";
import { openBooking } from "./dialogs.js";
import { askOrKeep } from "./outbox.js";

const live = $("#live");
const step = 5;
let drag = null;
let shift = null;

pauseUpdatesWhile(() => drag?.isMoving === true || shift !== null);

const grid = () => $("#live .grid");
const isByRoom = () => grid()?.dataset.by === "room";
const pad = (number) => String(number).padStart(2, "0");
const clock = (minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
const minuteOf = (start) => Number(start.slice(11, 13)) * 60 + Number(start.slice(14, 16));

function rowHeight(column) {
  return column.getBoundingClientRect().height / (getComputedStyle(column).gridTemplateRows.split(" ").length || 1);
}

/** The time of day at a height of a column: 2026-11-26T09:30. */
function timeAt(column, y) {
  const minute = Number(grid().dataset.first) + Math.max(0, Math.floor((y - column.getBoundingClientRect().top) / rowHeight(column))) * step;
  return `${grid().dataset.date}T${clock(Math.min(1435, minute))}`;
}

/** What it means for a visit to stand in a column: another vet, or another room instead of the one it was dragged out of. */
function placed(visit, column) {
  if (!isByRoom()) return { clinician_id: column.dataset.column };
  const from = visit.closest(".column")?.dataset.column;
  const rooms = visit.dataset.rooms.split(" ").filter((id) => id && id !== from);
  if (!rooms.includes(column.dataset.column)) rooms.push(column.dataset.column);
  return { resource_ids: rooms };
}

/* Clicks */

live.addEventListener("click", (event) => {
  const visit = event.target.closest("[data-visit]");
  const wish = event.target.closest("[data-place]");
  const column = event.target.closest(".column");
  if (visit) openVisit(visit.dataset.visit);
  else if (wish) {
    const { place, name, patient } = wish.dataset;
    openBooking({ appointment_id: place, patient_id: patient, name, findsSlots: true });
  } else if (column?.dataset.column) {
    openBooking({ start: timeAt(column, event.clientY), clinician: isByRoom() ? undefined : column.dataset.column });
  }
});

async function openVisit(id, change = null) {
  const panel = await openPanel("/visit/" + encodeURIComponent(id));
  const form = $("form[data-move]", panel);
  if (!form) return;
  const problem = $(".problem", form);
  const ways = $("[data-ways]", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await move(form.dataset.move, form.dataset.revision, values(form), problem, ways)) panel.close();
  });
  $("[data-cancel]", form).addEventListener("click", async () => {
    if (await move(form.dataset.move, form.dataset.revision, { status: "cancelled" }, problem)) panel.close();
  });
  // What was tried by dragging stands in the form, with what is in the way.
  if (!change) return;
  for (const name of ["start", "clinician_id", "duration_minutes"]) if (name in change.tried) form.elements[name].value = change.tried[name];
  showProblem(problem, change.problem);
  if (change.problem.code === "slot_unavailable") showWays(id, { ...values(form), ...change.tried }, ways);
}

/* Moving */

/** Changes an appointment; says what is in the way, and the ways round it. */
async function move(id, revision, change, problemPlace, ways) {
  try {
    const visit = $(`#live .column [data-visit="${CSS.escape(id)}"]`);
    const moved = await askOrKeep({
      kind: "move", method: "PATCH", path: "/api/v1/appointments/" + encodeURIComponent(id), body: change, revision: Number(revision), record: "appointment " + id,
      base: visit && { start: visit.dataset.start, clinician_id: visit.dataset.vet, duration_minutes: Number(visit.dataset.minutes) },
      label: `${change.status === "cancelled" ? "Cancel" : "Move"} ${visit ? $("bdi", visit).textContent : id}${change.start ? " to " + change.start.replace("T", " ") : ""}`,
    });
    if (moved.waiting) {
      toast("Kept here: it is tried when the server is back, and the place may be another's by then.");
      return true;
    }
    const words = moved.status === "cancelled" ? "Cancelled" : "Now at " + moved.start.slice(11, 16) + " for " + moved.duration_minutes + " min";
    const offers = moved.offers?.length ? ` The free time would suit ${moved.offers.length} who wait.` : "";
    toast(`${words}. Undo takes it back.${offers}`, "good");
    refresh();
    return true;
  } catch (problem) {
    if (problem.status === 412) refresh();
    if (!problemPlace && problem.code === "slot_unavailable") {
      // Dragged to where it can't stand: the window says why, and what would do instead.
      openVisit(id, { tried: change, problem });
      return false;
    }
    showProblem(problemPlace, problem);
    if (problem.code === "slot_unavailable" && ways) showWays(id, change, ways);
    return false;
  }
}

async function showWays(id, change, place) {
  const { start, clinician_id, resource_ids } = change;
  place.replaceChildren(element("p", { class: "hint" }, "Looking for a way round…"));
  try {
    fill(place, await ask("POST", "/ways/" + encodeURIComponent(id), { start, clinician_id, resource_ids }));
  } catch {
    place.replaceChildren();
  }
  for (const way of $$("[data-way]", place)) {
    way.addEventListener("click", async () => {
      way.disabled = true;
      try {
        await rearrange(way, Number(way.closest("[data-version]").dataset.version));
        place.closest("dialog").close();
      } catch (problem) {
        showProblem($(".problem", place.closest("form")), problem);
        if (problem.status === 412) refresh();
        else way.disabled = false;
      }
    });
  }
}

/** Gives appointments the places that a proposal names, all at once. */
async function rearrange(place, version) {
  const visits = $$("[data-place]", place).map(({ dataset }) => ({
    appointment_id: dataset.id, start: dataset.start, duration_minutes: Number(dataset.minutes), clinician_id: dataset.vet,
    resource_ids: dataset.rooms ? dataset.rooms.split(" ") : [],
  }));
  const body = version === undefined ? { visits } : { visits, version };
  const done = await ask("POST", "/api/v1/plan", body, { "Idempotency-Key": key() });
  const count = done.appointments.length;
  toast(`${count} ${count === 1 ? "appointment has" : "appointments have"} a new place. Undo takes it back.`, "good");
  refresh();
}

/* A better plan */

for (const button of $$("[data-optimize]")) {
  button.addEventListener("click", async () => {
    const dialog = openDialog("plan");
    const content = $("[data-content]", dialog);
    content.replaceChildren(element("p", { class: "empty", "aria-busy": "true" }, "Looking for a better plan…"));
    try {
      fill(content, await ask("POST", "/plan/" + button.dataset.optimize + location.search, {}));
    } catch (problem) {
      content.replaceChildren(element("p", { class: "alert" }, problem.message));
      return;
    }
    // What changes is in sight, before and after.
    for (const shown of $$(".before-after .grid", content)) {
      const marked = $(".marked", shown);
      if (marked) shown.scrollTo(marked.closest(".column").offsetLeft - 80, marked.offsetTop - 90);
    }
    const accept = $("[data-accept]", content);
    accept?.focus({ preventScroll: true });
    accept?.addEventListener("click", async () => {
      accept.disabled = true;
      try {
        await rearrange(content, Number(accept.closest("[data-version]").dataset.version));
        dialog.close();
      } catch (problem) {
        showProblem($(".problem", content), problem);
        if (problem.status !== 412) accept.disabled = false;
      }
    });
  });
}

/* Dragging */

live.addEventListener("pointerdown", (event) => {
  const visit = event.target.closest("#live .column .visit");
  if (!visit || event.button !== 0 || event.pointerType === "touch" || !$("[data-grip]", visit)) return;
  const box = visit.getBoundingClientRect();
  const isLength = Boolean(event.target.closest("[data-grip]"));
  drag = { visit, x: event.clientX, y: event.clientY, inside: event.clientY - box.top, isLength, isMoving: false, checked: "" };
});

function label() {
  const made = element("output", { class: "drag-label" });
  document.body.append(made);
  return made;
}

function beginDrag() {
  drag.isMoving = true;
  drag.label = label();
  document.body.classList.add("dragging");
  if (drag.isLength) return;
  drag.ghost = drag.visit.cloneNode(true);
  drag.ghost.removeAttribute("data-testid");
  drag.ghost.classList.add("ghost");
  drag.ghost.style.width = drag.visit.offsetWidth + "px";
  drag.ghost.style.height = drag.visit.offsetHeight + "px";
  document.body.append(drag.ghost);
}

addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.isMoving) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    beginDrag();
  }
  event.preventDefault();
  drag.label.style.transform = `translate(${event.clientX + 14}px, ${event.clientY - 30}px)`;
  if (drag.isLength) return lengthen(event);
  drag.ghost.style.transform = `translate(${event.clientX - drag.visit.offsetWidth / 2}px, ${event.clientY - drag.inside}px)`;
  const column = document.elementsFromPoint(event.clientX, event.clientY).map((part) => part.closest("#live .column")).find(Boolean);
  drag.target = column?.dataset.column ? { start: timeAt(column, event.clientY - drag.inside), ...placed(drag.visit, column) } : null;
  if (!drag.target) {
    drag.label.textContent = "not here";
    return;
  }
  look(drag, drag.target.start.slice(11));
});

/** The length follows the pointer in steps of five minutes. */
function lengthen(event) {
  const column = drag.visit.closest(".column");
  const end = Math.round((event.clientY - column.getBoundingClientRect().top) / rowHeight(column)) * step + Number(grid().dataset.first);
  const minutes = Math.max(step, Math.min(480, end - minuteOf(drag.visit.dataset.start)));
  drag.target = { duration_minutes: minutes };
  stretch(drag.visit, minutes);
  look(drag, minutes + " min");
}

function stretch(visit, minutes) {
  visit.className = visit.className.replace(/\bfor-\d+/, "for-" + Math.max(1, Math.ceil(minutes / step)));
}

function look(current, words) {
  const wanted = JSON.stringify(current.target);
  if (wanted === current.checked) return;
  current.checked = wanted;
  current.words = words;
  current.label.textContent = words;
  check(current, wanted);
}

/** What forbids the place under the pointer, while it is there. One question at a time; the last place is asked for last. */
async function check(current, wanted) {
  if (current.isChecking) return;
  current.isChecking = true;
  const { visit, target } = current;
  let words = "";
  try {
    await ask("PATCH", "/api/v1/appointments/" + encodeURIComponent(visit.dataset.visit), { ...target, dry_run: true }, { "If-Match": `"${visit.dataset.revision}"` });
  } catch (problem) {
    words = problem.message;
  }
  current.isChecking = false;
  if ((drag !== current && shift !== current) || !current.label) return;
  if (current.checked !== wanted) return current.target && check(current, current.checked);
  current.label.textContent = words ? `${current.words}: ${words}` : current.words + (shift === current ? ". Enter saves, Escape leaves it." : "");
  current.label.classList.toggle("bad", words !== "");
  (current.ghost ?? visit).classList.toggle("bad", words !== "");
}

function endDrag() {
  const done = drag;
  drag = null;
  done.ghost?.remove();
  done.label?.remove();
  done.visit.classList.remove("bad");
  document.body.classList.remove("dragging");
  return done;
}

addEventListener("pointerup", async () => {
  if (!drag) return;
  const done = endDrag();
  if (!done.isMoving) return;
  // The click that follows a drag is none.
  addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
  const { visit, target, isLength } = done;
  const column = visit.closest(".column")?.dataset.column;
  const isSame = isLength
    ? target.duration_minutes === Number(visit.dataset.minutes)
    : !target || (target.start === visit.dataset.start && (target.clinician_id === column || target.resource_ids?.includes(column)));
  if (!isSame && !(await move(visit.dataset.visit, visit.dataset.revision, target)) && isLength) stretch(visit, Number(visit.dataset.minutes));
  setTimeout(resumeUpdates, 0);
});

/* Keys: Alt moves a visit, Shift makes it longer or shorter, Enter saves, Escape leaves it */

function endShift() {
  const done = shift;
  shift = null;
  done.label.remove();
  done.visit.classList.remove("bad", "shifting");
  resumeUpdates();
  return done;
}

live.addEventListener("keydown", (event) => {
  const visit = event.target.closest("#live .column .visit");
  if (shift && visit === shift.visit && event.key === "Enter") {
    event.preventDefault();
    const done = endShift();
    move(visit.dataset.visit, visit.dataset.revision, done.target).then((isDone) => {
      if (isDone) return;
      place(visit, minuteOf(visit.dataset.start));
      stretch(visit, Number(visit.dataset.minutes));
    });
    return;
  }
  const by = { ArrowUp: -step, ArrowDown: step }[event.key];
  if (!visit || !by || event.altKey === event.shiftKey || !$("[data-grip]", visit)) return;
  event.preventDefault();
  if (shift && shift.visit !== visit) endShift();
  shift ??= { visit, label: label(), minutes: Number(visit.dataset.minutes), start: minuteOf(visit.dataset.start), checked: "", target: {} };
  visit.classList.add("shifting");
  if (event.shiftKey) shift.minutes = Math.max(step, shift.minutes + by);
  else shift.start = Math.max(0, Math.min(1435, shift.start + by));
  shift.target = { start: `${visit.dataset.start.slice(0, 10)}T${clock(shift.start)}`, duration_minutes: shift.minutes };
  place(visit, shift.start);
  stretch(visit, shift.minutes);
  const box = visit.getBoundingClientRect();
  shift.label.setAttribute("role", "status");
  shift.label.style.transform = `translate(${box.left}px, ${Math.max(4, box.top - 34)}px)`;
  look(shift, `${clock(shift.start)}, ${shift.minutes} min`);
});

function place(visit, minute) {
  const row = Math.max(0, Math.floor((minute - Number(grid().dataset.first)) / step));
  visit.className = visit.className.replace(/\bat-\d+/, "at-" + row);
}

live.addEventListener("focusout", (event) => {
  if (!shift || event.target !== shift.visit) return;
  const { visit } = endShift();
  place(visit, minuteOf(visit.dataset.start));
  stretch(visit, Number(visit.dataset.minutes));
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (shift) shift.visit.blur();
  if (!drag?.isMoving) return;
  const done = endDrag();
  stretch(done.visit, Number(done.visit.dataset.minutes));
  resumeUpdates();
});

/* Taking back */

for (const button of $$("[data-revert]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const revert = await ask("POST", "/api/v1/" + button.dataset.revert, {}, { "Idempotency-Key": key() });
      const count = revert.appointments.length;
      toast(`${button.dataset.revert === "undo" ? "Taken back" : "Made again"}: ${revert.reverted.kind}, ${count} ${count === 1 ? "appointment" : "appointments"}`, "good");
      refresh();
    } catch (problem) {
      toast(problem.message, "bad");
    } finally {
      button.disabled = false;
    }
  });
}

/* What is shown */

function setView(view) {
  document.body.dataset.view = view;
  const button = $("#view");
  button.textContent = view === "list" ? "Columns" : "List";
  button.setAttribute("aria-pressed", String(view === "list"));
}
function kept(name, standard) {
  try {
    return localStorage.getItem(name) ?? standard;
  } catch {
    return standard;
  }
}
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It lasts as long as this page.
  }
}
setView(kept("vetnet-view", innerWidth < 720 ? "list" : "columns"));
$("#view").addEventListener("click", () => {
  const view = document.body.dataset.view === "list" ? "columns" : "list";
  setView(view);
  keep("vetnet-view", view);
});

/* What stands in the address is what is shown; a link shows the same. */

const colour = $("#colour");
document.body.dataset.colour = colour.value;
for (const [id, name, standard] of [["columns", "by", "vet"], ["colour", "colour", "urgency"]]) {
  $("#" + id).addEventListener("change", (event) => {
    const address = new URL(location.href);
    if (event.target.value === standard) address.searchParams.delete(name);
    else address.searchParams.set(name, event.target.value);
    history.replaceState(null, "", address);
    const asked = new URL(live.dataset.live, location.href);
    asked.searchParams.set(name, event.target.value);
    live.dataset.live = asked.pathname + asked.search;
    document.body.dataset.colour = colour.value;
    for (const link of $$(".toolbar a[href*='/day/2']")) link.search = address.search;
    refresh();
  });
}
$("#jump").addEventListener("change", (event) => event.target.value && location.assign(at("/day/" + event.target.value + location.search)));

/* The present in sight */

const present = $("#live .now") ?? $("#live .column .visit");
if (present && grid()) grid().scrollTop = present.offsetTop - 90;

/* The line of the present goes on, by the server's clock. */

const offset = Number($("meta[name=now]").content) * 1000 - Date.now();
setInterval(() => {
  for (const line of $$("#live .now")) {
    const words = new Date(Date.now() + offset).toLocaleTimeString("en-GB", { timeZone: $("meta[name=zone]").content });
    const [hours, minutes] = words.split(":").map(Number);
    const row = Math.floor((hours * 60 + minutes - Number(grid().dataset.first)) / step);
    line.className = line.className.replace(/at-\d+/, "at-" + Math.max(0, row));
  }
}, 30000);
