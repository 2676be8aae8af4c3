import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { toUserId } from "@/lib/sandbox/accounts";
import { placeBatch } from "@/lib/sandbox/place-order";
import { type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, place, useTestClock } from "@/tests/support/exchange/orders";
import {
  makeSandboxWallet,
  openOrderIds,
  type SandboxWallet,
  signedBody,
} from "@/tests/support/sandbox/wallet";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
const SIZE = shares(10_000_000n);

const signedBid = (client: SandboxWallet, market: PaperMarket, at: Price) =>
  signedBody(client, market, { side: "BUY", at, size: 10n });

/** A market whose best ask fails to settle, because its maker's hold is corrupted. */
async function brokenMarket(): Promise<{ market: PaperMarket; at: Price; repair: () => unknown }> {
  const market = freshMarket();
  const at = findPriceInside(market)(1);
  const maker = await makeUser();
  const limit = price(1_000_000n - at);
  const { orderId } = await place(maker, { market, action: "BUY", outcome: 1, limit, size: SIZE });
  const db = await getDb();
  const hold = (more: bigint) =>
    db
      .update(orders)
      .set({ held: sql`${orders.held} + ${more}` })
      .where(eq(orders.id, orderId));
  await hold(1_000_000_000_000n);
  return { market, at, repair: () => hold(-1_000_000_000_000n) };
}

it("a batch reports and places its other orders when a later one fails inside the service", async () => {
  const client = await makeSandboxWallet();
  const [first, last, broken] = [freshMarket(), freshMarket(), await brokenMarket()];
  const placed = await placeBatch(client.caller, [
    signedBid(client, first, findPriceInside(first)(0)),
    signedBid(client, broken.market, broken.at),
    signedBid(client, last, findPriceInside(last)(0)),
  ]);
  expect(placed.map(({ success }) => success)).toEqual([true, false, true]);
  expect(placed[1]).toMatchObject({ orderID: "", errorMsg: "could not run the execution" });
  const ids = placed.flatMap(({ orderID }) => (orderID === "" ? [] : [orderID]));
  expect((await openOrderIds(client)).toSorted()).toEqual(ids.toSorted());
  await broken.repair();
});

it("a batch whose first order fails inside the service fails and places nothing", async () => {
  const client = await makeSandboxWallet();
  const [other, broken] = [freshMarket(), await brokenMarket()];
  const items = [
    signedBid(client, broken.market, broken.at),
    signedBid(client, other, findPriceInside(other)(0)),
  ];
  await expect(placeBatch(client.caller, items)).rejects.toThrow();
  expect(await openOrderIds(client)).toEqual([]);
  const own = eq(orders.userId, toUserId(client.caller.owner));
  expect(await (await getDb()).select().from(orders).where(own)).toEqual([]);
  await broken.repair();
});
