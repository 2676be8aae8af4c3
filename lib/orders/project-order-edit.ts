import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  findBestAsk,
  findBestBid,
  mirrorBook,
  type OutcomeBook,
  readBook,
} from "@/lib/domain/ticket/book";
import type { TicketRules } from "@/lib/domain/ticket/context";
import {
  type AccountPart,
  type EditProjection,
  projectEdit,
} from "@/lib/domain/ticket/project-edit";
import { toContext } from "@/lib/domain/ticket/wire";
import { isCancelable } from "@/lib/domain/order-status";
import { assert } from "@/lib/errors";
import { getBook } from "@/lib/markets/get-book";
import { getMarket } from "@/lib/markets/get-market";
import { requireOrder } from "@/lib/orders/get-order";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";
import { Market, OrderBook } from "@/lib/schemas/markets";
import { TicketAccount } from "@/lib/schemas/ticket";
import { NO_SHARES, NO_USDC, type Price, type Shares, shares, subtract, usdc } from "@/lib/units";

/** The new terms of an order. The size includes what it has filled. */
export interface EditTerms {
  price: Price;
  shares: Shares;
}

/** An open limit order in its market and account, and what an edit would do. */
export interface OrderEdit {
  action: "BUY" | "SELL";
  filled: Shares;
  open: Shares;
  rules: TicketRules;
  /** The best prices of the order's outcome. */
  bid: BestPrice;
  ask: BestPrice;
  /** The account before the edit. */
  now: AccountPart;
  /** Null without new terms. */
  projection: EditProjection | null;
}

interface BestPrice {
  price: Price | null;
  /** Whether only orders of the account are at the price. */
  isOwn: boolean;
}

/**
 * Projects an edit of the caller's open order with the ticket's data and estimate. Nothing changes.
 *
 * @param terms null or the order's own terms for the state now.
 */
export async function projectOrderEdit(
  principal: Principal,
  orderId: string,
  terms: EditTerms | null,
): Promise<OrderEdit> {
  const order = await requireOrder(await getDb(), principal, orderId);
  const { action, marketId, outcome, filledShares } = order;
  const { book, others, rules, funds } = await readMarket(principal, marketId, outcome);
  const size = order.shares ?? NO_SHARES;
  const open = subtract(size, filledShares);
  const isHeld = isCancelable(order.status);
  const account = {
    cash: funds.available,
    free: funds.free,
    reserved: action === "BUY" ? usdc(order.held) : NO_USDC,
    reservedShares: action === "SELL" && isHeld ? shares(order.held) : NO_SHARES,
  };
  const isSame = terms === null || (terms.price === order.price && terms.shares === size);
  const projection = isSame
    ? null
    : projectEdit(
        { action, postOnly: order.isPostOnly, ...account },
        { limit: terms.price, open: subtract(terms.shares, filledShares) },
        { book: others, rules, funds },
      );
  const find = (best: Price | null, levels: OutcomeBook["bids"]): BestPrice => ({
    price: best,
    isOwn: best !== null && !levels.some((level) => level.price === best),
  });
  return {
    action,
    filled: filledShares,
    open,
    rules,
    bid: find(findBestBid(book), others.bids),
    ask: find(findBestAsk(book), others.asks),
    now: account,
    projection,
  };
}

/** Reads a market as the ticket does: the whole book of an outcome, that of the other users, rules and funds. */
async function readMarket(principal: Principal, marketId: string, outcome: 0 | 1) {
  const [{ rules: _, resolutionSource: __, resolvesAt: ___, ...market }, whole, account] =
    await Promise.all([
      getMarket(principal, marketId),
      getBook(principal, marketId, undefined),
      getTicketAccount(principal, marketId),
    ]);
  const book = z.encode(OrderBook, whole);
  const facts = {
    mode: principal.mode,
    market: z.encode(Market, market),
    book,
    isBookDead: false,
    account: z.encode(TicketAccount, account),
    // Only market orders and expiries depend on these.
    protectionCents: 0,
    zone: "UTC",
    now: now(),
  };
  const { book: others, rules, funds } = toContext(facts, outcome);
  assert(others && funds, "the book and the account were read");
  const first = readBook(book);
  return { book: outcome === 1 ? mirrorBook(first) : first, others, rules, funds };
}
