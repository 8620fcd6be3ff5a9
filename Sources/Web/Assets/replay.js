// Sends what waits, one window at a time, in order for each record: whatever is refused holds up what is about the same record, and
// nothing else.

import { answered } from "./app.js";
import { base } from "./base.js";
import { amend, drop, headersOf, writes } from "./outbox.js";
import { isUnsure, verdict } from "./rules.js";
import * as vault from "./vault.js";

const isUrgent = (answer) => ["red", "orange"].includes(answer?.urgency);

/** Sends one write. Returns the new revision of its record, where there is one. */
async function send(write) {
  const minutes = Math.round((Date.now() - write.madeAt) / 60000);
  // How long ago is known better than when: the clock of this machine may be wrong.
  const body = write.kind === "note" ? { ...write.body, minutes_ago: Math.max(0, minutes) } : write.body;
  const file = write.sealedFile && (await vault.openFile(await vault.current(), write.id, write.sealedFile));
  const response = await answered(write.method, write.path, file || body, headersOf(write));
  const answer = await response.json();
  const tag = Number((response.headers.get("ETag") ?? "").replaceAll('"', ""));
  return { answer, revision: answer.revision ?? (tag > 0 ? tag : undefined) };
}

/** Whatever of the same record was made on top of a write goes on from where that led. */
async function carryOn(write, base, revision, rest) {
  if (base === undefined || revision === undefined) return;
  for (const next of rest) {
    if (next.record === write.record && next.revision === base) {
      next.revision = revision;
      await amend(next, {});
    }
  }
}

async function done(write, base, { answer, revision }, rest) {
  await carryOn(write, base, revision, rest);
  if (write.kind !== "triage" || !isUrgent(answer)) return drop(write);
  // An answer that nobody may overlook stays until somebody has said that they saw it.
  const { urgency, action, target_minutes: minutes } = answer;
  await amend(write, { state: "alert", answer: { urgency, action, minutes } });
}

/** Sends a write until it is done, or a person has to say. Returns whether the server can go on being asked. */
async function settle(write, rest, held) {
  const base = write.revision;
  if (isUnsure(write, Date.now())) {
    held.add(write.record);
    await amend(write, { state: "refused", reason: "It was sent, and nobody knows any more whether it arrived: look there first.", ways: ["again", "drop"] });
    return true;
  }
  for (;;) {
    try {
      const outcome = await send(write);
      await done(write, base, outcome, rest);
      return true;
    } catch (problem) {
      const found = verdict(write, problem);
      if (["later", "signIn"].includes(found.is)) {
        if (problem.status === 0) await amend(write, { sentAt: write.sentAt ?? Date.now() });
        return false;
      }
      if (found.is === "again") {
        Object.assign(write, { revision: found.revision, repeats: (write.repeats ?? 0) + 1 });
        continue;
      }
      if (found.is === "merged") {
        await carryOn(write, base, problem.current?.revision, rest);
        await amend(write, { state: "merged", reason: found.reason });
        return true;
      }
      held.add(write.record);
      if (found.is === "skip") await amend(write, { failures: (write.failures ?? 0) + 1 });
      else await amend(write, { state: found.is, reason: found.reason, ways: found.ways, current: found.current, slots: found.slots });
      return true;
    }
  }
}

async function run() {
  const all = await writes();
  const held = new Set();
  for (const [index, write] of all.entries()) {
    if (["refused", "conflict"].includes(write.state)) held.add(write.record);
    if (write.state !== "waiting" || held.has(write.record)) continue;
    if (!(await settle(write, all.slice(index + 1).filter((next) => next.state === "waiting"), held))) return;
  }
}

let isAsked = false;
let isRunning = false;

/** Sends what waits, if anything does, and the server can be reached. */
export async function replay() {
  isAsked = true;
  if (isRunning || !(await vault.current())) return;
  isRunning = true;
  try {
    while (isAsked) {
      isAsked = false;
      if (navigator.locks) await navigator.locks.request("vetnet-replay" + base, run);
      else await run();
    }
  } finally {
    isRunning = false;
  }
}
