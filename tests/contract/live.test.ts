// The live services and the Polymarket adapter, with the sandbox as the venue on the other side.
import { sql } from "drizzle-orm";
import { z } from "zod";
import { getDb, selectRows } from "@/lib/db/client";
import { selectOrdersById } from "@/lib/db/queries/orders";
import { ensureAccount, userIdOf } from "@/lib/sandbox/accounts";
import { type Answer, Failure } from "@/lib/schemas/envelope";
import { hashIdempotencyKey } from "@/lib/services/orders/idempotency";
import { cancelRemoteOrder } from "@/lib/services/remote-orders/cancel-remote-order";
import { placeRemoteOrder } from "@/lib/services/remote-orders/place-remote-order";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { syncAccount } from "@/lib/services/remote-orders/sync-account";
import { remoteVenue } from "@/lib/venue";
import type { CancelResult, Market, OrderSubmission, SubmitResult } from "@/lib/venue/port";
import type { Trader } from "@/tests/contract/scene";
import { venueContract } from "@/tests/contract/venue";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, useTestClock } from "@/tests/support/exchange";
import {
  biographyOf,
  cashOf,
  fillsOf,
  moneyOf,
  orderRow,
  readLedger,
  sharesOf,
} from "@/tests/support/exchange-ledger";
import { makeLiveUser, useLiveVenue } from "@/tests/support/live";

// The clock stands still: an order gets one attempt, with all the time that a busy machine needs.
await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "1" });
useFreshDatabase();
const clock = useTestClock();

/** For as long everybody is shown the same book. */
const BOOK_FRESH_MS = 1_000;
/** What only an order that goes out to a venue lives through. */
const REMOTE_ONLY = ["submitted", "cancel_requested"];

const Accepted = z.object({
  data: z.object({ status: z.enum(["open", "filled", "canceled", "delayed"]) }),
});

/** The wallet of each trader at the venue. */
const funders = new Map<string, string>();

venueContract(
  "live",
  () => ({
    venue: remoteVenue(),
    makeTrader,
    makeMarket: () => findMarket(freshMarket().id),
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
    readFunds: ({ userId }, asset) => {
      const wallet = { userId: userIdOf(funders.get(userId) ?? "") };
      return asset === "usdc" ? cashOf(wallet) : sharesOf(wallet, asset);
    },
    readOrder: async (id) => {
      await look(id);
      const row = await orderRow(id);
      const biography = (await biographyOf(id)).filter(
        (word) => !REMOTE_ONLY.includes(word) && (word !== "opened" || row.type !== "market"),
      );
      return { row, fills: await fillsOf(id), biography };
    },
    readMoney: moneyOf,
    readTotals,
  }),
  {
    takesConditions: false,
    redeems: false,
    tellsWhoCanceled: false,
    countsReservingOrders: false,
    locksItsBook: false,
  },
);

async function makeTrader(): Promise<Trader> {
  const { userId, funder, live } = await makeLiveUser();
  await ensureAccount(funder);
  // With its first use a wallet gets credentials, and its owner an account, at the venue.
  await requireTrader(userId);
  funders.set(userId, funder);
  return { userId, keyId: live.keyId };
}

async function findMarket(id: string): Promise<Market> {
  const market = await remoteVenue().findMarket(id);
  if (!market) throw new Error("the venue lists every market of the exchange");
  return market;
}

/** Places an order as the interface does, and reads its answer back as a result. */
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
  return resultOf(answer, orderId);
}

/** What an answer says, together with what had filled by then. */
async function resultOf({ status, body }: Answer, orderId: string): Promise<SubmitResult> {
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
  const connection = { venue: remoteVenue(), trader: await requireTrader(userId) };
  const results = new Map<string, CancelResult>();
  for (const { id, status: before } of own) {
    const { status } = await cancelRemoteOrder(connection, id, keyId);
    if (status !== "canceled") results.set(id, { outcome: "final", status });
    else results.set(id, { outcome: before === status ? "already_canceled" : "canceled" });
  }
  return results;
}

/** Compares the account of an order's owner with the venue, as the reconciler does in time. */
async function look(orderId: string): Promise<void> {
  const { userId } = await orderRow(orderId);
  const trader = await requireTrader(userId);
  await syncAccount({ venue: remoteVenue(), trader }, new Date(0));
}

/**
 * What a refused order must leave as it was, here and at the venue. That something was reserved for
 * it until the venue had refused it is history, which the ledger keeps.
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
