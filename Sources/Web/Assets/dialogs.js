// Booking and emergencies, wherever they are opened from.

import { $, $$, ask, dropDraft, element, fill, key, offerCandidates, openDialog, showProblem, toast, values } from "./app.js";
import { askOrKeep } from "./outbox.js";

const booking = document.getElementById("booking");
const emergency = document.getElementById("emergency");
const caseFields = ["text", "patient_id", "species", "age", "sex", "weight_kg"];

/** Shows the best slots for a case, and calls back with the one that is taken. */
export async function showSlots(place, body, take) {
  place.replaceChildren(element("p", { class: "hint" }, "Looking for slots…"));
  fill(place, await ask("POST", "/slots", body));
  for (const slot of $$("button.slot", place)) {
    slot.addEventListener("click", () => {
      $$("button.slot", place).forEach((other) => other.setAttribute("aria-pressed", String(other === slot)));
      take(slot.dataset);
    });
  }
}

/** One case replaces another whole; where nothing is said of a case, what was typed stays. */
function about(form, known, isCase) {
  if (!isCase) return;
  form.reset();
  for (const name of ["patient_id", "urgency"]) {
    if (form.elements[name]?.type === "hidden") form.elements[name].value = "";
  }
  if (known.patient_id) $("[data-picker]", form).choose(known.patient_id, known.name ?? known.patient_id);
}

function setTime(form, slot) {
  form.elements.start.value = slot.start;
  if (slot.minutes) form.elements.duration_minutes.value = slot.minutes;
  const vet = form.elements.clinician_id;
  if (!slot.clinician) return;
  if (![...vet.options].some((option) => option.value === slot.clinician)) {
    vet.append(element("option", { value: slot.clinician }, slot.name ?? slot.clinician));
  }
  vet.value = slot.clinician;
}

// What is known of the case that the booking window is open for.
let bookedCase;
let elsewhere;

/** Opens the booking window, with what is known already. */
export function openBooking(known = {}) {
  const form = $("form", booking);
  about(form, known, known.appointment_id || known.patient_id || known.reason || known.case);
  form.dataset.request = known.appointment_id ?? "";
  // Somebody else's booking: what else is done with it, and what follows.
  elsewhere = known.elsewhere;
  bookedCase = known.case;
  form.elements.urgency.value = known.case?.urgency ?? "";
  if (known.reason) form.elements.reason.value = known.reason;
  if (known.start) setTime(form, known);
  $(".problem", form).hidden = true;
  $("[data-proposals]", form).replaceChildren();
  openDialog("booking");
  if (known.findsSlots) findSlots(form, known.case);
  else $("input[role=combobox]", form).focus();
}

async function findSlots(form, known) {
  const typed = values(form);
  const problem = $(".problem", form);
  problem.hidden = true;
  const request = form.dataset.request;
  const body = request ? { appointment_id: request } : { ...known, text: typed.reason, patient_id: typed.patient_id };
  try {
    await showSlots($("[data-proposals]", form), body, (slot) => setTime(form, slot));
  } catch (error) {
    $("[data-proposals]", form).replaceChildren();
    showProblem(problem, error);
    offerCandidates(form, error);
  }
}

