import "server-only";
import { AppError } from "@/lib/errors";
import type { Mode } from "@/lib/venue/port";
import { getVenue } from "@/lib/venues";

/** Counts the markets that take orders now; null while the venue doesn't respond. */
export async function countOpenMarkets(mode: Mode): Promise<number | null> {
  const venue = getVenue(mode);
  try {
    const markets = await venue.listMarkets();
    return markets.filter((market) => venue.getState(market).status === "open").length;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
