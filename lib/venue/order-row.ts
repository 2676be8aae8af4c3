import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import type { RestingOrder } from "@/lib/domain/matching";
import { toBookPrice, toBookSide } from "@/lib/domain/settlement";
import type { LimitedOrder } from "@/lib/domain/limits";
import { assert } from "@/lib/errors";
import { NO_SHARES, NO_USDC, type Price, type Shares, shares, subtract, usdc } from "@/lib/units";
import type { Builder, OrderSubmission } from "@/lib/venue/port";

/** Sorts a new order after all others until the database assigns its sequence. */
const NEWEST = 2n ** 63n - 1n;

/** Builds the row of a submitted order that has not traded yet. Only a limit order has a price in the book. */
export function createOrderRow(
  submission: OrderSubmission,
  { epoch, price, held, status }: Pick<OrderRow, "epoch" | "price" | "held" | "status">,
): OrderRow {
  const { intent, conditions, market, outcome, receivedAt } = submission;
  const at = new Date(receivedAt);
  return {
    id: submission.orderId,
    userId: submission.userId,
    epoch,
    keyId: submission.keyId,
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    outcome,
    action: intent.action,
    type: intent.type,
    requestedType: submission.requestedType ?? null,
    price,
    shares: intent.shares,
    amount: intent.amount,
    status,
    filledShares: NO_SHARES,
    filledNotional: NO_USDC,
    fee: NO_USDC,
    held,
    bookSide: toBookSide(intent.action, outcome),
    bookPrice: intent.type === "limit" ? toBookPrice(outcome, intent.price) : null,
    sequence: NEWEST,
    isFillOrKill: conditions.isFillOrKill,
    isPostOnly: conditions.isPostOnly,
    expiresAt: conditions.expiresAt === null ? null : new Date(conditions.expiresAt),
    matchAfter: null,
    ...toBuilderColumns(submission.builder ?? null),
    origin: "ante",
    idempotencyKeyJson: JSON.stringify(submission.idempotencyKey),
    createdAt: at,
    updatedAt: at,
  };
}

/** The columns of an order's builder code and its fees. */
interface BuilderColumns {
  builderCode: string | null;
  builderTakerBps: number | null;
  builderMakerBps: number | null;
}

export const toBuilderColumns = (builder: Builder | null): BuilderColumns => ({
  builderCode: builder?.code ?? null,
  builderTakerBps: builder && Number(builder.takerBps),
  builderMakerBps: builder && Number(builder.makerBps),
});

/** Returns the builder code of an order, with its fees when it was placed; null without one. */
export function toBuilder({
  builderCode: code,
  builderTakerBps: takerBps,
  builderMakerBps: makerBps,
}: BuilderColumns): Builder | null {
  if (code === null || takerBps === null || makerBps === null) return null;
  return { code, takerBps: BigInt(takerBps), makerBps: BigInt(makerBps) };
}

/**
 * Describes the worst case of an order for its limits.
 *
 * @param terms.waits whether it waits for an approval, so that it is open for some time in any case.
 */
export function toLimitedOrder(
  { intent, market }: Pick<OrderSubmission, "intent" | "market">,
  {
    hold,
    limit,
    mid,
    waits,
  }: { hold: bigint; limit: Price | null; mid: Price | null; waits: boolean },
): LimitedOrder {
  return {
    action: intent.action,
    cost: intent.action === "BUY" ? usdc(hold) : NO_USDC,
    canRest: waits || intent.type === "limit",
    price: limit,
    mid,
    market,
  };
}

/** Returns the unfilled shares of an order; 0 for an order sized in USDC. */
export function computeRemainingShares(row: Pick<OrderRow, "shares" | "filledShares">): Shares {
  return row.shares === null ? shares(0n) : subtract(row.shares, row.filledShares);
}

/** Converts an open order to the form that matching uses. */
export function toResting(row: OrderRow): RestingOrder {
  assert(row.bookPrice !== null, `order ${row.id} rests at a price`);
  return {
    id: row.id,
    ownerId: row.userId,
    side: row.bookSide,
    price: row.bookPrice,
    remaining: computeRemainingShares(row),
    sequence: row.sequence,
  };
}
