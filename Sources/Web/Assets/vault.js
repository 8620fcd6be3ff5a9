// What this browser keeps of a practice: sealed under keys that nobody can read out, bounded, and gone with the session.
//
// Two keys: `reading`, made here for one session, seals what is taken along; `writing`, which the server hands to the same person on
// this browser again, seals what waits to be sent and what was only typed, so that it outlives the session and opens for nobody else.

import { base } from "./base.js";

// Of each practice of a server its own.
const database = "vetnet" + base;
export const bounds = { days: 8, keptBytes: 16 << 20, writes: 500, writeBytes: 64 << 20, drafts: 100, draftBytes: 1 << 20 };

let opened;
function connect() {
  return (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 2);
    request.onupgradeneeded = () => {
      const { objectStoreNames: known } = request.result;
      for (const name of ["about", "keys", "kept", "drafts"]) if (!known.contains(name)) request.result.createObjectStore(name);
      if (!known.contains("writes")) request.result.createObjectStore("writes", { keyPath: "number", autoIncrement: true });
    };
    request.onsuccess = () => {
      // Another window wipes: this one lets go.
      request.result.onversionchange = () => {
        request.result.close();
        opened = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => {
      opened = undefined;
      reject(request.error);
    };
  }));
}

/** One transaction on one store; `work` is given the store and returns a request, or nothing. */
async function within(store, mode, work) {
  const base = await connect();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(store, mode, { durability: "strict" });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

export const read = (store, key) => within(store, "readonly", (place) => place.get(key));
export const readAll = (store) => within(store, "readonly", (place) => place.getAll());
export const names = (store) => within(store, "readonly", (place) => place.getAllKeys());
export const put = (store, value, key) => within(store, "readwrite", (place) => (key === undefined ? place.put(value) : place.put(value, key)));
export const remove = (store, key) => within(store, "readwrite", (place) => place.delete(key));
/** Changes what stands under a key in one step, by what stands there; what `work` returns nothing for stays as it is. */
const change = (store, key, work) => within(store, "readwrite", (place) => {
  const known = place.get(key);
  known.onsuccess = () => {
    const next = work(known.result);
    if (next !== undefined) place.put(next, key);
  };
  return known;
});
/** What stands under a key, or what is put there if nothing does; of two windows at once both get the same. */
export async function once(store, key, made) {
  await change(store, key, (known) => (known === undefined ? made : undefined));
  return read(store, key);
}
const clear = (store) => within(store, "readwrite", (place) => place.clear());

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/* Keys */

/** Whether this browser can keep anything: some have no storage in private windows, or no WebCrypto over plain HTTP. */
export const isPossible = Boolean(globalThis.indexedDB && globalThis.crypto?.subtle);

/** Takes the keys of whoever is signed in. Those of another person go first, with what they had taken along. */
export async function unlock({ actor, owner, key, idle_minutes, contact_hours }) {
  const known = await current();
  if (known && known.owner !== owner) await lock();
  const now = Date.now();
  const reading = known?.owner === owner
    ? known.reading
    : await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const writing = await crypto.subtle.importKey("raw", bytesOf(key), "AES-GCM", false, ["encrypt", "decrypt"]);
  await put("keys", { actor, owner, reading, writing, idle: idle_minutes, hours: contact_hours, usedAt: now, contactAt: now }, "current");
  for (const tell of awaiting) tell();
  awaiting.clear();
}

const awaiting = new Set();
/** Resolves when keys are taken in this window next. */
export const unlocked = () => new Promise((done) => awaiting.add(done));

/** Whether keys are over, by the clock of this machine: unused for too long, too long without the server, or before they were made. */
export function isOver(keys, now) {
  const isBack = now < Math.max(keys.usedAt, keys.contactAt) - 60000;
  const isIdle = keys.idle !== null && now - keys.usedAt > keys.idle * 60000;
  return isBack || isIdle || now - keys.contactAt > keys.hours * 60 * 60 * 1000;
}

/** The keys that count now, or none; those whose time is over go, with what they open. */
export async function current() {
  if (!isPossible) return undefined;
  try {
    const keys = await read("keys", "current");
    if (keys && isOver(keys, Date.now())) {
      await lock();
      return undefined;
    }
    return keys;
  } catch {
    return undefined;
  }
}

/** Somebody is here, or the server was reached. */
export async function mark(what) {
  // In one step: keys that another window takes away meanwhile stay away.
  if (await current()) await change("keys", "current", (keys) => keys && { ...keys, [what]: Date.now() });
}

/** The session has ended: no key, and nothing that was taken along. What waits to be sent, and drafts, stay and open for nobody. */
export async function lock() {
  if (!isPossible) return;
  await clear("keys");
  await clear("kept");
}

/** Whether something was kept for this practice, and not for another of the same server. */
const isOwn = (name) => !base || name.includes(base + "-") || name.includes(base + "/");

/** Everything goes: what waits too, the files of pages, drafts, and what says who was here. */
export async function wipe() {
  if (isPossible) for (const store of ["keys", "kept", "writes", "drafts", "about"]) await clear(store);
  for (const name of await (globalThis.caches?.keys() ?? [])) if (name.startsWith(`vetnet-shell${base}:`)) await caches.delete(name);
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith("vetnet-") && name !== "vetnet-theme" && isOwn(name)) storage.removeItem(name);
  }
}

