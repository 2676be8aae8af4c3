import "server-only";

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.open-streams");
const holder = globalThis as typeof globalThis & { [HOLDER]?: Set<AbortController> };

function openStreams(): Set<AbortController> {
  holder[HOLDER] ??= new Set();
  return holder[HOLDER];
}

/** Registers an open stream. Returns a function that removes it. */
export function registerStream(stream: AbortController): () => void {
  openStreams().add(stream);
  return () => openStreams().delete(stream);
}

/** Ends every open stream for a shutdown; streams do not end by themselves. */
export function endStreams(): void {
  for (const stream of openStreams()) stream.abort();
}
