// Looking up, reading and asking.

import { $, $$, ask, debounced, dropDraft, element, fill, offerCandidates, refresh, showProblem, values } from "./app.js";

/* Patients */

const search = document.getElementById("q");
if (search) {
  const look = debounced(200, async () => {
    const results = document.getElementById("results");
    try {
      // Not in the address: names of people stay out of the browser's history.
      fill(results, await ask("GET", "/patients?part=results&q=" + encodeURIComponent(search.value)));
    } catch (problem) {
      results.replaceChildren(element("p", { class: "alert" }, problem.message));
    }
  });
  search.addEventListener("input", look);
  search.form.addEventListener("submit", (event) => {
    event.preventDefault();
    $("a.row", document.getElementById("results"))?.click();
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
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = $(".problem", form);
    if (problem) problem.hidden = true;
    place.setAttribute("aria-busy", "true");
    try {
      const { question, patient_id } = values(form);
      fill(place, await ask("POST", "/ask", { question, patient_id }));
      dropDraft(form);
    } catch (error) {
      if (problem) showProblem(problem, error);
      else place.replaceChildren(element("p", { class: "alert" }, error.message));
      offerCandidates(form, error);
    } finally {
      place.removeAttribute("aria-busy");
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
const patient = location.pathname.startsWith("/patient/") && live;
if (patient) {
  const place = "vetnet-timeline-" + location.pathname;
  const kept = JSON.parse(sessionStorage.getItem(place) ?? "{}");
  const wanted = { hide: kept.hide ?? [], words: kept.words ?? "" };
  const apply = async () => {
    const asked = new URL(live.dataset.live, location.href);
    const wasSame = (asked.searchParams.get("hide") ?? "") === wanted.hide.join(",") && (asked.searchParams.get("words") ?? "") === wanted.words;
    if (wasSame) return;
    asked.searchParams.set("hide", wanted.hide.join(","));
    asked.searchParams.set("words", wanted.words);
    asked.searchParams.delete("offset");
    live.dataset.live = asked.pathname + asked.search;
    sessionStorage.setItem(place, JSON.stringify(wanted));
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
  apply();
}
