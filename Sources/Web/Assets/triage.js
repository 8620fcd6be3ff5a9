// The level while somebody types, and from it to a slot.

import { $, ask, debounced, dropDraft, fill, key, offerCandidates, showProblem, toast, values } from "./app.js";
import { caseFields, openBooking, openEmergency } from "./dialogs.js";
import { askOrKeep } from "./outbox.js";

const form = document.getElementById("triage");
const judged = document.getElementById("judged");
const problem = $(".problem", form);
let asked = 0;

function known() {
  const typed = values(form);
  return Object.fromEntries(caseFields.filter((name) => name in typed).map((name) => [name, typed[name]]));
}

const invitation = '<p class="empty">The level appears here while you type.</p>';
// What stands beside an empty field.
let blank = invitation;

const judge = debounced(300, async () => {
  const body = known();
  const number = ++asked;
  if (!body.text) return clearLevel(blank);
  problem.hidden = true;
  try {
    const answers = form.elements.answers.value;
    const markup = await ask("POST", "/triage", answers ? { ...body, answers } : body);
    // An answer to what was typed before is no answer any more.
    if (number !== asked) return;
    const pressed = judged.contains(document.activeElement) ? document.activeElement.dataset.answer : undefined;
    clearLevel(markup);
    if (pressed) ($(`[data-answer="${pressed}"]`, judged) ?? $("[data-withdraw]", judged))?.focus({ preventScroll: true });
  } catch (error) {
    if (number !== asked) return;
    // A level of other words is worse than none.
    clearLevel(error.code === "offline" ? notAssessed : '<p class="alert">Not judged: see the message.</p>');
    showProblem(problem, error);
    offerCandidates(form, error);
  }
});

const notAssessed = '<p class="alert" role="alert" data-testid="triage_not_assessed"><strong>Not assessed: ring a vet now.</strong> The server can’t be reached. “Keep assessment” keeps the words here; they are assessed when it is back.</p>';

function clearLevel(markup) {
  judged.removeAttribute("aria-busy");
  fill(judged, markup);
}

/* Guided questions: each answer is kept in the form, and the case judged again */

judged.addEventListener("click", (event) => {
  const button = event.target.closest("[data-answer], [data-withdraw]");
  if (!button) return;
  const { question, answer, withdraw } = button.dataset;
  const given = form.elements.answers.value.split(";").filter((part) => part && part.split("=")[0] !== (withdraw ?? question));
  if (answer) given.push(`${question}=${answer}`);
  form.elements.answers.value = given.join(";");
  form.dispatchEvent(new Event("change"));
});

let once = key();
for (const type of ["input", "change"]) {
  form.addEventListener(type, () => {
    // What is shown until then is of what was typed before.
    asked += 1;
    blank = invitation;
    judged.setAttribute("aria-busy", "true");
    once = key();
    judge();
  });
}
judge();
form.addEventListener("restored", judge);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.hidden = true;
  const typed = values(form);
  const body = known();
  if (typed.urgency) Object.assign(body, { urgency: typed.urgency, reason: typed.reason });
  if (typed.answers) body.answers = typed.answers;
  try {
    const kept = await askOrKeep({
      kind: "triage", method: "POST", path: "/api/v1/assessments", body, key: once, record: "triage " + once,
      label: "Triage" + (body.patient_id ? " of " + body.patient_id : ""),
    });
    if (kept.waiting) {
      toast("Not assessed: ring a vet now. The words are kept, and assessed when the server is back.", "bad");
      blank = notAssessed;
      return clear();
    }
    toast(`Kept as ${kept.urgency}.`, "good");
    const value = $("[data-testid=triage_urgency_value]");
    if (value) {
      value.textContent = kept.urgency;
      value.closest(".verdict").className = "verdict level-" + kept.urgency;
    }
    dropDraft(form);
  } catch (error) {
    if (error.status >= 400 && error.status < 500) once = key();
    showProblem(problem, error);
    offerCandidates(form, error);
  }
});

/** A level that a person or the answers gave, above what the words alone say. */
function level() {
  const picked = form.elements.urgency.value;
  // What is being judged anew says nothing of the words that stand there now.
  const isJudged = document.getElementById("judged")?.getAttribute("aria-busy") !== "true";
  const shown = isJudged && $("[data-testid=triage_urgency_value]")?.textContent.trim();
  return picked ? { urgency: picked } : form.elements.answers.value && shown ? { urgency: shown } : {};
}

$("[data-slots]", form).addEventListener("click", () => {
  const body = known();
  const name = $("input[role=combobox]", form).value;
  openBooking({ patient_id: body.patient_id, name, reason: body.text, findsSlots: true, case: { ...body, ...level() } });
});

$("[data-emergency]", form).addEventListener("click", () => {
  const body = known();
  openEmergency({ patient_id: body.patient_id, name: $("input[role=combobox]", form).value, text: body.text, ...level() });
});

// Somebody else says whose it is, or sees to it, later: it waits where all messages wait.
$("[data-take-in]", form)?.addEventListener("click", async () => {
  problem.hidden = true;
  const body = { ...known(), ...level(), channel: "phone" };
  try {
    const taken = await ask("POST", "/api/v1/inbox", body, { "Idempotency-Key": once });
    once = key();
    toast(taken.state === "filed" ? `Filed to ${taken.filed.patient_id} as a message.` : `Waits in the inbox, ${taken.urgency ?? "without a level"}.`, "good");
    clear();
  } catch (error) {
    if (error.status >= 400 && error.status < 500) once = key();
    showProblem(problem, error);
    offerCandidates(form, error);
  }
});

function clear() {
  form.reset();
  form.elements.patient_id.value = "";
  form.elements.answers.value = "";
  dropDraft(form);
  asked += 1;
  judge();
  $("textarea", form).focus();
}
$("[data-clear]", form).addEventListener("click", clear);
