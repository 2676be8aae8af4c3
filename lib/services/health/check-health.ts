import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import { getDatabase, ping } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Health } from "@/lib/schemas/account";

const ANSWER_WITHIN_MS = 1_000;

/** Whether the service can do its work: its database answers. The venue is not asked. */
export async function checkHealth(): Promise<z.output<typeof Health>> {
  const timeout = new AbortController();
  const answered = getDatabase()
    .then(ping)
    .then(() => true);
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
