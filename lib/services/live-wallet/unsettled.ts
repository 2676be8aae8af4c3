import "server-only";
import type { Tx } from "@/lib/db/database";
import { countUnsettledLiveOrders } from "@/lib/db/queries/live-wallets";
import { AppError } from "@/lib/errors";

/** A wallet stays while orders that it signed may still trade: nobody could cancel them without it. */
export async function assertNothingUnsettled(tx: Tx, userId: string): Promise<void> {
  const unsettled = await countUnsettledLiveOrders(tx, userId);
  if (unsettled === 0) return;
  const orders = unsettled === 1 ? "1 live order is" : `${unsettled} live orders are`;
  throw new AppError(
    "VALIDATION_ERROR",
    `${orders} not settled yet. Cancel first, then try again.`,
  );
}
