import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { selectFills } from "@/lib/db/queries/fills";
import type { Fill } from "@/lib/schemas/orders";
import { requireAccount } from "@/lib/services/account/require-account";
import { toFill } from "@/lib/services/activity/list-fills";

/**
 * The newest fills in a market that made what the account holds now: what was traded before a reset
 * of the paper account belongs to an account that has ended.
 */
export async function listMarketFills(
  principal: Principal,
  marketId: string,
  limit: number,
): Promise<z.output<typeof Fill>[]> {
  return withSnapshot(async (tx) => {
    const { epoch } = await requireAccount(tx, principal);
    // Epochs follow each other, so the newest fills are those of the current one.
    const newest = await selectFills(tx, { account: principal, marketId }, null, limit);
    return newest.filter((row) => row.epoch === epoch).map(toFill);
  });
}
