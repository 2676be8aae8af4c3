import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { userIdOf } from "@/lib/sandbox/accounts";
import { placeBatch } from "@/lib/sandbox/batch";
import { type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, place, useTestClock } from "@/tests/support/exchange";
import {
  makeSandboxWallet,
  openOrderIds,
  type SandboxWallet,
  signedBody,
} from "@/tests/support/sandbox-wallet";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
const SIZE = shares(10_000_000n);

const signedBid = (client: SandboxWallet, market: PaperMarket, at: Price) =>
  signedBody(client, market, { side: "BUY", at, size: 10n });

/** A market in which whoever takes the best ask meets books that cannot be settled. */
async function brokenMarket(): Promise<{ market: PaperMarket; at: Price; mend: () => unknown }> {
  const market = freshMarket();
  const at = insideOf(market)(1);
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
  return { market, at, mend: () => hold(-1_000_000_000_000n) };
}

it("a leg that fails for our part does not hide those that were placed before it, nor stop those after", async () => {
  const client = await makeSandboxWallet();
  const [first, last, broken] = [freshMarket(), freshMarket(), await brokenMarket()];
  const placed = await placeBatch(client.caller, [
    signedBid(client, first, insideOf(first)(0)),
    signedBid(client, broken.market, broken.at),
    signedBid(client, last, insideOf(last)(0)),
  ]);
  expect(placed.map(({ success }) => success)).toEqual([true, false, true]);
  expect(placed[1]).toMatchObject({ orderID: "", errorMsg: "could not run the execution" });
  const ids = placed.flatMap(({ orderID }) => (orderID === "" ? [] : [orderID]));
  expect((await openOrderIds(client)).toSorted()).toEqual(ids.toSorted());
  await broken.mend();
});

it("a batch whose first leg fails for our part fails, and nothing was placed", async () => {
  const client = await makeSandboxWallet();
  const [other, broken] = [freshMarket(), await brokenMarket()];
  const legs = [
    signedBid(client, broken.market, broken.at),
    signedBid(client, other, insideOf(other)(0)),
  ];
  await expect(placeBatch(client.caller, legs)).rejects.toThrow();
  expect(await openOrderIds(client)).toEqual([]);
  const own = eq(orders.userId, userIdOf(client.caller.owner));
  expect(await (await getDb()).select().from(orders).where(own)).toEqual([]);
  await broken.mend();
});
