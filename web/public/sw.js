// Caches the app, so that it opens offline with a message; tables are never cached.
const CACHE = "registan-1";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(["/", "/theme.js", "/icon.svg", "/manifest.webmanifest"])).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (url.pathname.startsWith("/assets/")) {
    // Their names change with their contents, so cached files are always valid.
    event.respondWith(
      caches.open(CACHE).then(async (cache) => {
        const kept = await cache.match(event.request);
        if (kept) return kept;
        const answer = await fetch(event.request);
        if (answer.ok) await cache.put(event.request, answer.clone());
        return answer;
      }),
    );
    return;
  }
  if (event.request.mode === "navigate") {
    event.respondWith(
      fetch(event.request)
        .then(async (answer) => {
          if (answer.ok) await (await caches.open(CACHE)).put("/", answer.clone());
          return answer;
        })
        .catch(async () => (await caches.match("/")) ?? Response.error()),
    );
  }
});

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification("Registan", { body: told.text, icon: "/icon-192.png", data: told.link, tag: told.table }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.notification.data) event.waitUntil(self.clients.openWindow(event.notification.data));
});
