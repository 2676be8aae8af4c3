import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { withSnapshot } from "@/lib/db/client";
import { type FillSample, selectFillSamples } from "@/lib/db/queries/fill-samples";
import { selectHeldPositions } from "@/lib/db/queries/positions";
import { selectTokenMarkets } from "@/lib/db/queries/positions";
import type { Sampling } from "@/lib/db/sampling";
import { type Holdings, sumDeposits, walkBack, walkDeposits } from "@/lib/domain/equity-curve";
import { readCash } from "@/lib/ledger/read-balances";
import { readFirstDeposit, readMovements } from "@/lib/ledger/account-history";
import type { EquityCurve, EquityRange } from "@/lib/schemas/portfolio";
import { requireAccount } from "@/lib/accounts/require-account";
import { makeValuer } from "@/lib/portfolio/value-at";
import { formatMicro, NO_USDC, subtract } from "@/lib/units";
import { getVenue } from "@/lib/venues";

type EquityCurveOutput = z.output<typeof EquityCurve>;

const DAY_MS = 24 * 3_600_000;
const RANGE_MS: Record<EquityRange, number> = {
  "1d": DAY_MS,
  "1w": 7 * DAY_MS,
  "1m": 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
};
const STEPS = 96;
const FINEST_STEP_MS = 1_000;
/** Enough to tell what a change of the value came from. The activity page lists every fill. */
const TRADES_PER_SAMPLE = 3;

/**
 * Returns the account's value over a range that ends now. Cash and shares at each sample are exact,
 * from the ledger. Past samples are valued at the venue's price history, the last one like the
 * portfolio, so the curve ends at the portfolio's value. Each sample has the largest trades since the
 * sample before. Returns null for a live account.
 */
export async function getEquityCurve(
  principal: Principal,
  range: EquityRange,
): Promise<EquityCurveOutput | null> {
  // The times of a live wallet's deposits and withdrawals are unknown.
  if (principal.mode === "live") return null;
  const venue = getVenue(principal.mode);
  const to = now();
  const read = await withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const start = (await readFirstDeposit(tx, account))?.getTime() ?? to;
    const isWhole = start >= to - RANGE_MS[range];
    const sampling = computeSampling(isWhole ? start : to - RANGE_MS[range], to);
    const rows = await selectHeldPositions(tx, account);
    const held = new Map(rows.map((row) => [row.tokenId, row.shares]));
    const cash = await readCash(tx, account);
    const last: Holdings = { cash: cash.owned, shares: held };
    const marketOf = await selectTokenMarkets(tx, account);
    return {
      isWhole,
      sampling,
      last,
      marketOf,
      movements: await readMovements(tx, account, sampling),
      fills: await selectFillSamples(tx, account, sampling, TRADES_PER_SAMPLE),
      netDeposits: cash.netDeposits,
    };
  });
  const { from, stepMs, count } = read.sampling;
  const samples = walkBack(read.last, read.movements, count);
  const paidIn = walkDeposits(read.netDeposits, read.movements, count);
  const valueAt = await makeValuer(venue, { samples, marketOf: read.marketOf, to });
  const points = await Promise.all(
    samples.map(async (holdings, index) => {
      const at = from + index * stepMs;
      const value = await valueAt(holdings, index === count - 1 ? "now" : at);
      return { at: new Date(at), value, paidIn: paidIn[index] ?? NO_USDC };
    }),
  );
  // A curve since the account's start begins at zero and counts the first deposit as deposited.
  const first = read.isWhole ? NO_USDC : (points[0]?.value ?? NO_USDC);
  const deposited = read.isWhole ? read.netDeposits : sumDeposits(read.movements);
  const change = subtract(subtract(points.at(-1)?.value ?? NO_USDC, first), deposited);
  return { range, isWhole: read.isWhole, points, deposited, change, ...toTrades(read.fills) };
}

/** Converts sums of fills, in the order of their samples, to the curve's trades. */
function toTrades(fills: readonly FillSample[]): Pick<EquityCurveOutput, "outcomes" | "trades"> {
  const outcomes = new Map(fills.map((fill) => [fill.tokenId, fill]));
  const indexOf = new Map([...outcomes.keys()].map((tokenId, index) => [tokenId, index]));
  const samples = [...new Set(fills.map(({ sample }) => sample))];
  return {
    outcomes: [...outcomes.values()].map(({ title, outcome, tick }) => ({
      marketTitle: title,
      outcome,
      tickSize: formatMicro(tick),
    })),
    trades: samples.map((point) => {
      const largest = fills.filter(({ sample }) => sample === point);
      return {
        point,
        fills: largest[0]?.allFills ?? 0,
        largest: largest.map((fill) => ({
          outcome: indexOf.get(fill.tokenId) ?? 0,
          action: fill.action,
          fills: fill.fills,
          shares: fill.shares,
          averagePrice: fill.averagePrice,
        })),
      };
    }),
  };
}

function computeSampling(from: number, to: number): Sampling {
  const stepMs = Math.max(FINEST_STEP_MS, Math.ceil((to - from) / STEPS));
  const steps = Math.max(1, Math.floor((to - from) / stepMs));
  return { from: to - steps * stepMs, stepMs, count: steps + 1 };
}
