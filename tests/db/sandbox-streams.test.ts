import { afterEach, describe, expect, it, vi } from "vitest";
import { type WireBook, computeBookHash } from "@/lib/polymarket/protocol/book-hash";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { removeSandboxKey } from "@/lib/sandbox/keys";
import { MarketFeed, openMarketSession } from "@/lib/sandbox/stream/market-channel";
import { diffTickSizes } from "@/lib/sandbox/stream/market-messages";
import type { Peer, StreamSession } from "@/lib/sandbox/stream/session";
import { openUserSession, UserFeed } from "@/lib/sandbox/stream/user-channel";
import { price } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  makeSandboxWallet as makeTrader,
  placeSigned as place,
} from "@/tests/support/sandbox/wallet";
import {
  freshMarket,
  findPriceInside,
  REPRICE,
  useTestClock,
} from "@/tests/support/exchange/orders";

useFreshDatabase();
const clock = useTestClock();

type Message = Record<string, unknown> & { event_type: string };

/** A minute, for a slow machine: messages come within seconds. */
const MAX_TRIES = 1_200;

/** A connection to this test. */
class Wire implements Peer {
  readonly frames: string[] = [];
  isClosed = false;
  send = (text: string) => void this.frames.push(text);
  close = () => void (this.isClosed = true);

  /** Takes every message sent since the last call. */
  take(): Message[] {
    return this.frames.splice(0).flatMap((text) => JSON.parse(text) as Message | Message[]);
  }

  async until(condition: (messages: readonly Message[]) => boolean): Promise<Message[]> {
    const messages: Message[] = [];
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      messages.push(...this.take());
      if (condition(messages)) return messages;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`messages are missing: ${JSON.stringify(messages)}`);
  }
}

const sessions: StreamSession[] = [];
const feeds = { market: new MarketFeed(), user: new UserFeed() };
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await Promise.all([feeds.market.waitUntilIdle(), feeds.user.waitUntilIdle()]);
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

// First, because a later test advances the clock as far as it needs, and not every minute has such a market.
describe.each([false, true])("a market of Protocol V2, neg-risk %s,", (isNegRisk) => {
  const where = (market: PaperMarket) => market.protocol === "v2" && market.isNegRisk === isNegRisk;

  it("is streamed by its position ids on both channels, and its trade reaches both sides", async () => {
    const [maker, taker] = [await makeTrader(), await makeTrader()];
    const market = freshMarket({ inside: 1, where });
    const positions = market.outcomes.map(({ tokenId }) => tokenId);
    const { wire: own } = await connect("user", {
      auth: maker.credentials,
      type: "user",
      markets: [market.id],
    });
    const { wire: books } = await connect("market", { type: "market", assets_ids: positions });
    const sent = books.take();
    expect(sent.map(({ event_type, asset_id, market: id }) => [event_type, asset_id, id])).toEqual(
      positions.map((tokenId) => ["book", tokenId, market.id]),
    );
    for (const book of sent) {
      expect(book["version"]).toBe("v2");
      expect(computeBookHash(book as unknown as WireBook)).toBe(book["hash"]);
    }

    const at = findPriceInside(market)(0);
    const id = await place(maker, market, { side: "BUY", at, size: 10n });
    const [placed] = await own.until((all) => all.length >= 1);
    expect(placed).toMatchObject({
      event_type: "order",
      type: "PLACEMENT",
      id,
      market: market.id,
      asset_id: positions[0],
    });
    const isChange = ({ event_type }: Message) => event_type === "price_change";
    const changes = await books.until((all) => all.filter(isChange).length >= 2);
    expect(
      changes
        .filter(isChange)
        .map(({ market: condition, price_changes }) => [
          condition,
          (price_changes as { asset_id: string }[]).map(({ asset_id }) => asset_id),
        ]),
    ).toEqual(positions.map((tokenId) => [market.id, [tokenId]]));

    const opposite = price(1_000_000n - at);
    await place(taker, market, { side: "BUY", at: opposite, size: 10n, outcome: 1 });
    const matched = await own.until((all) => all.length >= 2);
    expect(kinds(matched)).toEqual(["trade MATCHED", "order UPDATE MATCHED"]);
    expect(matched[0]).toMatchObject({ market: market.id, trader_side: "MAKER" });
    expect(JSON.stringify(matched[0])).toContain(positions[0]);
    const isTrade = ({ event_type }: Message) => event_type === "last_trade_price";
    const traded = await books.until((all) => all.filter(isTrade).length >= 2);
    expect(traded.filter(isTrade).map(({ asset_id }) => asset_id)).toEqual(positions);
  });

  it("is left out of the stream of another market", async () => {
    const [trader, market, other] = [
      await makeTrader(),
      freshMarket({ inside: 1, where }),
      freshMarket(),
    ];
    const { wire } = await connect("user", {
      auth: trader.credentials,
      type: "user",
      markets: [other.id],
    });
    await place(trader, market, { side: "BUY", at: findPriceInside(market)(0), size: 10n });
    await place(trader, other, { side: "BUY", at: findPriceInside(other)(0), size: 10n });
    const messages = await wire.until((all) => all.length >= 1);
    expect(messages.map(({ market: id }) => id)).toEqual([other.id]);
  });
});

