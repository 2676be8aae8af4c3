import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { pause } from "@/lib/clock";
import { AppError, LostAnswer } from "@/lib/errors";
import type { VenueRehearsal } from "@/lib/venue/port";

const REHEARSE_HEADER = "x-rehearse";
const REHEARSALS = ["lost-answer", "timeout", "unavailable", "slow", "delayed"] as const;
type Rehearsal = (typeof REHEARSALS)[number];

const SLOW_MS = 3_000;

/**
 * Runs a write under the failure that the caller wants to practice, if any. Only paper keys can
 * rehearse; on a live key the header means nothing.
 */
export async function rehearse<T>(
  principal: Principal,
  headers: Pick<Headers, "get">,
  execute: (venueRehearsal: VenueRehearsal) => Promise<T>,
): Promise<T> {
  const kind = principal.mode === "paper" ? readRehearsal(headers) : null;
  if (kind === "unavailable") {
    throw new AppError(
      "UPSTREAM_UNAVAILABLE",
      "rehearsed: the exchange is not reachable; nothing was done",
    );
  }
  const result = await execute(kind === "delayed" ? "delayed" : null);
  if (kind === "slow") await pause(SLOW_MS);
  if (kind === "lost-answer") throw new LostAnswer("rehearsed: the answer got lost");
  if (kind === "timeout") {
    throw new AppError(
      "ORDER_OUTCOME_UNKNOWN",
      "rehearsed: the exchange did not answer in time; repeat the request with the same idempotencyKey",
    );
  }
  return result;
}

function readRehearsal(headers: Pick<Headers, "get">): Rehearsal | null {
  const value = headers.get(REHEARSE_HEADER);
  if (value === null) return null;
  const kind = REHEARSALS.find((candidate) => candidate === value);
  if (kind === undefined) {
    throw new AppError("VALIDATION_ERROR", `X-Rehearse: must be one of ${REHEARSALS.join(", ")}`);
  }
  return kind;
}
