// A registration: looked at while it is typed, saved against its revision, and what somebody else changed meanwhile.

import { $, $$, ask, debounced, dropDraft, element, showProblem, toast } from "./app.js";
import { at } from "./base.js";

const form = document.getElementById("edit");
const path = "/api/v1/patients/" + encodeURIComponent(form.dataset.patient);
const problem = $(".problem", form);
const doubts = document.getElementById("edit-doubts");
const conflict = $("[data-conflict]", form);
const sure = document.getElementById("edit-sure");
const kilograms = { kg: 1, g: 0.001, lb: 0.45359237 };
const words = { name: "Name", species: "Species", breed: "Breed", sex: "Sex", date_of_birth: "Born", weight_kg: "Weight, kg", microchip: "Microchip" };

// Whether somebody decided that what stands here counts, though another value was saved meanwhile.
let isSettled = false;

/** What the form says, with the weight in kilograms; null for a weight that is no number. */
function typed(isWhole = isSettled) {
  const { name, species, breed, sex, date_of_birth, weight, unit, microchip } = Object.fromEntries(new FormData(form));
  const text = weight.trim().replace(",", ".");
  const number = Number(text);
  const known = text === "" ? null : Number((number * kilograms[unit]).toPrecision(6));
  if (text !== "" && !(number > 0)) return null;
  const { weight: field, unit: picked } = form.elements;
  const isAsItWas = field.value === field.defaultValue && picked.value === "kg";
  return { name, species, breed, sex, date_of_birth, ...(isAsItWas && !isWhole ? {} : { weight_kg: known }), microchip };
}

function showDoubts(list) {
  doubts.hidden = !list.length;
  $("ul", doubts).replaceChildren(...list.map((words) => element("li", {}, words)));
  if (!list.length) sure.checked = false;
}

async function send(body) {
  return ask("PATCH", path, body, { "If-Match": `"${form.dataset.revision}"` });
}

const look = debounced(250, async () => {
  const body = typed();
  problem.hidden = true;
  if (!body) return showProblem(problem, { message: "The weight is no number" });
  try {
    const found = await send({ ...body, dry_run: true, accept_doubts: true });
    showDoubts(found.doubts);
  } catch (error) {
    if (error.status === 412) showConflict(error.current);
    else if (error.code !== "offline") showProblem(problem, error);
  }
});
form.addEventListener("input", (event) => {
  if (event.target !== sure) {
    sure.checked = false;
    look();
  }
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = typed();
  if (!body) return showProblem(problem, { message: "The weight is no number" });
  problem.hidden = true;
  const save = $("[type=submit]", form);
  save.disabled = true;
  try {
    const saved = await send({ ...body, accept_doubts: sure.checked });
    form.dataset.revision = saved.revision;
    await dropDraft(form);
    toast("Saved.", "good");
    location.assign(at("/patient/" + encodeURIComponent(form.dataset.patient)));
  } catch (error) {
    if (error.status === 412) showConflict(error.current);
    else showProblem(problem, error);
  } finally {
    save.disabled = false;
  }
});

/** Somebody else saved meanwhile: what differs, and whose value is to stand. */
function showConflict(current) {
  const mine = typed(true) ?? {};
  const differing = Object.keys(words).filter((name) => String(mine[name] ?? "") !== String(current[name] ?? ""));
  const rows = differing.map((name) =>
    element("tr", {}, element("th", { scope: "row" }, words[name]), element("td", {}, String(mine[name] ?? "") || "–"), element("td", {}, String(current[name] ?? "") || "–")));
  const theirs = element("button", { type: "button" }, "Take theirs");
  const own = element("button", { type: "button" }, "Keep mine");
  const settle = () => {
    form.dataset.revision = current.revision;
    conflict.hidden = true;
    conflict.replaceChildren();
    look();
    $("[type=submit]", form).focus();
  };
  own.addEventListener("click", () => {
    isSettled = true;
    settle();
  });
  theirs.addEventListener("click", () => {
    for (const name of ["name", "species", "breed", "sex", "date_of_birth", "microchip"]) form.elements[name].value = current[name] ?? "";
    form.elements.unit.value = "kg";
    form.elements.weight.value = current.weight_kg ?? "";
    settle();
  });
  const head = element("tr", {}, ...["", "Yours", "Theirs"].map((text) => element("th", { scope: "col" }, text)));
  conflict.replaceChildren(
    element("p", {}, differing.length ? "Somebody changed this meanwhile. What differs:" : "Somebody saved the same meanwhile."),
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    element("div", { class: "actions" }, theirs, own),
  );
  conflict.hidden = false;
  theirs.focus();
}

// A draft that survived is looked at as if it were typed now.
form.addEventListener("restored", () => $$("input, select", form).some((field) => field.dataset.restored === "true") && look());
