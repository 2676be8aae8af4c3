/** Next bundles instrumentation-client.ts apart from the pages, so they talk by an event of the window. */
const STARTED = "ante:navigation";

/** Tells the page that another page is being opened. Ignores links within the page. */
export function announceNavigation(url: string): void {
  const to = new URL(url, window.location.href);
  const { pathname, search } = window.location;
  if (to.pathname === pathname && to.search === search) return;
  window.dispatchEvent(new Event(STARTED));
}

/** Calls `onStart` at the start of each navigation, until the returned function is called. */
export function watchNavigation(onStart: () => void): () => void {
  window.addEventListener(STARTED, onStart);
  return () => window.removeEventListener(STARTED, onStart);
}
