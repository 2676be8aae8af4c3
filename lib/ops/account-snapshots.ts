import "server-only";
import { appendMissingSnapshots } from "@/lib/db/account-snapshots";
import { getDatabase } from "@/lib/db/client";
import { startJob, type StopJob } from "@/lib/schedule";

const EVERY_MS = 60_000;

/**
 * Starts the job that completes the logs of accounts which a process of a version without a log has
 * changed. Opening the database completes all others.
 *
 * @returns a function that stops it.
 */
export function startSnapshots(): StopJob {
  return startJob({ name: "account snapshots", everyMs: EVERY_MS }, snapshotBehindAccounts);
}

/** Completes the logs now. */
export async function snapshotBehindAccounts(): Promise<void> {
  await appendMissingSnapshots(await getDatabase());
}
