// What becomes of a write that was made offline and that the server did not just take: rules on values alone, by the kind of write.

/** How far a status or a stage has got; the book goes forward by itself, and back only by a person. */
const rank = { requested: 0, booked: 0, expected: 0, arrived: 1, in_progress: 2, in_consult: 2, to_pay: 3, done: 3, left: 4 };
/** The answers of a server are kept for a day: whether a request arrived that was sent before can't be told afterwards. */
export const longestUnsure = 20 * 60 * 60 * 1000;
const tries = 3;

const later = { is: "later" };
const refused = (reason, ways) => ({ is: "refused", reason, ways });
const again = (revision) => ({ is: "again", revision });
const merged = (reason) => ({ is: "merged", reason });
const conflict = (reason, current, ways = ["mine", "theirs"]) => ({ is: "conflict", reason, current, ways });

const place = (visit) => [visit.start?.slice(0, 16), visit.clinician_id ?? null, Number(visit.duration_minutes)].join(" ");
const isSamePlace = (one, other) => Boolean(one && other) && place(one) === place(other);

function staleStage(write, current) {
  if (["cancelled", "no_show"].includes(current.status)) return conflict(`The visit is ${current.status.replace("_", " ")} now.`, current);
  const [mine, theirs] = [rank[write.body.stage], rank[current.status]];
  if (write.isBack || mine === undefined || theirs === undefined) return conflict("Somebody else said something of this visit meanwhile.", current);
  if (mine > theirs) return again(current.revision);
  return merged(`The visit was at “${current.status.replace("_", " ")}” already: it never goes back by itself.`);
}

function staleMove(write, current) {
  const { base = {}, body } = write;
  if (body.status === "cancelled") {
    if (current.status === "cancelled") return merged("It was cancelled already.");
    return isSamePlace(base, current) && current.status === "booked"
      ? again(current.revision)
      : conflict("The visit was changed meanwhile.", current);
  }
  if (current.status === "cancelled") return conflict("The visit was cancelled meanwhile.", current, ["theirs"]);
  const wanted = { ...base, ...body };
  if (isSamePlace(wanted, current)) return merged("It stands there already.");
  // What was changed is something else, such as that its patient has come.
  if (isSamePlace(base, current) && current.status === "booked") return again(current.revision);
  return conflict("Somebody else moved this visit meanwhile.", current);
}

function staleEncounter(write, current) {
  if (current.text === write.body.text) return merged("The same words were there already.");
  if (["final", "amended"].includes(current.state)) return conflict("The encounter was signed meanwhile.", current, ["note", "theirs"]);
  return current.text === write.base?.text ? again(current.revision) : conflict("The words were changed meanwhile.", current);
}

const stale = { stage: staleStage, move: staleMove, encounter: staleEncounter };

/**
 * What to do about a write and what was answered to it.
 *
 * later: the server can't be asked now; signIn: whoever made it has to sign in; again: at once, against a newer revision;
 * merged: what it wanted is so; conflict and refused: a person decides, in one of the ways.
 */
export function verdict(write, problem) {
  const { status, code } = problem;
  if (status === 0 || [408, 425, 429, 502, 503, 504].includes(status)) return later;
  if (status === 401 || code === "stale_token") return { is: "signIn" };
  if (status === 412 && problem.current) {
    return (write.repeats ?? 0) < tries && stale[write.kind]?.(write, problem.current)
      || conflict(problem.message, problem.current);
  }
  if (status >= 500) return (write.failures ?? 0) + 1 < tries ? { is: "skip" } : refused(said(problem), ["again", "drop"]);
  if (code === "slot_unavailable" && write.kind === "booking") {
    const slots = nearest(problem.freeSlots ?? [], write.body.start);
    // What is free stands there as buttons.
    return { ...refused(problem.message, ["slots", "inbox", "drop"]), slots };
  }
  if (code === "slot_unavailable") return refused(said(problem), ["edit", "drop"]);
  if (write.kind === "encounter" && status === 409) return refused(said(problem), ["note", "drop"]);
  return refused(said(problem), ["edit", "again", "drop"].filter((way) => way !== "edit" || canEdit(write)));
}

const said = (problem) => problem.message + (problem.hint ? " " + problem.hint : "");

/** Whether the words of a write can be written anew by whoever made it. */
export const canEdit = (write) => ["note", "triage", "encounter", "booking", "move"].includes(write.kind);

/** The five free slots that lie nearest to the one that was wished for, the nearest first. */
export function nearest(slots, wished) {
  const moment = (text) => Date.parse(text.slice(0, 16) + "Z");
  const from = moment(wished);
  return [...slots].sort((one, other) => Math.abs(moment(one.start) - from) - Math.abs(moment(other.start) - from)).slice(0, 5);
}

/** Whether nobody can tell any more if a write arrived when it was first sent; what can't be done twice is no matter. */
export function isUnsure(write, now) {
  if (!write.sentAt || !["note", "booking", "triage"].includes(write.kind)) return false;
  return Math.abs(now - write.sentAt) > longestUnsure;
}
