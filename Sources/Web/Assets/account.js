// One's own account: calendars to subscribe to, the passphrase.

import { at } from "./base.js";
import { $, ask, openPerson, refresh, showProblem, signOut, toast } from "./app.js";
import { addPasskey, canUsePasskeys } from "./passkey.js";

const feed = document.getElementById("feed");
feed?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = $(".problem", feed);
  problem.hidden = true;
  const [kind, ...id] = feed.elements.of.value.split(" ");
  if (!kind) return showProblem(problem, { message: "Choose whose appointments it shows." });
  const body = { without_names: feed.elements.without_names.checked };
  if (kind === "clinician") body.clinician_id = id.join(" ");
  if (kind === "room") body.resource_id = id.join(" ");
  try {
    const made = await ask("POST", "/api/v1/feeds", body);
    const url = document.getElementById("feed-url");
    url.value = made.url;
    $("[data-made]", feed).hidden = false;
    url.select();
    refresh();
  } catch (error) {
    showProblem(problem, error);
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-withdraw], [data-sign-out], [data-switch-person], [data-remove-passkey]");
  if (!button) return;
  if ("signOut" in button.dataset) return signOut();
  if ("switchPerson" in button.dataset) return openPerson();
  if ("removePasskey" in button.dataset) return removePasskey(button);
  try {
    await ask("DELETE", "/api/v1/feeds/" + button.dataset.withdraw);
    toast("Withdrawn: its address leads nowhere any more.", "good");
  } catch (error) {
    toast(error.message, "bad");
  }
  refresh();
});

const passphrase = document.getElementById("passphrase");
passphrase?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = $(".problem", passphrase);
  problem.hidden = true;
  const [old, wanted, again] = ["old", "new", "again"].map((name) => document.getElementById("passphrase-" + name));
  if (!old.value) return old.focus();
  if (wanted.value !== again.value) return showProblem(problem, { message: "The new one was not typed alike twice." });
  const button = $("[type=submit]", passphrase);
  button.disabled = true;
  try {
    await ask("POST", "/api/v1/session/passphrase", { old: old.value, new: wanted.value, keep_passkeys: document.getElementById("passphrase-keep").checked });
    passphrase.reset();
    location.replace(at("/login?to=/account"));
  } catch (error) {
    button.disabled = false;
    showProblem(problem, error);
  }
});

const passkey = document.getElementById("passkey");
if (passkey) {
  passkey.hidden = !canUsePasskeys;
  passkey.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = $(".problem", passkey);
    problem.hidden = true;
    const label = document.getElementById("passkey-label");
    const known = document.getElementById("passkey-passphrase");
    const empty = label.value.trim() ? known : label;
    if (!empty.value.trim()) return empty.focus();
    try {
      await addPasskey(label.value.trim(), known.value);
      location.reload();
    } catch (error) {
      showProblem(problem, error);
    }
  });
}

async function removePasskey(button) {
  try {
    await ask("DELETE", "/api/v1/passkeys/" + button.dataset.removePasskey);
    button.closest("li").remove();
    toast("Removed: it lets nobody in any more, and your other sessions have ended.", "good");
  } catch (error) {
    toast(error.message, "bad");
  }
}
