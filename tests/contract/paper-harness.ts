import { withTransaction } from "@/lib/db/client";
import { usdc } from "@/lib/units";
import { paperVenue } from "@/lib/venue/paper";
import type { OrderSubmission, SubmitResult } from "@/lib/venue/port";
import type { VenueHarness } from "@/tests/contract/scene";
import {
  biographyOf,
  cashOf,
  fillsOf,
  moneyOf,
  orderRow,
  readTotals,
  sharesOf,
} from "@/tests/support/exchange-ledger";
import { makeUser } from "@/tests/support/users";

/** What the paper exchange promises, wherever its markets come from. */
export const PAPER_CAPABILITIES = {
  takesConditions: true,
  redeems: true,
  tellsWhoCanceled: true,
  countsReservingOrders: true,
  locksItsBook: true,
} as const;

/** The paper exchange with markets of some origin. */
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
      withTransaction((tx) => paperVenue.cancelOrders(tx, { market, orderIds, userId, keyId })),
    redeem: (request) => withTransaction((tx) => paperVenue.redeemPosition(tx, request)),
    readFunds: (trader, asset) => (asset === "usdc" ? cashOf(trader) : sharesOf(trader, asset)),
    readOrder: async (id) => ({
      row: await orderRow(id),
      fills: await fillsOf(id),
      biography: await biographyOf(id),
    }),
    readMoney: moneyOf,
    readTotals,
  };
}

/** Places an order under a key of its own. */
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
  const key = { claim, answerOf: () => ({ status: 200, body: "{}" }) };
  await paperVenue.prepareOrder(submission.market);
  const result = await withTransaction((tx) => paperVenue.submitOrder(tx, submission, key));
  if (!result) throw new Error(`the key of ${orderId} was used before`);
  return result;
}
