// Photos: adding them by dropping, choosing or the camera; a list of any length of which only what is seen is in the page; one at a time,
// the next ready before it is asked for.

import { $, $$, ask, element, key, openDialog, refresh, showProblem, toast } from "./app.js";
import { at } from "./base.js";
import { askOrKeep } from "./outbox.js";

const path = (picture, size) => at(`/photo/${encodeURIComponent(picture)}/${size}`);
const day = (photo) => (photo.taken_at ?? photo.added_at).slice(0, 10);
const say = (photo) => `${photo.region ?? "photo"} of ${photo.patient_name ?? "no patient yet"}, ${day(photo)}`;
const parts = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

/* Adding */

const add = document.getElementById("photo-add");
if (add) {
  const list = document.getElementById("photo-uploads");
  const drop = document.getElementById("photo-drop");
  const waiting = [];
  let isSending = false;

  const base64 = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

  function take(files) {
    const form = new FormData(add);
    const said = { patient_id: form.get("patient_id") || undefined, region: form.get("region") || undefined, note: form.get("note") || undefined, tags: parts(form.get("tags") ?? "") };
    const words = $("[data-picker] input[role=combobox]", add)?.value.trim();
    // Somebody who was typed and not chosen is named by their words: the server says who fits.
    if (!said.patient_id && words) said.patient_id = words;
    for (const file of files) {
      const state = element("span", {}, "waits");
      const bar = element("progress", { max: "3", value: "0", "aria-label": file.name });
      const row = element("li", {}, element("b", {}, file.name), " ", bar, " ", state);
      list.append(row);
      waiting.push({ file, said: { ...said, name: file.name }, row, bar, state, key: key() });
    }
    send();
  }

  async function send() {
    if (isSending) return;
    isSending = true;
    // One after the other: each is decoded at the server, and the rest of the practice goes on meanwhile.
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      job.state.replaceChildren("on its way");
      job.bar.removeAttribute("value");
      try {
        const answer = await askOrKeep({
          kind: "photo", method: "POST", path: "/api/v1/photos", file: job.file, headers: { "X-VetNet-Photo": base64(job.said) }, key: job.key,
          record: "photo " + job.key, label: "Photo " + job.file.name + (job.said.patient_id ? " of " + job.said.patient_id : ""),
        });
        if (answer.waiting) {
          job.bar.remove();
          job.row.className = "remarked";
          job.state.replaceChildren("kept here, and sent when the server is back");
          continue;
        }
        job.bar.value = 3;
        job.bar.setAttribute("value", "3");
        const notes = [...answer.messages, answer.similar && answer.added ? `like ${answer.similar}` : ""].filter(Boolean).join("; ");
        job.state.replaceChildren(answer.added ? `added as ${answer.photo.id}` : `on file already as ${answer.photo.id}`, notes ? ": " + notes : "");
        job.row.className = answer.messages.length ? "remarked" : "added";
      } catch (problem) {
        job.bar.remove();
        job.row.className = "refused";
        job.state.replaceChildren(problem.message + (problem.hint ? " " + problem.hint : "") + " ");
        // What didn't arrive is sent again under the same key, and stored once.
        if (!(problem.status >= 400 && problem.status < 500) || [403, 408, 413, 429].includes(problem.status)) {
          const again = element("button", { type: "button", class: "small" }, "Try again");
          again.addEventListener("click", () => {
            job.row.replaceChildren(element("b", {}, job.file.name), " ", job.bar, " ", job.state);
            job.row.className = "";
            waiting.push(job);
            send();
          });
          job.state.append(again);
        }
      }
      refresh();
    }
    isSending = false;
  }

  for (const input of $$("input[type=file]", add)) {
    input.addEventListener("change", () => {
      take(input.files);
      input.value = "";
    });
  }
  add.addEventListener("submit", (event) => event.preventDefault());
  const isAllowed = () => !$("input[type=file]", add).disabled;
  for (const type of ["dragenter", "dragover"]) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files") || !isAllowed()) return;
      event.preventDefault();
      add.closest("details").open = true;
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => !event.relatedTarget && drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    if (!event.dataTransfer?.files.length || !isAllowed()) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}

/* A list of which parts are asked for when they are seen, and forgotten when they are far away */

const chunk = 60;

class Source {
  constructor(query) {
    this.query = query;
    this.chunks = new Map();
    this.total = 0;
  }

  /** A photo by its place, if it is here. */
  here(index) {
    const found = this.chunks.get(Math.floor(index / chunk));
    return Array.isArray(found) ? found[index % chunk] : undefined;
  }

