// The level while somebody types, and from it to a slot.

import { $, ask, debounced, dropDraft, fill, key, offerCandidates, showProblem, toast, values } from "./app.js";
import { caseFields, openBooking, openEmergency } from "./dialogs.js";

const form = document.getElementById("triage");
const judged = document.getElementById("judged");
const problem = $(".problem", form);
let asked = 0;

function known() {
  const typed = values(form);
  return Object.fromEntries(caseFields.filter((name) => name in typed).map((name) => [name, typed[name]]));
}

const judge = debounced(300, async () => {
  const body = known();
  if (!body.text) {
    fill(judged, '<p class="empty">The level appears here while you type.</p>');
    return;
  }
  const number = ++asked;
  problem.hidden = true;
  try {
    const markup = await ask("POST", "/triage", body);
    // An answer to what was typed before is no answer any more.
    if (number === asked) fill(judged, markup);
  } catch (error) {
    if (number !== asked) return;
    showProblem(problem, error);
    offerCandidates(form, error);
  }
});

form.addEventListener("input", judge);
form.addEventListener("change", judge);
judge();

let once = key();
form.addEventListener("input", () => (once = key()));
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.hidden = true;
  const typed = values(form);
  const body = known();
  if (typed.urgency) Object.assign(body, { urgency: typed.urgency, reason: typed.reason });
  try {
    const kept = await ask("POST", "/api/v1/assessments", body, { "Idempotency-Key": once });
    toast(`Kept as ${kept.urgency}.`, "good");
    const value = $("[data-testid=triage_urgency_value]");
    if (value) {
      value.textContent = kept.urgency;
      value.closest(".verdict").className = "verdict level-" + kept.urgency;
    }
    dropDraft(form);
  } catch (error) {
    once = key();
    showProblem(problem, error);
    offerCandidates(form, error);
  }
});

$("[data-slots]", form).addEventListener("click", () => {
  const body = known();
  const name = $("input[role=combobox]", form).value;
  openBooking({ patient_id: body.patient_id, name, reason: body.text, findsSlots: true, case: { ...body } });
});

$("[data-emergency]", form).addEventListener("click", () => {
  const body = known();
  openEmergency({ patient_id: body.patient_id, name: $("input[role=combobox]", form).value, text: body.text });
});

$("[data-clear]", form).addEventListener("click", () => {
  form.reset();
  form.elements.patient_id.value = "";
  dropDraft(form);
  judge();
  $("textarea", form).focus();
});
