import { describe, expect, it } from "vitest";
import { answerSandbox } from "@/lib/sandbox/router";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";

useFreshDatabase();
const clock = useTestClock();
const DAY_S = 86_400;

/** The token of an open market that has been open for at least `days`. */
function findToken(days: number): string {
  const found = getListedMarkets(clock.now).markets.find(
    ({ opensAt, closesAt }) => opensAt < clock.now - days * DAY_S * 1000 && closesAt > clock.now,
  );
  if (!found) throw new Error("no market is old enough");
  return found.outcomes[0].tokenId;
}

interface Point {
  t: number;
  p: number;
}

async function ask(query: Record<string, string>) {
  const search = new URLSearchParams(query);
  const request = new Request(`http://ante.test/sandbox/clob/prices-history?${search}`);
  const response = await answerSandbox(request);
  return { status: response.status, body: (await response.json()) as { history?: Point[] } };
}

async function readPoints(query: Record<string, string>): Promise<Point[]> {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return body.history ?? [];
}

const listSteps = (points: readonly Point[]) => [
  ...new Set(points.slice(1, -1).map(({ t }, index) => t - (points[index]?.t ?? 0))),
];

describe("the price history", () => {
  it.each([
    ["1h", "1", 60, 3_600],
    ["6h", "5", 300, 6 * 3_600],
    ["1d", "1", 60, DAY_S],
    ["1w", "5", 300, 7 * DAY_S],
  ])(
    "of interval %s has a point every %s minutes up to now",
    async (interval, fidelity, step, span) => {
      const points = await readPoints({ market: findToken(7), interval, fidelity });
      expect(listSteps(points)).toEqual([step]);
      const now = Math.floor(clock.now / 1000);
      expect(points.at(-1)?.t).toBe(now);
      expect(points[0]?.t).toBe(now - span);
      expect(points.every(({ p }) => p > 0 && p < 1)).toBe(true);
    },
  );

  it("has a last point at the end of the range between two steps", async () => {
    clock.advance(37_000);
    const now = Math.floor(clock.now / 1000);
    const startTs = now - 600;
    const points = await readPoints({
      market: findToken(1),
      startTs: String(startTs),
      endTs: String(startTs + 400),
      fidelity: "5",
    });
    expect(points.map(({ t }) => t)).toEqual([startTs, startTs + 300, startTs + 400]);
  });

  it("of interval max ends now, at steps of at least ten minutes", async () => {
    const points = await readPoints({ market: findToken(3), interval: "max", fidelity: "1" });
    expect(listSteps(points)).toEqual([600]);
    expect(points.at(-1)?.t).toBe(Math.floor(clock.now / 1000));
    expect(points.length).toBeGreaterThan(3 * 144);
  });

  it("of an unknown token is empty", async () => {
    expect(await ask({ market: "12", interval: "1h" })).toEqual({
      status: 200,
      body: { history: [] },
    });
  });

  const now = Math.floor(Date.UTC(2026, 10, 21, 12) / 1000);
  it.each([
    [{ interval: "1h" }, "the 'market' (asset id) is mandatory"],
    [
      { market: "12", interval: "2h" },
      "the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'",
    ],
    [{ market: "12", interval: "1w", fidelity: "4" }, "minimum 'fidelity' for '1w' range is 5"],
    [{ market: "12", interval: "1m" }, "minimum 'fidelity' for '1m' range is 10"],
    [
      { market: "12", startTs: String(now - 15 * DAY_S - 1), endTs: String(now) },
      "'startTs' and 'endTs' interval is too long",
    ],
  ])("for %j is refused in the venue's words", async (query, reason) => {
    expect(await ask(query as Record<string, string>)).toEqual({
      status: 400,
      body: { error: `invalid filters: ${reason}` },
    });
  });

  it("of 15 days at one minute is accepted", async () => {
    const { status } = await ask({
      market: findToken(1),
      startTs: String(now - 15 * DAY_S),
      endTs: String(now),
    });
    expect(status).toBe(200);
  });
});
