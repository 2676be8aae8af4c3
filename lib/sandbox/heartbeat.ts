import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { selectSandboxKey, selectSilentKeys, updateHeartbeat } from "@/lib/db/queries/sandbox-keys";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";

/** After a longer silence everything is canceled (polymarket.md 2.4: 10 s, noticed within 5 s). */
const SILENCE_MS = 10_000;
const SWEEP_MS = 2_000;
const HeartbeatBody = z.object({ heartbeat_id: z.string().default("") });

/**
 * Serves `POST /v1/heartbeats`: starts or renews a dead man's switch. A heartbeat carries the id of
 * the previous one; a wrong id is refused with the right one.
 */
export async function renewHeartbeat(
  { apiKey }: SandboxCaller,
  body: string,
): Promise<{ heartbeat_id: string }> {
  const parsed = HeartbeatBody.safeParse(readJsonBody(body, "Invalid payload"));
  if (!parsed.success) throw new SandboxError(400, "Invalid payload");
  const db = await getDb();
  const current = (await selectSandboxKey(db, apiKey))?.heartbeatId ?? null;
  const fresh = randomUUID();
  const isNext = parsed.data.heartbeat_id === (current ?? "");
  const change = { from: current, to: fresh };
  if (isNext && (await updateHeartbeat(db, apiKey, change))) return { heartbeat_id: fresh };
  throw new SandboxError(400, "Invalid heartbeat_id", { heartbeat_id: current ?? "" });
}

/**
 * Cancels the orders of every API key whose client fell silent, then clears its heartbeat. The next
 * sweep repeats an interrupted one; canceling twice changes nothing.
 */
export async function sweepHeartbeats(): Promise<void> {
  const db = await getDb();
  for (const key of await selectSilentKeys(db, SILENCE_MS)) {
    try {
      await cancelWhere({ owner: key.owner, apiKey: key.id }, { keyId: key.id });
      // Clears nothing if a new heartbeat arrived meanwhile.
      await updateHeartbeat(db, key.id, { from: key.heartbeatId, to: null });
    } catch (error) {
      log.error("cancel after missed heartbeat failed", { keyId: key.id, ...errorFields(error) });
    }
  }
}

/** Starts the sweep for silent clients. Returns a function that stops it. */
export function startHeartbeatSweep(): StopJob {
  return startJob({ name: "heartbeat sweep", everyMs: SWEEP_MS }, sweepHeartbeats);
}
