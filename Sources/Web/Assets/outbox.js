// What was written without the server, and waits: sealed in this browser, in the order in which it was made, each with the key under
// which it counts once, the revision it was based on, when it was made and by whom.

import { ask, key } from "./app.js";
import { base } from "./base.js";
import * as vault from "./vault.js";

const told = window.BroadcastChannel ? new BroadcastChannel("vetnet-waiting" + base) : null;
const listeners = new Set();
function changed() {
  told?.postMessage("changed");
  for (const listener of listeners) listener();
}
if (told) told.onmessage = () => listeners.forEach((listener) => listener());

/** Calls back when what waits has changed, here or in another window. */
export const onChange = (listener) => listeners.add(listener);

const sizeOf = (row) => row.words.bytes.byteLength + (row.file?.bytes.byteLength ?? 0);

/** The headers that a write goes with. */
export const headersOf = (write) => ({
  ...write.headers,
  "Idempotency-Key": write.key,
  ...(write.revision === undefined ? {} : { "If-Match": `"${write.revision}"` }),
});

/**
 * Keeps a write until the server has it.
 *
 * kind: note, encounter, stage, booking, move, triage or photo; record: what it is about, by which writes stay in order;
 * label: what it is in words, for the list; base: what stood there when it was made.
 */
export async function keepWrite(write) {
  const keys = await vault.current();
  if (!keys) throw new Error("This browser keeps nothing without a session: copy what you typed.");
  const rows = await vault.readAll("writes");
  const { file, ...rest } = write;
  const id = key();
  const value = { state: "waiting", key: key(), madeAt: Date.now(), by: keys.actor, ...rest };
  const row = { id, owner: keys.owner, words: await vault.sealWords(keys, id, value), file: file ? await vault.sealFile(keys, id, file) : null };
  const total = rows.reduce((sum, one) => sum + sizeOf(one), 0) + sizeOf(row);
  if (rows.length >= vault.bounds.writes || total > vault.bounds.writeBytes) {
    throw new Error(`No more is kept here: ${rows.length} changes wait already. Copy what you typed.`);
  }
  await vault.put("writes", row);
  // Browsers that are short of room are asked to leave this alone.
  navigator.storage?.persist?.().catch(() => {});
  changed();
}

/** What waits of whoever is here, in order, each with its number; what can't be opened is left where it is. */
export async function writes() {
  const keys = await vault.current();
  if (!keys) return [];
  const found = [];
  for (const row of await vault.readAll("writes")) {
    if (row.owner !== keys.owner) continue;
    try {
      found.push({ ...(await vault.openWords(keys, row.id, row.words)), id: row.id, number: row.number, sealedFile: row.file });
    } catch {
      found.push({ id: row.id, number: row.number, kind: "unreadable", state: "refused", label: "A change that can't be read any more", ways: ["drop"] });
    }
  }
  return found;
}

/** How many wait: of whoever is here, and of others, who have to sign in for theirs to be sent. */
export async function count() {
  if (!vault.isPossible) return { own: 0, others: 0 };
  const keys = await vault.current();
  const rows = await vault.readAll("writes").catch(() => []);
  const own = rows.filter((row) => row.owner === keys?.owner).length;
  return { own, others: rows.length - own };
}

/** Changes what is known of a write. */
export async function amend(write, change) {
  const keys = await vault.current();
  if (!keys) return;
  const { id, number, sealedFile, ...value } = { ...write, ...change };
  await vault.put("writes", { id, number, owner: keys.owner, words: await vault.sealWords(keys, id, value), file: sealedFile });
  changed();
}

/** Takes a write back, or puts it away when the server has it. */
export async function drop(write) {
  await vault.remove("writes", write.number);
  changed();
}

/** Asks the server, or keeps what was to be asked where it can't be reached: `{ waiting: true }`. Throws every other problem. */
export async function askOrKeep(write) {
  const named = { key: key(), ...write };
  try {
    return await ask(named.method, named.path, named.file ?? named.body, headersOf(named));
  } catch (problem) {
    if (problem.code !== "offline" || !(await vault.current())) throw problem;
    // It may have arrived all the same: it goes again under the same key.
    await keepWrite({ ...named, sentAt: Date.now() });
    return { waiting: true };
  }
}
