import "server-only";
import { now, readSetBack } from "@/lib/clock";
import { env } from "@/lib/env";

/** Returns the time of the simulated markets: the service's clock, or the frozen PAPER_CLOCK. */
export function paperNow(): number {
  const frozen = env().PAPER_CLOCK;
  return frozen === undefined ? now() : Date.parse(frozen) - readSetBack();
}

/** Both clocks at one moment, in milliseconds. They differ only if PAPER_CLOCK is set. */
export interface PaperTime {
  now: number;
  market: number;
}

export function readTime(): PaperTime {
  return { now: now(), market: paperNow() };
}
