import { and, asc, eq, like, or } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { readLiveCash } from "@/lib/accounts/live-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { setClock } from "@/lib/clock";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import { ledgerAccounts, ledgerTransfers } from "@/lib/db/schema/ledger";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { readBuilderEarnings } from "@/lib/ledger/builder-earnings";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { cancelOrders } from "@/lib/orders/cancel-order";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";
import { previewOrder } from "@/lib/orders/preview-order";
import { NO_FAULTS } from "@/lib/sandbox/switches";
import { changeSwitches } from "@/lib/sandbox/switches";
import { complement, shares, sum, usdc } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { databaseState } from "@/tests/support/api/state";
import { changes } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { findDisagreements, reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  findInsidePrice,
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  RESTING,
  send,
  STANDING_MARKET,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { buildOrder, createOwner, storeWallet, ZERO_BYTES } from "@/tests/support/live/wallets";
import { orderRow } from "@/tests/support/exchange/ledger";
import { makeSandboxWallet, placeSigned } from "@/tests/support/sandbox/wallet";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: "20000",
  SUBMIT_BUDGET_MS: "20000",
  ...STANDING_MARKET,
});
useFreshDatabase();

const CODE = `0x${"ab".repeat(32)}`;
const RATES = { takerBps: 100, makerBps: 50 };

/** The fees of a code are cached, so each test has a code of its own. */
let next = 1;
async function useCode(fees = RATES): Promise<string> {
  next += 1;
  const code = `${CODE.slice(0, -4)}${next.toString(16).padStart(4, "0")}`;
  await changeSwitches({ builderFees: fees });
  changes.BUILDER_CODE = code;
  return code;
}
beforeEach(() => {
  delete changes.BUILDER_CODE;
});
afterAll(() => {
  delete changes.BUILDER_CODE;
});
beforeAll(async () => {
  await changeSwitches({ builderFees: NO_FAULTS.builderFees });
});

async function readOrder(orderId: string | null) {
  const [row] = await (
    await getDb()
  )
    .select()
    .from(orders)
    .innerJoin(remoteOrders, eq(remoteOrders.orderId, orders.id))
    .where(eq(orders.id, orderId ?? ""));
  if (!row) throw new Error("the order is recorded");
  const { order } = JSON.parse(row.remote_orders.body ?? "") as { order: { builder: string } };
  return { order: row.orders, remote: row.remote_orders, builder: order.builder };
}

/** Lists an order's transfers from and to builders, oldest first. */
const listBuilderTransfers = async (orderId: string | null) =>
  (await getDb())
    .select()
    .from(ledgerTransfers)
    .where(
      and(
        eq(ledgerTransfers.orderId, orderId ?? ""),
        or(
          like(ledgerTransfers.creditAccount, "builder/%"),
          like(ledgerTransfers.debitAccount, "builder/%"),
        ),
      ),
    )
    .orderBy(asc(ledgerTransfers.sequence));

/** Reads what a code earned in all, and its lines, newest first, as the admin verb shows them. */
async function readEarnings(code: string) {
  const { totals, lines } = await readBuilderEarnings(await getDb(), 100);
  return {
    total: totals.find((each) => each.code === code)?.amount,
    lines: lines.filter((each) => each.code === code).map(({ amount }) => amount),
  };
}

/** Lists trades as failed on the chain. */
const failTrades: Fault = async (handle, answer) => {
  const page = (await (await handle()).json()) as { data: object[] };
  const data = page.data.map((each) => ({ ...each, status: "TRADE_STATUS_FAILED" }));
  await answer.send(Response.json({ ...page, data }));
};

