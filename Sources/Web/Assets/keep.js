// Takes along what somebody needs without the server: today and the next seven days, with the patients in them.

import { $, ask, unattended } from "./app.js";
import * as vault from "./vault.js";

const freshMinutes = 15;

/** The day that is so many days after another: 2026-11-26, 1 → 2026-11-27. */
export function dayAfter(date, days) {
  const moment = new Date(date + "T12:00:00Z");
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The day at the practice, by the server's clock as the page has it. */
export function today() {
  const now = Number($("meta[name=now]")?.content ?? Date.now() / 1000) * 1000;
  const zone = $("meta[name=zone]")?.content;
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
}

/** Fetches each day that isn't kept, or not lately. Returns how many days are kept then. */
export async function takeAlong(isForced = false) {
  if (!(await vault.current())) return 0;
  const first = today();
  let count = 0;
  for (let offset = 0; offset < vault.bounds.days; offset += 1) {
    const date = dayAfter(first, offset);
    const known = await vault.read("kept", date);
    const isFresh = known && Date.now() - known.at < freshMinutes * 60000 * (offset === 0 ? 1 : 4);
    if (!isFresh || isForced) {
      const fetched = await ask("GET", "/api/v1/offline/" + date, undefined, unattended);
      if (!(await vault.keep(date, fetched))) return count;
    }
    count += 1;
  }
  for (const name of await vault.names("kept")) if (name < first) await vault.remove("kept", name);
  return count;
}

/** The days that are kept, the earliest first, each with when it was fetched. */
export async function keptDays() {
  const found = [];
  for (const name of (await vault.current()) ? await vault.names("kept") : []) {
    const known = await vault.kept(name);
    if (known) found.push({ date: name, ...known.value, at: known.at });
  }
  return found.sort((one, other) => one.date.localeCompare(other.date));
}
