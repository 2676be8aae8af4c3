import { afterEach, describe, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { listTrades as listPublicTrades } from "@/lib/sandbox/data-activity";
import { openUserSession, UserFeed } from "@/lib/sandbox/stream/user-channel";
import type { StreamSession } from "@/lib/sandbox/stream/session";
import { changeSwitches } from "@/lib/sandbox/switches";
import { ONE, type Price, price } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { ledgerChanges, readLedger } from "@/tests/support/exchange/ledger";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { callClob } from "@/tests/support/sandbox/call";
import {
  makeSandboxWallet,
  openOrderIds,
  placeSigned,
  type SandboxWallet,
  signedBody,
} from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();

const sessions: StreamSession[] = [];
const feed = new UserFeed();
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await feed.waitUntilIdle();
  expect((await verifyBooks()).problems).toEqual([]);
});

type Row = Record<string, unknown>;

const read = async (wallet: SandboxWallet, path: string) =>
  (await callClob(wallet, ["GET", path])).body as Row;

async function listTrades(wallet: SandboxWallet, query = ""): Promise<Row[]> {
  return (await read(wallet, `/data/trades${query}`))["data"] as Row[];
}

interface Asks {
  market: PaperMarket;
  makers: SandboxWallet[];
  makerIds: string[];
  /** The highest ask. */
  top: Price;
}

/** Rests one ask of 10 shares per price inside the spread, each as a bid for the other outcome. */
async function restAsks(count: number): Promise<Asks> {
  const market = freshMarket({ inside: count });
  const makers: SandboxWallet[] = [];
  const makerIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const maker = await makeSandboxWallet();
    const at = price(ONE - findPriceInside(market)(index));
    makers.push(maker);
    makerIds.push(await placeSigned(maker, market, { side: "BUY", at, size: 10n, outcome: 1 }));
  }
  return { market, makers, makerIds, top: findPriceInside(market)(count - 1) };
}

/** Buys from the asks. Returns the response and the id of its only trade. */
async function buy(
  { market, top }: Asks,
  taker: SandboxWallet,
  { size, fault }: { size: bigint; fault?: string },
) {
  const body = signedBody(taker, market, { side: "BUY", at: top, size });
  const headers: Record<string, string> = fault === undefined ? {} : { "X-Rehearse": fault };
  const placed = (await callClob(taker, ["POST", "/order"], { body, headers })).body as Row;
  const [tradeId = ""] = placed["tradeIDs"] as string[];
  return { placed, tradeId, body };
}

async function listen(wallet: SandboxWallet): Promise<() => Row[]> {
  const frames: Row[] = [];
  const send = (text: string) => void frames.push(...[JSON.parse(text) as Row | Row[]].flat());
  const session = openUserSession({ send, close: () => undefined }, feed);
  sessions.push(session);
  await session.receive(JSON.stringify({ auth: wallet.credentials, type: "user" }));
  return () => frames;
}

const describeFrames = (frames: readonly Row[]) =>
  frames.map(({ event_type, type, status }) => `${event_type} ${type} ${status}`);

describe("an order that meets several makers", () => {
  it("makes one trade with all of them, the same for every party", async () => {
    const asks = await restAsks(3);
    const taker = await makeSandboxWallet();
    const [ofTaker, ofMaker] = [await listen(taker), await listen(asks.makers[0] ?? taker)];
    const { placed, tradeId } = await buy(asks, taker, { size: 25n });
    expect(placed).toMatchObject({ status: "matched", takingAmount: "25", tradeIDs: [tradeId] });
    const [trade, ...others] = await listTrades(taker);
    expect(others).toEqual([]);
    const orderId = placed["orderID"];
    expect(trade).toMatchObject({
      id: tradeId,
      taker_order_id: orderId,
      trader_side: "TAKER",
      size: "25",
      maker_orders: asks.makerIds.map((order_id, index) => ({
        order_id,
        matched_amount: index === 2 ? "5" : "10",
      })),
    });
    expect((await read(taker, `/data/order/${String(orderId)}`))["associate_trades"]).toEqual([
      tradeId,
    ]);
    for (const [index, maker] of asks.makers.entries()) {
      const [own, ...more] = await listTrades(maker, `?id=${tradeId}`);
      expect(more).toEqual([]);
      expect(own).toMatchObject({ id: tradeId, taker_order_id: orderId, trader_side: "MAKER" });
      expect(own?.["maker_orders"]).toHaveLength(3);
      const order = await read(maker, `/data/order/${asks.makerIds[index] ?? ""}`);
      expect(order["associate_trades"]).toEqual([tradeId]);
    }
    await expect.poll(ofTaker, { timeout: 5_000 }).toHaveLength(2);
    await expect.poll(ofMaker, { timeout: 5_000 }).toHaveLength(2);
    for (const frames of [ofTaker(), ofMaker()]) {
      expect(frames[0]).toMatchObject({ event_type: "trade", id: tradeId });
      expect(frames[0]?.["maker_orders"]).toHaveLength(3);
      expect(frames[1]).toMatchObject({ event_type: "order", associate_trades: [tradeId] });
    }
  });
});

