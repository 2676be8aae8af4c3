import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import { getDatabase, ping } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { AppError } from "@/lib/errors";
import type { Health } from "@/lib/schemas/account";

const TIMEOUT_MS = 1_000;
/** The result is reused for this long, so the database gets at most four pings a second. */
const REUSE_MS = 250;

type Healthy = z.output<typeof Health>;

let last: { database: Promise<Database>; startedAt: number; result: Promise<Healthy> } | undefined;

/**
 * Checks that the database responds, or did so a moment ago. Does not check the venue.
 *
 * @throws DATABASE_UNAVAILABLE otherwise.
 */
export function checkHealth(): Promise<Healthy> {
  const database = getDatabase();
  const startedAt = performance.now();
  if (last?.database !== database || startedAt - last.startedAt >= REUSE_MS) {
    last = { database, startedAt, result: pingInTime(database) };
  }
  return last.result;
}

async function pingInTime(database: Promise<Database>): Promise<Healthy> {
  const timeout = new AbortController();
  const responded = database.then(ping).then(() => true);
  const late = wait(TIMEOUT_MS, false, { signal: timeout.signal });
  late.catch(() => undefined);
  try {
    if (await Promise.race([responded, late])) return { service: "ante", status: "ok" };
  } catch (error) {
    throw unavailable(error);
  } finally {
    timeout.abort();
    responded.catch(() => undefined);
  }
  throw unavailable();
}

function unavailable(cause?: unknown): AppError {
  return new AppError("DATABASE_UNAVAILABLE", "The database is not responding.", { cause });
}