/* Sealing: what it is of is authenticated with it, so that nothing can be put in another's place */

async function sealed(key, about, bytes) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(about);
  return { iv, bytes: await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, bytes) };
}

async function opens(key, about, { iv, bytes }) {
  return crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: new TextEncoder().encode(about) }, key, bytes);
}

const packed = (value) => new TextEncoder().encode(JSON.stringify(value));
const unpacked = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

const aboutWrite = (keys, id) => `write ${id} ${keys.owner}`;

/** Seals what is said of a write. */
export const sealWords = (keys, id, value) => sealed(keys.writing, aboutWrite(keys, id), packed(value));
export const openWords = async (keys, id, words) => unpacked(await opens(keys.writing, aboutWrite(keys, id), words));

/** Seals a file that goes with a write; it is opened when it is sent, and not for a list. */
export const sealFile = async (keys, id, file) => ({ type: file.type, ...(await sealed(keys.writing, aboutWrite(keys, id) + " file", await file.arrayBuffer())) });
export const openFile = async (keys, id, file) => new Blob([await opens(keys.writing, aboutWrite(keys, id) + " file", file)], { type: file.type });

/** Keeps a day of the book; the oldest go first where it is too much. */
export async function keep(name, value) {
  const keys = await current();
  if (!keys) return false;
  const made = await sealed(keys.reading, `kept ${name} ${keys.owner}`, packed(value));
  await put("kept", { ...made, at: Date.now(), size: made.bytes.byteLength }, name);
  const all = await names("kept");
  const rows = await readAll("kept");
  const order = all.map((known, index) => ({ name: known, ...rows[index] })).sort((one, other) => one.name.localeCompare(other.name));
  let total = order.reduce((sum, row) => sum + row.size, 0);
  while (order.length > bounds.days || total > bounds.keptBytes) {
    const gone = order.shift();
    total -= gone.size;
    await remove("kept", gone.name);
  }
  return true;
}

/** What is kept under a name, or nothing. */
export async function kept(name) {
  const keys = await current();
  const row = keys && (await read("kept", name));
  if (!row) return undefined;
  try {
    return { value: unpacked(await opens(keys.reading, `kept ${name} ${keys.owner}`, row)), at: row.at };
  } catch {
    await remove("kept", name);
    return undefined;
  }
}


/* Drafts: one for each name and person */

const aboutDraft = (keys, name) => `draft ${name} ${keys.owner}`;

/** Where a draft lies: whoever hasn't the key doesn't learn from that whom it is about. */
async function draftPlace(keys, name) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(aboutDraft(keys, name)));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a name begins with that is of one window: such drafts go first where there are too many. */
export const passing = "window ";

/** Keeps a draft in place of the one of that name; undefined for none. The oldest go where there are too many. */
export async function keepDraft(keys, name, value) {
  const place = await draftPlace(keys, name);
  if (value === undefined) return remove("drafts", place);
  const made = await sealed(keys.writing, aboutDraft(keys, name), packed(value));
  if (made.bytes.byteLength > bounds.draftBytes) throw new Error("a draft is too long to be kept");
  await put("drafts", { ...made, at: Date.now(), isPassing: name.startsWith(passing) }, place);
  const all = await names("drafts");
  if (all.length <= bounds.drafts) return;
  const rows = await readAll("drafts");
  const order = all.map((known, index) => ({ known, ...rows[index] })).sort((one, other) => other.isPassing - one.isPassing || one.at - other.at);
  for (const { known } of order.slice(0, order.length - bounds.drafts)) await remove("drafts", known);
}

/** The draft of a name, or nothing. */
export async function draft(keys, name) {
  const row = await read("drafts", await draftPlace(keys, name));
  return row && unpacked(await opens(keys.writing, aboutDraft(keys, name), row));
}
