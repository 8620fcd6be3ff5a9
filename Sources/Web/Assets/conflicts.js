// What devices said without knowing of each other: settled with one press, and taken back with one.

import { $, $$, ask, element, key, refresh, toast, unattended } from "./app.js";

const live = document.getElementById("live");
const cards = () => $$("[data-conflict]", live);
const place = (id) => "/api/v1/conflicts/" + encodeURIComponent(id);
const said = (start) => start.slice(0, 16).replace("T", " ");

/** Whoever is at the buttons goes on at the next one's. */
function goOnAt(index) {
  live.addEventListener("updated", () => {
    const all = cards();
    ($("button", all[Math.min(index, all.length - 1)] ?? live) ?? $("summary", live))?.focus({ preventScroll: true });
  }, { once: true });
}

async function settle(card, choice, words) {
  const index = cards().indexOf(card);
  await ask("POST", place(card.dataset.conflict) + "/choice", { choice }, { "Idempotency-Key": key() });
  toast(words, "good");
  goOnAt(index);
  refresh();
}

async function book(button) {
  const { start, clinician, minutes, visit } = button.dataset;
  const body = { appointment_id: visit, start, clinician_id: clinician, duration_minutes: Number(minutes) };
  await ask("POST", "/api/v1/appointments", body, { "Idempotency-Key": key() });
  await settle(button.closest("[data-conflict]"), "as-it-is", `Booked: ${said(start)}.`);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-choice], [data-reopen], [data-conflict] [data-start]");
  if (!button) return;
  button.disabled = true;
  try {
    if (button.dataset.choice) await settle(button.closest("[data-conflict]"), button.dataset.choice, "Settled. Below it can be taken back.");
    else if (button.dataset.start) await book(button);
    else {
      await ask("POST", place(button.dataset.reopen) + "/reopening", {}, { "Idempotency-Key": key() });
      toast("Taken back: it is open again.", "good");
      goOnAt(0);
      refresh();
    }
  } catch (problem) {
    toast(problem.message + (problem.hint && !problem.freeSlots.length ? " " + problem.hint : ""), "bad");
    button.disabled = false;
    // What was free is another's by now, or somebody else has settled it.
    refresh();
  }
});

/* A visit that lost its time: what is free now, nearest to what was wished for */

/** The wish itself where it is free again, else the nearest free times. */
async function nearest(visit) {
  const { id, clinician_id } = visit;
  try {
    await ask("POST", "/api/v1/appointments", { appointment_id: id, start: visit.start.slice(0, 16), clinician_id, dry_run: true }, unattended);
    return { slots: [{ start: visit.start, clinician_id: visit.clinician_id, minutes: visit.duration_minutes }] };
  } catch (problem) {
    return { slots: problem.freeSlots, words: problem.message };
  }
}

async function offer(spot) {
  try {
    const visit = await ask("GET", "/api/v1/appointments/" + encodeURIComponent(spot.dataset.waits), undefined, unattended);
    if (visit.status !== "requested") {
      return spot.replaceChildren(element("p", {}, visit.status === "booked" ? `It has a time by now: ${said(visit.start)}.` : `It is ${visit.status.replace("_", " ")} by now.`));
    }
    if (!visit.clinician_id) return spot.replaceChildren(element("p", { class: "hint" }, "Nobody was wished for: it is booked from the waiting list."));
    const [{ slots, words }, day] = await Promise.all([nearest(visit), ask("GET", "/api/v1/day/" + visit.start.slice(0, 10), undefined, unattended)]);
    const names = Object.fromEntries(day.clinicians.map(({ id, name }) => [id, name]));
    if (!slots.length) return spot.replaceChildren(element("p", {}, `Nothing is free in the week around it${words ? ": " + words : ""}.`));
    const buttons = slots.slice(0, 5).map((slot, index) => element("li", {}, element("button", {
      type: "button", class: "slot", "data-start": slot.start.slice(0, 16), "data-clinician": slot.clinician_id ?? "", "data-minutes": slot.minutes,
      "data-visit": visit.id, "data-testid": "conflict_free_" + index,
    }, `${said(slot.start)} · ${names[slot.clinician_id] ?? slot.clinician_id ?? "whoever is free"} · ${slot.minutes} min`)));
    spot.replaceChildren(element("h3", {}, "Free now, nearest to the wish"), element("ul", { class: "plain slots" }, ...buttons));
  } catch (problem) {
    spot.replaceChildren(element("p", { class: "hint" }, problem.message));
  }
}

async function offerAll() {
  // One after the other: each is a look at a week of the book.
  for (const spot of $$("[data-waits]", live)) await offer(spot);
}
live.addEventListener("updated", offerAll);
offerAll();
