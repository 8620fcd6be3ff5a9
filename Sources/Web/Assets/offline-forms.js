// Forms of the page without the server: each keeps a write.

import { $, element, key, toast } from "./app.js";
import { keepWrite } from "./outbox.js";

let fields = 0;
function field(label, control) {
  control.id = `offline-field-${++fields}`;
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
}

const options = (list) => list.map(([value, words]) => element("option", { value }, words));

/** A form that keeps what `make` says of it, and says so; `make` returns words about what is missing instead, as a text. */
function form(title, testID, parts, label, make, after = "Kept: it waits to be sent.") {
  const problem = element("p", { class: "problem", role: "alert", hidden: "" });
  const save = element("button", { type: "submit", class: "primary", "data-testid": testID + "_save" }, label);
  const made = element("form", { class: "card offline-form", novalidate: "", "data-testid": testID }, element("h2", {}, title), ...parts, problem, element("div", { class: "actions" }, save));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    const found = make(made);
    try {
      if (typeof found === "string") throw new Error(found);
      await keepWrite(found);
      made.reset();
      made.closest("details")?.removeAttribute("open");
      toast(after, "good");
      made.dispatchEvent(new Event("kept", { bubbles: true }));
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
    }
  });
  return made;
}

const area = (name, testID) => element("textarea", { name, rows: "5", "data-testid": testID });

export function noteForm(id, name) {
  return form("Write a note", "offline_note", [field("Note on " + name, area("text", "offline_note_text"))], "Keep the note", (made) => {
    const text = made.elements.text.value;
    if (!text.trim()) return "A note has words.";
    return { kind: "note", method: "POST", path: "/api/v1/notes", body: { patient_id: id, kind: "consult", text }, record: "note " + key(), patient: id, label: "Note on " + name };
  });
}

export function encounterForm(id, name) {
  return form("Begin an encounter", "offline_encounter", [field("What you saw, found and plan", area("text", "offline_encounter_text"))], "Keep the words", (made) => {
    const text = made.elements.text.value;
    if (!text.trim()) return "An encounter has words.";
    const encounter = "enc-" + key().replaceAll("-", "");
    return { kind: "encounter", method: "POST", path: "/api/v1/encounters", body: { id: encounter, patient_id: id, text }, record: "encounter " + encounter, patient: id, label: "Encounter of " + name };
  });
}

/** The words of an encounter that is on the server, based on what they were there. */
export function encounterWords(id, { text, revision }, kept) {
  const words = area("text", "offline_encounter_text");
  words.value = text;
  words.rows = 14;
  const made = form("Go on with it", "offline_encounter", [field("What you saw, found and plan", words)], "Keep the words", (one) => {
    const typed = one.elements.text.value;
    if (!typed.trim()) return "An encounter has words.";
    return { kind: "encounter", method: "PUT", path: "/api/v1/encounters/" + encodeURIComponent(id), body: { text: typed }, revision, record: "encounter " + id, label: "Words of encounter " + id };
  });
  made.addEventListener("kept", kept);
  return made;
}

const base64 = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

export function photoForm(id, name) {
  const file = element("input", { type: "file", name: "file", accept: "image/*", "data-testid": "offline_photo_file" });
  return form("Add a photo", "offline_photo", [field("Photo of " + name, file)], "Keep the photo", (made) => {
    const [chosen] = made.elements.file.files;
    if (!chosen) return "Choose a picture, or take one.";
    return { kind: "photo", method: "POST", path: "/api/v1/photos", file: chosen, headers: { "X-VetNet-Photo": base64({ patient_id: id, name: chosen.name }) }, record: "photo " + key(), label: "Photo of " + name };
  });
}

const stages = {
  booked: [["arrived", "Arrived"], ["in_consult", "With the vet"], ["no_show", "Didn't come"]],
  arrived: [["in_consult", "With the vet"]],
  in_progress: [["to_pay", "To pay"], ["left", "Gone"]],
};

export function stageButtons(visit, name) {
  const buttons = (stages[visit.status] ?? []).map(([stage, label]) => {
    const made = element("button", { type: "button", class: "small", "data-testid": `offline_stage_${visit.id}_${stage}`, "aria-label": `${label}: ${name}` }, label);
    made.addEventListener("click", async () => {
      made.disabled = true;
      const path = `/api/v1/appointments/${encodeURIComponent(visit.id)}/stage`;
      await keepWrite({ kind: "stage", method: "POST", path, body: { stage }, revision: visit.revision, record: "appointment " + visit.id, label: `${name}: ${label.toLowerCase()}` })
        .catch((problem) => toast(problem.message, "bad"));
    });
    return made;
  });
  return buttons.length ? element("div", { class: "actions" }, ...buttons) : "";
}

