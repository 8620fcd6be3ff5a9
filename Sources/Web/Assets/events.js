// One stream of events for all pages of this browser, which opens only six connections to a server.
const pages = new Set();
let source;
let last = null;

function tell(message) {
  for (const page of pages) page.postMessage(message);
}

function open() {
  source = new EventSource("/api/v1/events" + (last === null ? "" : "?after=" + last));
  source.onopen = () => tell({ type: "up" });
  source.onerror = () => {
    tell({ type: "down" });
    // A server that answered with an error isn't asked again by the browser itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000);
  };
  for (const type of ["change", "reset", "here"]) {
    source.addEventListener(type, (event) => {
      last = event.lastEventId;
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
