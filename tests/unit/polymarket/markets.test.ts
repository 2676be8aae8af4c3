import { describe, expect, it } from "vitest";
import { ONE, parseMicro } from "@/lib/units";
import { parseMarket, applyClobRules } from "@/lib/polymarket/markets";
import { toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
import { ClobMarket, WireEvent } from "@/lib/polymarket/wire/markets";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Recorded {
  conditionId: string;
  slug: string;
  question: string;
  outcomes: string;
  outcomePrices?: string;
  clobTokenIds: string;
  orderPriceMinTickSize?: number;
  orderMinSize?: number;
  closed: boolean;
  negRisk?: boolean;
  groupItemTitle?: string;
  endDate?: string;
  feesEnabled: boolean;
  feeSchedule?: { rate: number };
  umaResolutionStatus?: string;
}

const FILES = [
  "gamma/markets_active_2026-02-13.json",
  "gamma/markets_btc_updown_5m_2026-07-24.json",
  "gamma/markets_legacy_closed.json",
  "gamma/markets_misc_2026.json",
  "gamma/markets_open_and_resolved_2026-02-07.json",
];
const MARKETS = FILES.flatMap((file) => readRecorded<Recorded[]>(file));
const EVENTS = readRecorded<unknown[]>("gamma/events.json").map((event) => WireEvent.parse(event));

const parse = (wire: unknown) => {
  const market = parseMarket(wire, null);
  expect(market).not.toBeNull();
  if (!market) throw new Error("the market was not understood");
  return market;
};
const micro = (value: number | string) => {
  const parsed = parseMicro(String(value));
  return parsed.ok ? parsed.micro : null;
};
const parseList = (text: string) => JSON.parse(text) as string[];

const openMarket = (more: object = {}) => ({
  ...MARKETS.find(({ closed }) => !closed),
  ...more,
});

describe("a recorded market", () => {
  it.each(FILES)("of %s keeps its names, tokens, prices and rules", (file) => {
    for (const wire of readRecorded<Recorded[]>(file)) {
      const market = parse(wire);
      expect(market).toMatchObject({
        id: wire.conditionId,
        slug: wire.slug,
        title: wire.question,
        label: wire.groupItemTitle || null,
        isNegRisk: wire.negRisk ?? false,
      });
      expect(market.outcomes.map(({ name }) => name)).toEqual(parseList(wire.outcomes));
      expect(market.outcomes.map(({ tokenId }) => tokenId)).toEqual(parseList(wire.clobTokenIds));
      if (wire.orderPriceMinTickSize) expect(market.tick).toBe(micro(wire.orderPriceMinTickSize));
      if (wire.orderMinSize) expect(market.minOrderShares).toBe(micro(wire.orderMinSize));
      if (wire.endDate && !wire.closed) expect(market.closesAt).toBe(Date.parse(wire.endDate));
      expect(market.feeRate).toBe(wire.feesEnabled ? micro(wire.feeSchedule?.rate ?? 0) : 0n);
      expect(market.icon).toBe(`category-${market.category}.svg`);
      expect(market.opensAt).toBeLessThanOrEqual(market.closesAt);
    }
  });

  it("resolves to the outcome that the venue pays, never before it is closed", () => {
    for (const wire of MARKETS) {
      const { state, listedPrice } = parse(wire);
      if (!wire.closed) {
        expect(state.status).not.toBe("resolved");
        continue;
      }
      const paid = parseList(wire.outcomePrices ?? "[]").join();
      if (paid === "1,0") expect([state.winner, listedPrice]).toEqual([0, ONE]);
      if (paid === "0,1") expect([state.winner, listedPrice]).toEqual([1, 0n]);
      const isPaid = paid === "1,0" || paid === "0,1" || wire.umaResolutionStatus === "resolved";
      expect(state.status).toBe(isPaid ? "resolved" : "closed");
    }
  });

  it("takes title and category of its event", () => {
    const categories = EVENTS.map((event) => {
      const markets = (event.markets ?? []).map((wire) => parseMarket(wire, event));
      for (const market of markets) {
        expect(market).toMatchObject({ eventSlug: event.slug, eventTitle: event.title });
      }
      return new Set(markets.map((market) => market?.category));
    });
    expect(categories.map((set) => [...set])).toEqual([
      ["culture"],
      ["politics"],
      ["politics"],
      ["finance"],
      ["finance"],
    ]);
  });
});

describe("a market", () => {
  it.each([0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001, 0.02])("can have a tick size of %d", (tick) => {
    expect(parse(openMarket({ orderPriceMinTickSize: tick })).tick).toBe(micro(tick));
  });

  it("stays open past its expected end, and has an end even if the venue lists none", () => {
    const past = parse(openMarket({ endDate: "2020-01-01T00:00:00Z", closed: false }));
    expect(past.state.status).toBe("open");
    const endless = parse(openMarket({ endDate: undefined, events: undefined }));
    expect(new Date(endless.closesAt).toISOString()).toBe("2100-01-01T00:00:00.000Z");
  });

  it("is closed, not resolved, while its result is disputed or it takes no orders", () => {
    const prices = { outcomePrices: '["0.9995", "0.0005"]' };
    expect(parse(openMarket({ closed: true, ...prices })).state).toEqual({
      status: "closed",
      winner: null,
    });
    expect(parse(openMarket({ acceptingOrders: false })).state.status).toBe("closed");
  });

  it("has a winner below one dollar only when it is resolved", () => {
    const prices = { closed: true, outcomePrices: '["0.00000078","0.99999921"]' };
    expect(parse(openMarket(prices)).state.status).toBe("closed");
    const resolved = parse(openMarket({ ...prices, umaResolutionStatus: "resolved" }));
    expect([resolved.state.winner, resolved.listedPrice]).toEqual([1, 0n]);
  });

  it("pays half to both outcomes if neither won", () => {
    const half = openMarket({
      closed: true,
      umaResolutionStatus: "resolved",
      outcomePrices: '["0.5", "0.5"]',
    });
    const market = parse(half);
    expect(market.state).toEqual({ status: "resolved", winner: null });
    expect(market.listedPrice).toBe(500_000n);
  });

  it.each([
    ["three outcomes", { outcomes: '["A","B","C"]', clobTokenIds: '["1","2","3"]' }],
    ["one token", { clobTokenIds: '["1"]' }],
    ["the same token twice", { clobTokenIds: '["1","1"]' }],
    ["lists that are not JSON", { outcomes: "Yes, No" }],
    ["a slug that escapes its path", { slug: "../admin" }],
    ["an id of another form", { conditionId: "0x12" }],
    ["fees on another curve", { feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 2 } }],
  ])("is skipped with %s", (_name, more) => {
    expect(parseMarket(openMarket(more), null)).toBeNull();
  });

  it("is marked if only the exchange has its fee rate", () => {
    const market = parse(openMarket({ feesEnabled: true, feeSchedule: undefined }));
    expect(market.needsFeeRate).toBe(true);
  });
});

