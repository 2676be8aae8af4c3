import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { lockOwner } from "@/lib/db/queries/wallets";
import { updateEndpoint, type WebhookEndpointRow } from "@/lib/db/queries/webhooks";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { log } from "@/lib/log";

/** Disables an endpoint that doesn't work, and adds that to the log of its account. */
export async function disableEndpoint(
  tx: Tx,
  { id, userId, mode, url }: WebhookEndpointRow,
  reason: string,
): Promise<void> {
  const at = new Date(now());
  await updateEndpoint(tx, id, { status: "disabled", disabledReason: reason, updatedAt: at });
  const epoch = mode === "live" ? LIVE_EPOCH : (await lockOwner(tx, userId))?.epoch;
  if (epoch === undefined) return;
  const data = { webhookId: id, url, reason };
  const event = {
    owner: { userId, epoch },
    type: "webhook.disabled",
    data,
    cause: NO_CAUSE,
  } as const;
  await post(tx, { transfers: [], events: [event] }, at);
  log.warn("webhook endpoint disabled", { webhookId: id, userId });
}
