import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { getBalance } from "@/lib/accounts/get-balance";
import { getWallet } from "@/lib/accounts/get-wallet";
import { readLiveCash } from "@/lib/accounts/live-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { now, setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { previewOrder } from "@/lib/orders/preview-order";
import { Balance } from "@/lib/schemas/account";
import { getEncoder } from "@/lib/schemas/encoder";
import { Wallet } from "@/lib/schemas/wallet";
import { toUserId } from "@/lib/sandbox/accounts";
import { revokeSessionKey } from "@/tests/support/sandbox/session-keys";
import { complement, shares } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findDisagreements, reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";
import {
  findInsidePrice,
  findLiveMarket,
  type LiveUser,
  makeSessionUser,
  MARKET_BUY,
  RESTING,
  send,
  STANDING_MARKET,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { makeSandboxWallet, placeSigned } from "@/tests/support/sandbox/wallet";

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: "20000",
  SUBMIT_BUDGET_MS: "20000",
  ...STANDING_MARKET,
});
useFreshDatabase();
let restoreClock = () => {};
afterEach(() => restoreClock());

/** Moves every clock ahead of the given end of a session key. */
function passEnd(end: Date): void {
  const by = end.getTime() - Date.now() + 1_000;
  restoreClock = setClock(() => Date.now() + by);
}

/** An end that comes soon, in whole seconds. */
const soon = () => new Date(Math.ceil(now() / 1_000) * 1_000 + 60_000);

const listIds = async (user: LiveUser) =>
  (await listOpenOrders(user.live, {})).orders.map(({ id }) => id);

/** Lists the wallet's orders at the venue, whatever key placed them. */
async function listAtVenue({ funder }: LiveUser): Promise<string[]> {
  const rows = await (
    await getDb()
  )
    .select()
    .from(orders)
    .where(eq(orders.userId, toUserId(funder)));
  return rows.filter(({ status }) => status === "open").map(({ id }) => id);
}

async function readBody(orderId: string | null): Promise<string> {
  const [row] = await (
    await getDb()
  )
    .select()
    .from(remoteOrders)
    .where(eq(remoteOrders.orderId, orderId ?? ""));
  return row?.body ?? "";
}

describe("an account with a session key", () => {
  it("places, fills in part, cancels and reconciles", async () => {
    const user = await makeSessionUser();
    const market = await findLiveMarket();
    const at = await findInsidePrice();
    const limit = { action: "BUY", orderType: "limit", price: at } as const;
    const placed = await send(user, { ...limit, shares: shares(10_000_000n) }, "life");
    expect(placed).toMatchObject({ status: 200 });
    const { order } = JSON.parse(await readBody(placed.orderId)) as {
      order: { maker: string; signer: string; signatureType: number; signature: string };
    };
    expect(order).toMatchObject({ maker: user.funder, signer: user.funder, signatureType: 3 });
    expect(order.signature).toHaveLength(2 + 2 * 480);

    const paper = await paperExchange().findMarket(market.id);
    if (!paper) throw new Error("the venue has the market");
    const other = await makeSandboxWallet();
    const terms = { side: "BUY", at: complement(at), size: 6n, outcome: 1 } as const;
    await placeSigned(other, paper as Parameters<typeof placeSigned>[1], terms);
    await reconcileNow(user.userId);
    expect(await getOrder(user.live, placed.orderId ?? "")).toMatchObject({
      status: "open",
      filledShares: shares(6_000_000n),
    });
    expect(await findDisagreements(user)).toEqual([]);

    const { available, owned } = await readLiveCash(await requireTrader(user.userId));
    expect(owned - available).toBeGreaterThan(0n);
    expect(await cancelOrder(user.live, placed.orderId ?? "")).toMatchObject({
      status: "canceled",
    });
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
    const after = await readLiveCash(await requireTrader(user.userId));
    expect(after.available).toBe(after.owned);
  });

  it("uses the session key's own credentials at the venue", async () => {
    const user = await makeSessionUser();
    const trader = await requireTrader(user.userId);
    const ownersTrader = await requireTrader(user.walletOwner.userId);
    expect(trader.address).toBe(user.owner);
    expect(trader.credentials?.key).not.toBe(ownersTrader.credentials?.key);
    expect(trader.funderAddress).toBe(ownersTrader.funderAddress);
    const [own, owners] = [await readLiveCash(trader), await readLiveCash(ownersTrader)];
    expect(own.owned).toBe(owners.owned);
  });

  it("shows scope and end with its balance, and an owner's account doesn't", async () => {
    const end = soon();
    const user = await makeSessionUser({ entered: end });
    const wire = getEncoder(Balance)(await getBalance(user.live));
    expect(wire).toMatchObject({
      address: user.owner,
      funderAddress: user.funder,
      sessionKey: { scopes: ["CLOB"], expiresAt: end.toISOString() },
    });
    expect(z.encode(Wallet, await getWallet(user.live))).toMatchObject({
      sessionKey: { scopes: ["CLOB"], expiresAt: end.toISOString() },
    });
    const owners = getEncoder(Balance)(await getBalance(user.walletOwner.live));
    expect(owners).not.toHaveProperty("sessionKey");
  });

  it("doesn't see or cancel the owner's orders, and the owner not its own", async () => {
    const user = await makeSessionUser();
    const { walletOwner } = user;
    const mine = await send(user, RESTING, "mine");
    const theirs = await send(walletOwner, RESTING, "theirs");
    await reconcileNow(user.userId);
    await reconcileNow(walletOwner.userId);
    expect(await listIds(user)).toEqual([mine.orderId]);
    expect(await listIds(walletOwner)).toEqual([theirs.orderId]);
    expect(await listAtVenue(user)).toHaveLength(2);
    expect(await cancelOrders(walletOwner.live)).toMatchObject({ canceled: [theirs.orderId] });
    await reconcileNow(user.userId);
    expect(await listIds(user)).toEqual([mine.orderId]);
    expect(await listAtVenue(user)).toHaveLength(1);
    expect(await cancelOrders(user.live)).toMatchObject({ canceled: [mine.orderId] });
    expect(await listAtVenue(user)).toEqual([]);
  });
});

