import "server-only";
import { requireWalletAction } from "@/lib/accounts/require-action";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb, withStatement } from "@/lib/db/client";
import {
  hasFailedClaim,
  putAutomaticClaims,
  selectAutomaticClaims,
  takeAutomaticClaims,
} from "@/lib/db/queries/wallet-transactions";
import { isCombo } from "@/lib/domain/combo";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { startJob, type StopJob } from "@/lib/schedule";
import { remoteVenue } from "@/lib/venues";
import { claimLiveMarket } from "@/lib/wallet-transactions/claim-position";
import { requireRelay, requireSigningRelay } from "@/lib/wallet-transactions/require-relay";

/** How often a process looks for users whose positions are due. */
const TICK_MS = 15_000;
/** How often a user's positions are looked at. */
const EVERY_MS = 5 * 60_000;
/** Number of users per tick and process. */
const MAX_USERS = 20;
/** A claim that failed is repeated after this time. */
const RETRY_MS = 3_600_000;

/** Whether a user's winning live positions are claimed automatically. */
export async function getAutomaticClaims(userId: string): Promise<boolean> {
  return selectAutomaticClaims(await getDb(), userId);
}

/** Turns automatic claims of a live account on or off. On requires that Ante can claim for its wallet. */
export async function setAutomaticClaims(
  { userId }: Pick<Principal, "userId">,
  isOn: boolean,
): Promise<void> {
  if (isOn) await requireRelay(userId);
  await putAutomaticClaims(await getDb(), userId, isOn);
}

/** Claims the winning positions of the users who asked for it. Each user goes to one process. */
export async function claimAutomatically(): Promise<void> {
  const userIds = await withStatement((db) => takeAutomaticClaims(db, EVERY_MS, MAX_USERS));
  for (const userId of userIds) {
    try {
      await claimWins(userId);
    } catch (error) {
      log.warn("positions not claimed automatically", { userId, ...errorFields(error) });
    }
  }
}

/** Starts the job of automatic claims. */
export function startAutomaticClaims(): StopJob {
  return startJob({ name: "automatic claims", everyMs: TICK_MS }, claimAutomatically);
}

async function claimWins(userId: string): Promise<void> {
  const principal: Principal = { userId, mode: "live", keyId: null, scopes: ["trade"] };
  // A frozen account does nothing new.
  await requireWalletAction(principal, { kind: "redeem" });
  await requireSigningRelay(userId);
  const { positions } = await getPortfolio(principal);
  // A combo is claimed at the venue.
  const won = positions.filter(
    ({ id, redeemable, value }) => redeemable && value > 0n && !isCombo(id),
  );
  for (const { id, conditionId } of won) {
    const since = new Date(now() - RETRY_MS);
    if (await hasFailedClaim(await getDb(), { userId, marketId: conditionId, since })) continue;
    await claimWin(principal, id);
  }
}

/** Claims one position. The venue lists a claimed one for a while, which has nothing to claim. */
async function claimWin(principal: Principal, tokenId: string): Promise<void> {
  try {
    const found = await remoteVenue().findMarketByToken(tokenId);
    if (!found) return;
    await claimLiveMarket(principal, { market: found.market, tokenId }, { isAutomatic: true });
  } catch (error) {
    if (error instanceof AppError && error.code === "INSUFFICIENT_SHARES") return;
    log.warn("position not claimed automatically", {
      userId: principal.userId,
      ...errorFields(error),
    });
  }
}
