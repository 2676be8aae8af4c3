import "server-only";
import type { z } from "zod";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectRestingOrders } from "@/lib/db/queries/sandbox-orders";
import { cancelEach } from "@/lib/orders/cancel-order";
import { ACCOUNT_PREFIX } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";
import {
  changeSwitches,
  readStoredSwitches,
  type SwitchChange,
  type SwitchState,
} from "@/lib/sandbox/switches";
import type { Market } from "@/lib/venue/port";

/**
 * Changes switches. Another version is a cutover, at which the venue removes every resting order, as it
 * did in April 2026 (polymarket-protocol-v2.md 2). Orders of dashboard users stay: they are no sandbox
 * orders.
 */
export async function applySwitches(change: z.output<typeof SwitchChange>): Promise<SwitchState> {
  const { version } = await readStoredSwitches();
  const state = await changeSwitches(change);
  if (state.version !== version) await removeRestingOrders();
  return state;
}

async function removeRestingOrders(): Promise<void> {
  const rows = await selectRestingOrders(await getDb(), ACCOUNT_PREFIX);
  for (const userId of new Set(rows.map((row) => row.userId))) {
    await remove(
      userId,
      rows.filter((row) => row.userId === userId),
    );
  }
}

/** Refuses an order on an exchange of Protocol V1 after the cutover to the next version. */
export async function refuseAfterCutover(market: Pick<Market, "protocol">): Promise<void> {
  if (await isCutOver(market)) throw new SandboxError(400, "order_version_mismatch");
}

/**
 * Removes a new order if a cutover began while it was placed, which can have missed it. Call it once the
 * order is stored.
 */
export async function removeAfterCutover(
  orderId: string,
  { userId, market }: { userId: string; market: Pick<Market, "id" | "protocol"> },
): Promise<void> {
  if (await isCutOver(market)) await remove(userId, [{ id: orderId, marketId: market.id }]);
}

/** Whether the venue takes no orders of a market any more. An old value of the switch could let one in. */
const isCutOver = async ({ protocol }: Pick<Market, "protocol">): Promise<boolean> =>
  protocol === "v1" && (await readStoredSwitches()).version > 2;

async function remove(userId: string, orders: Parameters<typeof cancelEach>[1]): Promise<void> {
  const owner = { userId, mode: "paper", keyId: null, scopes: SCOPES } as const;
  await cancelEach(owner, orders, "by_venue");
}
