import "server-only";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  type LiveWalletRow,
  selectEndingKeys,
  toSessionKey,
  updateSessionNotice,
} from "@/lib/db/queries/live-wallets";
import { getSessionKeyState, SESSION_KEY_WARNING_MS } from "@/lib/domain/session-key";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";

const EVERY_MS = 60_000;

/**
 * Adds an event to the log of each account whose session key ends within 7 days, and another one when it
 * has ended. The events are the user's notifications.
 */
export async function announceKeyEnds(): Promise<void> {
  const until = new Date(now() + SESSION_KEY_WARNING_MS);
  for (const wallet of await selectEndingKeys(await getDb(), until)) {
    try {
      await announceKeyEnd(wallet);
    } catch (error) {
      // One failing account must not hold up the others.
      log.error("end of a session key not announced", {
        userId: wallet.userId,
        ...errorFields(error),
      });
    }
  }
}

async function announceKeyEnd(wallet: LiveWalletRow): Promise<void> {
  const sessionKey = toSessionKey(wallet);
  const state = sessionKey && getSessionKeyState(sessionKey, now());
  if (!sessionKey || !state || state === "valid" || state === wallet.sessionNotice) return;
  const { userId, address, funderAddress } = wallet;
  await withTransaction(async (tx) => {
    if (!(await updateSessionNotice(tx, wallet, state))) return;
    const event = {
      owner: { userId, epoch: LIVE_EPOCH },
      type: `wallet.key_${state}`,
      data: { address, funderAddress, expiresAt: sessionKey.expiresAt.toISOString() },
      cause: NO_CAUSE,
    } as const;
    await post(tx, { transfers: [], events: [event] }, new Date(now()));
  });
}

export const startKeyEndWatch = (): StopJob =>
  startJob({ name: "session key watch", everyMs: EVERY_MS, startsNow: true }, announceKeyEnds);
