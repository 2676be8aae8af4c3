import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { estimateFills } from "@/lib/domain/ticket/estimate";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { getTicketBook } from "@/lib/orders/ticket-book";
import type { Price } from "@/lib/units";
import { hasMovedAgainst } from "@/lib/domain/ticket/must-review";

/**
 * Returns the current average price of an order if it is worse than the shown average; null if it
 * isn't, or if nothing would fill.
 */
export async function movedAverage(
  principal: Principal,
  { marketId, body }: { marketId: string; body: PlaceOrderBody },
  shown: Price,
): Promise<Price | null> {
  const { action, tokenId, price: limit, amount, shares } = body;
  if (limit === undefined) return null;
  const book = await getTicketBook(principal, marketId, tokenId);
  const budget =
    amount === undefined
      ? shares && ({ kind: "shares", shares } as const)
      : ({ kind: "amount", amount } as const);
  if (!budget) return null;
  const { average } = estimateFills(book, { action, limit, budget, feeRate: 0n });
  return average !== null && hasMovedAgainst(action, shown, average) ? average : null;
}
