import "server-only";
import { env } from "@/lib/env";
import type { Mode } from "@/lib/venue/port";

const VENUES = { paper: "paper", live: "polymarket" } as const;

/** Whether the operator has enabled a mode with VENUES. */
export function isModeEnabled(mode: Mode): boolean {
  return env().VENUES.includes(VENUES[mode]);
}

/** Returns the requested mode if it is enabled, else the other one. */
export function resolveMode(requested: Mode): Mode {
  if (isModeEnabled(requested)) return requested;
  return requested === "paper" ? "live" : "paper";
}
