// The day: opening, booking by a click on free time, moving by dragging, taking back.

import { $, $$, ask, key, openPanel, pauseUpdatesWhile, refresh, resumeUpdates, showProblem, toast, values } from "./app.js";
import { openBooking } from "./dialogs.js";

const live = $("#live");
const step = 5;
let drag = null;

pauseUpdatesWhile(() => drag?.isMoving === true);

const grid = () => $("[data-testid=schedule_calendar_grid]");
const pad = (number) => String(number).padStart(2, "0");

/** The time of day at a height of a column: 2026-11-26T09:30. */
function timeAt(column, y) {
  const box = column.getBoundingClientRect();
  const row = box.height / (getComputedStyle(column).gridTemplateRows.split(" ").length || 1);
  const minute = Number(grid().dataset.first) + Math.max(0, Math.floor((y - box.top) / row)) * step;
  return `${grid().dataset.date}T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
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
  } else if (column?.dataset.clinician) {
    openBooking({ start: timeAt(column, event.clientY), clinician: column.dataset.clinician });
  }
});

async function openVisit(id) {
  const panel = await openPanel("/visit/" + encodeURIComponent(id));
  const form = $("form[data-move]", panel);
  if (!form) return;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await move(form.dataset.move, form.dataset.revision, values(form), $(".problem", form), $("[data-ways]", form))) panel.close();
  });
  $("[data-cancel]", form).addEventListener("click", async () => {
    if (await move(form.dataset.move, form.dataset.revision, { status: "cancelled" }, $(".problem", form))) panel.close();
  });
}

/* Moving */

/** Changes an appointment; says what is in the way, and the ways round it. */
async function move(id, revision, change, problemPlace, ways) {
  try {
    const moved = await ask("PATCH", "/api/v1/appointments/" + encodeURIComponent(id), change, { "If-Match": `"${revision}"` });
    const words = moved.status === "cancelled" ? "Cancelled" : "Moved to " + moved.start.slice(11, 16);
    const offers = moved.offers?.length ? ` The free time would suit ${moved.offers.length} who wait.` : "";
    toast(`${words}. Undo takes it back.${offers}`, "good");
    refresh();
    return true;
  } catch (problem) {
    showProblem(problemPlace, problem);
    if (problem.status === 412) refresh();
    if (problem.code === "slot_unavailable" && ways) showWays(id, change, ways);
    return false;
  }
}

async function showWays(id, change, place) {
  const { start, clinician_id } = change;
  const found = await ask("POST", `/api/v1/appointments/${encodeURIComponent(id)}/check`, { start, clinician_id }).catch(() => null);
  if (!found?.alternatives?.length) return;
  const list = document.createElement("ul");
  list.className = "plain";
  for (const way of found.alternatives.slice(0, 4)) {
    const item = document.createElement("li");
    const moves = way.moves.length ? `, with ${way.moves.length} other moved` : "";
    item.textContent = `${way.visit.start.slice(0, 16).replace("T", " ")} with ${way.visit.clinician_id}${moves}`;
    list.append(item);
  }
  place.replaceChildren("Ways round:", list);
}

/* Dragging */

live.addEventListener("pointerdown", (event) => {
  const visit = event.target.closest(".column .visit");
  if (!visit || event.button !== 0 || event.pointerType === "touch") return;
  const box = visit.getBoundingClientRect();
  drag = { visit, x: event.clientX, y: event.clientY, inside: event.clientY - box.top, isMoving: false, checked: "" };
});

addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.isMoving) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    drag.isMoving = true;
    drag.ghost = drag.visit.cloneNode(true);
    drag.ghost.removeAttribute("data-testid");
    drag.ghost.classList.add("ghost");
    drag.ghost.style.width = drag.visit.offsetWidth + "px";
    drag.ghost.style.height = drag.visit.offsetHeight + "px";
    drag.label = document.createElement("output");
    drag.label.className = "drag-label";
    document.body.append(drag.ghost, drag.label);
    document.body.classList.add("dragging");
  }
  event.preventDefault();
  drag.ghost.style.transform = `translate(${event.clientX - drag.visit.offsetWidth / 2}px, ${event.clientY - drag.inside}px)`;
  drag.label.style.transform = `translate(${event.clientX + 14}px, ${event.clientY - 30}px)`;
  const column = document.elementsFromPoint(event.clientX, event.clientY).map((part) => part.closest(".column")).find(Boolean);
  drag.target = column?.dataset.clinician ? { start: timeAt(column, event.clientY - drag.inside), clinician_id: column.dataset.clinician } : null;
  if (!drag.target) {
    drag.label.textContent = "not here";
    return;
  }
  const wanted = drag.target.start + drag.target.clinician_id;
  if (wanted === drag.checked) return;
  drag.checked = wanted;
  drag.label.textContent = drag.target.start.slice(11);
  check(drag, wanted);
});

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
  if (drag !== current || !current.label) return;
  if (current.checked !== wanted) return current.target && check(current, current.checked);
  current.label.textContent = words ? `${target.start.slice(11)}: ${words}` : target.start.slice(11);
  current.label.classList.toggle("bad", words !== "");
  current.ghost.classList.toggle("bad", words !== "");
}

addEventListener("pointerup", async (event) => {
  if (!drag) return;
  const done = drag;
  drag = null;
  if (!done.isMoving) return;
  done.ghost.remove();
  done.label.remove();
  document.body.classList.remove("dragging");
  // The click that follows a drag is none.
  addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
  setTimeout(resumeUpdates, 0);
  const { visit, target } = done;
  if (!target || (target.start === visit.dataset.start && target.clinician_id === visit.closest(".column").dataset.clinician)) return;
  await move(visit.dataset.visit, visit.dataset.revision, target);
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !drag?.isMoving) return;
  drag.ghost.remove();
  drag.label.remove();
  document.body.classList.remove("dragging");
  drag = null;
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
const colour = $("#colour");
colour.value = kept("vetnet-colour", "urgency");
document.body.dataset.colour = colour.value;
colour.addEventListener("change", () => {
  document.body.dataset.colour = colour.value;
  keep("vetnet-colour", colour.value);
});
$("#jump").addEventListener("change", (event) => event.target.value && location.assign("/day/" + event.target.value));

/* The present in sight */

const present = $(".now") ?? $(".column .visit");
if (present) grid().scrollTop = present.offsetTop - 90;

/* The line of the present goes on, by the server's clock. */

const offset = Number($("meta[name=now]").content) * 1000 - Date.now();
setInterval(() => {
  for (const line of $$(".now")) {
    const words = new Date(Date.now() + offset).toLocaleTimeString("en-GB", { timeZone: $("meta[name=zone]").content });
    const [hours, minutes] = words.split(":").map(Number);
    const row = Math.floor((hours * 60 + minutes - Number(grid().dataset.first)) / step);
    line.className = line.className.replace(/at-\d+/, "at-" + Math.max(0, row));
  }
}, 30000);
