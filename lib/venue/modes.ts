import "server-only";
import { env } from "@/lib/env";
import type { Mode } from "@/lib/venue/port";

const VENUE_OF = { paper: "paper", live: "polymarket" } as const;

/** Whether the operator has switched a mode on. */
export function isOffered(mode: Mode): boolean {
  return env().VENUES.includes(VENUE_OF[mode]);
}

/** The mode itself, or the other one when the operator has not switched it on. */
export function offeredMode(wanted: Mode): Mode {
  if (isOffered(wanted)) return wanted;
  return wanted === "paper" ? "live" : "paper";
}
