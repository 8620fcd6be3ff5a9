// The page that stands in for all others while the server can't be reached: what was taken along, and forms whose words wait.

import { $, element } from "./app.js";
import { at, base, here } from "./base.js";
import * as drafts from "./drafts.js";
import { keptDays } from "./keep.js";
import { bookingForm, encounterForm, encounterWords, moveForm, noteForm, photoForm, stageButtons, triageForm } from "./offline-forms.js";
import { onChange, writes } from "./outbox.js";
import * as vault from "./vault.js";
import "./waiting.js";

const main = document.getElementById("main");
const link = (path, words, properties = {}) => element("a", { href: at(path), ...properties }, words);
const patientPath = (id) => "/patient/" + encodeURIComponent(id);
const clock = (time) => time.slice(11, 16);
/** 2026-11-26 as people say it: Thu 26 Nov. */
const said = (date) => new Date(date + "T12:00:00Z").toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
// What a visit is that has got to a stage.
const statusOf = { arrived: "arrived", in_consult: "in_progress", to_pay: "done", left: "done", no_show: "no_show" };

/** What the address asks for, as far as there is something of it. */
function wanted(days) {
  const [page, name] = here().split("/").filter(Boolean).map(decodeURIComponent);
  if (page === "encounter" && name?.startsWith("enc-")) return { page, id: name };
  const patient = page === "encounter" ? new URLSearchParams(location.search).get("patient") : page === "patient" ? name : null;
  if (page === "triage") return { page };
  if (patient) return { page: "patient", id: patient };
  return { page: "day", date: days.some(({ date }) => date === name) ? name : days[0]?.date };
}

function heading(title, fetchedAt) {
  const when = fetchedAt ? ` What stands here was fetched at ${new Date(fetchedAt).toTimeString().slice(0, 5)}.` : "";
  return [element("h1", {}, title), element("p", { class: "hint", "data-testid": "offline_since" }, `Without the server.${when} What you write waits on this device, sealed, and is sent when the server is back.`)];
}

/* A day */

function visitRow(visit, day, waiting) {
  const mine = waiting.filter(({ record }) => record === "appointment " + visit.id);
  // What was said of it here and waits counts here.
  const stage = mine.findLast(({ kind }) => kind === "stage")?.body.stage;
  const now = stage ? { ...visit, status: statusOf[stage] ?? visit.status } : visit;
  const name = visit.patient_name ?? visit.patient_id ?? "No patient";
  const isKept = day.patients.some(({ patient }) => patient.id === visit.patient_id);
  return element(
    "li", { class: "offline-visit", "data-testid": "offline_visit_" + visit.id },
    element("p", {}, element("b", {}, clock(visit.start)), " ", isKept ? link(patientPath(visit.patient_id), name) : name,
      element("span", { class: "id" }, ` ${visit.patient_id ?? ""} `), visit.urgency ? element("span", { class: "badge level-" + visit.urgency }, visit.urgency) : "",
      ` ${now.status.replace("_", " ")} · ${visit.clinician_name ?? "nobody yet"} · ${visit.duration_minutes} min`),
    element("p", {}, visit.reason ?? visit.visit_type ?? ""),
    ...mine.map((write) => element("p", { class: "hint" }, "Waits: " + write.label)),
    stageButtons(now, name), moveForm(now, name, day.clinicians));
}

function dayView(days, date, waiting) {
  const day = days.find((one) => one.date === date);
  const tabs = element("nav", { class: "offline-days", "aria-label": "Days" }, ...days.map((one) =>
    link("/day/" + one.date, said(one.date), one.date === date ? { "aria-current": "page" } : {})));
  const rows = day.appointments.filter(({ status }) => status !== "cancelled").map((visit) => visitRow(visit, day, waiting));
  const list = rows.length ? element("ul", { class: "plain", "data-testid": "offline_day" }, ...rows) : element("p", { class: "empty" }, "Nothing is booked.");
  const cut = day.left_out?.length ? [element("p", { class: "hint" }, `Not kept, as it would be too much: the records of ${day.left_out.length} more patients.`)] : [];
  return [...heading(said(date), day.at), tabs, ...cut, list, bookingForm(day)];
}

/* A patient */

const lines = (title, list, properties = {}) => list?.length
  ? element("section", properties, element("h2", {}, title), element("ul", {}, ...list.map((text) => element("li", {}, text)))) : "";

function sheet(drug) {
  const rows = [...drug.species_cautions, ...drug.disease_cautions, ...drug.interactions, ...drug.monitoring];
  return element("details", {}, element("summary", {}, drug.generic),
    element("ul", {}, ...rows.map(({ level, about, text }) => element("li", {}, `${level ? level + ": " : ""}${about}: ${text}`))),
    element("p", { class: "hint" }, "What no row says is unknown, not safe. No doses: they stand on the label."));
}

