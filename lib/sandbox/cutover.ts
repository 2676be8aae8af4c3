import "server-only";
import type { z } from "zod";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectRestingOrders } from "@/lib/db/queries/sandbox-orders";
import { cancelEach } from "@/lib/orders/cancel-order";
import { ACCOUNT_PREFIX } from "@/lib/sandbox/accounts";
import {
  changeSwitches,
  readSwitches,
  type SwitchChange,
  type SwitchState,
} from "@/lib/sandbox/switches";

/**
 * Changes switches. Another version is a cutover, at which the venue removes every resting order, as it
 * did in April 2026 (polymarket-protocol-v2.md 2). Orders of dashboard users stay: they are no sandbox
 * orders.
 */
export async function applySwitches(change: z.output<typeof SwitchChange>): Promise<SwitchState> {
  const { version } = await readSwitches();
  const state = await changeSwitches(change);
  if (state.version !== version) await removeRestingOrders();
  return state;
}

async function removeRestingOrders(): Promise<void> {
  const rows = await selectRestingOrders(await getDb(), ACCOUNT_PREFIX);
  for (const userId of new Set(rows.map((row) => row.userId))) {
    const owner = { userId, mode: "paper", keyId: null, scopes: SCOPES } as const;
    const resting = rows.filter((row) => row.userId === userId);
    await cancelEach(owner, resting, "by_venue");
  }
}