const NONE = "";
describe("a trade", () => {
  it.each([
    ["none", [0, 2_000, 4_000], ["MATCHED", "MINED", "CONFIRMED"], [NONE, "b", "b"]],
    ["late-hash", [4_000, 12_000, 14_000], ["MATCHED", "MINED", "CONFIRMED"], [NONE, "b", "b"]],
    [
      "retried-settlement",
      [0, 2_000, 6_000, 8_000],
      ["MATCHED", "RETRYING", "MINED", "CONFIRMED"],
      [NONE, "a", "b", "b"],
    ],
  ] as const)(
    "with the fault %s settles in its stages, and its hash appears in time",
    async (fault, instants, statuses, hashes) => {
      const asks = await restAsks(1);
      const taker = await makeSandboxWallet();
      const asked = fault === "none" ? {} : { fault };
      const { tradeId } = await buy(asks, taker, { size: 10n, ...asked });
      const startedAt = clock.now;
      const seen: Row[] = [];
      for (const after of instants) {
        clock.set(startedAt + after);
        for (const party of [taker, ...asks.makers]) {
          const [trade] = await listTrades(party, `?id=${tradeId}`);
          seen.push({ ...trade, party: party.caller.owner });
        }
      }
      const own = seen.filter(({ party }) => party === taker.caller.owner);
      const theirs = seen.filter(({ party }) => party !== taker.caller.owner);
      expect(own.map(({ status }) => status)).toEqual(
        statuses.map((status) => `TRADE_STATUS_${status}`),
      );
      const settledAt = startedAt + (instants.at(-1) ?? 0);
      expect(own.at(-1)?.["last_update"]).toBe(String(Math.floor(settledAt / 1000)));
      const all = [...new Set(own.map(({ transaction_hash }) => transaction_hash))];
      expect(all).toHaveLength(new Set(hashes).size);
      expect(own.map(({ transaction_hash }) => all.indexOf(transaction_hash))).toEqual(
        hashes.map((hash) => [...new Set<string>(hashes)].indexOf(hash)),
      );
      expect(own[0]?.["transaction_hash"]).toBe("");
      expect(all.at(-1)).toMatch(/^0x[0-9a-f]{64}$/);
      const facts = ({ status, transaction_hash }: Row) => ({ status, transaction_hash });
      expect(theirs.map(facts)).toEqual(own.map(facts));
    },
  );

  it("sends its stages to both parties, with the hash that is replaced", async () => {
    const asks = await restAsks(1);
    const taker = await makeSandboxWallet();
    const frames = await listen(taker);
    await buy(asks, taker, { size: 10n, fault: "retried-settlement" });
    await expect.poll(frames, { timeout: 5_000 }).toHaveLength(2);
    clock.advance(8_000);
    await expect.poll(frames, { timeout: 5_000 }).toHaveLength(5);
    expect(describeFrames(frames())).toEqual([
      "trade TRADE MATCHED",
      "order UPDATE MATCHED",
      "trade TRADE RETRYING",
      "trade TRADE MINED",
      "trade TRADE CONFIRMED",
    ]);
    const [matched, , retrying, mined, confirmed] = frames().map(
      ({ transaction_hash }) => transaction_hash,
    );
    expect(matched).toBeNull();
    expect(retrying).not.toBe(mined);
    expect(confirmed).toBe(mined);
  });
});