function patientView(days, id) {
  const day = days.find(({ patients }) => patients.some(({ patient }) => patient.id === id));
  const known = day?.patients.find(({ patient }) => patient.id === id);
  if (!known) return [...heading("Not kept"), element("p", {}, `Nothing of ${id} was taken along: only who is booked today or in the next seven days.`), ...(days.some((one) => one.may_write) ? [noteForm(id, id), encounterForm(id, id)] : [])];
  const { patient, owner, brief, notes, drugs } = known;
  const parts = brief?.sections ?? [];
  const alerts = parts.filter(({ title }) => title === "Alerts").flatMap((part) => part.lines).map(({ text }) => text);
  const phones = (owner?.phones ?? []).map(({ label, number }) => element("li", {}, `${label}: `, link("tel:" + number.replace(/[^0-9+]/g, ""), number)));
  return [
    ...heading(patient.name, day.at),
    element("p", { class: "signalment" }, [patient.id, patient.species, patient.breed, patient.sex, patient.age_years && patient.age_years + " years", patient.weight_kg && patient.weight_kg + " kg"].filter(Boolean).join(" · ")),
    lines("Alerts", alerts, { class: "alert", "data-testid": "patient_alerts" }),
    owner ? element("section", {}, element("h2", {}, "Owner: " + owner.name), element("ul", { class: "plain" }, ...phones)) : "",
    ...parts.filter(({ title }) => title !== "Alerts").map((part) => lines(part.title, part.lines.map(({ text }) => text))),
    notes?.length ? element("section", {}, element("h2", {}, "Last notes"), ...notes.map((note) => element("article", {},
      element("h3", {}, `${note.recorded_at.slice(0, 10)} · ${note.kind}${note.author ? ", " + note.author : ""}`), element("pre", { class: "note" }, note.text)))) : "",
    drugs?.length ? element("section", { "data-testid": "offline_drugs" }, element("h2", {}, "Drugs"), ...drugs.map(sheet)) : "",
    ...(day.may_write ? [noteForm(patient.id, patient.name), encounterForm(patient.id, patient.name), photoForm(patient.id, patient.name)] : []),
  ];
}

/* An encounter that was being written here when the server went: its words are in this browser */

async function encounterView(id) {
  const place = "encounter " + id;
  const known = await drafts.find(place);
  const none = element("p", {}, "Its words are on the server. Begin another at its patient; a vet can put the two together afterwards.");
  return [...heading("Encounter"), known ? encounterWords(id, known, () => drafts.keep(place, undefined)) : none];
}

/* What is shown, drawn anew when what waits has changed, as long as nobody is writing */

const isWriting = () => main.querySelector("details.offline-move[open]") !== null
  || [...main.querySelectorAll("textarea, input[type=file]")].some(({ value }) => value.trim());
let isStale = false;

async function draw(isFirst = false) {
  const keys = await vault.current();
  const days = await keptDays();
  if (!keys) {
    main.replaceChildren(element("h1", {}, "Without the server"), element("p", { "data-testid": "offline_locked" },
      "Nothing of the practice is readable on this device: nobody is signed in here, or the session has ended. It works again when the server can be reached."));
    return;
  }
  const { page, id, date } = wanted(days);
  // Only a day shows what waits; and whoever begins to write meanwhile, be it while this is read, goes on.
  if (!isFirst && page !== "day") return;
  const waiting = (await writes()).filter(({ state }) => state === "waiting");
  isStale = !isFirst && isWriting();
  if (isStale) return;
  if (page === "triage") main.replaceChildren(...heading("Triage", days[0]?.at), triageForm(days));
  else if (page === "encounter") main.replaceChildren(...(await encounterView(id)));
  else if (page === "patient") main.replaceChildren(...patientView(days, id).filter(Boolean));
  else if (date) main.replaceChildren(...dayView(days, date, waiting));
  else main.replaceChildren(...heading("Nothing was taken along yet"), triageForm(days));
  document.querySelectorAll(".tabs a").forEach((tab) => tab.toggleAttribute("aria-current", tab.pathname.slice(base.length).split("/")[1] === here().split("/")[1]));
}

/* Back: the page that was asked for, unless something is being written here */

const banner = document.getElementById("offline");
banner.hidden = false;
async function look() {
  await vault.current();
  try {
    const response = await fetch("/healthz", { cache: "no-store" });
    if (!response.ok) throw new Error("not yet");
    if (!isWriting()) return here() === "/offline" ? location.replace(at("/day/today")) : location.reload();
    banner.replaceChildren("The server is back. ", link(location.href, "Go on"), ": what stands in a field here and was not kept is lost by that.");
  } catch {
    setTimeout(look, 3000);
  }
}
setTimeout(look, 1500);
setInterval(async () => !(await vault.current()) && !$("[data-testid=offline_locked]") && draw(), 15000);
for (const type of ["keydown", "pointerdown"]) {
  let touched = 0;
  document.addEventListener(type, () => {
    if (Date.now() - touched < 30000) return;
    touched = Date.now();
    vault.mark("usedAt");
  }, { passive: true, capture: true });
}
onChange(() => draw());
main.addEventListener("kept", () => draw());
// A move that is closed again held up what has changed meanwhile.
main.addEventListener("toggle", () => isStale && draw(), true);
draw(true);