  async at(index) {
    await this.load(Math.floor(index / chunk));
    return this.here(index);
  }

  load(number) {
    const known = this.chunks.get(number);
    if (known) return known;
    const asked = ask("GET", `/api/v1/photos?${this.query}${this.query ? "&" : ""}offset=${number * chunk}&limit=${chunk}`).then((page) => {
      this.total = page.total;
      if (this.chunks.get(number) === asked) this.chunks.set(number, page.photos);
      return page.photos;
    }, (problem) => {
      this.chunks.delete(number);
      throw problem;
    });
    this.chunks.set(number, asked);
    return asked;
  }

  /** Puts a photo in place of what was known of it, wherever that stands. */
  replace(photo) {
    for (const photos of this.chunks.values()) {
      const index = Array.isArray(photos) ? photos.findIndex((one) => one.id === photo.id) : -1;
      if (index >= 0) photos[index] = photo;
    }
  }

  /** Keeps what is near. */
  forgetBut(first, last) {
    for (const number of this.chunks.keys()) if (number < first - 2 || number > last + 2) this.chunks.delete(number);
  }

  forget() {
    this.chunks.clear();
  }
}

const grid = document.getElementById("photo-grid");
let source = null;
if (grid) {
  source = new Source(grid.dataset.query);
  const inner = element("div", { class: "photo-rows" });
  grid.append(inner);
  const tiles = new Map();
  const ofOne = new URLSearchParams(grid.dataset.query).has("patient_id");
  let columns = 1;
  let rowHeight = 200;
  let asking = 0;
  let settled = 0;

  function tile(index, photo) {
    const image = element("img", { src: path(photo.picture, "thumbnail"), alt: say(photo), width: "160", height: "120", decoding: "async" });
    const words = element("span", {}, [day(photo), ofOne ? "" : photo.patient_name ?? "no patient", photo.region].filter(Boolean).join(" · "));
    const button = element("button", { type: "button", class: "photo-tile", "data-photo": String(index), "data-testid": "photo_" + photo.id }, image, words);
    if (photo.remarks.length) button.append(element("span", { class: "badge" }, photo.remarks.join(", ")));
    return element("div", { role: "listitem" }, button);
  }

  function blank() {
    return element("div", { role: "listitem", class: "photo-blank", "aria-busy": "true" });
  }

  /** What is seen, and a screen before and behind it. */
  function draw() {
    asking = 0;
    const total = source.total;
    const width = grid.clientWidth;
    columns = Math.max(1, Math.floor(width / 172));
    rowHeight = Math.round(width / columns * 0.75) + 46;
    const rows = Math.ceil(total / columns);
    const height = rows * rowHeight;
    grid.style.height = height + "px";
    const top = Math.max(0, -grid.getBoundingClientRect().top);
    const screens = Math.ceil(innerHeight / rowHeight);
    const firstRow = Math.max(0, Math.floor(top / rowHeight) - screens);
    const lastRow = Math.min(rows, Math.floor(top / rowHeight) + 2 * screens + 1);
    const [first, last] = [firstRow * columns, Math.min(total, lastRow * columns)];
    inner.style.transform = `translateY(${firstRow * rowHeight}px)`;
    inner.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    inner.style.gridAutoRows = rowHeight + "px";
    for (const [index, made] of tiles) {
      if (index >= first && index < last) continue;
      // A picture that isn't shown is let go of, decoded and all.
      $("img", made)?.removeAttribute("src");
      made.remove();
      tiles.delete(index);
    }
    let before = null;
    for (let index = last - 1; index >= first; index--) {
      const photo = source.here(index);
      let made = tiles.get(index);
      if (!made || (photo && made.className === "photo-blank")) {
        const fresh = photo ? tile(index, photo) : blank();
        if (made) made.replaceWith(fresh);
        else inner.insertBefore(fresh, before);
        made = fresh;
        tiles.set(index, fresh);
      }
      before = made;
    }
    const chunks = [Math.floor(first / chunk), Math.floor(Math.max(first, last - 1) / chunk)];
    source.forgetBut(...chunks);
    clearTimeout(settled);
    // Whoever flies past doesn't ask for what they fly past.
    settled = setTimeout(() => {
      for (let number = chunks[0]; total && number <= chunks[1]; number++) {
        if (!source.chunks.has(number)) source.load(number).then(schedule, (problem) => problem.code !== "offline" && toast(problem.message, "bad"));
      }
    }, 50);
  }

  function schedule() {
    if (!asking) asking = requestAnimationFrame(draw);
  }

  function restart() {
    source.forget();
    for (const made of tiles.values()) made.remove();
    tiles.clear();
    source.load(0).then(draw, (problem) => toast(problem.message, "bad"));
  }

  addEventListener("scroll", schedule, { passive: true });
  addEventListener("resize", schedule);
  // Whose photo it is, and what is said of it, is no longer what is here: any of them may be another's change.
  document.getElementById("live").addEventListener("updated", restart);
  restart();
}

