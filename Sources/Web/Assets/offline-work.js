// What every page of somebody who is signed in does for the time without the server: it takes along, sends what waited, and keeps to
// the session's end.

import { $, actor, atLeaving, atReturn, atSignOut, onEvent, onServer, toast } from "./app.js";
import { at } from "./base.js";
import { contact, isRevoked, join } from "./device.js";
import { takeAlong } from "./keep.js";
import { replay } from "./replay.js";
import * as vault from "./vault.js";
import { mayLeave } from "./waiting.js";

const restSeconds = 10;

// Where the page was served plainly from another machine, browsers have neither workers nor keys: all else works as ever.
navigator.serviceWorker?.register(at("/sw.js"), { scope: at("/") }).catch(() => {});

let isJoined = false;
// A session that ended by itself may have ended because this device was revoked: what waits is listed while it can be opened.
atLeaving(async (where) => {
  isJoined = false;
  if (!where) await contact();
  await vault.lock();
});
atReturn(() => arrive());
atSignOut(mayLeave);

async function arrive(isAskedFor) {
  if (!isJoined) isJoined = await join(actor, isAskedFor);
  if (isJoined) await replay();
}
const notice = $("[data-revoked]");
if (notice) notice.hidden = !isRevoked();
onServer(async (isUp) => {
  if (!isUp) return;
  await contact();
  await arrive();
});
onEvent("change", ({ records }) => records.some(({ kind }) => kind === "device") && contact());
arrive();

/** What is taken along is fetched when the page has been there for a while, and by the button of the account. */
async function fetchDays(isForced) {
  const days = await takeAlong(isForced);
  document.documentElement.dataset.kept = String(days);
  return days;
}
const fetchQuietly = (isForced) => fetchDays(isForced).catch(() => {});
setTimeout(fetchQuietly, restSeconds * 1000, false);
setInterval(fetchQuietly, 5 * 60000, false);
// Whoever is taken out of the practice for good is taken out here.
onEvent("change", ({ operation }) => operation === "patient.erase" && fetchQuietly(true));
$("[data-take-along]")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  try {
    await arrive(true);
    if (notice) notice.hidden = !isRevoked();
    const days = await fetchDays(true);
    if (days) toast(`Today and the next ${days - 1} days are kept on this device.`, "good");
    else toast("Nothing can be kept in this browser: all else works as ever.");
  } catch (problem) {
    toast(problem.message, "bad");
  }
  event.target.disabled = false;
});

/* Somebody who is here goes on; whoever isn't, by the clock, has no keys any more */

let touched = 0;
for (const type of ["keydown", "pointerdown"]) {
  document.addEventListener(type, () => {
    if (Date.now() - touched < 30000) return;
    touched = Date.now();
    vault.mark("usedAt");
  }, { passive: true, capture: true });
}
setInterval(() => vault.current(), 30000);
