import "server-only";
import type { Principal } from "@/lib/auth/principal";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { venueOf } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

/** The market that a token is an outcome of, or null. */
export async function findMarketByToken(
  principal: Principal,
  tokenId: string,
): Promise<{ market: Market; outcome: OutcomeIndex } | null> {
  return venueOf(principal.mode).findMarketByToken(tokenId);
}
