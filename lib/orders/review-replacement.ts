import "server-only";
import type { Principal } from "@/lib/auth/principal";
import type { Action } from "@/lib/domain/settlement";
import { type Estimate, estimateFills } from "@/lib/domain/ticket/estimate";
import type { TicketWarning } from "@/lib/domain/ticket/issues";
import { hasMovedAgainst } from "@/lib/domain/ticket/must-review";
import { findWarnings } from "@/lib/domain/ticket/warnings";
import { checkReplacement, type ReplaceRequest } from "@/lib/orders/replace-order";
import { getTicketBook } from "@/lib/orders/ticket-book";
import { type Price, type Shares, subtract } from "@/lib/units";
import { getVenue } from "@/lib/venues";

/** The part of the new order that would fill immediately. */
export interface ReplacementReview {
  action: Action;
  tick: Price;
  /** The ticket's warnings about the same order. */
  warnings: readonly TicketWarning[];
  estimate: Estimate;
  average: Price;
  /** The shares that would stay open. */
  resting: Shares;
}

/** The terms and the average price that the user has confirmed. */
export interface ConfirmedTerms {
  price: Price;
  shares: Shares;
  average: Price;
}

/**
 * Reviews a change of an open order with the ticket's check. Nothing changes.
 *
 * @param confirmed what the user has confirmed before, or null.
 * @returns null if there is nothing to confirm: nothing would fill immediately, the change has started
 *   or can't start, or the user has confirmed these terms at this price or a worse one.
 * @throws as `replaceOrder` does.
 */
export async function reviewReplacement(
  principal: Principal,
  request: ReplaceRequest,
  confirmed: ConfirmedTerms | null,
): Promise<ReplacementReview | null> {
  const checked = await checkReplacement(principal, request);
  if (checked.state !== "startable") return null;
  const { order, submission } = checked;
  const { action, marketId, tokenId, filledShares } = order;
  const { tick, feeRate } = submission.market;
  const rest = subtract(request.shares, filledShares);
  const terms = { action, limit: request.price, budget: { kind: "shares", shares: rest } } as const;
  const venue = getVenue(principal.mode);
  const builder = venue.kind === "remote" ? await venue.getBuilder() : null;
  const estimate = estimateFills(await getTicketBook(principal, marketId, tokenId), {
    ...terms,
    feeRate,
    builderFees: builder ?? undefined,
  });
  const { average } = estimate;
  if (average === null) return null;
  const isConfirmed =
    confirmed !== null &&
    confirmed.price === request.price &&
    confirmed.shares === request.shares &&
    !hasMovedAgainst(action, confirmed.average, average);
  if (isConfirmed) return null;
  const warnings = findWarnings({ ...terms, type: "limit" }, estimate, null);
  return { action, tick, warnings, estimate, average, resting: subtract(rest, estimate.filled) };
}
