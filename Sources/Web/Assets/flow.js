// The flow: a click says how far somebody has got; the minutes go on by themselves.

import { $, refresh, toast } from "./app.js";
import { askOrKeep } from "./outbox.js";
import { verdict } from "./rules.js";

const live = $("#live");
const order = ["expected", "arrived", "in_consult", "to_pay", "left"];

/** A visit that was only moved meanwhile, as for an emergency, has got as far as somebody says all the same. */
async function say(write) {
  try {
    return await askOrKeep(write);
  } catch (problem) {
    const found = verdict(write, problem);
    if (found.is !== "again") throw problem;
    return askOrKeep({ ...write, revision: found.revision });
  }
}

live.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-stage]");
  const card = button?.closest("[data-appointment]");
  if (!card) return;
  button.disabled = true;
  const { appointment, revision } = card.dataset;
  const { stage } = button.dataset;
  const name = $(".line bdi", card)?.textContent ?? appointment;
  try {
    const said = await say({
      kind: "stage", method: "POST", path: `/api/v1/appointments/${encodeURIComponent(appointment)}/stage`, body: { stage }, revision: Number(revision),
      record: "appointment " + appointment, label: `${name}: ${button.textContent.toLowerCase()}`, isBack: order.indexOf(stage) < order.indexOf(card.parentElement.dataset.testid.slice("flow_".length)),
    });
    if (said.waiting) return toast(`${name}: kept here, and sent when the server is back.`);
    toast(`${name}: ${said.before.replace("_", " ")} → ${said.stage.replace("_", " ")}.`, "good");
    next = appointment;
  } catch (problem) {
    button.disabled = false;
    toast(problem.status === 412 ? "Somebody said something else of this visit meanwhile; look again." : problem.message, "bad");
  }
  refresh();
});

// The card goes to another column: the focus goes with it.
let next = null;
live.addEventListener("updated", () => {
  const card = next && $(`[data-appointment="${CSS.escape(next)}"]`, live);
  next = null;
  if (card && (document.activeElement === document.body || !document.activeElement)) $("button", card)?.focus({ preventScroll: true });
});

setInterval(() => {
  if (!document.hidden) refresh();
}, 60000);
