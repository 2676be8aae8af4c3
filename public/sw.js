// The service worker of push notifications. It shows them and opens what they are about. It caches
// nothing and answers no request, so every page comes from the server.

self.addEventListener("push", (event) => {
  const { title, body, href, tag } = event.data.json();
  const options = { body, tag, icon: "/brand/icon-192.png", data: { href } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data.href));
});

/** Shows a tab that has the path open, otherwise a new one. Never leads to another site. */
async function openPath(href) {
  const { origin } = self.location;
  const url = new URL(href, origin);
  if (url.origin !== origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find((tab) => tab.url === url.href);
  await (open ? open.focus() : self.clients.openWindow(url.href));
}
