// The flow: a click says how far somebody has got; the minutes go on by themselves.

import { $, ask, key, refresh, toast } from "./app.js";

const live = $("#live");

live.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-stage]");
  const card = button?.closest("[data-appointment]");
  if (!card) return;
  button.disabled = true;
  const { appointment, revision } = card.dataset;
  try {
    const said = await ask("POST", `/api/v1/appointments/${encodeURIComponent(appointment)}/stage`, { stage: button.dataset.stage }, {
      "If-Match": `"${revision}"`,
      "Idempotency-Key": key(),
    });
    toast(`${$(".line bdi", card)?.textContent ?? appointment}: ${said.before.replace("_", " ")} → ${said.stage.replace("_", " ")}.`, "good");
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