/** Compares what an order paid here with what the sandbox took for it. */
async function expectSandboxAgrees(orderId: string | null, code: string): Promise<void> {
  const { order, remote } = await readOrder(orderId);
  const theirs = await orderRow(remote.venueOrderId);
  const { filledShares, filledNotional, fee } = order;
  expect(theirs).toMatchObject({ filledShares, filledNotional, fee });
  const accounts = await (
    await getDb()
  )
    .select({ id: ledgerAccounts.id, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(like(ledgerAccounts.id, `%builder/${code}/%`));
  const ours = accounts.find(({ id }) => id.startsWith("builder/"))?.balance;
  expect(ours).toBeGreaterThan(0n);
  expect(accounts.filter(({ id }) => id.startsWith("paper_builder/"))).toMatchObject([
    { balance: ours },
  ]);
}

const preview = async (user: LiveUser, order: typeof MARKET_BUY) => {
  const { outcomes } = await findLiveMarket();
  return previewOrder(user.live, { ...order, tokenId: outcomes[0].tokenId });
};

describe("without a builder code", () => {
  it("orders, previews and the ticket are as before", async () => {
    const user = await makeLiveUser();
    const calls = venue.calls.length;
    expect(await preview(user, MARKET_BUY)).not.toHaveProperty("builderFee");
    const { id } = await findLiveMarket();
    expect(await getTicketAccount(user.live, id)).not.toHaveProperty("builderFees");
    const placed = await send(user, MARKET_BUY, "plain");
    const { order, remote, builder } = await readOrder(placed.orderId);
    expect(builder).toBe(ZERO_BYTES);
    expect(remote).toMatchObject({
      builderCode: null,
      builderTakerBps: null,
      builderMakerBps: null,
    });
    expect(order.status).toBe("filled");
    expect(await listBuilderTransfers(placed.orderId)).toEqual([]);
    expect(venue.calls.slice(calls).filter(({ path }) => path.includes("builder"))).toEqual([]);
    expect(await findDisagreements(user)).toEqual([]);
  });
});

describe("with a builder code", () => {
  it("an order carries it, and its fill pays the taker's fee to the operator's account", async () => {
    const code = await useCode();
    const user = await makeLiveUser();
    const seen = await preview(user, MARKET_BUY);
    expect(seen.builderFee).toBe(usdc((seen.amount * 100n + 9_999n) / 10_000n));
    expect(seen.fee).toBeGreaterThanOrEqual(seen.builderFee ?? 0n);
    const placed = await send(user, MARKET_BUY, "taker");
    await reconcileUntilSettled(user);
    const { order, remote, builder } = await readOrder(placed.orderId);
    expect(builder).toBe(code);
    expect(remote).toMatchObject({
      builderCode: code,
      builderTakerBps: 100,
      builderMakerBps: 50,
    });
    const paid = await listBuilderTransfers(placed.orderId);
    const earned = paid.reduce((total, { amount }) => total + amount, 0n);
    expect(earned).toBe((order.filledNotional * 100n) / 10_000n);
    expect(order.fee).toBeGreaterThanOrEqual(earned);
    const { totals, lines } = await readBuilderEarnings(await getDb(), 10);
    expect(totals).toContainEqual({ code, amount: earned });
    expect(lines[0]).toMatchObject({ code, userId: user.userId, orderId: placed.orderId });
    expect(await findDisagreements(user)).toEqual([]);
    await expectSandboxAgrees(placed.orderId, code);
  });

  it("a resting order pays the maker's fee, the same here and at the sandbox", async () => {
    const code = await useCode({ takerBps: 33, makerBps: 17 });
    const user = await makeLiveUser();
    const at = await findInsidePrice();
    const order = { ...RESTING, price: at, shares: shares(12_340_000n) };
    const placed = await send(user, order, "maker");
    // The venue of these tests is the sandbox of the same process.
    const market = (await paperExchange().findMarket((await findLiveMarket()).id)) as PaperMarket;
    const taker = await makeSandboxWallet();
    for (const size of [5n, 7n]) {
      const terms = { side: "BUY", at: complement(at), size, outcome: 1 } as const;
      await placeSigned(taker, market, terms);
    }
    await reconcileUntilSettled(user);
    const { order: row } = await readOrder(placed.orderId);
    expect(row.filledShares).toBe(12_000_000n);
    expect(row.fee).toBeGreaterThan(0n);
    expect(await findDisagreements(user)).toEqual([]);
    await expectSandboxAgrees(placed.orderId, code);
  });

  it("a fill pays the code and the rates of its signing, whatever they are by then", async () => {
    const code = await useCode({ takerBps: 33, makerBps: 17 });
    const user = await makeLiveUser();
    const at = await findInsidePrice();
    const order = { ...RESTING, price: at, shares: shares(12_000_000n) };
    const resting = await send(user, order, "before");
    const changed = await useCode({ takerBps: 90, makerBps: 45 });
    const market = (await paperExchange().findMarket((await findLiveMarket()).id)) as PaperMarket;
    // More than this order has: those of other tests rest at the same price.
    const terms = { side: "BUY", at: complement(at), size: 20n, outcome: 1 } as const;
    await placeSigned(await makeSandboxWallet(), market, terms);
    await reconcileUntilSettled(user);
    const { order: filled, remote } = await readOrder(resting.orderId);
    expect(filled.status).toBe("filled");
    expect(remote).toMatchObject({ builderCode: code, builderTakerBps: 33, builderMakerBps: 17 });
    const paid = await listBuilderTransfers(resting.orderId);
    const earned = (filled.filledNotional * 17n) / 10_000n;
    expect(paid).toMatchObject([{ creditAccount: `builder/${code}/usdc`, amount: earned }]);
    await expectSandboxAgrees(resting.orderId, code);
    const after = await send(user, MARKET_BUY, "after");
    await reconcileUntilSettled(user);
    const { order: taken } = await readOrder(after.orderId);
    expect(await listBuilderTransfers(after.orderId)).toMatchObject([
      {
        creditAccount: `builder/${changed}/usdc`,
        amount: (taken.filledNotional * 90n) / 10_000n,
      },
    ]);
    await expectSandboxAgrees(after.orderId, changed);
    expect(await findDisagreements(user)).toEqual([]);
  });

  describe.each(["taker", "maker"] as const)("a %s's trade that fails to settle", (role) => {
    async function trade(user: LiveUser): Promise<string | null> {
      if (role === "taker") return (await send(user, MARKET_BUY, "failed")).orderId;
      const order = { ...RESTING, price: await findInsidePrice(), shares: shares(12_000_000n) };
      const { orderId } = await send(user, order, "failed");
      const market = (await paperExchange().findMarket((await findLiveMarket()).id)) as PaperMarket;
      // More than this order has: those of other tests rest at the same price.
      const terms = { side: "BUY", at: complement(order.price), size: 20n, outcome: 1 } as const;
      await placeSigned(await makeSandboxWallet(), market, terms);
      return orderId;
    }

    it("takes the fee back, once however often the order is reconciled", async () => {
      const code = await useCode({ takerBps: 33, makerBps: 17 });
      const user = await makeLiveUser();
      const orderId = await trade(user);
      await reconcileNow(user.userId);
      const account = `builder/${code}/usdc`;
      const { order: filled } = await readOrder(orderId);
      const bps = role === "taker" ? 33n : 17n;
      const fee = usdc((filled.filledNotional * bps) / 10_000n);
      expect(fee).toBeGreaterThan(0n);
      expect(await listBuilderTransfers(orderId)).toMatchObject([
        { creditAccount: account, amount: fee },
      ]);
      expect(await readEarnings(code)).toEqual({ total: fee, lines: [fee] });
      venue.fault = ({ path }) => (path === "/clob/data/trades" ? failTrades : null);
      onTestFinished(() => void (venue.fault = () => null));
      await reconcileNow(user.userId);
      const nothing = { filledShares: 0n, filledNotional: 0n, fee: 0n };
      expect((await readOrder(orderId)).order).toMatchObject(nothing);
      const reversed = await listBuilderTransfers(orderId);
      expect(reversed).toMatchObject([
        { creditAccount: account, amount: fee },
        { debitAccount: account, amount: fee, kind: "reversal" },
      ]);
      await reconcileNow(user.userId);
      await reconcileNow(user.userId);
      expect(await listBuilderTransfers(orderId)).toEqual(reversed);
      expect(await readEarnings(code)).toEqual({ total: 0n, lines: [-fee, fee] });
      expect((await verifyBooksAndLogs()).problems).toEqual([]);
    });
  });

  it("its earnings are those of the fills that weren't reversed", async () => {
    const code = await useCode({ takerBps: 33, makerBps: 17 });
    onTestFinished(() => void changeSwitches({ settlement: NO_FAULTS.settlement }));
    let aheadMs = 0;
    onTestFinished(setClock(() => Date.now() + aheadMs));
    const user = await makeLiveUser();
    const kept = await send(user, MARKET_BUY, "kept");
    await changeSwitches({ settlement: "failed-settlement" });
    const lost = await send(user, MARKET_BUY, "lost");
    await changeSwitches({ settlement: NO_FAULTS.settlement });
    aheadMs = 10_000;
    await expect
      .poll(
        async () => {
          await reconcileNow(user.userId);
          return (await readOrder(lost.orderId)).order.filledShares;
        },
        { timeout: 20_000 },
      )
      .toBe(0n);
    await reconcileNow(user.userId);
    await reconcileNow(user.userId);
    const { order } = await readOrder(kept.orderId);
    const { total, lines } = await readEarnings(code);
    expect(total).toBe((order.filledNotional * 33n) / 10_000n);
    expect(lines).toHaveLength(3);
    expect(sum(lines)).toBe(total);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("a buy reserves the highest fee, and a resting one the maker's", async () => {
    await useCode();
    const user = await makeLiveUser();
    const market = await findLiveMarket();
    const at = await findInsidePrice();
    const limit = { action: "BUY", orderType: "limit", price: at } as const;
    const placed = await send(user, { ...limit, shares: shares(10_000_000n) }, "resting");
    const { order } = await readOrder(placed.orderId);
    expect(order.status).toBe("open");
    expect(order.held).toBe(at * 10n + (at * 10n * 50n + 9_999n) / 10_000n);
    const { held } = await readLiveCash(await requireTrader(user.userId));
    expect(held).toBe(order.held);
    const seen = await previewOrder(user.live, {
      ...limit,
      shares: shares(10_000_000n),
      tokenId: market.outcomes[0].tokenId,
    });
    expect(seen.holdUsdc).toBeGreaterThanOrEqual(at * 10n + (at * 10n) / 100n);
    expect(await findDisagreements(user)).toEqual([]);
    await cancelOrders(user.live);
    await reconcileUntilSettled(user);
    expect((await readOrder(placed.orderId)).order.held).toBe(0n);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("the ticket has the rates before an order", async () => {
    await useCode();
    const user = await makeLiveUser();
    const { id } = await findLiveMarket();
    expect(await getTicketAccount(user.live, id)).toMatchObject({ builderFees: RATES });
  });

  it.each([
    ["taker's", { takerBps: 101, makerBps: 0 }],
    ["maker's", { takerBps: 0, makerBps: 51 }],
  ])("a %s fee above the venue's limit pauses orders and records nothing", async (_what, fees) => {
    await useCode(fees);
    const user = await makeLiveUser();
    await requireTrader(user.userId);
    const [before, calls] = [await databaseState(), venue.calls.length];
    expect(await send(user, RESTING, "paused")).toMatchObject({
      status: 502,
      code: "TRADING_PAUSED",
    });
    expect(await databaseState()).toEqual(before);
    const posts = venue.calls.slice(calls).filter(({ path }) => path.endsWith("/clob/order"));
    expect(posts).toEqual([]);
  });

  it("an order is not placed while the fees can't be read", async () => {
    await useCode();
    const user = await makeLiveUser();
    await requireTrader(user.userId);
    venue.fault = ({ path }) =>
      path.includes("/fees/builder-fees/")
        ? async (_handle, answer) => answer.send(new Response("{}", { status: 500 }))
        : null;
    const before = await databaseState();
    expect(await send(user, RESTING, "unread")).toMatchObject({ status: 502 });
    expect(await databaseState()).toEqual(before);
    venue.fault = () => null;
    expect(await send(user, RESTING, "unread")).toMatchObject({ status: 200 });
  });

  it("custody signs it or none, and no other code", async () => {
    const code = await useCode();
    const owner = createOwner();
    const { userId } = await makeUser();
    const { address, funders, privateKey } = owner;
    const identity = { userId, address, funderAddress: funders[3], signatureType: 3 } as const;
    await storeWallet(identity, privateKey);
    const trader = await openTrader(userId);
    const order = buildOrder(owner, 3);
    await expect(trader?.signOrder({ ...order, builder: code }, "ctf")).resolves.toMatch(/^0x/);
    await expect(trader?.signOrder(order, "ctf")).resolves.toMatch(/^0x/);
    for (const foreign of [CODE, code.toUpperCase().replace("0X", "0x"), `0x${"1".repeat(64)}`]) {
      const signing = trader?.signOrder({ ...order, builder: foreign }, "ctf");
      await expect(signing).rejects.toThrow("the signer refuses: builder");
    }
    delete changes.BUILDER_CODE;
    const signing = trader?.signOrder({ ...order, builder: code }, "ctf");
    await expect(signing).rejects.toThrow("the signer refuses: builder");
  });
});