/* One at a time */

const viewer = document.getElementById("photo-viewer");
if (viewer) {
  const frame = document.getElementById("photo-frame");
  const place = document.getElementById("photo-place");
  const about = document.getElementById("photo-about");
  const edit = document.getElementById("photo-edit");
  const removal = document.getElementById("photo-remove");
  // Decoded pictures: the one that is seen, the two before and behind it, and a few that were.
  const pool = new Map();
  const most = 6;
  let seen = null;
  let current = 0;
  let shown = null;

  function picture(photo) {
    let image = pool.get(photo.picture);
    pool.delete(photo.picture);
    if (!image) {
      image = new Image();
      image.decoding = "async";
      image.src = path(photo.picture, "screen");
    }
    pool.set(photo.picture, image);
    for (const [name, old] of pool) {
      if (pool.size <= most) break;
      if (old.isConnected) continue;
      old.removeAttribute("src");
      pool.delete(name);
    }
    return image;
  }

  function ready(index) {
    if (index < 0 || index >= seen.total) return;
    seen.at(index).then((photo) => photo && picture(photo).decode().catch(() => {}), () => {});
  }

  async function show(index) {
    if (index < 0 || (seen.total && index >= seen.total)) return;
    current = index;
    let photo = seen.here(index);
    if (!photo) {
      try {
        photo = await seen.at(index);
      } catch (problem) {
        return toast(problem.message, "bad");
      }
    }
    if (!photo || current !== index) return;
    shown = photo;
    const image = picture(photo);
    image.alt = say(photo);
    image.draggable = false;
    frame.replaceChildren(image);
    frame.setAttribute("aria-label", say(photo));
    place.replaceChildren(`${index + 1} of ${seen.total}: ${say(photo)}`);
    fillAbout(photo);
    for (const step of [1, -1, 2]) ready(index + step);
  }

  /** As a field of one line shows it. */
  const oneLine = (text) => (text ?? "").replace(/[\r\n]+/g, "");

  function fillAbout(photo) {
    const lines = [];
    const scale = photo.mm_per_pixel ? `${(photo.mm_per_pixel * photo.width).toFixed(0)} × ${(photo.mm_per_pixel * photo.height).toFixed(0)} mm` : "no scale";
    lines.push(element("p", {}, `${photo.id} · ${photo.width} × ${photo.height} · ${scale} · added by ${photo.added_by}`));
    if (photo.patient_id) lines.push(element("p", {}, element("a", { href: at("/patient/" + encodeURIComponent(photo.patient_id)) }, photo.patient_name), ` ${photo.patient_id}`));
    if (photo.tags.length) lines.push(element("p", {}, ...photo.tags.map((tag) => element("span", { class: "badge" }, tag))));
    if (photo.note) lines.push(element("p", {}, photo.note));
    if (photo.remarks.length) lines.push(element("p", { class: "hint" }, "Checks: " + photo.remarks.join(", ")));
    about.replaceChildren(...lines);
    for (const form of [edit, removal]) $(".problem", form).hidden = true;
    edit.elements.region.value = photo.region ?? "";
    edit.elements.tags.value = photo.tags.join(", ");
    edit.elements.note.value = photo.note ?? "";
    const picker = $("[data-picker]", edit);
    $("input[type=hidden]", picker).value = photo.patient_id ?? "";
    $("input[role=combobox]", picker).value = photo.patient_id ? `${photo.patient_name} (${photo.patient_id})` : "";
    document.getElementById("photo-original").href = at("/photo-original/" + encodeURIComponent(photo.id));
    const line = $("svg", frame);
    line?.remove();
  }

  async function open(from, index) {
    seen = from;
    openDialog(viewer.id);
    frame.focus();
    await show(index);
  }

  document.addEventListener("click", (event) => {
    const tile = event.target.closest("[data-photo]");
    if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const strip = tile.closest("[data-query]");
    open(grid?.contains(tile) ? source : new Source(strip.dataset.query), Number(tile.dataset.photo));
  });
  viewer.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) show(current + Number(button.dataset.step));
  });
  viewer.addEventListener("close", () => {
    const last = current;
    frame.replaceChildren();
    for (const image of pool.values()) image.removeAttribute("src");
    pool.clear();
    $(`[data-photo="${last}"]`)?.focus();
  });
  viewer.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const goal = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: seen.total - 1 }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    show(goal);
  });

  /* A swipe goes on; where a length was typed, drawing along it makes a scale */

  const length = document.getElementById("photo-length");
  let begun = null;
  frame.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button > 0) return;
    begun = { x: event.clientX, y: event.clientY };
    frame.setPointerCapture(event.pointerId);
    if (Number(length.value) > 0) event.preventDefault();
  });
  frame.addEventListener("pointermove", (event) => {
    if (begun && Number(length.value) > 0) drawLine(event);
  });
  frame.addEventListener("pointerup", (event) => {
    if (!begun) return;
    const [across, down] = [event.clientX - begun.x, event.clientY - begun.y];
    if (Number(length.value) > 0) keepScale(Math.hypot(across, down));
    else if (Math.abs(across) > 40 && Math.abs(across) > 1.5 * Math.abs(down)) show(current + (across < 0 ? 1 : -1));
    begun = null;
  });
  frame.addEventListener("pointercancel", () => (begun = null));

  function drawLine(event) {
    const box = frame.getBoundingClientRect();
    const name = "http://www.w3.org/2000/svg";
    const drawing = $("svg", frame) ?? frame.appendChild(document.createElementNS(name, "svg"));
    drawing.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    drawing.setAttribute("class", "photo-line");
    const line = $("line", drawing) ?? drawing.appendChild(document.createElementNS(name, "line"));
    for (const [attribute, value] of [["x1", begun.x - box.left], ["y1", begun.y - box.top], ["x2", event.clientX - box.left], ["y2", event.clientY - box.top]]) line.setAttribute(attribute, value);
  }

  async function keepScale(pixels) {
    const image = $("img", frame);
    if (!image || pixels < 10) return;
    // Of the picture as it was sent, however large it is shown.
    const shownWidth = Math.min(image.clientWidth, image.clientHeight * shown.width / shown.height);
    const scale = Number(length.value) / (pixels * shown.width / shownWidth);
    const kept = await change(shown, "PATCH", "", { mm_per_pixel: scale }, edit);
    if (!kept) return;
    length.value = "";
    toast(`The scale is kept: ${kept.id} is ${(scale * kept.width).toFixed(0)} mm wide.`, "good");
  }

  /* What is said of it */

  /** Changes a photo; who goes on to another meanwhile keeps seeing that one. */
  async function change(photo, method, what, body, form) {
    const from = seen;
    try {
      const now = await ask(method, `/api/v1/photos/${encodeURIComponent(photo.id)}${what}`, body, { "Idempotency-Key": key() });
      if (what === "/remove") from.forget();
      else from.replace(now);
      if (shown?.id === now.id && what !== "/remove") {
        shown = now;
        fillAbout(now);
      }
      refresh();
      return now;
    } catch (problem) {
      if (shown?.id === photo.id) showProblem($(".problem", form), problem);
      else toast(`${photo.id}: ${problem.message}`, "bad");
      return null;
    }
  }

  edit.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = new FormData(edit);
    const photo = shown;
    const words = $("[data-picker] input[role=combobox]", edit).value.trim();
    const whose = form.get("patient_id") || words;
    // Only what was changed here: what somebody else said meanwhile of the rest stays.
    const said = {};
    for (const name of ["region", "note"]) if ((form.get(name) ?? "") !== oneLine(photo[name])) said[name] = form.get(name) || null;
    const tags = parts(form.get("tags") ?? "");
    if (tags.join("\n") !== photo.tags.join("\n")) said.tags = tags;
    const isFiled = whose && whose !== photo.patient_id;
    if (isFiled && !(await change(photo, "POST", "/file", { patient_id: whose }, edit))) return;
    if (Object.keys(said).length && !(await change(photo, "PATCH", "", said, edit))) return;
    toast(isFiled || Object.keys(said).length ? `${photo.id} is saved.` : "Nothing was changed.", "good");
  });

  removal.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reason = removal.elements.reason.value.trim();
    if (!reason) return showProblem($(".problem", removal), { message: "Say why it is to go." });
    const id = shown.id;
    if (!(await change(shown, "POST", "/remove", { reason }, removal))) return;
    removal.reset();
    if (shown?.id === id) viewer.close();
    toast(`${id} is taken off file.`, "good");
  });
}
