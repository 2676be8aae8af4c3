import "server-only";
import { paperVenue } from "@/lib/venue/paper";
import type { Mode, Venue } from "@/lib/venue/port";
import { AppError } from "@/lib/errors";

/** The venue of a mode. Throws when the operator has not switched it on. */
export function venueOf(mode: Mode): Venue {
  if (mode === "paper") return paperVenue;
  throw new AppError("TRADING_PAUSED", "live trading is not switched on");
}
