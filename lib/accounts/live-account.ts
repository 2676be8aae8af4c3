import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectLiveVersion } from "@/lib/db/queries/live-wallets";
import { sumReserved, sumReservedOnExchange } from "@/lib/db/queries/reserved";
import type { Approvals } from "@/lib/domain/allowance";
import { ExpiringCache } from "@/lib/expiring-cache";
import { allowsStaleReads } from "@/lib/stale-reads";
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
import { noteVenueTime } from "@/lib/venue-time";
import { remoteVenue } from "@/lib/venues";
import type { Market, RemoteVenue, VenueHolding } from "@/lib/venue/port";
import { chooseExchange } from "@/lib/domain/protocol";
import type { Trader } from "@/lib/venue/trader";

/** Pages ask for the same figures several times at once, and the venue limits requests. */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 1_000;
const LIMITS = { max: MAX_ENTRIES, freshMs: FRESH_MS } as const;
const cashes = new ExpiringCache<Versioned<{ cash: VenueCash }>>({
  ...LIMITS,
  name: "live-cashes",
});
const accounts = new ExpiringCache<Versioned<VenueAccount>>({ ...LIMITS, name: "live-accounts" });
/** How often figures are read again that changed while they were read. */
const MAX_READS = 3;

type VenueCash = Awaited<ReturnType<RemoteVenue["getCash"]>>;

/** An account's figures at the venue at one moment. */
interface VenueAccount {
  cash: VenueCash;
  holdings: VenueHolding[];
  totalPnl: Usdc;
}

/** Figures with the account version from before they were read, and the time of the read. */
type Versioned<Figures> = Figures & { version: string; readAt: number };

/** Cash at the venue, split into available cash and cash that our unsettled orders reserve. */
export interface LiveCash {
  owned: Usdc;
  available: Usdc;
  held: Usdc;
  approvals: Approvals;
}

/** Returns the cash alone, without a request to the venue's data service. */
export async function readLiveCash(trader: Trader): Promise<LiveCash> {
  return subtractReserved(trader, await readCash(trader));
}

/** Returns cash, holdings and profit of one moment, not older than the account's last order or fill. */
export async function readLiveAccount(
  trader: Trader,
): Promise<{ cash: LiveCash; holdings: VenueHolding[]; totalPnl: Usdc }> {
  const { cash, holdings, totalPnl } = await readAccount(trader);
  return { cash: await subtractReserved(trader, cash), holdings, totalPnl };
}

async function subtractReserved(
  trader: Trader,
  { balance, approvals }: VenueCash,
): Promise<LiveCash> {
  const reserved = await readReserved(trader, null);
  const held = usdc(smaller(reserved, balance));
  return { owned: balance, available: subtract(balance, held), held, approvals };
}

/** Returns the venue's record of the holdings, which lags a trade by seconds. */
export async function readHoldings(trader: Trader): Promise<VenueHolding[]> {
  return (await readAccount(trader)).holdings;
}

function readAccount(trader: Trader): Promise<VenueAccount> {
  return readVersioned(accounts, trader, () => loadAccount(trader));
}

async function readCash(trader: Trader): Promise<VenueCash> {
  const load = async () => ({ cash: await remoteVenue().getCash(trader) });
  return (await readVersioned(cashes, trader, load)).cash;
}

/** Returns cached figures unless the account's version changed since, in any process. */
async function readVersioned<Figures extends object>(
  cache: ExpiringCache<Versioned<Figures>>,
  trader: Trader,
  load: () => Promise<Figures>,
): Promise<Figures> {
  const key = createKey(trader);
  const version = await selectLiveVersion(await getDb(), trader.userId);
  const read = (forceRefresh: boolean) =>
    cache.get(
      key,
      async () => {
        const readAt = now();
        return { ...(await load()), version, readAt };
      },
      { forceRefresh },
    );
  const cached = cache.find(key);
  let found = await read(cached !== undefined && cached.version !== version);
  // The value may come from a load that began earlier. A page accepts it during an outage.
  if (found.version !== version && !allowsStaleReads()) found = await read(true);
  noteVenueTime(found.readAt);
  return found;
}

/** The venue has no single endpoint for the three. They belong together if the cash didn't change. */
async function loadAccount(trader: Trader): Promise<VenueAccount> {
  const venue = remoteVenue();
  let cash = await venue.getCash(trader);
  for (let reads = 1; ; reads += 1) {
    const [holdings, totalPnl] = await Promise.all([
      venue.getHoldings(trader),
      venue.getTotalPnl(trader),
    ]);
    const after = await venue.getCash(trader);
    if (after.balance === cash.balance || reads === MAX_READS) {
      return { cash: after, holdings, totalPnl };
    }
    cash = after;
  }
}

/** Returns the shares of a token, available and reserved by our unsettled orders. */
export async function readLiveShares(
  trader: Trader,
  tokenId: string,
): Promise<{ available: Shares; held: Shares }> {
  const [all, reserved] = await Promise.all([readHoldings(trader), readReserved(trader, tokenId)]);
  const matching = all.filter((holding) => holding.tokenId === tokenId);
  const owned = sum(matching.map((holding) => holding.shares));
  const held = shares(smaller(reserved, owned));
  return { available: owned === 0n ? NO_SHARES : subtract(owned, held), held };
}

async function readReserved({ userId }: Trader, tokenId: string | null): Promise<bigint> {
  return sumReserved(await getDb(), { userId, mode: "live" }, tokenId);
}

/**
 * Returns the allowance of the exchange that settles a market, null while it is unknown, and its part
 * in USDC that the account's open buys reserve.
 */
export async function readApproval(
  trader: Trader,
  market: Pick<Market, "protocol" | "isNegRisk">,
): Promise<{ allowance: bigint | null; used: Usdc }> {
  const exchange = chooseExchange(market);
  const [{ approvals }, used] = await Promise.all([
    readCash(trader),
    sumReservedOnExchange(await getDb(), { userId: trader.userId, mode: "live" }, exchange),
  ]);
  return { allowance: approvals[exchange], used: usdc(used) };
}

/** A user's cached figures belong to one wallet. */
function createKey({ userId, funderAddress, signatureType }: Trader): string {
  return `${userId}/${funderAddress}/${signatureType}`;
}
