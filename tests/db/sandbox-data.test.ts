import { describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectAccount } from "@/lib/db/queries/users";
import { readCash } from "@/lib/ledger/read-balances";
import { toUserId } from "@/lib/sandbox/accounts";
import { listActivity, listTrades, listTradesV2 } from "@/lib/sandbox/data-activity";
import { listClosedPositions, listPositions, readValue } from "@/lib/sandbox/data-positions";
import { listPositionsV2, readUserStats, readValueV2 } from "@/lib/sandbox/data-v2";
import { ONE, price } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, useTestClock } from "@/tests/support/exchange/orders";
import { makeSandboxWallet, placeSigned, type SandboxWallet } from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();

const DAY = 86_400_000;
const ask = (wallet: SandboxWallet, more: Record<string, string> = {}) =>
  new URLSearchParams({ user: wallet.wallet.address, ...more });

interface Trades {
  market: PaperMarket;
  /** Bought 20 shares of the first outcome and sold some of them two ticks higher. */
  trader: SandboxWallet;
  at: number;
  tick: number;
}

async function trade(sold: bigint, options = {}): Promise<Trades> {
  const [trader, other] = [await makeSandboxWallet(), await makeSandboxWallet()];
  clock.advance(1_000);
  const market = freshMarket({ inside: 3, ...options });
  const at = findPriceInside(market)(0);
  const higher = findPriceInside(market)(2);
  await placeSigned(other, market, { side: "BUY", at: price(ONE - at), size: 20n, outcome: 1 });
  await placeSigned(trader, market, { side: "BUY", at, size: 20n });
  clock.advance(1_000);
  await placeSigned(other, market, { side: "BUY", at: higher, size: sold });
  await placeSigned(trader, market, { side: "SELL", at: higher, size: sold });
  return { market, trader, at: Number(at) / 1e6, tick: Number(market.tick) / 1e6 };
}

/** Returns an account's profit according to the ledger. */
async function computeGain({ wallet }: SandboxWallet, value: number): Promise<number> {
  const db = await getDb();
  const account = await selectAccount(db, toUserId(wallet.address));
  if (!account) throw new Error("the wallet has an account");
  const { owned, netDeposits } = await readCash(db, account);
  return Number(owned - netDeposits) / 1e6 + value;
}

describe("positions of the Data API", () => {
  it("report purchases, sales and profit that match the ledger", async () => {
    const { market, trader, at, tick } = await trade(8n);
    const [position, ...rest] = await listPositions(ask(trader));
    expect(rest).toEqual([]);
    expect(position).toMatchObject({
      proxyWallet: trader.wallet.address.toLowerCase(),
      asset: market.outcomes[0].tokenId,
      conditionId: market.id,
      size: 12,
      avgPrice: at,
      totalBought: 20,
      realizedPnl: expect.closeTo(16 * tick, 6),
      oppositeAsset: market.outcomes[1].tokenId,
      redeemable: false,
      mergeable: false,
    });
    const { initialValue = 0, currentValue = 0, cashPnl, percentPnl } = position ?? {};
    expect(cashPnl).toBeCloseTo(currentValue - initialValue, 6);
    expect(percentPnl).toBeCloseTo((100 * (currentValue - initialValue)) / initialValue, 4);
    expect(await readValue(ask(trader))).toEqual([
      { user: trader.wallet.address.toLowerCase(), value: currentValue },
    ]);
    const stats = (await readUserStats(ask(trader))).data;
    expect(stats).toMatchObject({ trades: 1, all_time_pnl: { trade_count: 2, deposits: 10_000 } });
    expect(stats?.all_time_pnl.economic_pnl).toBeCloseTo(
      await computeGain(trader, currentValue),
      6,
    );
  });

  it("leave out positions below the threshold and apply the documented filters", async () => {
    const { market, trader } = await trade(19n);
    const sizes = async (more: Record<string, string>) =>
      (await listPositions(ask(trader, more))).map(({ size }) => size);
    expect(await sizes({})).toEqual([1]);
    expect(await sizes({ sizeThreshold: "1.01" })).toEqual([]);
    expect(await sizes({ sizeThreshold: "0", market: `0x1,${market.id}` })).toEqual([1]);
    expect(await sizes({ market: "0x1" })).toEqual([]);
    expect(await sizes({ redeemable: "true" })).toEqual([]);
    expect(await sizes({ title: market.title.slice(0, 8).toUpperCase() })).toEqual([1]);
    expect(await sizes({ offset: "1" })).toEqual([]);
    await expect(listPositions(new URLSearchParams())).rejects.toMatchObject({ status: 400 });
    await expect(sizes({ sortBy: "LUCK" })).rejects.toMatchObject({ status: 400 });
  });

  it("move to closed positions with their profit once all shares are sold", async () => {
    const { market, trader, at, tick } = await trade(20n);
    expect(await listPositions(ask(trader, { sizeThreshold: "0" }))).toEqual([]);
    expect(await listClosedPositions(ask(trader))).toMatchObject([
      {
        asset: market.outcomes[0].tokenId,
        avgPrice: at,
        totalBought: 20,
        realizedPnl: expect.closeTo(40 * tick, 6),
        timestamp: Math.floor(clock.now / 1000),
      },
    ]);
  });
});

