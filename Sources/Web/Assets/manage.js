// The manager's pages: forms that are sent as JSON, what is wrong said beside the field, and pieces that come later.

import { $, $$, ask, element, fill, pauseUpdatesWhile, refresh, showProblem, toast } from "./app.js";
import { at } from "./base.js";

// What somebody types is not written over by what changes meanwhile.
pauseUpdatesWhile(() => $$("#live form[data-touched]").length > 0);
for (const type of ["input", "change"]) {
  document.addEventListener(type, (event) => {
    const form = event.target.closest("form[data-send]");
    if (form) form.dataset.touched = "1";
  });
}

function said(field) {
  if (field.type === "checkbox") return field.checked;
  const text = field.value.trim();
  if (field.dataset.kind === "flag") return text === "true";
  if (text === "") return null;
  return field.dataset.kind === "number" && !Number.isNaN(Number(text)) ? Number(text) : field.value;
}

function isAsItWas(field) {
  if (field.matches("select")) return [...field.options].every((option) => option.selected === option.defaultSelected);
  return field.type === "checkbox" ? field.checked === field.defaultChecked : field.value === field.defaultValue;
}

function wanted(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || ("changes" in form.dataset && isAsItWas(field))) continue;
    body[field.name] = said(field);
  }
  return body;
}

function clear(form) {
  $(".problem", form).hidden = true;
  for (const said of $$(".field-problem", form)) said.remove();
  for (const field of $$("[aria-invalid]", form)) {
    field.removeAttribute("aria-invalid");
    if (field.dataset.described) field.setAttribute("aria-describedby", field.dataset.described);
    else field.removeAttribute("aria-describedby");
  }
}

/** Beside the field that it is about, or above the button. */
function show(form, problem) {
  const field = problem.field && form.elements[problem.field];
  if (!field?.id) return showProblem($(".problem", form), problem);
  const words = element("p", { class: "field-problem", id: field.id + "-problem" }, problem.message + (problem.hint ? ". " + problem.hint : ""));
  field.after(words);
  field.dataset.described = field.getAttribute("aria-describedby") ?? "";
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [words.id, field.dataset.described].join(" ").trim());
  field.focus();
}

/** What is told this once, to be copied. */
function showOnce(field, words) {
  field.value = words;
  field.closest("[data-made]").hidden = false;
  field.focus();
  field.select();
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  clear(form);
  const body = wanted(form);
  if ("changes" in form.dataset && !Object.keys(body).length) {
    delete form.dataset.touched;
    return toast("Nothing was changed.");
  }
  const button = $("[type=submit]", form);
  button.disabled = true;
  try {
    const answer = await ask(form.dataset.method, form.dataset.send, body);
    delete form.dataset.touched;
    for (const secret of $$("[type=password]", form)) secret.value = "";
    if (form.dataset.then) return location.assign(at(form.dataset.then));
    toast(form.dataset.done, "good");
    if ("reset" in form.dataset) form.reset();
    if (form.dataset.shows) showOnce(document.getElementById(form.dataset.shows), answer.invitation);
    refresh();
  } catch (problem) {
    show(form, problem);
  } finally {
    button.disabled = Boolean(button.dataset.forbidden);
  }
});

// The log is asked for by a patient's id: a name stands in no address.
const filter = $("form[data-audit]");
const shownOf = (patient) => {
  const query = new URLSearchParams(new FormData(filter));
  query.set("patient", patient);
  for (const [name, value] of [...query]) if (!value.trim()) query.delete(name);
  return filter.dataset.audit + (query.size ? "?" + query : "");
};
filter?.addEventListener("submit", async (event) => {
  event.preventDefault();
  clear(filter);
  const words = filter.elements.patient.value.trim();
  const candidates = $("[data-candidates]", filter);
  candidates.replaceChildren();
  candidates.hidden = true;
  try {
    location.assign(at(shownOf(words && (await ask("POST", "/api/v1/audit/patient", { patient: words })).id)));
  } catch (problem) {
    show(filter, problem);
    for (const { id, name, species, owner_name } of problem.candidates) {
      const link = element("a", { href: at(shownOf(id)) }, name);
      candidates.append(element("li", {}, link, ` ${species}${owner_name ? ", " + owner_name : ""} ${id}`));
      candidates.hidden = false;
    }
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-begin]");
  if (!button) return;
  const problem = document.getElementById("job-problem");
  problem.hidden = true;
  button.disabled = true;
  try {
    await ask("POST", "/api/v1/jobs", { kind: button.dataset.begin });
    toast("It has begun.", "good");
  } catch (error) {
    showProblem(problem, error);
  } finally {
    button.disabled = Boolean(button.dataset.forbidden);
    refresh();
  }
});
document.addEventListener("job", (event) => {
  if (!event.detail.running) refresh();
});

for (const place of $$("[data-load]")) {
  ask("GET", place.dataset.load).then(
    (markup) => fill(place, markup),
    (problem) => place.replaceChildren(element("p", { class: "alert" }, problem.message)),
  );
}
