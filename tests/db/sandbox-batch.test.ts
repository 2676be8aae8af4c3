import { Wallet } from "ethers";
import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { limitAmounts } from "@/lib/polymarket/amounts";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import { signOrderStruct } from "@/lib/polymarket/order-signature";
import { userIdOf } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { placeBatch } from "@/lib/sandbox/batch";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { listWireOrders } from "@/lib/sandbox/orders";
import { type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, place, useTestClock } from "@/tests/support/exchange";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const SIZE = shares(10_000_000n);

interface Client {
  wallet: InstanceType<typeof Wallet>;
  caller: SandboxCaller;
}

async function makeClient(): Promise<Client> {
  const { privateKey, address: owner } = Wallet.createRandom();
  const { apiKey } = await createSandboxKey({ owner, nonce: "0" });
  return { wallet: new Wallet(privateKey), caller: { owner, apiKey } };
}

let salt = 1;

/** A signed bid of ten shares. */
function bid({ wallet, caller }: Client, market: PaperMarket, at: Price): unknown {
  const terms = { price: at, size: SIZE, tick: price(market.tick) };
  const { maker, taker } = limitAmounts("BUY", terms);
  salt += 1;
  const order = {
    salt: String(salt),
    maker: wallet.address,
    signer: wallet.address,
    tokenId: market.outcomes[0].tokenId,
    makerAmount: String(maker),
    takerAmount: String(taker),
    side: "BUY",
    signatureType: 0,
    timestamp: String(clock.now),
    metadata: `0x${"0".repeat(64)}`,
    builder: `0x${"0".repeat(64)}`,
  } as const;
  const signature = signOrderStruct(wallet, order, exchangeDomain(137, market.isNegRisk));
  return {
    order: { ...order, salt, expiration: "0", signature },
    owner: caller.apiKey,
    orderType: "GTC",
  };
}

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

const openIds = async ({ caller }: Client) =>
  (await listWireOrders(caller, new URLSearchParams())).data.map(({ id }) => id);

it("a leg that fails for our part does not hide those that were placed before it, nor stop those after", async () => {
  const client = await makeClient();
  const [first, last, broken] = [freshMarket(), freshMarket(), await brokenMarket()];
  const placed = await placeBatch(client.caller, [
    bid(client, first, insideOf(first)(0)),
    bid(client, broken.market, broken.at),
    bid(client, last, insideOf(last)(0)),
  ]);
  expect(placed.map(({ success }) => success)).toEqual([true, false, true]);
  expect(placed[1]).toMatchObject({ orderID: "", errorMsg: "could not run the execution" });
  const ids = placed.flatMap(({ orderID }) => (orderID === "" ? [] : [orderID]));
  expect((await openIds(client)).toSorted()).toEqual(ids.toSorted());
  await broken.mend();
});

it("a batch whose first leg fails for our part fails, and nothing was placed", async () => {
  const client = await makeClient();
  const [other, broken] = [freshMarket(), await brokenMarket()];
  const legs = [bid(client, broken.market, broken.at), bid(client, other, insideOf(other)(0))];
  await expect(placeBatch(client.caller, legs)).rejects.toThrow();
  expect(await openIds(client)).toEqual([]);
  const own = eq(orders.userId, userIdOf(client.caller.owner));
  expect(await (await getDb()).select().from(orders).where(own)).toEqual([]);
  await broken.mend();
});
