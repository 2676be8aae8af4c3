import "server-only";
import type { z } from "zod";
import { now } from "@/lib/clock";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import {
  divide,
  notional,
  computePercent,
  price,
  SCALE,
  shares,
  sum,
  type Usdc,
  usdc,
} from "@/lib/units";
import { getJson, UpstreamStatus } from "@/lib/polymarket/http";
import { nameByProtocol } from "@/lib/polymarket/markets";
import { getTokenProtocol } from "@/lib/polymarket/protocol/position-id";
import {
  ClosedPositions,
  PositionsPageV2,
  type PositionV2,
  UserStats,
  type WirePosition,
  WirePositions,
} from "@/lib/polymarket/wire/holdings";
import type { VenueHolding } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/** Page size and maximum offset of the first Data API (polymarket.md 6.1). */
const OPEN = { path: "/positions", limit: 500, maxOffset: 10_000 } as const;
const CLOSED = { path: "/closed-positions", limit: 50, maxOffset: 100_000 } as const;
/** Page size and maximum number of pages of the second Data API. */
const LIMIT_V2 = 1_000;
const MAX_PAGES_V2 = 1_000;
/** A missing route of the second Data API is cached for this long. */
const ABSENT_MS = 10 * 60_000;

/** Returns a wallet's holdings with the venue's valuation, including the smallest ones. */
export async function getHoldings({ funderAddress }: Trader): Promise<VenueHolding[]> {
  const rows = await readSecondApi(
    "/v2/positions",
    () => listPositionsV2(funderAddress, "OPEN"),
    () => listPositions(funderAddress),
  );
  return rows.filter(({ size }) => (size ?? 0n) > 0n).map(toHolding);
}

/**
 * Returns realized and unrealized profit since the wallet was created. If the venue does not report
 * it, sums up the open and closed positions.
 */
export async function getTotalPnl({ funderAddress }: Trader): Promise<Usdc> {
  const reported = await readSecondApi(
    "/v2/user-stats",
    () => readStats(funderAddress),
    async () => null,
  );
  if (reported !== null) return reported;
  return readSecondApi(
    "/v2/positions",
    async () => {
      const [open, closed] = await Promise.all([
        listPositionsV2(funderAddress, "OPEN"),
        listPositionsV2(funderAddress, "CLOSED"),
      ]);
      return addProfits(open, closed);
    },
    async () => {
      const [open, closed] = await Promise.all([
        listPositions(funderAddress),
        listPages(CLOSED, funderAddress, ClosedPositions),
      ]);
      return addProfits(open, closed);
    },
  );
}

type Realized = { realizedPnl?: bigint | null | undefined };

function addProfits(open: readonly WirePosition[], closed: readonly Realized[]): Usdc {
  return usdc(
    sum([
      ...open.map((row) => usdc(toHolding(row).pnl + (row.realizedPnl ?? 0n))),
      ...closed.map(({ realizedPnl }) => usdc(realizedPnl ?? 0n)),
    ]),
  );
}

/** When the cached absence of a second Data API route expires, by host and path. */
const absentUntil = new Map<string, number>();

/**
 * Reads the second Data API. Falls back to the first one, whose retirement was announced for
 * 2026-10-24, only on a 404. A timeout or a 5xx does not prove that the route is missing.
 */
async function readSecondApi<T>(
  path: string,
  second: () => Promise<T>,
  first: () => Promise<T>,
): Promise<T> {
  const route = `${env().DATA_API_URL}${path}`;
  if (now() >= (absentUntil.get(route) ?? 0)) {
    try {
      return await second();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      absentUntil.set(route, now() + ABSENT_MS);
    }
  }
  try {
    return await first();
  } catch (error) {
    // Both routes return 404, so the 404 of the second one proves nothing.
    if (isNotFound(error)) absentUntil.delete(route);
    throw error;
  }
}

const isNotFound = (error: unknown) =>
  error instanceof UpstreamStatus && error.upstreamStatus === 404;

