import { afterEach, describe, expect, it } from "vitest";
import { type WireBook, bookHash } from "@/lib/polymarket/book-hash";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { removeSandboxKey } from "@/lib/sandbox/keys";
import { MarketFeed } from "@/lib/sandbox/stream/market-feed";
import { openMarketSession } from "@/lib/sandbox/stream/market-session";
import type { Peer, StreamSession } from "@/lib/sandbox/stream/peer";
import { UserFeed } from "@/lib/sandbox/stream/user-feed";
import { openUserSession } from "@/lib/sandbox/stream/user-session";
import { price } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { useFreshDatabase } from "@/tests/support/database";
import {
  makeSandboxWallet as makeTrader,
  placeSigned as place,
} from "@/tests/support/sandbox-wallet";
import { freshMarket, insideOf, REPRICE, useTestClock } from "@/tests/support/exchange";

useFreshDatabase();
const clock = useTestClock();

type Message = Record<string, unknown> & { event_type: string };

/** A connection whose other end is this test. */
class Wire implements Peer {
  readonly frames: string[] = [];
  isClosed = false;
  send = (text: string) => void this.frames.push(text);
  close = () => void (this.isClosed = true);

  /** Everything sent since the last time, frames of several messages taken apart. */
  take(): Message[] {
    return this.frames.splice(0).flatMap((text) => JSON.parse(text) as Message | Message[]);
  }

