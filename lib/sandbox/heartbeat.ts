import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  selectSandboxKey,
  selectStoppedHearts,
  updateHeartbeat,
} from "@/lib/db/queries/sandbox-keys";
import { errorFields, log } from "@/lib/log";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";

/** A longer silence cancels everything (polymarket.md 2.4: 10 s, and up to 5 s until it is noticed). */
const SILENCE_MS = 10_000;
const SWEEP_MS = 2_000;
const Beat = z.object({ heartbeat_id: z.string().default("") });

/**
 * `POST /v1/heartbeats`: begins or keeps up a dead man's switch. A beat names the one before; one
 * that names another is refused with the right id.
 */
export async function beat(
  { apiKey }: SandboxCaller,
  body: string,
): Promise<{ heartbeat_id: string }> {
  const parsed = Beat.safeParse(readJsonBody(body, "Invalid payload"));
  if (!parsed.success) throw new SandboxError(400, "Invalid payload");
  const db = await getDb();
  const current = (await selectSandboxKey(db, apiKey))?.heartbeatId ?? null;
  const fresh = randomUUID();
  const isNext = parsed.data.heartbeat_id === (current ?? "");
  const change = { from: current, to: fresh, at: new Date(now()) };
  if (isNext && (await updateHeartbeat(db, apiKey, change))) return { heartbeat_id: fresh };
  throw new SandboxError(400, "Invalid heartbeat_id", { heartbeat_id: current ?? "" });
}

/**
 * Cancels the orders of every owner whose client has fallen silent, and only then takes the switch
 * for thrown: what is interrupted is done by the next sweep, and doing it twice changes nothing.
 */
export async function sweepHeartbeats(): Promise<void> {
  const db = await getDb();
  for (const key of await selectStoppedHearts(db, new Date(now() - SILENCE_MS))) {
    try {
      await cancelWhere({ owner: key.owner, apiKey: key.id }, { keyId: key.id });
      // A beat that came meanwhile has begun another silence.
      await updateHeartbeat(db, key.id, { from: key.heartbeatId, to: null, at: null });
    } catch (error) {
      log.error("a silent client's orders are not canceled", errorFields(error));
    }
  }
}

/** Looks for silent clients while the service runs. Returns what stops it. */
export function startHeartbeatSweep(): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  const sweep = () => {
    underWay = underWay
      .then(sweepHeartbeats)
      .catch((error: unknown) => log.error("heartbeat sweep failed", errorFields(error)));
  };
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
