import { usdc } from "@/lib/units";
import { paperVenue } from "@/lib/exchange";
import type { OrderSubmission, SubmitResult } from "@/lib/venue/port";
import type { VenueHarness } from "@/tests/contract/scene";
import {
  readOrderEvents,
  readCashBalance,
  readFills,
  readOrderMoney,
  orderRow,
  readTotals,
  readHeldShares,
} from "@/tests/support/exchange/ledger";
import { makeUser } from "@/tests/support/users";

/** Capabilities of the paper exchange, for simulated and live markets. */
export const PAPER_CAPABILITIES = {
  takesConditions: true,
  redeems: true,
  needsApprovals: false,
  tellsWhoCanceled: true,
  countsReservingOrders: true,
  holdsFeeForRest: false,
  locksItsBook: true,
} as const;

/** Creates a harness for the paper exchange with a source of markets. */
export function paperHarness(markets: Pick<VenueHarness, "makeMarket" | "resolve">): VenueHarness {
  return {
    ...markets,
    venue: paperVenue,
    makeTrader: async () => {
      const { userId, principal } = await makeUser(usdc(10_000_000_000n));
      return { userId, keyId: principal.keyId };
    },
    readBook: paperVenue.getBook,
    submit: async (submission) => ({
      orderId: submission.orderId,
      result: await submitOnce(submission),
    }),
    cancel: (market, { userId, keyId }, orderIds) =>
      paperVenue.cancelOrders({
        orders: orderIds.map((id) => ({ id, marketId: market.id })),
        userId,
        keyId,
      }),
    redeem: (request) => paperVenue.redeemPosition(request),
    approve: () => Promise.reject(new Error("the paper exchange moves every account's money")),
    readFunds: (trader, asset) =>
      asset === "usdc" ? readCashBalance(trader) : readHeldShares(trader, asset),
    groupsMakers: false,
    readOrder: async (id) => ({
      row: await orderRow(id),
      fills: await readFills(id),
      events: await readOrderEvents(id),
    }),
    readMoney: readOrderMoney,
    readTotals,
  };
}

/** Places an order with a new idempotency key. */
async function submitOnce(submission: OrderSubmission): Promise<SubmitResult> {
  const { orderId, userId, receivedAt } = submission;
  const claim = {
    userId,
    keyHash: orderId,
    fingerprint: orderId,
    fields: {},
    orderId,
    createdAt: new Date(receivedAt),
  };
  const record = { claim, toAnswer: () => ({ status: 200, body: "{}" }) };
  await paperVenue.prepareOrder(submission.market);
  const result = await paperVenue.submitOrder(submission, record);
  if (!result) throw new Error(`the key of ${orderId} was used before`);
  return result;
}
