import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { deleteEndedLimits } from "@/lib/db/queries/rate-limits";
import { startJob, type StopJob } from "@/lib/schedule";

const EVERY_MS = 3_600_000;
/** Longer than any window of a limit. */
const KEPT_MS = 24 * 3_600_000;

/** Starts deleting counts of attempts and requests that limit nothing anymore. */
export function startAttemptSweep(): StopJob {
  return startJob({ name: "attempt sweep", everyMs: EVERY_MS }, async () =>
    deleteEndedLimits(await getDb(), now() - KEPT_MS),
  );
}
