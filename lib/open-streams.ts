import "server-only";
import { AppError } from "@/lib/errors";

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.open-streams");
const holder = globalThis as typeof globalThis & {
  [HOLDER]?: { streams: Set<AbortController>; counts: Map<string, number> };
};
const { streams, counts } = (holder[HOLDER] ??= { streams: new Set(), counts: new Map() });

/**
 * Counts an open stream under each name. Throws RATE_LIMITED if one of them has as many as it may have.
 *
 * @returns releases the slots. Call it once when the stream ends.
 */
export function takeStreamSlots(limits: readonly (readonly [name: string, max: number])[]) {
  if (limits.some(([name, max]) => (counts.get(name) ?? 0) >= max)) {
    throw new AppError("RATE_LIMITED", "Too many live streams. Close a page, or poll instead.", {
      headers: { "retry-after": "30" },
    });
  }
  for (const [name] of limits) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (): void => {
    for (const [name] of limits) {
      const left = (counts.get(name) ?? 1) - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  };
}

/** Registers an open stream. Returns a function that removes it. */
export function registerStream(stream: AbortController): () => void {
  streams.add(stream);
  return () => streams.delete(stream);
}

/** Ends every open stream for a shutdown; streams do not end by themselves. */
export function endStreams(): void {
  for (const stream of streams) stream.abort("shutdown");
}