describe("the exchange's rules", () => {
  const market = parse(openMarket());
  const [first, second] = market.outcomes;
  const rules = (more: object = {}) =>
    ClobMarket.parse({ t: [{ t: first.tokenId }, { t: second.tokenId }], mts: 0.001, ...more });

  it("override the listed rules", () => {
    const wire = rules({ mts: 0.0025, mos: 15, nr: true, fd: { r: 0.05, e: 1, to: true } });
    expect(applyClobRules(market, wire)).toMatchObject({
      tick: 2_500n,
      minOrderShares: 15_000_000n,
      isNegRisk: true,
      feeRate: 50_000n,
      needsFeeRate: false,
    });
    expect(applyClobRules(market, rules({ ao: false }))?.state.status).toBe("closed");
  });

  it("with other tokens or an unknown fee curve are rejected", () => {
    expect(applyClobRules(market, rules({ t: [{ t: "1" }, { t: "2" }] }))).toBeNull();
    expect(applyClobRules(market, rules({ fd: { r: 0.05, e: 3 } }))).toBeNull();
  });
});

describe("the published selections of Protocol V2", () => {
  interface Selection {
    name: string;
    market: { version?: unknown; positionIds?: unknown };
    expect: { protocol?: string; ids?: string[]; refuse?: string };
  }
  const { vectors } = readRecorded<{ vectors: Selection[] }>("protocol-v2/gamma_selection.json");

  it.each(vectors)("$name", ({ market: wire, expect: expected }) => {
    const { version, positionIds } = wire;
    const isV2 = version === "v2" && Array.isArray(positionIds);
    // The vectors have no condition id. That of a V2 market derives from its positions.
    const known = isV2 && /^\d+$/.test(String(positionIds[0])) ? String(positionIds[0]) : null;
    const conditionId = known === null ? {} : { conditionId: toPositionConditionId(known) };
    const market = parseMarket(openMarket({ clobTokenIds: null, ...wire, ...conditionId }), null);
    if (expected.refuse) {
      expect(market?.untradable ?? "not listed").toMatch(/\w/);
      expect(market?.state.status).not.toBe("open");
      return;
    }
    expect(market?.untradable).toBeNull();
    expect(market?.protocol).toBe(expected.protocol);
    expect(market?.outcomes.map(({ tokenId }) => tokenId)).toEqual(expected.ids);
  });
});
