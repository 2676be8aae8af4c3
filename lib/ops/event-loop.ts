import "server-only";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 10;

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.event-loop");
const holder = globalThis as typeof globalThis & { [HOLDER]?: IntervalHistogram };

/** Reads how late timers were since the last call, in seconds. The first call starts measuring. */
export function readEventLoopDelay(): { p50: number; p99: number; max: number } | null {
  const histogram = holder[HOLDER];
  if (!histogram) {
    holder[HOLDER] = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    holder[HOLDER].enable();
    return null;
  }
  if (histogram.count === 0) return null;
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  const delay = {
    p50: late(histogram.percentile(50)),
    p99: late(histogram.percentile(99)),
    max: late(histogram.max),
  };
  histogram.reset();
  return delay;
}
