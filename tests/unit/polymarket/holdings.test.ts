import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { formatMicro } from "@/lib/units";
import { getHoldings, getTotalPnl, toHolding } from "@/lib/polymarket/holdings";
import { PositionV2, WirePosition } from "@/lib/polymarket/wire/holdings";
import type { Trader } from "@/lib/venue/trader";
import { readPositionIds, readRecorded } from "@/tests/support/polymarket/recorded-data";
import { type UpstreamRequest, useUpstream } from "@/tests/support/polymarket/upstream";

const upstream = useUpstream();
const HOUR = 3_600_000;
let at = Date.UTC(2026, 10, 22);
let restore = () => {};
beforeAll(() => {
  restore = setClock(() => at);
});
// The cached absence of a route expires before the next test.
beforeEach(() => {
  at += HOUR;
});
afterAll(() => restore());

interface RecordedPosition {
  asset: string;
  conditionId: string;
  size: number;
  avgPrice: number;
  initialValue: number;
  realizedPnl: number;
  slug: string;
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
  sessionKey: null,
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
  ({ query }: UpstreamRequest) => {
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    return { json: rows.slice(offset, offset + limit) };
  };

describe("a recorded position", () => {
  it.each(RECORDED.map((position) => [position.title, position.outcome, position] as const))(
    "%s (%s) keeps the value, profit and percent of the venue",
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

describe("a position with missing figures", () => {
  it("gets them computed from the others", () => {
    const bare = { asset: "1", conditionId: `0x${"ab".repeat(32)}`, size: 12.5 };
    const holding = toHolding(WirePosition.parse({ ...bare, avgPrice: 0.4, curPrice: 0.5 }));
    expect(holding).toMatchObject({ value: 6_250_000n, pnl: 1_250_000n });
    expect(holding.pnlPercentMicro).toBe(25_000_000n);
    expect(toHolding(WirePosition.parse({ ...bare, currentValue: 5, initialValue: 2.5 }))).toEqual(
      expect.objectContaining({ averagePrice: 200_000n, currentPrice: 400_000n, pnl: 2_500_000n }),
    );
  });

  it("has no percent if it cost nothing", () => {
    const free = row("1", { avgPrice: 0, initialValue: 0, percentPnl: null });
    expect(toHolding(WirePosition.parse(free)).pnlPercentMicro).toBe(0n);
  });

  it("is worth nothing if all figures are null", () => {
    const names = ["avgPrice", "initialValue", "currentValue", "cashPnl", "percentPnl", "curPrice"];
    const nulls = Object.fromEntries([...names, "slug", "title"].map((name) => [name, null]));
    const holding = toHolding(WirePosition.parse(row("1", nulls)));
    expect(holding).toMatchObject({ value: 0n, pnl: 0n, pnlPercentMicro: 0n, marketTitle: "" });
  });
});

describe("the list of positions of the first Data API", () => {
  it("is read page by page, including the smallest positions", async () => {
    const rows = Array.from({ length: 1_203 }, (_, index) => row(String(index + 1)));
    upstream.on("/data/positions", paged(rows));
    expect(await getHoldings(trader)).toHaveLength(1_203);
    const asked = upstream.listRequests("/data/positions");
    expect(asked.map(({ query }) => query.get("offset"))).toEqual(["0", "500", "1000"]);
    for (const { query } of asked) {
      expect(query.get("user")).toBe(trader.funderAddress);
      expect(query.get("sizeThreshold")).toBe("0");
    }
  });

  it("fails when a page repeats forever", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(String(index + 1)));
    upstream.on("/data/positions", () => ({ json: rows }));
    await expect(getHoldings(trader)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
    expect(upstream.listRequests("/data/positions")).toHaveLength(2);
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

  it("leaves out positions without shares", async () => {
    upstream.on("/data/positions", paged([row("1", { size: 0 }), row("2")]));
    expect((await getHoldings(trader)).map(({ tokenId }) => tokenId)).toEqual(["2"]);
  });
});

/** Converts a position to the form of the second Data API. */
const second = (position: Partial<RecordedPosition>) => ({
  proxy_wallet: trader.funderAddress,
  token_id: position.asset,
  condition_id: position.conditionId,
  current_size: position.size,
  avg_price: position.avgPrice,
  entry_cost_usdc: position.initialValue,
  current_price: position.curPrice,
  current_value: position.currentValue,
  unrealized_pnl: position.cashPnl,
  realized_pnl: position.realizedPnl,
  percent_pnl: position.percentPnl,
  redeemable: position.redeemable,
  negative_risk: position.negativeRisk,
  title: position.title,
  slug: position.slug,
  outcome: position.outcome,
  status: "OPEN",
});

/** Builds pages with cursors, of this many rows each. */
const byCursor =
  (rows: readonly object[], perPage = 1_000) =>
  ({ query }: UpstreamRequest) => {
    expect(query.has("offset")).toBe(false);
    const from = Number(query.get("cursor") ?? 0);
    const next = from + perPage < rows.length ? String(from + perPage) : null;
    const pagination = { limit: perPage, has_more: next !== null, next_cursor: next };
    return { json: { data: rows.slice(from, from + perPage), pagination } };
  };

describe("positions of the second Data API", () => {
  it("are read page by page with the smallest ones, without the first Data API", async () => {
    const rows = Array.from({ length: 25 }, (_, index) => second(row(String(index + 1))));
    upstream.on("/data/v2/positions", byCursor(rows, 10));
    upstream.on("/data/positions", () => ({ status: 410, text: "{}" }));
    expect(await getHoldings(trader)).toHaveLength(25);
    const asked = upstream.listRequests("/data/v2/positions");
    expect(asked.map(({ query }) => query.get("cursor"))).toEqual([null, "10", "20"]);
    for (const { query } of asked) {
      expect(query.get("user")).toBe(trader.funderAddress);
      expect(query.get("filter_amount")).toBe("0");
      expect(query.get("filter_type")).toBe("TOKENS");
      expect(query.get("status")).toBe("OPEN");
    }
    expect(upstream.listRequests("/data/positions")).toEqual([]);
  });

  it("have the same figures as the first to the micro-unit", async () => {
    upstream.on("/data/v2/positions", byCursor(RECORDED.map(second)));
    const held = await getHoldings(trader);
    const same = RECORDED.map((one) => toHolding(WirePosition.parse(one)));
    expect(RECORDED.length).toBeGreaterThan(30);
    expect(held).toEqual(same.filter(({ shares }) => shares > 0n));
  });

  it("can lack figures, as null or empty text, and can be of Protocol V2", () => {
    const bare = { ...second(row("1")), condition_id: `0x${"ab".repeat(31)}` };
    const names = ["avg_price", "current_value", "percent_pnl", "unrealized_pnl"];
    for (const nothing of [null, "", undefined]) {
      const gaps = Object.fromEntries(names.map((name) => [name, nothing]));
      expect(PositionV2.safeParse({ ...bare, ...gaps }).success).toBe(true);
    }
  });

  it("fail when a cursor repeats", async () => {
    const pagination = { has_more: true, next_cursor: "again" };
    upstream.on("/data/v2/positions", () => ({ json: { data: [second(row("1"))], pagination } }));
    await expect(getHoldings(trader)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
  });

  it("do not fall back to the first API after a failure other than 404", async () => {
    upstream.on("/data/positions", paged([row("1")]));
    for (const status of [400, 403, 429, 500, 503]) {
      upstream.on("/data/v2/positions", () => ({ status, text: "{}" }));
      await expect(getHoldings(trader)).rejects.toMatchObject({ upstreamStatus: status });
    }
    upstream.on("/data/v2/positions", () => ({ json: { positions: [] } }));
    await expect(getHoldings(trader)).rejects.toMatchObject({ code: "UPSTREAM_BAD_RESPONSE" });
    expect(upstream.listRequests("/data/positions")).toEqual([]);
  });

  it("are requested again ten minutes after a 404", async () => {
    upstream.on("/data/positions", paged([row("1")]));
    await getHoldings(trader);
    await getHoldings(trader);
    expect(upstream.listRequests("/data/v2/positions")).toHaveLength(1);
    expect(upstream.listRequests("/data/positions")).toHaveLength(2);
    at += 10 * 60_000;
    upstream.on("/data/v2/positions", byCursor([second(row("1")), second(row("2"))]));
    expect(await getHoldings(trader)).toHaveLength(2);
    expect(upstream.listRequests("/data/positions")).toHaveLength(2);
  });

  it("are requested again immediately if the first API returns 404, too", async () => {
    await expect(getHoldings(trader)).rejects.toMatchObject({ upstreamStatus: 404 });
    upstream.on("/data/v2/positions", byCursor([second(row("1"))]));
    expect(await getHoldings(trader)).toHaveLength(1);
  });

  it("add up to the total profit if the venue has no such figure", async () => {
    upstream.on("/data/v2/user-stats", () => ({ json: { data: null } }));
    const open = [second(row("1", { realizedPnl: 0.5 }))];
    const closed = [second(row("2", { size: 0, cashPnl: 0, realizedPnl: -2.25 }))];
    upstream.on("/data/v2/positions", (asked) =>
      byCursor(asked.query.get("status") === "CLOSED" ? closed : open)(asked),
    );
    expect(await getTotalPnl(trader)).toBe(1_500_000n - 2_250_000n);
  });
});

describe("profit over a wallet's life", () => {
  it("is the venue's figure", async () => {
    upstream.on("/data/v2/user-stats", () => ({
      json: { data: { all_time_pnl: { economic_pnl: "-12.345678" } } },
    }));
    expect(await getTotalPnl(trader)).toBe(-12_345_678n);
  });

  it.each([
    ["has no record of the wallet", { json: { data: null } }],
    ["has no such figure", { status: 404, text: "{}" }],
  ])("adds up open and closed positions if the venue %s", async (_name, answer) => {
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

describe("positions of both protocols", () => {
  const wide = (id: string) => `0x${BigInt(id).toString(16).padStart(64, "0")}`;
  const v2Row = (tokenId: string, more: object) => ({
    token_id: tokenId,
    condition_id: wide(tokenId),
    current_size: 10,
    current_value: 5,
    entry_cost_usdc: 4,
    title: "Will it?",
    ...more,
  });
  const [position] = readPositionIds("twin");
  const combo = (BigInt(position) + (2n << 248n)).toString();

  it("are told apart by name, have wide condition ids, and add up with combos", async () => {
    upstream.on("/data/v2/positions", () => ({
      json: {
        data: [
          v2Row("7".repeat(70), {}),
          v2Row(position, { condition_id: wide(position).slice(0, -2) }),
          v2Row(combo, { title: "Both of them" }),
        ],
        pagination: { next_cursor: "" },
      },
    }));
    const holdings = await getHoldings(trader);
    expect(holdings.map(({ tokenId, marketTitle }) => [tokenId, marketTitle])).toEqual([
      ["7".repeat(70), "Will it?"],
      [position, "Will it? (V2)"],
      [combo, "Both of them (V2)"],
    ]);
    expect(holdings[1]?.marketId).toBe(wide(position));
    expect(holdings.reduce((total, { value }) => total + value, 0n)).toBe(15_000_000n);
  });
});
