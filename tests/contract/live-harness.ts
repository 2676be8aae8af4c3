// The live order services and the Polymarket adapter, with the sandbox as the venue.
import { sql } from "drizzle-orm";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb, selectRows } from "@/lib/db/client";
import { upsertApprovals } from "@/lib/db/queries/sandbox-transactions";
import { selectOrdersById } from "@/lib/db/queries/orders";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { ensureAccount, toUserId } from "@/lib/sandbox/accounts";
import { getPositionToken } from "@/lib/sandbox/plan-calls";
import { readApprovals } from "@/lib/sandbox/wallet-approvals";
import { type Answer, Failure } from "@/lib/schemas/envelope";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { cancelRemoteOrder } from "@/lib/orders/live/cancel-remote-orders";
import { placeRemoteOrder } from "@/lib/orders/live/place-remote-order";
import { requireTrader } from "@/lib/accounts/require-trader";
import { syncAccount } from "@/lib/orders/live/reconcile-account";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { remoteVenue } from "@/lib/venues";
import type { CancelResult, Market, OrderSubmission, SubmitResult } from "@/lib/venue/port";
import { chooseExchange, type Protocol } from "@/lib/domain/protocol";
import type { Trader, VenueHarness } from "@/tests/contract/scene";
import type { VenueCapabilities } from "@/tests/contract/venue";
import { freshMarket, houseBest, type TestClock } from "@/tests/support/exchange/orders";
import {
  readOrderEvents,
  readCashBalance,
  readFills,
  readOrderMoney,
  orderRow,
  readLedger,
  readHeldShares,
} from "@/tests/support/exchange/ledger";
import { makeLiveUser } from "@/tests/support/live/venue";

/** How long the venue shows the same book. */
const BOOK_FRESH_MS = 1_000;
/** Events that only a remote order has. */
const REMOTE_ONLY = ["submitted", "cancel_requested"];

const Accepted = z.object({
  data: z.object({ status: z.enum(["open", "filled", "canceled", "delayed"]) }),
});

/** The wallet of each trader at the venue. */
const funders = new Map<string, string>();

/** Capabilities of the live services, for markets of both protocols. */
export const LIVE_CAPABILITIES: VenueCapabilities = {
  takesConditions: false,
  redeems: false,
  needsApprovals: true,
  tellsWhoCanceled: false,
  countsReservingOrders: false,
  holdsFeeForRest: true,
  locksItsBook: false,
};

/** The live services for markets of one protocol. The clock is the frozen one of the test file. */
export function liveHarness(clock: TestClock, protocol: Protocol): VenueHarness {
  return {
    venue: remoteVenue(),
    makeTrader,
    makeMarket: () => findMarket(freshMarket({ where: isSuitable(protocol) }).id),
    resolve: async (market) => clock.set(market.resolvesAt),
    readBook: async (market) => {
      clock.advance(BOOK_FRESH_MS);
      return remoteVenue().getBook(market);
    },
    submit: async (submission) => ({
      orderId: submission.orderId,
      result: await place(submission),
    }),
    cancel: (_, trader, orderIds) => cancelOwn(trader, orderIds),
    redeem: () => Promise.reject(new Error("a live position is redeemed on the chain")),
    approve: ({ userId }, market, isApproved) =>
      setApprovals(funders.get(userId) ?? "", market, isApproved),
    readFunds: ({ userId }, asset) => {
      const wallet = { userId: toUserId(funders.get(userId) ?? "") };
      return asset === "usdc" ? readCashBalance(wallet) : readHeldShares(wallet, asset);
    },
    groupsMakers: true,
    readOrder: async (id) => {
      await look(id);
      const row = await orderRow(id);
      const events = (await readOrderEvents(id)).filter(
        (word) => !REMOTE_ONLY.includes(word) && (word !== "opened" || row.type !== "market"),
      );
      return { row, fills: await readFills(id), events };
    },
    readMoney: readOrderMoney,
    readTotals,
  };
}

