import { withTransaction } from "@/lib/db/client";
import { usdc } from "@/lib/units";
import { paperVenue } from "@/lib/venue/paper";
import { venueContract } from "@/tests/contract/venue";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, useTestClock } from "@/tests/support/exchange";
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

useFreshDatabase();
const clock = useTestClock();

venueContract(
  "paper",
  () => ({
    venue: paperVenue,
    makeTrader: async () => {
      const { userId, principal } = await makeUser(usdc(10_000_000_000n));
      return { userId, keyId: principal.keyId };
    },
    makeMarket: async () => freshMarket(),
    resolve: async (market) => clock.set(market.resolvesAt),
    readBook: paperVenue.getBook,
    submit: async (submission) => ({
      orderId: submission.orderId,
      result: await withTransaction((tx) => paperVenue.submitOrder(tx, submission)),
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
  }),
  {
    takesConditions: true,
    redeems: true,
    tellsWhoCanceled: true,
    countsReservingOrders: true,
    locksItsBook: true,
  },
);
