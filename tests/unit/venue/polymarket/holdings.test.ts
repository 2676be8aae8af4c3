import { describe, expect, it } from "vitest";
import { formatMicro } from "@/lib/units";
import { getHoldings, getTotalPnl, toHolding } from "@/lib/venue/polymarket/holdings";
import { WirePosition } from "@/lib/venue/polymarket/wire/holdings";
import type { Trader } from "@/lib/venue/trader";
import { readRecorded } from "@/tests/support/polymarket-data";
import { type Asked, useUpstream } from "@/tests/support/upstream";

const upstream = useUpstream();

interface RecordedPosition {
  asset: string;
  conditionId: string;
  size: number;
  avgPrice: number;
  currentValue: number;
  cashPnl: number;
  percentPnl: number;
  curPrice: number;
  redeemable: boolean;
  negativeRisk: boolean;
  title: string;
  outcome: string;
}

const RECORDED = readRecorded<{ position: RecordedPosition }[]>("data-api/positions.json").map(
  ({ position }) => position,
);

const trader: Trader = {
  userId: "usr_1",
  address: "0x0000000000000000000000000000000000000001",
  funderAddress: "0x0000000000000000000000000000000000000002",
  signatureType: 2,
  credentials: null,
  signOrder: () => Promise.reject(new Error("nothing is signed here")),
};

const row = (asset: string, more: object = {}) => ({
  asset,
  conditionId: `0x${"ab".repeat(32)}`,
  size: 10,
  avgPrice: 0.4,
  initialValue: 4,
  currentValue: 5,
  cashPnl: 1,
  percentPnl: 25,
  curPrice: 0.5,
  ...more,
});

const paged =
  (rows: readonly object[]) =>
  ({ query }: Asked) => {
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    return { json: rows.slice(offset, offset + limit) };
  };

describe("a recorded position", () => {
  it.each(RECORDED.map((position) => [position.title, position.outcome, position] as const))(
    "%s (%s) keeps the value, profit and percent that the venue reckoned",
    (_title, _outcome, recorded) => {
      const holding = toHolding(WirePosition.parse(recorded));
      const near = (micro: bigint, wanted: number) =>
        expect(Math.abs(Number(formatMicro(micro)) - wanted)).toBeLessThanOrEqual(
          0.000_000_501 + Math.abs(wanted) * Number.EPSILON * 4,
        );
      near(holding.shares, recorded.size);
      near(holding.value, recorded.currentValue);
      near(holding.pnl, recorded.cashPnl);
      near(holding.pnlPercentMicro, recorded.percentPnl);
      near(holding.averagePrice, recorded.avgPrice);
      near(holding.currentPrice, recorded.curPrice);
      expect(holding).toMatchObject({
        tokenId: recorded.asset,
        marketId: recorded.conditionId,
        isRedeemable: recorded.redeemable,
        isNegRisk: recorded.negativeRisk,
      });
    },
  );
});

describe("a position with gaps", () => {
  it("has what is missing reckoned from the rest", () => {
    const bare = { asset: "1", conditionId: `0x${"ab".repeat(32)}`, size: 12.5 };
    const holding = toHolding(WirePosition.parse({ ...bare, avgPrice: 0.4, curPrice: 0.5 }));
    expect(holding).toMatchObject({ value: 6_250_000n, pnl: 1_250_000n });
    expect(holding.pnlPercentMicro).toBe(25_000_000n);
    expect(toHolding(WirePosition.parse({ ...bare, currentValue: 5, initialValue: 2.5 }))).toEqual(
      expect.objectContaining({ averagePrice: 200_000n, currentPrice: 400_000n, pnl: 2_500_000n }),
    );
  });

  it("of which nothing was paid has no percent", () => {
    const free = row("1", { avgPrice: 0, initialValue: 0, percentPnl: null });
    expect(toHolding(WirePosition.parse(free)).pnlPercentMicro).toBe(0n);
  });

  it("with null in every figure is worth nothing", () => {
    const names = ["avgPrice", "initialValue", "currentValue", "cashPnl", "percentPnl", "curPrice"];
    const nulls = Object.fromEntries([...names, "slug", "title"].map((name) => [name, null]));
    const holding = toHolding(WirePosition.parse(row("1", nulls)));
    expect(holding).toMatchObject({ value: 0n, pnl: 0n, pnlPercentMicro: 0n, marketTitle: "" });
  });
});

describe("the list of positions", () => {
  it("asks for every page and for the smallest lots", async () => {
    const rows = Array.from({ length: 1_203 }, (_, index) => row(String(index + 1)));
    upstream.on("/data/positions", paged(rows));
    expect(await getHoldings(trader)).toHaveLength(1_203);
    const asked = upstream.askedOf("/data/positions");
    expect(asked.map(({ query }) => query.get("offset"))).toEqual(["0", "500", "1000"]);
    for (const { query } of asked) {
      expect(query.get("user")).toBe(trader.funderAddress);
      expect(query.get("sizeThreshold")).toBe("0");
    }
  });

  it("fails instead of going round when a page repeats for ever", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(String(index + 1)));
    upstream.on("/data/positions", () => ({ json: rows }));
    await expect(getHoldings(trader)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
    expect(upstream.asked).toHaveLength(2);
  });

  it.each([
    ["HTML", { status: 200, text: "<html>" }],
    ["an object", { json: { positions: [] } }],
    ["a row without its token", { json: [{ ...row("1"), asset: null }] }],
    ["a size that is no number", { json: [row("1", { size: "many" })] }],
  ])("fails on %s", async (_name, answer) => {
    upstream.on("/data/positions", () => answer);
    await expect(getHoldings(trader)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });

  it("leaves out what is no longer held", async () => {
    upstream.on("/data/positions", paged([row("1", { size: 0 }), row("2")]));
    expect((await getHoldings(trader)).map(({ tokenId }) => tokenId)).toEqual(["2"]);
  });
});

describe("profit over a wallet's life", () => {
  it("is what the venue says", async () => {
    upstream.on("/data/v2/user-stats", () => ({
      json: { data: { all_time_pnl: { economic_pnl: "-12.345678" } } },
    }));
    expect(await getTotalPnl(trader)).toBe(-12_345_678n);
  });

  it.each([
    ["has no record of the wallet", { json: { data: null } }],
    ["keeps no such figure", { status: 404, text: "{}" }],
  ])("adds up open and closed positions when the venue %s", async (_name, answer) => {
    upstream.on("/data/v2/user-stats", () => answer);
    upstream.on("/data/positions", paged([row("1", { realizedPnl: 0.5 })]));
    const closed = Array.from({ length: 61 }, (_, index) => ({
      asset: "7",
      realizedPnl: -0.1,
      timestamp: index,
    }));
    upstream.on("/data/closed-positions", paged(closed));
    expect(await getTotalPnl(trader)).toBe(1_500_000n - 6_100_000n);
  });
});