/** Prices at which few shares are worth the dollar that the venue asks of an order. */
const isSuitable = (protocol: Protocol) => (market: PaperMarket) => {
  const bid = houseBest(market, "bid", now()) ?? 0n;
  return market.protocol === protocol && bid > 250_000n && bid < 750_000n;
};

async function makeTrader(): Promise<Trader> {
  const { userId, funder, live } = await makeLiveUser();
  await ensureAccount(funder);
  // The first use creates the wallet's credentials and its owner's account at the venue.
  await requireTrader(userId);
  funders.set(userId, funder);
  return { userId, keyId: live.keyId };
}

/** Records a wallet's approvals at the venue, as its relayer does. */
async function setApprovals(wallet: string, market: Market, isApproved: boolean): Promise<void> {
  const approvals = await readApprovals(wallet);
  const { verifyingContract } = getExchangeDomain(137, chooseExchange(market));
  approvals.set(CONTRACT.collateral, verifyingContract, isApproved ? UNLIMITED : 0n);
  approvals.set(getPositionToken(market), verifyingContract, isApproved ? 1n : 0n);
  await upsertApprovals(await getDb(), approvals.listRows());
}

async function findMarket(id: string): Promise<Market> {
  const market = await remoteVenue().findMarket(id);
  if (!market) throw new Error("the venue lists every market of the exchange");
  return market;
}

/** Places an order like the API, and converts the response to a result. */
async function place(submission: OrderSubmission): Promise<SubmitResult> {
  const { userId, orderId, idempotencyKey, receivedAt } = submission;
  const answer = await placeRemoteOrder(
    remoteVenue(),
    {
      userId,
      keyHash: hashIdempotencyKey(idempotencyKey),
      fingerprint: orderId,
      fields: {},
      orderId,
      createdAt: new Date(receivedAt),
    },
    submission,
  );
  if (!answer) throw new Error("every order of these tests has a key of its own");
  return toResult(answer, orderId);
}

/** Converts a response, with the shares that had filled by then. */
async function toResult({ status, body }: Answer, orderId: string): Promise<SubmitResult> {
  if (status !== 200) {
    const { code, message } = Failure.parse(JSON.parse(body)).error;
    return { outcome: "rejected", code, message };
  }
  const { data } = Accepted.parse(JSON.parse(body));
  const { filledShares } = await orderRow(orderId);
  return { outcome: "accepted", status: data.status, filledShares };
}

async function cancelOwn(
  { userId, keyId }: Trader,
  orderIds: readonly string[],
): Promise<Map<string, CancelResult>> {
  const own = await selectOrdersById(await getDb(), { userId, mode: "live" }, orderIds);
  const results = new Map<string, CancelResult>();
  for (const { id, status: before } of own) {
    const { status } = await cancelRemoteOrder(remoteVenue(), { userId, keyId }, id);
    if (status !== "canceled") results.set(id, { outcome: "final", status });
    else results.set(id, { outcome: before === status ? "already_canceled" : "canceled" });
  }
  return results;
}

/** Reconciles the account of an order's owner, like the reconciler. */
async function look(orderId: string): Promise<void> {
  const { userId } = await orderRow(orderId);
  const trader = await requireTrader(userId);
  const lease = { tradesUntil: new Date(0), externalUntil: null };
  await syncAccount({ venue: remoteVenue(), trader }, lease);
}

/**
 * State that a refused order must not change, here and at the venue. The ledger keeps the transfers
 * of its hold and release, which are not part of this state.
 */
async function readTotals(): Promise<Record<string, string>> {
  const [row] = await selectRows<Record<string, string>>(
    await getDb(),
    sql`select (select count(*) from fills)::text as fills,
          (select coalesce(sum(held_micro), 0) from orders)::text as held,
          (select count(*) from orders where status in ('open', 'delayed'))::text as live,
          (select coalesce(sum(taken_micro), 0) from house_taken)::text as taken`,
  );
  const balances = [...(await readLedger())].filter(([, balance]) => balance !== 0n);
  return { ...row, ...Object.fromEntries(balances.map(([id, balance]) => [id, String(balance)])) };
}
