import type {
  fills,
  markets,
  orderEvents,
  orders,
  positions,
  simulatedSettlements,
} from "@/lib/db/schema/trading";

export type OrderRow = typeof orders.$inferSelect;
export type OrderEventInsert = typeof orderEvents.$inferInsert;
export type OrderEventRow = typeof orderEvents.$inferSelect;
export type FillInsert = typeof fills.$inferInsert;
export type FillRow = typeof fills.$inferSelect;
export type MarketRow = typeof markets.$inferSelect;
export type PositionRow = typeof positions.$inferSelect;
export type SettlementRow = typeof simulatedSettlements.$inferSelect;

/** An account with its wallet. */
export interface AccountRow {
  userId: string;
  epoch: number;
  address: string;
  funderAddress: string;
  /** Base units that the exchanges may spend; null while unknown. */
  allowance: bigint | null;
}
