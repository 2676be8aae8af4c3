import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type RequestHour, sumApiRequests } from "@/lib/db/queries/api-requests";
import { KEPT_REQUESTS } from "@/lib/api/middleware/request-log";

const SUMMED_HOURS = 24;
const HOUR_MS = 3_600_000;

/** A user's API requests of the last day, from the request log. */
export interface RequestSummary {
  /** Oldest first, one for each hour. */
  hours: readonly Omit<RequestHour, "hour">[];
  total: number;
  failed: number;
  medianMs: number | null;
  /** 95 of 100 responses took at most this long. */
  slowMs: number | null;
  /** Whether the log can lack requests of the day, because it keeps a limited number. */
  isCut: boolean;
}

export async function summarizeRequests(userId: string): Promise<RequestSummary> {
  const from = new Date(now() - SUMMED_HOURS * HOUR_MS);
  const { hours: found, medianMs, slowMs } = await sumApiRequests(await getDb(), userId, from);
  const byHour = new Map(found.map((each) => [each.hour, each]));
  const hours = Array.from({ length: SUMMED_HOURS }, (_, hour) => {
    const { total, failed } = byHour.get(hour) ?? { total: 0, failed: 0 };
    return { total, failed };
  });
  const total = hours.reduce((sum, hour) => sum + hour.total, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return { hours, total, failed, medianMs, slowMs, isCut: total >= KEPT_REQUESTS };
}
