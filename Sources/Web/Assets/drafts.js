// What somebody typed and has not sent yet, and what a page goes on from: sealed in this browser under the key that the server gives to
// the same person here again. It survives a reload, a closed window and the end of a session, and opens for nobody else.

import * as vault from "./vault.js";

// The page that stands in for all others names nobody: there it is whoever the key is of.
const actor = document.querySelector("meta[name=actor]")?.content;
// Nobody is kept on a page by the storage.
const patience = 1000;

async function own() {
  const keys = await vault.current();
  return keys && (actor === undefined || keys.actor === actor) ? keys : undefined;
}

// What is to be kept and isn't yet, by name; undefined for what is to go.
const wanted = new Map();
let work = Promise.resolve();

async function write() {
  const keys = await own();
  // Without a key it stays on the page, and is kept as soon as there is one.
  if (!keys) return;
  for (const [name, value] of wanted) {
    wanted.delete(name);
    try {
      await vault.keepDraft(keys, name, value);
    } catch {
      // Nothing can be kept here; the page itself has it.
    }
  }
}

/** Resolves when a value is kept, which it may be only when a key comes. */
async function isKept(name) {
  for (;;) {
    const next = vault.unlocked();
    await work;
    if (!wanted.has(name)) return;
    await next;
  }
}

/** Keeps a value under a name in place of what was there, or nothing. Resolves when it is done, or after a moment in any case. */
export function keep(name, value) {
  wanted.set(name, value);
  work = work.then(write, write);
  const done = value === undefined || !vault.isPossible ? work : isKept(name);
  return Promise.race([done, new Promise((over) => setTimeout(over, patience))]);
}

/** What is kept under a name, as soon as there is a key for it; undefined for nothing. */
export async function find(name) {
  while (vault.isPossible) {
    // Asked for first: a key that comes while one is looked for isn't missed.
    const next = vault.unlocked();
    const keys = await own();
    if (keys) return wanted.has(name) ? wanted.get(name) : vault.draft(keys, name).catch(() => undefined);
    await next;
  }
  return undefined;
}

/** A name of this window's own: what is kept by it is found in no other. */
export function ofWindow(name) {
  try {
    const known = sessionStorage.getItem("vetnet-window") ?? crypto.randomUUID();
    sessionStorage.setItem("vetnet-window", known);
    return `${vault.passing}${known} ${name}`;
  } catch {
    return vault.passing + name;
  }
}

function writeWhenUnlocked() {
  vault.unlocked().then(() => {
    writeWhenUnlocked();
    work = work.then(write, write);
  });
}
writeWhenUnlocked();
