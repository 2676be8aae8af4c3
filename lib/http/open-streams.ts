import "server-only";

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.open-streams");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Set<AbortController> };

function openStreams(): Set<AbortController> {
  holder[HOLDER] ??= new Set();
  return holder[HOLDER];
}

/** Counts a stream among the open ones. Returns what takes it off again. */
export function noteStream(stream: AbortController): () => void {
  openStreams().add(stream);
  return () => openStreams().delete(stream);
}

/** Ends every open stream: they never end by themselves, and a shutdown waits for no browser. */
export function endStreams(): void {
  for (const stream of openStreams()) stream.abort();
}
