/** Parts of the page that show the log of API requests. */
const listeners = new Set<() => void>();

/** Calls `onChange` after each new request in the log, until the returned function is called. */
export function watchRequestLog(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export function announceRequests(): void {
  for (const listener of listeners) listener();
}