/** Converts a position. Missing figures are computed from the others. */
export function toHolding(row: WirePosition): VenueHolding {
  const size = shares(row.size ?? 0n);
  const average = price(row.avgPrice ?? computePerShare(row.initialValue, size));
  const currentPrice = price(row.curPrice ?? computePerShare(row.currentValue, size));
  const cost = row.initialValue ?? notional(size, average, "down");
  const value = row.currentValue ?? notional(size, currentPrice, "down");
  const pnl = row.cashPnl ?? value - cost;
  return {
    tokenId: row.asset,
    marketId: row.conditionId,
    marketTitle: row.title ? nameByProtocol(row.title, getTokenProtocol(row.asset)) : "",
    marketSlug: row.slug ?? "",
    outcome: row.outcome ?? "",
    shares: size,
    averagePrice: average,
    currentPrice,
    value: usdc(value),
    pnl: usdc(pnl),
    pnlPercentMicro: row.percentPnl ?? computePercent(usdc(pnl), usdc(cost)),
    isNegRisk: row.negativeRisk ?? false,
    isRedeemable: row.redeemable ?? false,
  };
}

function computePerShare(worth: bigint | null | undefined, size: bigint): bigint {
  return size > 0n ? divide((worth ?? 0n) * SCALE, size, "down") : 0n;
}

/** Lists positions of any size. By default, the venue hides positions below one share. */
function listPositions(user: string): Promise<WirePosition[]> {
  return listPages(OPEN, user, WirePositions, { sizeThreshold: "0" });
}

interface Listing {
  path: string;
  limit: number;
  maxOffset: number;
}

/**
 * Reads every row of a list. A trade between two pages can make a row appear twice. A full page
 * without a new row means that the list never ends.
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
  throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's list of positions does not end.");
}

/**
 * Lists positions with the second Data API. Open positions include resolved ones that are not claimed
 * yet. By default, the venue hides positions below a tenth of a share.
 */
async function listPositionsV2(user: string, status: "OPEN" | "CLOSED"): Promise<WirePosition[]> {
  const query = {
    user,
    status,
    filter_type: "TOKENS",
    filter_amount: "0",
    limit: String(LIMIT_V2),
  };
  const rows = new Map<string, WirePosition>();
  const seen = new Set<string>();
  let cursor = "";
  for (let page = 0; page < MAX_PAGES_V2; page += 1) {
    const found = await getJson(
      "data",
      "/v2/positions",
      cursor === "" ? query : { ...query, cursor },
      PositionsPageV2,
    );
    // A trade between two pages can make a row appear twice.
    for (const row of found.data ?? []) rows.set(row.token_id, toFirstForm(row));
    cursor = found.pagination?.next_cursor ?? "";
    if (cursor === "") return [...rows.values()];
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  throw new AppError("UPSTREAM_BAD_RESPONSE", "The venue's list of positions does not end.");
}

/** Maps a position to the field names of the first Data API (polymarket.md 6.3). */
function toFirstForm(row: z.output<typeof PositionV2>): WirePosition {
  return {
    asset: row.token_id,
    conditionId: row.condition_id,
    size: row.current_size,
    avgPrice: row.avg_price,
    initialValue: row.entry_cost_usdc,
    currentValue: row.current_value,
    cashPnl: row.unrealized_pnl,
    percentPnl: row.percent_pnl,
    realizedPnl: row.realized_pnl,
    curPrice: row.current_price,
    redeemable: row.redeemable,
    title: row.title,
    slug: row.slug,
    outcome: row.outcome,
    negativeRisk: row.negative_risk,
  };
}

async function readStats(user: string): Promise<Usdc | null> {
  const { data } = await getJson("data", "/v2/user-stats", { user }, UserStats);
  const profit = data?.all_time_pnl?.economic_pnl;
  return profit === null || profit === undefined ? null : usdc(profit);
}
