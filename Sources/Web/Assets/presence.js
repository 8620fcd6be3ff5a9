// Who else has this patient, note or encounter open, and types: said before two people collide.

import { $, ask, element, onEvent, unattended } from "./app.js";
import { at } from "./base.js";

const main = $("main[data-presence]");
const page = crypto.randomUUID();
const beat = 15000;
const pause = 4000;

if (main) {
  // An encounter that is begun here gets its id while the page is open.
  const about = () => main.dataset.presence.split(/:(.*)/s);
  const line = element("p", { class: "presence", role: "status", "data-testid": "presence", hidden: "" });
  main.prepend(line);
  let typedAt = 0;
  let told;

  const show = (people) => {
    const others = people.filter((one) => one.page !== page);
    line.hidden = !others.length;
    line.classList.toggle("typing", others.some((one) => one.is_typing));
    const names = [...new Set(others.map((one) => one.name))];
    const typing = [...new Set(others.filter((one) => one.is_typing).map((one) => one.name))];
    const open = `${names.join(", ")} ${names.length === 1 ? "has" : "have"} this open too`;
    line.textContent = others.length ? open + (typing.length ? `; ${typing.join(", ")} ${typing.length === 1 ? "is" : "are"} typing.` : ".") : "";
  };

  const isTyping = () => Date.now() - typedAt < pause;
  const tell = async (isOpen = true) => {
    told = isTyping();
    const [kind, id] = about();
    try {
      const answer = await ask("POST", "/api/v1/presence", { page, kind, id, is_typing: told, is_open: isOpen }, unattended);
      show(answer.people);
    } catch {
      // Without the server nobody is known to be there.
      show([]);
    }
  };

  main.addEventListener("input", (event) => {
    if (!event.target.closest("textarea, input")) return;
    typedAt = Date.now();
    if (!told) tell();
    setTimeout(() => told && !isTyping() && tell(), pause + 100);
  });
  onEvent("presence", (data) => `${data.kind}:${data.id}` === main.dataset.presence && show(data.people));
  addEventListener("pagehide", () => {
    const [kind, id] = about();
    // What is sent while a page goes has to outlive it.
    const headers = { "Content-Type": "application/json", "X-VetNet-Token": $("meta[name=token]").content, ...unattended };
    fetch(at("/api/v1/presence"), { method: "POST", headers, body: JSON.stringify({ page, kind, id, is_typing: false, is_open: false }), keepalive: true }).catch(() => {});
  });
  tell();
  setInterval(() => !document.hidden && tell(), beat);
}
