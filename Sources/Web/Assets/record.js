// Looking up, reading and asking.

import { $, $$, append, ask, askPieces, debounced, dropDraft, element, fill, offerCandidates, refresh, showProblem, values } from "./app.js";
import { here } from "./base.js";
import * as drafts from "./drafts.js";

/* Patients */

const search = document.getElementById("q");
if (search) {
  const results = document.getElementById("results");
  // What the results are of.
  let shown = null;
  const lookNow = async () => {
    const words = search.value;
    try {
      // Not in the address: names of people stay out of the browser's history.
      const markup = await ask("GET", "/patients?part=results&q=" + encodeURIComponent(words));
      if (words !== search.value) return;
      fill(results, markup);
      shown = words;
    } catch (problem) {
      results.replaceChildren(element("p", { class: "alert" }, problem.message));
    }
  };
  search.addEventListener("input", debounced(200, lookNow));
  search.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (shown !== search.value) await lookNow();
    const rows = $$("a.row", results);
    // Of several, somebody has to say which.
    if (rows.length === 1) rows[0].click();
    else rows[0]?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const rows = $$("a.row");
    const place = rows.indexOf(document.activeElement);
    if (place < 0 && document.activeElement !== search) return;
    event.preventDefault();
    (rows[place + (event.key === "ArrowDown" ? 1 : -1)] ?? search).focus();
  });
}

/* Questions */

const form = document.getElementById("ask");
if (form) {
  const place = document.getElementById("answer");
  let asked = 0;
  // An answer about another animal is none to what stands above it.
  $("[data-picker]", form)?.addEventListener("change", () => {
    asked += 1;
    place.replaceChildren();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const number = ++asked;
    const problem = $(".problem", form);
    if (problem) problem.hidden = true;
    place.setAttribute("aria-busy", "true");
    let isFirst = true;
    try {
      const { question, patient_id } = values(form);
      await askPieces("POST", "/ask", { question, patient_id }, (markup) => {
        if (number !== asked) return;
        (isFirst ? fill : append)(place, markup);
        isFirst = false;
        dropDraft(form);
      });
    } catch (error) {
      if (number !== asked) return;
      // An answer that has come stands, though what was to come behind it didn't.
      if (!isFirst) return;
      place.replaceChildren();
      if (problem) showProblem(problem, error);
      else place.replaceChildren(element("p", { class: "alert" }, error.message));
      offerCandidates(form, error);
    } finally {
      if (number === asked) place.removeAttribute("aria-busy");
    }
  });
  place.addEventListener("click", (event) => {
    const candidate = event.target.closest("[data-choose]");
    if (!candidate) return;
    $("[data-picker]", form)?.choose(candidate.dataset.choose, candidate.dataset.name);
    form.requestSubmit();
  });
}

/* The timeline's filters are applied by the server, and stay through reloads; words are kept out of the address. */

const live = document.getElementById("live");
const patient = here().startsWith("/patient/") && live;
if (patient) {
  const place = drafts.ofWindow("timeline " + here());
  const wanted = { hide: [], words: "" };
  const apply = async () => {
    const asked = new URL(live.dataset.live, location.href);
    const wasSame = (asked.searchParams.get("hide") ?? "") === wanted.hide.join(",") && (asked.searchParams.get("words") ?? "") === wanted.words;
    if (wasSame) return;
    asked.searchParams.set("hide", wanted.hide.join(","));
    asked.searchParams.set("words", wanted.words);
    asked.searchParams.delete("offset");
    live.dataset.live = asked.pathname + asked.search;
    drafts.keep(place, wanted);
    refresh();
  };
  const typed = debounced(250, apply);
  document.addEventListener("change", (event) => {
    const box = event.target.closest(".chips input[data-kind]");
    if (!box) return;
    wanted.hide = $$(".chips input[data-kind]").filter((other) => !other.checked).map((other) => other.dataset.kind);
    apply();
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "timeline-words") return;
    wanted.words = event.target.value;
    typed();
  });
  drafts.find(place).then((kept) => {
    // What somebody chose meanwhile counts.
    if (!kept || wanted.hide.length || wanted.words) return;
    Object.assign(wanted, kept);
    apply();
  });
}