  async until(condition: (messages: readonly Message[]) => boolean): Promise<Message[]> {
    const messages: Message[] = [];
    for (let tries = 0; tries < 100; tries += 1) {
      messages.push(...this.take());
      if (condition(messages)) return messages;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not all of it came: ${JSON.stringify(messages)}`);
  }
}

const sessions: StreamSession[] = [];
const feeds = { market: new MarketFeed(), user: new UserFeed() };
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await Promise.all([feeds.market.idle(), feeds.user.idle()]);
});

async function connect(channel: "market" | "user", frame: object) {
  const wire = new Wire();
  const session =
    channel === "market"
      ? openMarketSession(wire, feeds.market)
      : openUserSession(wire, feeds.user);
  sessions.push(session);
  await session.receive(JSON.stringify(frame));
  return { wire, session };
}

const kinds = (messages: readonly Message[]) =>
  messages.map(({ event_type, type, status }) =>
    event_type === "order" ? `order ${String(type)} ${String(status)}` : `trade ${String(status)}`,
  );

describe("the user channel", () => {
  it("tells of a resting order and its cancellation, to its owner alone", async () => {
    const [trader, other] = [await makeTrader(), await makeTrader()];
    const { wire } = await connect("user", { auth: trader.credentials, type: "user" });
    const { wire: others } = await connect("user", { auth: other.credentials, type: "user" });
    const market = freshMarket();
    const id = await place(trader, market, { side: "BUY", at: insideOf(market)(0), size: 10n });
    await cancelWhere(trader.caller, {});
    const messages = await wire.until((all) => all.length >= 2);
    expect(kinds(messages)).toEqual(["order PLACEMENT LIVE", "order CANCELLATION CANCELED"]);
    expect(messages[0]).toMatchObject({
      id,
      owner: trader.caller.apiKey,
      order_owner: trader.caller.apiKey,
      market: market.id,
      asset_id: market.outcomes[0].tokenId,
      side: "BUY",
      original_size: "10",
      size_matched: "0",
      associate_trades: null,
      order_type: "GTC",
      timestamp: String(clock.now),
    });
    expect(others.take()).toEqual([]);
  });

  it("tells both sides of a match, and then that it was mined and confirmed", async () => {
    const [maker, taker] = [await makeTrader(), await makeTrader()];
    const market = freshMarket({ inside: 2 });
    const at = insideOf(market)(0);
    const { wire } = await connect("user", { auth: maker.credentials, type: "user" });
    const { wire: takers } = await connect("user", { auth: taker.credentials, type: "user" });
    await place(maker, market, { side: "BUY", at, size: 10n });
    await place(taker, market, { side: "BUY", at: price(1_000_000n - at), size: 6n, outcome: 1 });
    const matched = await wire.until((all) => all.length >= 3);
    expect(kinds(matched)).toEqual(["order PLACEMENT LIVE", "trade MATCHED", "order UPDATE LIVE"]);
    expect(matched[1]).toMatchObject({ size: "6", trader_side: "MAKER", transaction_hash: null });
    expect(matched[2]).toMatchObject({ size_matched: "6", associate_trades: [matched[1]?.["id"]] });
    expect(kinds(await takers.until((all) => all.length >= 2))).toEqual([
      "trade MATCHED",
      "order UPDATE MATCHED",
    ]);
    clock.advance(2_000);
    const mined = await wire.until((all) => all.length >= 1);
    clock.advance(2_000);
    const confirmed = await wire.until((all) => all.length >= 1);
    expect(kinds([...mined, ...confirmed])).toEqual(["trade MINED", "trade CONFIRMED"]);
    expect(mined[0]?.["transaction_hash"]).toMatch(/^0x[0-9a-f]{64}$/);
    expect(confirmed[0]).toMatchObject({
      id: matched[1]?.["id"],
      taker_order_id: matched[1]?.["taker_order_id"],
    });
  });

  it("tells of the markets that were named, and of those named later", async () => {
    const trader = await makeTrader();
    const [first, second] = [freshMarket(), freshMarket()];
    const { wire, session } = await connect("user", {
      auth: trader.credentials,
      type: "user",
      markets: [first.id],
    });
    await place(trader, second, { side: "BUY", at: insideOf(second)(0), size: 10n });
    await place(trader, first, { side: "BUY", at: insideOf(first)(0), size: 10n });
    const told = await wire.until((all) => all.length >= 1);
    expect(told.map(({ market }) => market)).toEqual([first.id]);
    await session.receive(JSON.stringify({ operation: "subscribe", markets: [second.id] }));
    await cancelWhere(trader.caller, {});
    expect(await wire.until((all) => all.length >= 2)).toHaveLength(2);
  });

  it("says nothing to bad credentials, nor to a deleted key's, not even PONG", async () => {
    const trader = await makeTrader();
    const { credentials } = trader;
    const bad = [
      { ...credentials, secret: credentials.secret.toLowerCase() },
      { ...credentials, passphrase: "" },
      { ...credentials, apiKey: "nothing" },
    ];
    for (const auth of bad) {
      const { wire, session } = await connect("user", { auth, type: "user" });
      await session.receive("PING");
      expect(wire.frames).toEqual([]);
    }
    await removeSandboxKey(trader.caller);
    const { wire, session } = await connect("user", { auth: credentials, type: "user" });
    await session.receive(JSON.stringify({ auth: credentials }));
    await session.receive("PING");
    expect(wire.frames).toEqual([]);
  });
});

describe("the market channel", () => {
  const subscription = (market: PaperMarket, more = {}) => ({
    type: "market",
    assets_ids: [market.outcomes[0].tokenId],
    ...more,
  });

  it("sends a book that hashes to its hash, then each level that changes", async () => {
    const trader = await makeTrader();
    const market = freshMarket();
    const { wire, session } = await connect("market", subscription(market));
    const [book] = wire.take();
    expect(book).toMatchObject({ event_type: "book", asset_id: market.outcomes[0].tokenId });
    expect(bookHash(book as unknown as WireBook)).toBe(book?.["hash"]);
    const at = insideOf(market)(0);
    await place(trader, market, { side: "BUY", at, size: 10n });
    const [change] = await wire.until((all) => all.length >= 1);
    const level = { price: String(Number(at) / 1e6), size: "10", side: "BUY" };
    expect(change).toMatchObject({
      event_type: "price_change",
      market: market.id,
      price_changes: [{ ...level, best_bid: level.price, asset_id: market.outcomes[0].tokenId }],
    });
    await cancelWhere(trader.caller, {});
    const [gone] = await wire.until((all) => all.length >= 1);
    expect(gone?.["price_changes"]).toMatchObject([{ ...level, size: "0" }]);
    await session.receive("PING");
    expect(wire.frames).toEqual(["PONG"]);
  });

  it("tells of trades with the book after them, and of the best prices to who asked", async () => {
    const [maker, taker] = [await makeTrader(), await makeTrader()];
    const market = freshMarket({ inside: 2 });
    const at = insideOf(market)(0);
    await place(maker, market, { side: "BUY", at, size: 10n });
    const { wire } = await connect(
      "market",
      subscription(market, { custom_feature_enabled: true }),
    );
    expect(wire.take().map(({ event_type }) => event_type)).toEqual(["book", "best_bid_ask"]);
    await place(taker, market, { side: "BUY", at: price(1_000_000n - at), size: 10n, outcome: 1 });
    const messages = await wire.until((all) => all.length >= 4);
    expect(messages.map(({ event_type }) => event_type)).toEqual([
      "price_change",
      "last_trade_price",
      "book",
      "best_bid_ask",
    ]);
    expect(messages[1]).toMatchObject({
      price: String(Number(at) / 1e6),
      size: "10",
      side: "SELL",
    });
    expect(messages[2]).toMatchObject({ last_trade_price: String(Number(at) / 1e6) });
  });

  it("follows the house's quotes, and stops with the subscription", async () => {
    const market = freshMarket();
    const { wire, session } = await connect("market", subscription(market));
    wire.take();
    const unsubscribe = { operation: "unsubscribe", assets_ids: [market.outcomes[0].tokenId] };
    for (let count = 0; count < 20 && wire.frames.length === 0; count += 1) {
      clock.advance(REPRICE);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    expect(wire.take()[0]).toMatchObject({ event_type: "price_change" });
    await session.receive(JSON.stringify(unsubscribe));
    clock.advance(20 * REPRICE);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(wire.frames).toEqual([]);
  });

  it("minds neither unknown tokens nor frames that are no JSON; more than 500 tokens end it", async () => {
    const { wire, session } = await connect("market", { type: "market", assets_ids: ["12"] });
    await session.receive("hello");
    await session.receive("[]");
    expect(wire.frames).toEqual([]);
    expect(wire.isClosed).toBe(false);
    for (const from of [0, 250]) {
      const assets_ids = Array.from({ length: 250 }, (_, index) => String(1e9 + from + index));
      await session.receive(JSON.stringify({ operation: "subscribe", assets_ids }));
    }
    expect(wire.isClosed).toBe(true);
  });
});