describe("activity and trades of the Data API", () => {
  it("list deposits, trades and redemptions, newest first", async () => {
    const { market, trader } = await trade(8n, { closesAfter: DAY, closesWithin: 60 * DAY });
    clock.set(market.resolvesAt + 1_000);
    const userId = toUserId(trader.wallet.address);
    const request = { userId, market, outcome: 0 } as const;
    const redeemed = await paperExchange().redeemPosition(request);
    if (redeemed.outcome !== "redeemed") throw new Error("the market is resolved");
    const everything = { type: "TRADE,REDEEM,DEPOSIT" };
    const activity = await listActivity(ask(trader, everything));
    expect(activity.map(({ type, side, size }) => [type, side, size])).toEqual([
      ["REDEEM", "", 12],
      ["TRADE", "SELL", 8],
      ["TRADE", "BUY", 20],
      ["DEPOSIT", "", 10_000],
    ]);
    expect(activity[0]).toMatchObject({
      conditionId: market.id,
      asset: market.outcomes[0].tokenId,
      usdcSize: Number(redeemed.payout) / 1e6,
      outcomeIndex: 0,
    });
    expect(activity[3]).toMatchObject({ conditionId: "", outcomeIndex: 999, usdcSize: 10_000 });
    const types = async (more: Record<string, string>) =>
      (await listActivity(ask(trader, { ...everything, ...more }))).map(({ type }) => type);
    expect(await listActivity(ask(trader))).toEqual(activity.slice(0, 3));
    expect(await types({ type: "redeem,deposit" })).toEqual(["REDEEM", "DEPOSIT"]);
    expect(await types({ side: "SELL" })).toEqual(["TRADE"]);
    expect(await types({ sortBy: "CASH", limit: "1" })).toEqual(["DEPOSIT"]);
    expect(await types({ sortDirection: "ASC", limit: "1", offset: "1" })).toEqual(["TRADE"]);
    expect(await types({ end: String(Math.floor(clock.now / 1000) - 60) })).not.toContain("REDEEM");
  });

  it("list trades of one wallet or all, by default only from the taker's side", async () => {
    const { market, trader } = await trade(8n);
    const ids = async (more: Record<string, string>) =>
      (await listTrades(new URLSearchParams(more))).map(({ side, size }) => `${side} ${size}`);
    const user = trader.wallet.address;
    expect(await ids({ user })).toEqual(["SELL 8", "BUY 20"]);
    expect(await ids({ user, side: "BUY" })).toEqual(["BUY 20"]);
    expect(await ids({ user, filterType: "TOKENS", filterAmount: "10" })).toEqual(["BUY 20"]);
    expect(await ids({ market: market.id })).toEqual(["SELL 8", "BUY 20"]);
    expect(await ids({ market: market.id, takerOnly: "false" })).toHaveLength(4);
    expect((await ids({ limit: "2" })).slice(0, 2)).toEqual(["SELL 8", "BUY 20"]);
    await expect(ids({ user, filterType: "CASH" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("the second Data API", () => {
  it("returns the same positions in its own shape, page by page", async () => {
    const { market, trader } = await trade(8n);
    const second = freshMarket({ inside: 1 });
    const at = findPriceInside(second)(0);
    const other = await makeSandboxWallet();
    await placeSigned(other, second, { side: "BUY", at: price(ONE - at), size: 15n, outcome: 1 });
    await placeSigned(trader, second, { side: "BUY", at, size: 15n });
    const first = await listPositionsV2(ask(trader, { sort_by: "TOKENS", limit: "1" }));
    expect(first).toMatchObject({
      data: [{ condition_id: second.id, current_size: 15, status: "OPEN", redeemable: false }],
      pagination: { limit: 1, offset: 0, has_more: true },
    });
    const cursor = first.pagination.next_cursor;
    const rest = await listPositionsV2(ask(trader, { sort_by: "TOKENS", limit: "1", cursor }));
    expect(rest).toMatchObject({
      data: [{ condition_id: market.id, current_size: 12, total_size: 20 }],
      pagination: { has_more: false, next_cursor: "" },
    });
    const [old] = await listPositions(ask(trader, { market: market.id }));
    expect(rest.data[0]?.unrealized_pnl).toBe(old?.cashPnl);
    expect((await readValueV2(ask(trader, { condition: market.id }))).data.value).toBe(
      old?.currentValue,
    );
  });

  it("rejects offsets and bad values by parameter, and returns no data for an unknown wallet", async () => {
    const stranger = await makeSandboxWallet();
    for (const [name, value] of [
      ["offset", "5"],
      ["limit", "1001"],
      ["cursor", "!"],
      ["status", "LOST"],
    ] as const) {
      await expect(listPositionsV2(ask(stranger, { [name]: value }))).rejects.toMatchObject({
        status: 400,
        extra: { parameter: name },
      });
    }
    const unseen = new URLSearchParams({ user: "0x0000000000000000000000000000000000000001" });
    expect(await readUserStats(unseen)).toEqual({ data: null });
    expect((await listPositionsV2(unseen)).data).toEqual([]);
  });
});

describe("trades of the second Data API", () => {
  it("equal those of the first, page by page, newest first", async () => {
    const { trader, market } = await trade(8n);
    const first = await listTrades(ask(trader, { takerOnly: "false" }));
    expect(first.length).toBeGreaterThan(1);
    const rows: Awaited<ReturnType<typeof listTradesV2>>["data"] = [];
    let cursor = "";
    do {
      const query = ask(trader, { taker_only: "false", limit: "1", cursor });
      const page = await listTradesV2(query);
      expect(page.data).toHaveLength(1);
      expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== "");
      rows.push(...page.data);
      cursor = page.pagination.next_cursor;
    } while (cursor !== "");
    expect(rows.map((row) => [row.token_id, row.side, row.size, row.price, row.timestamp])).toEqual(
      first.map((row) => [row.asset, row.side, row.size, row.price, row.timestamp]),
    );
    expect(rows[0]).toMatchObject({
      proxy_wallet: first[0]?.proxyWallet,
      condition_id: market.id,
      transaction_hash: first[0]?.transactionHash,
    });
    const takers = await listTradesV2(ask(trader));
    expect(takers.data.length).toBe((await listTrades(ask(trader))).length);
  });

  it("are filtered by market, side and size", async () => {
    const { trader, market } = await trade(8n);
    const list = async (more: Record<string, string>) =>
      (await listTradesV2(ask(trader, { taker_only: "false", ...more }))).data;
    expect(await list({ condition: `0x${"00".repeat(32)}` })).toEqual([]);
    expect((await list({ conditionId: market.id })).length).toBeGreaterThan(1);
    expect((await list({ side: "SELL" })).every(({ side }) => side === "SELL")).toBe(true);
    const large = await list({ filter_type: "TOKENS", filter_amount: "10" });
    expect(large.length).toBeGreaterThan(0);
    expect(large.every(({ size }) => size >= 10)).toBe(true);
    await expect(list({ offset: "1" })).rejects.toMatchObject({ status: 400 });
    await expect(list({ limit: "1001" })).rejects.toMatchObject({ status: 400 });
  });
});