if (booking) {
  const form = $("form", booking);
  let once = key();
  for (const type of ["input", "change"]) form.addEventListener(type, () => (once = key()));
  // A level that is given for some words and an animal says nothing of others; that more is urgent is never lost by it.
  const other = () => {
    bookedCase = undefined;
    const { urgency } = form.elements;
    if (["", "red", "orange"].includes(urgency.value)) return;
    urgency.value = "";
    toast("The case is another now: its level is judged from the words.");
  };
  form.elements.reason.addEventListener("input", other);
  $("[data-picker]", form).addEventListener("change", other);
  $("[data-find-slots]", form).addEventListener("click", () => findSlots(form, bookedCase));
  booking.addEventListener("close", () => {
    form.dataset.request = "";
    form.elements.urgency.value = "";
    bookedCase = undefined;
    elsewhere = undefined;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = values(form);
    if (form.dataset.request) body.appointment_id = form.dataset.request;
    const save = $("[type=submit]", form);
    save.disabled = true;
    try {
      const answer = elsewhere
        ? await ask("POST", elsewhere.path, { ...body, ...elsewhere.fields }, { "Idempotency-Key": once })
        : await askOrKeep({
          kind: "booking", method: "POST", path: "/api/v1/appointments", body, key: once, record: "booking " + once,
          names: Object.fromEntries([...form.elements.clinician_id.options].map(({ value, text }) => [value, text])),
          label: `Book ${$("input[role=combobox]", form).value || body.appointment_id} at ${(body.start ?? "").replace("T", " ")}`,
        });
      if (answer.waiting) {
        once = key();
        toast("Kept here as a wish: it is booked when the server is back, if the time is still free.");
        dropDraft(form);
        form.reset();
        form.elements.patient_id.value = "";
        return booking.close();
      }
      const booked = elsewhere ? answer.booked : answer;
      once = key();
      await dropDraft(form);
      elsewhere?.done(answer);
      toast(`Booked: ${booked.start.slice(0, 16).replace("T", " ")}, ${booked.duration_minutes} min`, "good");
      form.reset();
      form.elements.patient_id.value = "";
      booking.close();
    } catch (error) {
      // What nobody answered may be done: the same again is the same.
      if (error.status >= 400 && error.status < 500) once = key();
      showProblem($(".problem", form), error);
      offerCandidates(form, error);
      offerFree(form, error.freeSlots);
    } finally {
      save.disabled = false;
    }
  });
}

/** What is left where a slot was not to be had, as buttons. */
function offerFree(form, slots) {
  if (!slots.length) return;
  const vets = form.elements.clinician_id;
  const name = (id) => [...vets.options].find((option) => option.value === id)?.text ?? id;
  const buttons = slots.map((slot, index) => {
    const start = slot.start.slice(0, 16);
    const button = element(
      "button", { type: "button", class: "slot", "data-testid": "slot_proposal_" + index },
      element("b", {}, start.replace("T", " ")), " " + name(slot.clinician_id) + " · " + slot.minutes + " min");
    button.addEventListener("click", () => setTime(form, { start, clinician: slot.clinician_id, minutes: slot.minutes }));
    return element("li", {}, button);
  });
  $("[data-proposals]", form).replaceChildren(element("h3", {}, "Still free"), element("ol", { class: "plain slots" }, ...buttons));
}

/** Opens the window that makes room, with what is known already. */
export function openEmergency(known = {}) {
  const form = $("form", emergency);
  about(form, known, "text" in known);
  if (known.text) form.elements.text.value = known.text;
  if (["red", "orange"].includes(known.urgency)) form.elements.urgency.value = known.urgency;
  openDialog("emergency");
}

if (emergency) {
  const form = $("form", emergency);
  const outcome = $("[data-outcome]", emergency);
  let once = key();
  for (const type of ["input", "change"]) form.addEventListener(type, () => (once = key()));
  emergency.addEventListener("close", () => {
    form.hidden = false;
    outcome.replaceChildren();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const save = $("[type=submit]", form);
    save.disabled = true;
    $(".problem", form).hidden = true;
    try {
      const made = await ask("POST", "/api/v1/emergencies", values(form), { "Idempotency-Key": once });
      once = key();
      dropDraft(form);
      form.reset();
      form.hidden = true;
      showOutcome(outcome, made);
    } catch (error) {
      if (error.status >= 400 && error.status < 500) once = key();
      showProblem($(".problem", form), error);
      offerCandidates(form, error);
    } finally {
      save.disabled = false;
    }
  });
}

/** Where the case was put, and who has to be told what. */
function showOutcome(place, made) {
  const at = made.appointment.start.slice(11, 16);
  const head = element("p", { class: "verdict level-" + made.urgency, "data-testid": "emergency_outcome" }, `${made.urgency}: booked at ${at}, in ${made.wait_minutes} min.`);
  const notices = made.notices.map((notice) => {
    const phone = notice.phone ? element("a", { class: "phone", href: "tel:" + notice.phone.replace(/[^0-9+]/g, "") }, notice.phone) : "";
    return element("li", {}, element("p", {}, notice.text), phone);
  });
  place.replaceChildren(
    head,
    element("h3", {}, made.notices.length ? "Has to be told" : "Nobody else has to be told."),
    element("ul", { class: "plain notices", "data-testid": "emergency_notices" }, ...notices),
    element("button", { type: "button", class: "primary", "data-close": "" }, "Done"),
  );
}

export { caseFields };
