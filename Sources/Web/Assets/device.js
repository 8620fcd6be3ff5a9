// This browser as a device of the practice: known to the server, given the key of what waits, and wiped when an administrator says so.

import { $, ask, unattended } from "./app.js";
import { at, base } from "./base.js";
import { writes } from "./outbox.js";
import * as vault from "./vault.js";

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What this browser is known by: random, and no other has it. */
const secret = () => vault.once("about", "browser", hex(crypto.getRandomValues(new Uint8Array(32))));

/** As somebody would call it in a list: Chrome on Android. */
function label() {
  const { userAgent } = navigator;
  const browsers = [["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]];
  const systems = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "Mac"], ["Linux", "Linux"]];
  const found = (list, standard) => list.find(([sign]) => userAgent.includes(sign))?.[1] ?? standard;
  return `${found(browsers, "Browser")} on ${found(systems, "another system")}`;
}

// Left by a wipe. Where nobody signs in, nothing else says that this browser was revoked, and it would be taken for a new one.
const revoked = "vetnet-revoked" + base;
const isOpen = $("meta[name=role]")?.content === "owner";

/** Whether this browser keeps nothing because it was revoked, until somebody asks it to. */
export const isRevoked = () => vault.isPossible && isOpen && localStorage.getItem(revoked) !== null;

/**
 * Takes the keys of whoever is signed in, and says that this browser was here. Returns whether it may keep anything.
 *
 * Where there is nobody to sign in, one that was revoked joins again only when somebody there asks for it.
 */
export async function join(actor, isAskedFor = false) {
  if (!vault.isPossible || (isRevoked() && !isAskedFor)) return false;
  const known = await vault.current();
  if (known && known.actor !== actor) await vault.lock();
  try {
    const answer = await ask("POST", "/api/v1/browser", { browser: await secret(), label: label() }, unattended);
    await vault.unlock({ ...answer, actor });
    localStorage.removeItem(revoked);
    return true;
  } catch (problem) {
    if (problem.code === "device_revoked") await giveUp();
    return false;
  }
}

/** What of the writes that go with a wipe an administrator is told: kinds, ids and times, no words. */
const listed = (all) => all.filter(({ state }) => state !== "merged").slice(0, 100)
  .map(({ kind, record, patient, madeAt }) => ({ kind: String(kind), record: patient ? "patient " + patient : String(record ?? ""), minutes_ago: Math.max(0, Math.round((Date.now() - madeAt) / 60000)) || 0 }));

/** Says what waited, and wipes all that this browser has of the practice. */
async function giveUp() {
  const browser = await vault.read("about", "browser");
  const waiting = listed(await writes());
  const rows = (await vault.names("writes")).length;
  try {
    await ask("POST", "/api/v1/browser/contact", { browser, is_wiped: true, waiting, unread: Math.max(0, rows - waiting.length) }, unattended);
  } catch {
    // Wiped it is, told or not.
  }
  await vault.wipe();
  localStorage.setItem(revoked, "1");
  await (await navigator.serviceWorker?.getRegistration(at("/")))?.unregister();
  location.replace(at("/login?wiped=1"));
}

/** Asks, signed in or not, whether this browser is one that was revoked. */
export async function contact() {
  if (!vault.isPossible) return;
  const browser = await vault.read("about", "browser").catch(() => undefined);
  if (!browser) return;
  try {
    const { state } = await ask("POST", "/api/v1/browser/contact", { browser }, unattended);
    if (state === "revoked") await giveUp();
    else await vault.mark("contactAt");
  } catch {
    // Asked again at the next contact.
  }
}
