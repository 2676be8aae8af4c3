import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import { getDatabase, ping } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { AppError } from "@/lib/errors";
import type { Health } from "@/lib/schemas/account";

const ANSWER_WITHIN_MS = 1_000;
/** So old may the database's last answer be: however often we are asked, it is asked four times a second. */
const KEPT_MS = 250;

type Healthy = z.output<typeof Health>;

let last: { database: Promise<Database>; askedAt: number; answer: Promise<Healthy> } | undefined;

/**
 * Whether the service can do its work: its database answers, or did so a moment ago. The venue is
 * not asked.
 */
export function checkHealth(): Promise<Healthy> {
  const database = getDatabase();
  const askedAt = performance.now();
  if (last?.database !== database || askedAt - last.askedAt >= KEPT_MS) {
    last = { database, askedAt, answer: ask(database) };
  }
  return last.answer;
}

async function ask(database: Promise<Database>): Promise<Healthy> {
  const timeout = new AbortController();
  const answered = database.then(ping).then(() => true);
  const late = wait(ANSWER_WITHIN_MS, false, { signal: timeout.signal });
  late.catch(() => undefined);
  try {
    if (await Promise.race([answered, late])) return { service: "ante", status: "ok" };
  } catch (error) {
    throw unavailable(error);
  } finally {
    timeout.abort();
    answered.catch(() => undefined);
  }
  throw unavailable();
}

function unavailable(cause?: unknown): AppError {
  return new AppError("DATABASE_UNAVAILABLE", "the database does not answer", { cause });
}