describe("after the end of its session key, an account", () => {
  it("is refused orders before anything is signed, recorded or sent", async () => {
    const end = soon();
    const user = await makeSessionUser({ entered: end });
    expect(await send(user, RESTING, "before")).toMatchObject({ status: 200 });
    passEnd(end);
    await reconcileNow(user.userId);
    const [before, calls] = [await databaseState(), venue.calls.length];
    for (const order of [RESTING, MARKET_BUY]) {
      expect(await send(user, order, "after")).toMatchObject({
        status: 400,
        code: "SESSION_KEY_EXPIRED",
      });
    }
    expect(await databaseState()).toEqual(before);
    const posts = venue.calls.slice(calls).filter(({ method }) => method === "POST");
    expect(posts.filter(({ path }) => path.endsWith("/order"))).toEqual([]);
    const { outcomes } = await findLiveMarket();
    const body = { ...RESTING, tokenId: outcomes[0].tokenId };
    expect(await previewOrder(user.live, body)).toMatchObject({
      refusal: { code: "SESSION_KEY_EXPIRED" },
    });
  });

  it("still answers with the stored response of an earlier order, reads and cancels", async () => {
    const end = soon();
    const user = await makeSessionUser({ entered: end });
    const placed = await send(user, RESTING, "again");
    passEnd(end);
    expect(await send(user, RESTING, "again")).toEqual({ ...placed, orderId: placed.orderId });
    expect(await listIds(user)).toEqual([placed.orderId]);
    expect(await cancelOrders(user.live)).toMatchObject({ canceled: [placed.orderId] });
    expect(await listAtVenue(user)).toEqual([]);
  });

  it("is told so by the venue if the entered end is too late", async () => {
    const end = soon();
    const user = await makeSessionUser({ atVenue: end });
    expect(await send(user, RESTING, "before")).toMatchObject({ status: 200 });
    passEnd(end);
    expect(await send(user, RESTING, "after")).toMatchObject({
      status: 400,
      code: "SESSION_KEY_EXPIRED",
    });
    await reconcileUntilSettled(user);
    expect(await listAtVenue(user)).toHaveLength(1);
  });
});

describe("a session key that the owner revokes at the venue", () => {
  it("loses its open orders, which end as canceled here, and is refused new ones", async () => {
    const user = await makeSessionUser();
    const placed = await send(user, RESTING, "revoked");
    const owners = await send(user.walletOwner, RESTING, "stays");
    await revokeSessionKey(user.funder, user.owner);
    await reconcileUntilSettled(user);
    expect(await getOrder(user.live, placed.orderId ?? "")).toMatchObject({ status: "canceled" });
    expect(await listIds(user.walletOwner)).toEqual([owners.orderId]);
    expect(await listAtVenue(user)).toHaveLength(1);
    expect(await send(user, RESTING, "later")).toMatchObject({
      status: 400,
      code: "TRADING_RESTRICTED",
    });
    expect(await listAtVenue(user)).toHaveLength(1);
    const cash = await readLiveCash(await requireTrader(user.userId));
    expect(cash.held).toBe(0n);
  });
});

describe("a session key that the venue doesn't list", () => {
  it.each([
    ["for this wallet", null],
    ["with a scope that trades", { scopes: ["COMBOSRFQ" as const] }],
  ])("%s places nothing", async (_what, change) => {
    const user = await makeSessionUser({}, change);
    expect(await send(user, RESTING, "unlisted")).toMatchObject({
      status: 400,
      code: "TRADING_RESTRICTED",
    });
    expect(await listAtVenue(user)).toEqual([]);
  });
});
