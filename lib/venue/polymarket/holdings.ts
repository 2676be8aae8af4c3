import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { divide, notional, price, SCALE, shares, sum, type Usdc, usdc } from "@/lib/units";
import { getJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import {
  ClosedPositions,
  UserStats,
  type WirePosition,
  WirePositions,
} from "@/lib/venue/polymarket/wire/holdings";
import type { VenueHolding } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** Rows of a page, and how far the venue lists (polymarket.md 6.1). */
const OPEN = { path: "/positions", limit: 500, maxOffset: 10_000 } as const;
const CLOSED = { path: "/closed-positions", limit: 50, maxOffset: 100_000 } as const;
const HUNDRED_PERCENT = 100n * SCALE;

/** What a wallet holds as the venue values it, down to the smallest lot. */
export async function getHoldings({ funderAddress }: Trader): Promise<VenueHolding[]> {
  return (await listPositions(funderAddress))
    .filter(({ size }) => (size ?? 0n) > 0n)
    .map(toHolding);
}

/**
 * Realized and unrealized profit over the wallet's life, as the venue reckons it; added up from its
 * positions, open and closed, where it does not.
 */
export async function getTotalPnl({ funderAddress }: Trader): Promise<Usdc> {
  const told = await readStats(funderAddress);
  if (told !== null) return told;
  const [open, closed] = await Promise.all([
    listPositions(funderAddress),
    listPages(CLOSED, funderAddress, ClosedPositions),
  ]);
  return usdc(
    sum([
      ...open.map((row) => usdc(toHolding(row).pnl + (row.realizedPnl ?? 0n))),
      ...closed.map(({ realizedPnl }) => usdc(realizedPnl ?? 0n)),
    ]),
  );
}

/** A position in our terms. What the venue leaves out follows from the rest. */
export function toHolding(row: WirePosition): VenueHolding {
  const size = shares(row.size ?? 0n);
  const average = price(row.avgPrice ?? perShare(row.initialValue, size));
  const currentPrice = price(row.curPrice ?? perShare(row.currentValue, size));
  const cost = row.initialValue ?? notional(size, average, "down");
  const value = row.currentValue ?? notional(size, currentPrice, "down");
  const pnl = row.cashPnl ?? value - cost;
  return {
    tokenId: row.asset,
    marketId: row.conditionId,
    marketTitle: row.title ?? "",
    marketSlug: row.slug ?? "",
    outcome: row.outcome ?? "",
    shares: size,
    averagePrice: average,
    currentPrice,
    value: usdc(value),
    pnl: usdc(pnl),
    pnlPercentMicro: row.percentPnl ?? percentOf(pnl, cost),
    isNegRisk: row.negativeRisk ?? false,
    isRedeemable: row.redeemable ?? false,
  };
}

function perShare(worth: bigint | null | undefined, size: bigint): bigint {
  return size > 0n ? divide((worth ?? 0n) * SCALE, size, "down") : 0n;
}

function percentOf(pnl: bigint, cost: bigint): bigint {
  return cost <= 0n ? 0n : (pnl * HUNDRED_PERCENT) / cost;
}

/** By default the venue hides what is smaller than a share. */
function listPositions(user: string): Promise<WirePosition[]> {
  return listPages(OPEN, user, WirePositions, { sizeThreshold: "0" });
}

interface Listing {
  path: string;
  limit: number;
  maxOffset: number;
}

/**
 * Every row of a list. A row that comes twice was moved by a trade between two pages, but a page
 * with nothing new is a list without an end.
 */
async function listPages<Row extends { asset: string; timestamp?: number | null | undefined }>(
  { path, limit, maxOffset }: Listing,
  user: string,
  schema: z.ZodType<Row[]>,
  filter: Record<string, string> = {},
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let offset = 0; offset <= maxOffset; offset += limit) {
    const query = { user, ...filter, limit: String(limit), offset: String(offset) };
    const page = await getJson("data", path, query, schema);
    const known = rows.size;
    for (const row of page) rows.set(`${row.asset}/${row.timestamp ?? ""}`, row);
    if (page.length < limit) return [...rows.values()];
    if (rows.size === known) break;
  }
  throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's list of positions has no end");
}

async function readStats(user: string): Promise<Usdc | null> {
  try {
    const { data } = await getJson("data", "/v2/user-stats", { user }, UserStats);
    const profit = data?.all_time_pnl?.economic_pnl;
    return profit === null || profit === undefined ? null : usdc(profit);
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) return null;
    throw error;
  }
}
