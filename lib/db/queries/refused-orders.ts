import "server-only";
import type { Tx } from "@/lib/db/database";
import type { OrderRow } from "@/lib/db/rows";
import { orders } from "@/lib/db/schema/trading";

/** Keeps an order on record that was refused before anything of it was sent. */
export async function insertRefusedOrder(tx: Tx, order: OrderRow): Promise<void> {
  const { sequence: _drawn, ...row } = order;
  await tx.insert(orders).values(row);
}
