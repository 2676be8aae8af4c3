import "server-only";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  markAnnounced,
  selectHoldings,
  selectLiveHolders,
  selectUnannounced,
  settleBudgets,
} from "@/lib/db/queries/resolutions";
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
  const rows = await selectUnannounced(await getDb(), new Date(at), MAX_MARKETS);
  const simulated = rows.filter(({ isSimulated }) => isSimulated);
  const listed = rows.filter(({ isSimulated }) => !isSimulated);
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
  if (!(await markAnnounced(tx, id, at))) return false;
  const paper = await selectHoldings(tx, id);
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
  await settleBudgets(tx, { marketId: id, winner, at });
  return true;
}
