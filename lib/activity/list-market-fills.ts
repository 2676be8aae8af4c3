import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { selectFills } from "@/lib/db/queries/fills";
import type { Fill } from "@/lib/schemas/orders";
import { requireAccount } from "@/lib/accounts/require-account";
import { toFill } from "@/lib/activity/list-fills";

/**
 * Returns the newest fills in a market since the last reset of the paper account.
 */
export async function listMarketFills(
  principal: Principal,
  marketId: string,
  limit: number,
): Promise<z.output<typeof Fill>[]> {
  return withSnapshot(async (tx) => {
    const { epoch } = await requireAccount(tx, principal);
    // Epochs are consecutive, so fills of the current one come first.
    const newest = await selectFills(tx, { account: principal, marketId }, null, limit);
    return newest.filter((row) => row.epoch === epoch).map(toFill);
  });
}
