import type { TicketContext, TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import { type Estimate, estimateFills } from "@/lib/domain/ticket/estimate";
import { computeNeed, refuseForFunds } from "@/lib/domain/ticket/funds";
import type { TicketIssue } from "@/lib/domain/ticket/issues";
import { project, type Projection } from "@/lib/domain/ticket/projection";
import {
  add,
  NO_SHARES,
  NO_USDC,
  ONE,
  type Price,
  type Shares,
  subtract,
  type Usdc,
} from "@/lib/units";

/** An open order that an edit cancels: its side, and what it reserves. */
export interface ReservingOrder {
  action: TicketOrder["action"];
  postOnly: boolean;
  /** The USDC that a buy reserves. */
  reserved: Usdc;
  /** The shares that a sell reserves. */
  reservedShares: Shares;
}

/** The available funds of an account, and those that one of its orders reserves. */
export interface AccountPart {
  cash: Usdc;
  free: Shares;
  reserved: Usdc;
  reservedShares: Shares;
}

export interface EditProjection {
  order: TicketOrder;
  estimate: Estimate;
  projection: Projection;
  /** The account after the immediate fills of the changed order. */
  after: AccountPart;
  /** Why the account can't pay for the changed order. */
  issues: readonly TicketIssue[];
}

type EditContext = Pick<TicketContext, "book" | "rules"> & { funds: TicketFunds };

/**
 * Projects an edit on the ticket's book: the open order is canceled, and its open part placed at new terms.
 * Null without a book, and for terms that no order has.
 */
export function projectEdit(
  old: ReservingOrder,
  { limit, open }: { limit: Price; open: Shares },
  { book, rules, funds }: EditContext,
): EditProjection | null {
  if (!book || open <= 0n || limit <= 0n || limit >= ONE) return null;
  const { action, postOnly } = old;
  const order: TicketOrder = {
    action,
    type: "limit",
    limit,
    budget: { kind: "shares", shares: open },
    options: { timeInForce: "GTC", expiresAt: null, postOnly },
  };
  const freed = {
    ...funds,
    available: add(funds.available, old.reserved),
    approved: funds.approved === null ? null : add(funds.approved, old.reserved),
    free: add(funds.free, old.reservedShares),
    reserved: subtract(funds.reserved, old.reservedShares),
  };
  const { feeRate, builderFees } = rules;
  const estimate = estimateFills(book, { ...order, feeRate, builderFees });
  const projection = project(order, estimate, { rules, funds: freed });
  const { resting } = projection;
  const isBuy = action === "BUY";
  const rest = { ...order, budget: { kind: "shares", shares: resting } } as const;
  const reserved = isBuy ? computeNeed(rest, null, rules) : NO_USDC;
  const spent = add(estimate.amount, estimate.fee);
  return {
    order,
    estimate,
    projection,
    after: {
      cash: isBuy
        ? subtract(subtract(freed.available, spent), reserved)
        : subtract(add(freed.available, estimate.amount), estimate.fee),
      free: isBuy ? add(freed.free, estimate.filled) : subtract(freed.free, open),
      reserved,
      reservedShares: isBuy ? NO_SHARES : resting,
    },
    issues: refuseForFunds(order, estimate, { book, rules, funds: freed }),
  };
}
