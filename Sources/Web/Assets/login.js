// Signing in, and back to where somebody was.

import { $, ask, showProblem } from "./app.js";
import { at } from "./base.js";
import { contact } from "./device.js";
import { canUsePasskeys, signInByPasskey } from "./passkey.js";
import * as vault from "./vault.js";
import "./waiting.js";

const form = document.getElementById("login");
const problem = $(".problem", form);
const goal = form.dataset.goal;

// A link from elsewhere comes without the cookie; this page's own request has it.
if (!("switch" in form.dataset)) {
  ask("GET", "/api/v1/session", undefined, { "X-VetNet-Unattended": "1" }).then(
    () => location.replace(at(goal)),
    // Nobody is signed in: nothing that was taken along stays readable.
    (error) => error.status === 401 && vault.lock(),
  );
}

contact();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = $("button[type=submit]", form);
  const name = form.elements.name.value.trim();
  const passphrase = form.elements.passphrase;
  const empty = name ? passphrase : form.elements.name;
  if (!empty.value.trim()) return empty.focus();
  button.disabled = true;
  problem.hidden = true;
  try {
    await ask("POST", "/api/v1/session", { name, passphrase: passphrase.value });
    passphrase.value = "";
    location.replace(at(goal));
  } catch (error) {
    button.disabled = false;
    showProblem(problem, error);
    passphrase.select();
  }
});

const passkey = $("[data-passkey]", form);
passkey.hidden = !canUsePasskeys;
passkey.addEventListener("click", async () => {
  passkey.disabled = true;
  problem.hidden = true;
  try {
    await signInByPasskey();
    location.replace(at(goal));
  } catch (error) {
    passkey.disabled = false;
    showProblem(problem, error);
  }
});
