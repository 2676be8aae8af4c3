import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { withSnapshot } from "@/lib/db/client";
import { selectHeldPositions } from "@/lib/db/queries/positions";
import { selectTokenMarkets } from "@/lib/db/queries/token-markets";
import { depositedIn, type Holdings, walkBack } from "@/lib/domain/equity-curve";
import { readCash } from "@/lib/ledger/balances";
import { readFirstDeposit, readMovements, type Sampling } from "@/lib/ledger/movements";
import type { EquityCurve, EquityRange } from "@/lib/schemas/portfolio";
import { requireAccount } from "@/lib/services/account/require-account";
import { makeValuer } from "@/lib/services/portfolio/value-at";
import { NO_USDC, subtract } from "@/lib/units";
import { venueOf } from "@/lib/venue";

const DAY_MS = 24 * 3_600_000;
const RANGE_MS: Record<EquityRange, number> = {
  "1d": DAY_MS,
  "1w": 7 * DAY_MS,
  "1m": 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
};
const STEPS = 96;
const FINEST_STEP_MS = 1_000;

/**
 * What the account was worth over a range that ends now. Cash and shares at each sample are exact,
 * from the ledger; past samples are valued at the venue's price history, the last one as the
 * portfolio itself, so the curve ends where the portfolio stands. Null for a live account.
 */
export async function getEquityCurve(
  principal: Principal,
  range: EquityRange,
): Promise<z.output<typeof EquityCurve> | null> {
  // Money comes to a live wallet and leaves it without our knowing when.
  if (principal.mode === "live") return null;
  const venue = venueOf(principal.mode);
  const to = now();
  const read = await withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const begin = (await readFirstDeposit(tx, account))?.getTime() ?? to;
    const isWhole = begin >= to - RANGE_MS[range];
    const sampling = samplingOf(isWhole ? begin : to - RANGE_MS[range], to);
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
      netDeposits: cash.netDeposits,
    };
  });
  const { from, stepMs, count } = read.sampling;
  const samples = walkBack(read.last, read.movements, count);
  const worth = await makeValuer(venue, { samples, marketOf: read.marketOf, to });
  const points = await Promise.all(
    samples.map(async (holdings, index) => {
      const at = from + index * stepMs;
      return { at: new Date(at), value: await worth(holdings, index === count - 1 ? "now" : at) };
    }),
  );
  // Of its whole life an account began with nothing: its first deposit was paid in like any other.
  const first = read.isWhole ? NO_USDC : (points[0]?.value ?? NO_USDC);
  const deposited = read.isWhole ? read.netDeposits : depositedIn(read.movements);
  const change = subtract(subtract(points.at(-1)?.value ?? NO_USDC, first), deposited);
  return { range, isWhole: read.isWhole, points, deposited, change };
}

function samplingOf(from: number, to: number): Sampling {
  const stepMs = Math.max(FINEST_STEP_MS, Math.ceil((to - from) / STEPS));
  const steps = Math.max(1, Math.floor((to - from) / stepMs));
  return { from: to - steps * stepMs, stepMs, count: steps + 1 };
}
