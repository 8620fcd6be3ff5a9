// Who sees patients: by field of work, and for a case in words.

import { $, ask, dropDraft, fill, offerCandidates, pauseUpdatesWhile, refresh, resumeUpdates, showProblem, values } from "./app.js";
import { at } from "./base.js";

const live = document.getElementById("live");
const skill = document.getElementById("skill");
const form = document.getElementById("suits");
let isRanked = false;

// The order that a case gave stays until somebody wants the other one back.
pauseUpdatesWhile(() => isRanked);

skill.addEventListener("change", () => {
  location.assign(at("/specialists" + (skill.value ? "?skill=" + encodeURIComponent(skill.value) : "")));
});

if (form) {
  // What was typed is there again.
  form.addEventListener("restored", () => form.elements.text.value && (form.closest("details").open = true));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = $(".problem", form);
    problem.hidden = true;
    const { text, patient_id } = values(form);
    if (!text) return form.elements.text.focus();
    live.setAttribute("aria-busy", "true");
    try {
      const markup = await ask("POST", "/specialists", { text, patient_id, skill: skill.value });
      isRanked = true;
      fill(live, markup);
      const first = $(".specialist h2 bdi", live)?.textContent;
      $("[data-outcome]", form).textContent = first ? `Ranked: ${first} stands first.` : "Nobody has this field of work.";
      dropDraft(form);
    } catch (error) {
      showProblem(problem, error);
      offerCandidates(form, error);
    } finally {
      live.removeAttribute("aria-busy");
    }
  });
  $("[data-clear]", form).addEventListener("click", () => {
    form.reset();
    form.elements.patient_id.value = "";
    dropDraft(form);
    isRanked = false;
    $("[data-outcome]", form).textContent = "In the usual order again.";
    resumeUpdates();
    refresh();
  });
}