describe("the user channel", () => {
  it("sends a resting order and its cancel only to its owner", async () => {
    const [trader, other] = [await makeTrader(), await makeTrader()];
    const { wire } = await connect("user", { auth: trader.credentials, type: "user" });
    const { wire: others } = await connect("user", { auth: other.credentials, type: "user" });
    const market = freshMarket();
    const id = await place(trader, market, {
      side: "BUY",
      at: findPriceInside(market)(0),
      size: 10n,
    });
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

  it("sends a match to both sides, then its mining and confirmation", async () => {
    const [maker, taker] = [await makeTrader(), await makeTrader()];
    const market = freshMarket({ inside: 2 });
    const at = findPriceInside(market)(0);
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

  it("sends only subscribed markets, including those added later", async () => {
    const trader = await makeTrader();
    const [first, second] = [freshMarket(), freshMarket()];
    const { wire, session } = await connect("user", {
      auth: trader.credentials,
      type: "user",
      markets: [first.id],
    });
    await place(trader, second, { side: "BUY", at: findPriceInside(second)(0), size: 10n });
    await place(trader, first, { side: "BUY", at: findPriceInside(first)(0), size: 10n });
    const messages = await wire.until((all) => all.length >= 1);
    expect(messages.map(({ market }) => market)).toEqual([first.id]);
    await session.receive(JSON.stringify({ operation: "subscribe", markets: [second.id] }));
    await cancelWhere(trader.caller, {});
    expect(await wire.until((all) => all.length >= 2)).toHaveLength(2);
  });

  it("stays silent for bad credentials and for a deleted key, even to PING", async () => {
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

  it("sends a book with a valid hash, then each level that changes", async () => {
    const trader = await makeTrader();
    const market = freshMarket();
    const { wire, session } = await connect("market", subscription(market));
    const [book] = wire.take();
    expect(book).toMatchObject({ event_type: "book", asset_id: market.outcomes[0].tokenId });
    expect(computeBookHash(book as unknown as WireBook)).toBe(book?.["hash"]);
    const at = findPriceInside(market)(0);
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

  it("sends trades with the book after them, and best prices on request", async () => {
    const [maker, taker] = [await makeTrader(), await makeTrader()];
    const market = freshMarket({ inside: 2 });
    const at = findPriceInside(market)(0);
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
    expect(Number(messages[2]?.["last_trade_price"])).toBe(Number(at) / 1e6);
  });

  it("announces markets that open to clients that ask for optional messages, once", async () => {
    const market = freshMarket();
    const { wire } = await connect(
      "market",
      subscription(market, { custom_feature_enabled: true }),
    );
    const { wire: others } = await connect("market", subscription(market));
    await wire.until((all) => all.length >= 2);
    // The feed knows from its first step on which markets are new.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const isNew = ({ event_type }: Message) => event_type === "new_market";
    const startedAt = clock.now;
    const findOpened = () =>
      getListedMarkets(clock.now).markets.filter(({ opensAt }) => opensAt > startedAt);
    while (findOpened().length === 0) clock.advance(60_000);
    const opened = findOpened();
    const sent = (await wire.until((all) => all.some(isNew))).filter(isNew);
    expect(sent.map(({ condition_id }) => condition_id)).toEqual(opened.map(({ id }) => id));
    const [first] = opened;
    expect(sent[0]).toMatchObject({
      market: first?.id,
      question: first?.title,
      slug: first?.slug,
      assets_ids: first?.outcomes.map(({ tokenId }) => tokenId),
      outcomes: first?.outcomes.map(({ name }) => name),
      event_message: { slug: first?.eventSlug, title: first?.eventTitle },
      active: true,
    });
    expect(others.take().filter(isNew)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(wire.take().filter(isNew)).toEqual([]);
  });

  it("sends changes of the house's quotes until the client unsubscribes", async () => {
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

  it("sends the old and the new tick size of a market, and nothing while it stays", () => {
    const market = freshMarket();
    const at = (tick: bigint) =>
      ({ market: { ...market, tick: price(tick) }, outcome: 1 }) as const;
    expect(diffTickSizes(at(10_000n), at(10_000n))).toBeNull();
    expect(diffTickSizes(at(10_000n), at(1_000n))).toEqual({
      event_type: "tick_size_change",
      market: market.id,
      asset_id: market.outcomes[1].tokenId,
      old_tick_size: "0.01",
      new_tick_size: "0.001",
      timestamp: String(clock.now),
    });
  });

  it("sends a market's new tick size once to each subscriber, before other changes", async () => {
    const market = freshMarket();
    const subscribers = await Promise.all(
      ([0, 1] as const).map(async (outcome) => {
        const { wire } = await connect("market", {
          type: "market",
          assets_ids: [market.outcomes[outcome].tokenId],
        });
        expect(wire.take().map(({ event_type }) => event_type)).toEqual(["book"]);
        return { wire, tokenId: market.outcomes[outcome].tokenId };
      }),
    );
    const exchange = paperExchange();
    const find = exchange.findMarketByToken;
    const tick = price(market.tick / 10n);
    // Simulated markets keep their tick size.
    const spy = vi.spyOn(exchange, "findMarketByToken").mockImplementation(async (tokenId) => {
      const found = await find(tokenId);
      return found?.market.id === market.id
        ? { ...found, market: { ...found.market, tick } }
        : found;
    });
    try {
      const isTick = ({ event_type }: Message) => event_type === "tick_size_change";
      for (const { wire, tokenId } of subscribers) {
        const [first, ...others] = await wire.until((all) => all.some(isTick));
        expect(first).toEqual({
          event_type: "tick_size_change",
          market: market.id,
          asset_id: tokenId,
          old_tick_size: String(Number(market.tick) / 1e6),
          new_tick_size: String(Number(tick) / 1e6),
          timestamp: String(clock.now),
        });
        expect(others.filter(isTick)).toEqual([]);
      }
      // An order makes the feed read the market again.
      const trader = await makeTrader();
      await place(trader, market, { side: "BUY", at: findPriceInside(market)(0), size: 10n });
      const isChange = ({ event_type }: Message) => event_type === "price_change";
      for (const { wire } of subscribers) {
        const after = await wire.until((all) => all.some(isChange));
        expect(after.filter(isTick)).toEqual([]);
      }
    } finally {
      spy.mockRestore();
    }
  });

  it("ignores unknown tokens and malformed frames, and closes at more than 500 tokens", async () => {
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
