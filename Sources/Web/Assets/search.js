// The field that finds everything: patients, visits, notes, and what can be done.

import { $, ask, debounced, element, toast } from "./app.js";
import { at } from "./base.js";
import * as drafts from "./drafts.js";

const box = $("#search-all");
const input = $("input", box);
const list = $("[role=listbox]", box);
const names = { page: "Go to", patient: "Patients", appointment: "Visits", note: "Notes", recent: "Recent" };
let place = -1;
let asked = "";

// Where somebody went lately, for as long as this window is open.
const lately = drafts.ofWindow("recent");
let recent = [];
drafts.find(lately).then((known) => (recent = known ?? recent));

function remember(result) {
  const rest = recent.filter((other) => other.href !== result.href);
  recent = [{ ...result, kind: "recent" }, ...rest].slice(0, 6);
  return drafts.keep(lately, recent);
}

function close() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
  place = -1;
}

function show(results) {
  const parts = [];
  let kind = "";
  results.forEach((result, index) => {
    if (result.kind !== kind) {
      kind = result.kind;
      parts.push(element("li", { role: "presentation", class: "kind" }, names[kind]));
    }
    const option = element(
      "li",
      { role: "option", id: "search-all-" + index, "aria-selected": "false", "data-testid": "search_result_" + result.kind, "data-href": result.href },
      element("b", {}, result.label), result.detail ? element("span", { class: "id" }, " " + result.detail) : "",
    );
    option.addEventListener("mousedown", (event) => event.preventDefault());
    option.addEventListener("click", async () => {
      await remember(result);
      location.assign(at(result.href));
    });
    parts.push(option);
  });
  if (!results.length) parts.push(element("li", { role: "option", "aria-disabled": "true", class: "empty" }, "Nothing fits"));
  list.replaceChildren(...parts);
  list.hidden = false;
  input.setAttribute("aria-expanded", "true");
  place = -1;
}

async function look() {
  const words = input.value.trim();
  asked = words;
  try {
    const found = await ask("POST", "/api/v1/search", { words });
    if (asked !== words || document.activeElement !== input) return;
    show(words ? [...found.results.filter((result) => result.kind !== "page"), ...found.results.filter((result) => result.kind === "page")] : [...recent, ...found.results]);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

const lookSoon = debounced(300, look);

input.addEventListener("input", () => {
  close();
  lookSoon();
});
input.addEventListener("focus", () => {
  if (list.hidden) look();
});
input.addEventListener("blur", () => setTimeout(close, 150));
input.addEventListener("keydown", (event) => {
  const options = [...list.querySelectorAll("[role=option]:not([aria-disabled])")];
  if (event.key === "Escape") {
    event.preventDefault();
    if (list.hidden) input.blur();
    else close();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden && options.length) {
    event.preventDefault();
    place = place < 0 && event.key === "ArrowUp" ? options.length - 1 : (place + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
    options.forEach((option, index) => option.setAttribute("aria-selected", String(index === place)));
    input.setAttribute("aria-activedescendant", options[place].id);
    options[place].scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") {
    event.preventDefault();
    // Of several animals somebody has to say which.
    if (!list.hidden && (place >= 0 || options.length === 1)) options[Math.max(0, place)].click();
    else look();
  }
});

document.addEventListener("keydown", (event) => {
  const isPalette = event.key === "k" && (event.ctrlKey || event.metaKey);
  if (!isPalette && (event.key !== "/" || event.target.closest("input, textarea, select, dialog"))) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  input.focus();
  input.select();
});
