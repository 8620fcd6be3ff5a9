// The workspace without the server: its own files, and one page that shows what was taken along. Nothing that the practice wrote goes
// through here: pages and JSON come from the server or not at all. The server puts `version`, `files` and `shell` before this text, as a
// practice's own addresses name them.

// Where this practice lies on its server, as base.js has it; each practice of a server has a worker and files of its own.
const base = new URL(self.registration.scope).pathname.replace(/\/$/, "");
const prefix = `vetnet-shell${base}:`;
const cacheName = prefix + version;
const paths = new Set(files.map((path) => base + path));
const patience = 8000;

self.addEventListener("install", (event) => {
  // What a page sends while it goes would wait in vain for a worker whose page is no more.
  event.addRoutes?.([{ condition: { requestMethod: "POST" }, source: "network" }]);
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll([...paths, base + shell].map((path) => new Request(path, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  })());
});

async function kept(path) {
  return (await caches.open(cacheName)).match(path);
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Whether the server answers anything: one that takes long over a page is not away. */
async function isThere() {
  const answer = fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
  return (await Promise.race([answer, pause(patience)]))?.ok === true;
}

/** The page from the server; where that can't be reached, or answers nothing at all, the one that was kept. */
async function page(request) {
  const answer = fetch(request);
  try {
    const found = await Promise.race([answer, pause(patience)]);
    if (found || (await isThere())) return await answer;
    throw new Error("no answer");
  } catch (problem) {
    answer.catch(() => {});
    const instead = await kept(base + shell);
    if (!instead) throw problem;
    return instead;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  const { pathname } = new URL(request.url);
  if (paths.has(pathname)) event.respondWith(kept(pathname).then((found) => found ?? fetch(request)));
  else if (request.mode === "navigate" && pathname !== base + "/login") event.respondWith(page(request));
});
