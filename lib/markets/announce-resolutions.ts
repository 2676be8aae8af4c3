import "server-only";
import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { PositionRow } from "@/lib/db/rows";
import { users } from "@/lib/db/schema/accounts";
import { fills, markets, positions } from "@/lib/db/schema/trading";
import { env } from "@/lib/env";
import { type EventDraft, NO_CAUSE, toPositionState } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import { getVenue } from "@/lib/venues";
import type { OutcomeIndex } from "@/lib/domain/settlement";

const CHECK_EVERY_MS = 2_000;
/** The most markets that one check asks about. */
const MAX_MARKETS = 500;

/** Starts telling the holders of resolved markets, which any number of processes can do. */
export function startResolutionWatch(): StopJob {
  return startJob({ name: "resolution watch", everyMs: CHECK_EVERY_MS }, announceResolutions);
}

/**
 * Adds `market.resolved`, and `position.redeemable` for paper positions, to the log of every account
 * that holds a market that was resolved since. Returns the number of announced markets.
 */
export async function announceResolutions(): Promise<number> {
  let announced = 0;
  for (const { id, winner } of await findResolved()) {
    try {
      if (await withTransaction((tx) => announce(tx, id, winner))) announced += 1;
    } catch (error) {
      log.error("resolution not announced", { marketId: id, ...errorFields(error) });
    }
  }
  return announced;
}

interface Resolved {
  id: string;
  /** Null if both outcomes are paid alike. */
  winner: OutcomeIndex | null;
}

async function findResolved(): Promise<Resolved[]> {
  const { VENUES } = env();
  const isPaperOn = VENUES.includes("paper");
  const at = isPaperOn ? getVenue("paper").now() : now();
  const rows = await (
    await getDb()
  )
    .select({ id: markets.id, templateId: markets.templateId })
    .from(markets)
    .where(
      and(
        isNull(markets.announcedAt),
        or(
          and(isNotNull(markets.templateId), lte(markets.resolvesAt, new Date(at))),
          // A market of Polymarket can be resolved before its expected end.
          and(
            isNull(markets.templateId),
            sql`exists (select from fills where market_id = ${markets.id})`,
          ),
        ),
      ),
    )
    .limit(MAX_MARKETS);
  const simulated = rows.filter(({ templateId }) => templateId !== null);
  const listed = rows.filter(({ templateId }) => templateId === null);
  return [
    ...(isPaperOn ? await selectEnded("paper", simulated) : []),
    ...(await selectEnded(VENUES.includes("polymarket") ? "live" : "paper", listed)),
  ];
}

async function selectEnded(
  mode: "paper" | "live",
  rows: readonly { id: string }[],
): Promise<Resolved[]> {
  if (rows.length === 0) return [];
  const venue = getVenue(mode);
  const found = await venue.getMarkets(rows.map(({ id }) => id));
  return [...found.values()].flatMap((market) => {
    const { status, winner } = venue.getState(market);
    return status === "resolved" ? [{ id: market.id, winner }] : [];
  });
}

/** Returns false if another process has announced it. */
async function announce(tx: Tx, id: string, winner: OutcomeIndex | null): Promise<boolean> {
  const at = new Date(now());
  const marked = await tx
    .update(markets)
    .set({ announcedAt: at })
    .where(and(eq(markets.id, id), isNull(markets.announcedAt)))
    .returning({ id: markets.id });
  if (marked.length === 0) return false;
  const paper = await selectPaperHoldings(tx, id);
  const owners = [
    ...new Map(paper.map(({ userId, epoch }) => [userId, { userId, epoch }])).values(),
    ...(await selectLiveHolders(tx, id)).map((userId) => ({ userId, epoch: LIVE_EPOCH })),
  ];
  const data = { marketId: id, winner };
  const events: EventDraft[] = [
    ...owners.map((owner) => ({ owner, type: "market.resolved", data, cause: NO_CAUSE }) as const),
    ...paper.map(
      (row) =>
        ({
          owner: { userId: row.userId, epoch: row.epoch },
          type: "position.redeemable",
          data: toPositionState(row),
          cause: NO_CAUSE,
        }) as const,
    ),
  ];
  await post(tx, { transfers: [], events }, at);
  return true;
}

/** Selects the paper positions of a market with shares, in the current epochs. */
async function selectPaperHoldings(tx: Tx, marketId: string): Promise<PositionRow[]> {
  const rows = await tx
    .select({ position: positions })
    .from(positions)
    .innerJoin(users, and(eq(users.id, positions.userId), eq(users.epoch, positions.epoch)))
    .where(and(eq(positions.marketId, marketId), sql`${positions.shares} > 0`));
  return rows.map(({ position }) => position);
}

/** Selects the live accounts whose trades through this service left them with shares of a market. */
async function selectLiveHolders(tx: Tx, marketId: string): Promise<string[]> {
  const signed = sql`case ${fills.action} when 'BUY' then ${fills.shares} else - ${fills.shares} end`;
  const held = tx
    .select({ userId: fills.userId })
    .from(fills)
    .where(and(eq(fills.marketId, marketId), eq(fills.epoch, LIVE_EPOCH), isNotReversed()))
    .groupBy(fills.userId, fills.tokenId)
    .having(sql`sum(${signed}) > 0`);
  return [...new Set((await held).map(({ userId }) => userId))];
}
