import "server-only";
import type { z } from "zod";
import type { AccountRow } from "@/lib/db/queries/users";
import type { RecordedEvent, RecordedFill } from "@/lib/db/queries/order-record";
import type { OrderRow } from "@/lib/db/rows";
import type { OrderRecord, OrderSummary } from "@/lib/schemas/orders";
import { averagePrice, subtract } from "@/lib/units";

type Wallet = Pick<AccountRow, "address" | "funderAddress">;

/** An order as the interface shows it, without its biography. */
export function toSummary(row: OrderRow, account: Wallet): z.output<typeof OrderSummary> {
  return {
    userId: row.userId,
    address: account.address,
    funder_address: account.funderAddress,
    id: row.id,
    status: row.status,
    action: row.action,
    side: sideOf(row.outcome),
    type: row.type,
    tokenId: row.tokenId,
    marketId: row.marketId,
    price: row.price,
    shares: row.shares,
    amount: row.amount,
    filledShares: row.filledShares,
    remainingShares: row.shares === null ? null : subtract(row.shares, row.filledShares),
    avgFillPrice:
      row.filledShares === 0n ? null : averagePrice(row.filledNotional, row.filledShares),
    fee: row.fee,
    idempotencyKey: JSON.parse(row.idempotencyKeyJson) as string,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** The whole record: what the order is, what it traded, and what happened to it. */
export function toRecord(
  row: OrderRow,
  account: Wallet,
  fills: readonly RecordedFill[],
  events: readonly RecordedEvent[],
): z.output<typeof OrderRecord> {
  return {
    ...toSummary(row, account),
    fills: fills.map(({ id, tradeId, role, price, shares, notional, fee, createdAt }) => ({
      id,
      tradeId,
      role,
      price,
      shares,
      amount: notional,
      fee,
      createdAt,
    })),
    events: events.map(({ type, keyId, detail, createdAt }) => ({
      type,
      keyId,
      detail,
      createdAt,
    })),
  };
}

export const sideOf = (outcome: 0 | 1) => (outcome === 0 ? "YES" : "NO");
