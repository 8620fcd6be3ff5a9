// One stream of events for all pages of this browser, which opens only six connections to a server.
// As base.js says it, which not every browser's worker could load.
const base = location.pathname.replace(/\/assets\/.*$/, "");
const pages = new Set();
let source;
let last = null;

function tell(message) {
  for (const page of pages) page.postMessage(message);
}

// Whether the server is away, or somebody signed out, or another person in.
async function look() {
  try {
    const response = await fetch(base + "/api/v1/session", { headers: { "X-VetNet-Unattended": "1" } });
    if (response.status === 401) tell({ type: "session", session: null });
    else if (response.ok) tell({ type: "session", session: await response.json() });
  } catch {
    tell({ type: "down" });
  }
}

function open() {
  source = new EventSource(base + "/api/v1/events" + (last === null ? "" : "?after=" + last));
  source.onopen = () => {
    tell({ type: "up" });
    look();
  };
  source.onerror = () => {
    look();
    // A server that answered with an error isn't asked again by the browser itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000);
  };
  for (const type of ["change", "reset", "here", "job", "presence"]) {
    source.addEventListener(type, (event) => {
      if (event.lastEventId) last = event.lastEventId;
      tell({ type, data: JSON.parse(event.data) });
    });
  }
}

onconnect = (event) => {
  const page = event.ports[0];
  pages.add(page);
  page.onmessage = (message) => {
    if (message.data === "bye") pages.delete(page);
  };
  if (!source) open();
  else if (source.readyState === EventSource.OPEN) page.postMessage({ type: "up" });
};
