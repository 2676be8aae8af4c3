import "server-only";
import { getDb } from "@/lib/db/client";
import { sumReserved } from "@/lib/db/queries/reserved";
import { ExpiringCache } from "@/lib/expiring-cache";
import {
  NO_SHARES,
  type Shares,
  shares,
  smaller,
  subtract,
  sum,
  type Usdc,
  usdc,
} from "@/lib/units";
import { remoteVenue } from "@/lib/venue";
import type { VenueHolding } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** Pages ask for the same figures several times at once, and the venue limits requests. */
const KEPT_MS = 1_000;
const MAX_KEPT = 1_000;
const LIMITS = { max: MAX_KEPT, freshMs: KEPT_MS } as const;
const cashes = new ExpiringCache<VenueCash>({ ...LIMITS, name: "live-cashes" });
const holdings = new ExpiringCache<VenueHolding[]>({ ...LIMITS, name: "live-holdings" });
const profits = new ExpiringCache<Usdc>({ ...LIMITS, name: "live-profits" });

interface VenueCash {
  balance: Usdc;
  allowance: bigint | null;
}

/** Cash at the venue, less what our own unsettled orders reserve of it. */
export interface LiveCash {
  owned: Usdc;
  available: Usdc;
  held: Usdc;
  /** Base units; null while unknown. */
  allowance: bigint | null;
}

export async function readLiveCash(trader: Trader): Promise<LiveCash> {
  const [{ balance, allowance }, reserved] = await Promise.all([
    cashes.get(keyOf(trader), () => remoteVenue().getCash(trader)),
    readReserved(trader, null),
  ]);
  const held = usdc(smaller(reserved, balance));
  return { owned: balance, available: subtract(balance, held), held, allowance };
}

/** What the venue's own records say is held: seconds behind a trade. */
export function readHoldings(trader: Trader): Promise<VenueHolding[]> {
  return holdings.get(keyOf(trader), () => remoteVenue().getHoldings(trader));
}

export function readTotalPnl(trader: Trader): Promise<Usdc> {
  return profits.get(keyOf(trader), () => remoteVenue().getTotalPnl(trader));
}

/** Shares of a token, free and reserved by our own unsettled orders. */
export async function readLiveShares(
  trader: Trader,
  tokenId: string,
): Promise<{ available: Shares; held: Shares }> {
  const [all, reserved] = await Promise.all([readHoldings(trader), readReserved(trader, tokenId)]);
  const owned = sum(all.filter((one) => one.tokenId === tokenId).map((one) => one.shares));
  const held = shares(smaller(reserved, owned));
  return { available: owned === 0n ? NO_SHARES : subtract(owned, held), held };
}

async function readReserved({ userId }: Trader, tokenId: string | null): Promise<bigint> {
  return sumReserved(await getDb(), { userId, mode: "live" }, tokenId);
}

/** Another wallet of the same user is another account. */
function keyOf({ userId, funderAddress, signatureType }: Trader): string {
  return `${userId}/${funderAddress}/${signatureType}`;
}