describe("a trade that fails to settle", () => {
  it("is matched, retried and failed, and moves no money", async () => {
    const asks = await restAsks(2);
    const taker = await makeSandboxWallet();
    await read(taker, "/balance-allowance?asset_type=COLLATERAL&signature_type=0");
    const frames = await listen(taker);
    const before = await readLedger();
    const { placed, tradeId } = await buy(asks, taker, { size: 15n, fault: "failed-settlement" });
    expect(placed).toMatchObject({ success: true, status: "matched", takingAmount: "15" });
    const statuses: unknown[] = [];
    for (const after of [0, 2_000, 2_000]) {
      clock.advance(after);
      const [trade, ...others] = await listTrades(taker);
      expect(others).toEqual([]);
      expect(trade).toMatchObject({ id: tradeId, size: "15", taker_order_id: placed["orderID"] });
      expect(await listTrades(taker, `?id=${tradeId}`)).toEqual([trade]);
      statuses.push(trade?.["status"]);
    }
    expect(statuses).toEqual([
      "TRADE_STATUS_MATCHED",
      "TRADE_STATUS_RETRYING",
      "TRADE_STATUS_FAILED",
    ]);
    // As at the venue, the order still counts the trade.
    const order = await read(taker, `/data/order/${String(placed["orderID"])}`);
    expect(order).toMatchObject({
      status: "MATCHED",
      size_matched: "15",
      associate_trades: [tradeId],
    });
    await expect.poll(frames, { timeout: 5_000 }).toHaveLength(4);
    expect(describeFrames(frames())).toEqual([
      "trade TRADE MATCHED",
      "order UPDATE MATCHED",
      "trade TRADE RETRYING",
      "trade TRADE FAILED",
    ]);
    expect(await ledgerChanges(before)).toEqual({});
    for (const [index, maker] of asks.makers.entries()) {
      expect(await openOrderIds(maker)).toEqual([asks.makerIds[index]]);
      expect(await listTrades(maker)).toEqual([]);
    }
    const [notification] = (await callClob(taker, ["GET", "/notifications?signature_type=0"]))
      .body as Row[];
    expect(notification).toMatchObject({ type: 8, payload: { trade_id: tradeId } });
  });

  it("is listed between the trades that settled, newest first", async () => {
    const asks = await restAsks(3);
    const taker = await makeSandboxWallet();
    const ids: string[] = [];
    for (const fault of [undefined, "failed-settlement", undefined]) {
      clock.advance(1_000);
      const { tradeId } = await buy(asks, taker, { size: 10n, ...(fault ? { fault } : {}) });
      ids.unshift(tradeId);
    }
    expect((await listTrades(taker)).map(({ id }) => id)).toEqual(ids);
    const between = `?after=${Math.floor(clock.now / 1000) - 2}`;
    expect((await listTrades(taker, between)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await listTrades(taker, `?market=${freshMarket().id}`)).toEqual([]);
  });

  it("does not happen to an order that rests, which can be canceled", async () => {
    const taker = await makeSandboxWallet();
    const market = freshMarket();
    const terms = { side: "BUY", at: findPriceInside(market)(0), size: 10n } as const;
    const options = {
      body: signedBody(taker, market, terms),
      headers: { "X-Rehearse": "failed-settlement" },
    };
    const placed = (await callClob(taker, ["POST", "/order"], options)).body as Row;
    expect(placed).toMatchObject({ status: "live" });
    expect(await openOrderIds(taker)).toEqual([placed["orderID"]]);
  });

  it("is refused without the balance for it", async () => {
    const asks = await restAsks(1);
    const taker = await makeSandboxWallet();
    const body = signedBody(taker, asks.market, { side: "BUY", at: asks.top, size: 1_000_000n });
    const headers = { "X-Rehearse": "failed-settlement" };
    const refused = await callClob(taker, ["POST", "/order"], { body, headers });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("not enough balance / allowance") },
    });
    expect(await listTrades(taker)).toEqual([]);
  });

  it("happens to unmodified clients while the operator's switch says so", async () => {
    const asks = await restAsks(2);
    const taker = await makeSandboxWallet();
    await changeSwitches({ settlement: "failed-settlement" });
    const { tradeId } = await buy(asks, taker, { size: 10n });
    await changeSwitches({ settlement: "normal" });
    clock.advance(4_000);
    expect(await listTrades(taker)).toMatchObject([{ id: tradeId, status: "TRADE_STATUS_FAILED" }]);
    await buy(asks, taker, { size: 10n });
    expect(await listTrades(taker)).toHaveLength(2);
  });
});

it("a trade that failed to settle is on no list of the Data API, which reads the chain", async () => {
  const asks = await restAsks(1);
  const taker = await makeSandboxWallet();
  await buy(asks, taker, { size: 10n, fault: "failed-settlement" });

  const user = taker.caller.owner;
  expect(await listPublicTrades(new URLSearchParams({ user, takerOnly: "false" }))).toEqual([]);
});
