import "server-only";
import { estimateOn } from "@/lib/domain/order-estimate";
import { AppError } from "@/lib/errors";
import { loadFreshBook } from "@/lib/venue/polymarket/books";
import { asRemoteMarket } from "@/lib/venue/polymarket/markets";
import type { OrderEstimate, OrderSubmission } from "@/lib/venue/port";

/** What an order would do to the venue's book as it is now. Nothing is sent. */
export async function estimateRemoteOrder(submission: OrderSubmission): Promise<OrderEstimate> {
  const market = asRemoteMarket(submission.market);
  if (market.state.status !== "open") {
    throw new AppError("MARKET_CLOSED", "this market takes no orders now");
  }
  return estimateOn(submission, market, await loadFreshBook(market));
}