export function moveForm(visit, name, clinicians) {
  if (!["booked", "arrived"].includes(visit.status)) return "";
  const start = element("input", { name: "start", type: "datetime-local", step: "300", value: visit.start.slice(0, 16), "data-testid": `offline_move_${visit.id}_start` });
  const vet = element("select", { name: "clinician_id" }, ...options(clinicians.map((one) => [one.id, one.name])));
  vet.value = visit.clinician_id ?? "";
  const base = { start: visit.start.slice(0, 16), clinician_id: visit.clinician_id, duration_minutes: visit.duration_minutes };
  const made = form(`Move ${name}`, "offline_move_" + visit.id, [field("Begins", start), field("With", vet)], "Keep the move", (made) => {
    const body = { start: made.elements.start.value, ...(made.elements.clinician_id.value ? { clinician_id: made.elements.clinician_id.value } : {}) };
    if (!body.start) return "Say when.";
    return { kind: "move", method: "PATCH", path: "/api/v1/appointments/" + encodeURIComponent(visit.id), body, base, revision: visit.revision, record: "appointment " + visit.id, label: `Move ${name} to ${body.start.replace("T", " ")}` };
  }, "Kept: it is tried when the server is back; the place may be another's by then.");
  return element("details", { class: "offline-move" }, element("summary", {}, "Move"), made);
}

export function bookingForm(day) {
  const patients = element("select", { name: "patient_id", "data-testid": "offline_booking_patient" },
    ...options([["", "choose…"], ...day.patients.map(({ patient }) => [patient.id, `${patient.name} (${patient.id})`])]));
  const typed = element("input", { name: "words", placeholder: "or a name or an id" });
  const start = element("input", { name: "start", type: "datetime-local", step: "300", value: day.date + "T09:00", "data-testid": "offline_booking_start" });
  const vet = element("select", { name: "clinician_id", "data-testid": "offline_booking_vet" }, ...options(day.clinicians.map((one) => [one.id, one.name])));
  return form("Ask for an appointment", "offline_booking",
    [field("Patient", patients), field("Another patient", typed), field("Reason, in the owner's words", area("reason", "offline_booking_reason")), field("Begins", start), field("With", vet)],
    "Keep the booking", (made) => {
      const { patient_id, words, reason, start: begins, clinician_id } = made.elements;
      const patient = patient_id.value || words.value.trim();
      if (!patient) return "Say whose appointment it is.";
      if (!begins.value) return "Say when.";
      const body = { patient_id: patient, start: begins.value, clinician_id: clinician_id.value, ...(reason.value.trim() ? { reason: reason.value } : {}) };
      return { kind: "booking", method: "POST", path: "/api/v1/appointments", body, record: "booking " + key(), names: Object.fromEntries(day.clinicians.map((one) => [one.id, one.name])), label: `Book ${patient} at ${begins.value.replace("T", " ")}` };
    }, "Kept as a wish: it is booked when the server is back, if the time is still free.");
}

/** What is said of every triage that nobody assessed. */
export const notAssessed = "Not assessed: ring a vet now.";

export function triageForm(days) {
  const known = [...new Map(days.flatMap(({ patients }) => patients).map(({ patient }) => [patient.id, patient])).values()];
  const patients = element("select", { name: "patient_id" }, ...options([["", "not on file, or not known"], ...known.map((one) => [one.id, `${one.name} (${one.id}), ${one.species}`])]));
  const warning = element("p", { class: "alert", "data-testid": "triage_not_assessed" }, element("strong", {}, notAssessed), " The words are kept and assessed when the server is back.");
  const made = form("Take down a case", "offline_triage", [warning, field("What the owner says", area("text", "triage_symptoms_input")), field("Patient", patients)], "Keep the words", (one) => {
    const text = one.elements.text.value;
    if (!text.trim()) return "Write down what the owner says.";
    const patient = one.elements.patient_id.value;
    return { kind: "triage", method: "POST", path: "/api/v1/assessments", body: { text, channel: "phone", ...(patient ? { patient_id: patient } : {}) }, record: "triage " + key(), label: "Triage" + (patient ? " of " + patient : "") };
  }, notAssessed + " The words are kept.");
  $("[type=submit]", made).dataset.testid = "triage_submit_button";
  return made;
}
