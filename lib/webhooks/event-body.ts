import "server-only";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { WebhookDeliveryRow } from "@/lib/db/queries/webhook-deliveries";
import { assert } from "@/lib/errors";
import { readEvents } from "@/lib/events/read-events";
import { getEncoder } from "@/lib/schemas/encoder";
import { AccountEvent } from "@/lib/schemas/events";

/** Reads the body of a delivery: the event as `GET /v1/events` gives it. */
export async function readEventBody(
  tx: Tx,
  { userId, mode }: AccountRef,
  { seq, previousSeq }: WebhookDeliveryRow,
): Promise<string> {
  const selection = { after: seq - 1, until: seq, limit: 1 };
  const [event] = await readEvents(tx, { userId, mode }, selection);
  assert(event, "an event is kept as long as its deliveries");
  return JSON.stringify(getEncoder(AccountEvent)({ ...event, previousSeq }));
}
