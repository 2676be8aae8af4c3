// Live accounts whose wallets are served by a relayer in memory, with positions to claim.
import { and, asc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { getDb } from "@/lib/db/client";
import {
  selectWalletTransactions,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { accountEvents } from "@/lib/db/schema/account-events";
import { isOpen } from "@/lib/domain/wallet-transaction";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { paperExchange, remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import {
  balanceKey,
  type RelayerStub,
  startRelayerStub,
} from "@/tests/support/polymarket/relayer-stub";
import { BUILDER_ENVIRONMENT } from "@/tests/support/live/builder";
import { type LiveUser, STANDING_MARKET, useLiveVenue } from "@/tests/support/live/venue";

/**
 * Starts the venue and the relayer, which has no faults when a test starts. The markets' time is frozen, so
 * a resolved market stays listed when a test moves the service's clock by hours. Call it with `await` at the
 * top of a test file.
 *
 * @param timers overrides of the short timeouts, by variable.
 */
export async function useClaims(timers: Record<string, string> = {}): Promise<RelayerStub> {
  const stub = await startRelayerStub();
  await useLiveVenue({
    ...STANDING_MARKET,
    ...timers,
    RELAYER_API_URL: `${stub.server.url}/relayer`,
    POLYGON_RPC_URL: `${stub.server.url}/rpc`,
    ...BUILDER_ENVIRONMENT,
  });
  beforeEach(() => {
    stub.server.fault = () => null;
    Object.assign(stub, { confirmAfter: 1, failing: false, isListing: true });
  });
  afterAll(() => stub.server.close());
  return stub;
}

/** Checks after each test that the ledger, the positions and the accounts' logs agree. */
export function verifyBooksAfterEach(): void {
  afterEach(async () => {
    expect((await verifyBooksAndLogs()).problems).toEqual([]);
  });
}

/** Finds a resolved market of the venue that has a winner. The relayer then knows its tokens. */
export async function findResolvedMarket(stub: RelayerStub): Promise<Market> {
  const exchange = paperExchange();
  const resolved = (await exchange.listMarkets()).filter((market) => {
    const { status, winner } = exchange.getState(market);
    return status === "resolved" && winner !== null;
  });
  for (const { outcomes } of resolved) {
    const found = await remoteVenue().findMarketByToken(outcomes[0].tokenId);
    if (!found || remoteVenue().getState(found.market).winner === null) continue;
    const [first, second] = found.market.outcomes;
    stub.tokens[found.market.id] = [first.tokenId, second.tokenId];
    return found.market;
  }
  throw new Error("the venue has a resolved market with a winner");
}

/** Gives a wallet shares of a token on the chain. */
export function giveShares(stub: RelayerStub, user: LiveUser, tokenId: string, shares: bigint) {
  stub.balances.set(balanceKey(user.funder, tokenId), shares);
}

/** Advances a user's transactions until none is open, up to a limit. */
export async function advanceUntilClosed(
  user: LiveUser,
  rounds = 40,
): Promise<WalletTransactionRow[]> {
  for (let round = 0; round < rounds; round += 1) {
    const open = (await readTransactions(user)).filter(({ status }) => isOpen(status));
    if (open.length === 0) break;
    for (const { id } of open) await advance(id);
  }
  return readTransactions(user);
}

export async function readTransactions({ userId }: LiveUser): Promise<WalletTransactionRow[]> {
  const query = { userId, epoch: 0, isOpen: false, limit: 100 };
  return selectWalletTransactions(await getDb(), query);
}

/** Reads the log of a user's live account, oldest first. */
export async function readEvents({ userId }: LiveUser) {
  return (await getDb())
    .select({ type: accountEvents.type, data: accountEvents.data })
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), eq(accountEvents.mode, "live")))
    .orderBy(asc(accountEvents.seq));
}
