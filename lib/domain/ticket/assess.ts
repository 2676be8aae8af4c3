import { type Budget, LOT } from "@/lib/domain/matching";
import type { TicketContext, TicketOrder, TicketRules } from "@/lib/domain/ticket/context";
import { bestFor, type Estimate, estimateFills, worstPrice } from "@/lib/domain/ticket/estimate";
import { sizeField, type TicketForm } from "@/lib/domain/ticket/form";
import {
  findUnplaceable,
  type TicketBlock,
  type TicketIssue,
  type TicketWarning,
} from "@/lib/domain/ticket/issues";
import { centsText, type PriceReading, readPrice } from "@/lib/domain/ticket/price-field";
import { refuseForFunds } from "@/lib/domain/ticket/funds";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { warnAbout } from "@/lib/domain/ticket/warnings";
import { MAX_REQUEST_MICRO, notional, type Price, shares, usdc } from "@/lib/units";

export interface Assessment {
  block: TicketBlock | null;
  /** What stands in the way, in the order of the fields. */
  issues: readonly TicketIssue[];
  warnings: readonly TicketWarning[];
  /** Null as long as size or price cannot be read, or there is no book. */
  estimate: Estimate | null;
  /** The order that the fields describe; to be placed only without block and issues. */
  order: TicketOrder | null;
}

/** The most that an order may name, in the lots that sizes come in. */
const MOST = MAX_REQUEST_MICRO - (MAX_REQUEST_MICRO % LOT);

/** Everything that can be said of a ticket: the one place where client and server judge it. */
export function assess(form: TicketForm, context: TicketContext): Assessment {
  const { rules, book } = context;
  const size = readSize(form, rules);
  const price = form.type === "limit" ? readPrice(form.price, rules.tick) : null;
  const issues = [...priceIssues(price, rules.tick), ...size.issues];
  const best = book ? bestFor(book, form.action) : null;
  const limit = limitOf(form, price, best, context);
  const order: TicketOrder | null =
    size.budget && limit !== null
      ? { action: form.action, type: form.type, budget: size.budget, limit }
      : null;
  if (context.isAccepting && form.type === "market" && book && best === null) {
    issues.push({ kind: "no_liquidity", field: null, action: form.action });
  }
  const estimate = order && book ? estimateFills(book, { ...order, feeRate: rules.feeRate }) : null;
  if (order && issues.length === 0) {
    issues.push(...crossingIssues(order, best, rules), ...refuseForFunds(order, best, context));
  }
  return {
    block: blockOf(form, context),
    issues,
    warnings:
      order && estimate && !findUnplaceable(issues)
        ? warnAbout(order, estimate, context.funds)
        : [],
    estimate,
    order,
  };
}

function blockOf(form: TicketForm, context: TicketContext): TicketBlock | null {
  if (!context.isAccepting) return "not_accepting";
  // A market order's worst price comes from the book.
  const hasPrices = context.book !== null && !context.isBookDead;
  if (form.type === "market" && !hasPrices) return "book_dead";
  return context.funds === null ? "balance_unknown" : null;
}

function limitOf(
  form: TicketForm,
  reading: PriceReading | null,
  best: Price | null,
  { protection, rules }: TicketContext,
): Price | null {
  if (reading) return reading.kind === "price" ? reading.price : null;
  return best === null ? null : worstPrice(form.action, best, { protection, tick: rules.tick });
}

function priceIssues(reading: PriceReading | null, tick: Price): TicketIssue[] {
  switch (reading?.kind) {
    case "empty":
      return [{ kind: "price_missing", field: "price" }];
    case "invalid":
      return [{ kind: "not_a_number", field: "price" }];
    case "fraction": {
      const fix = { field: "price", text: centsText(reading.meant) } as const;
      return [{ kind: "price_fraction", field: "price", meant: reading.meant, fix }];
    }
    case "outside":
      return [{ kind: "price_outside", field: "price", tick }];
    case "off_grid": {
      const { below, above } = reading;
      return [{ kind: "price_off_grid", field: "price", tick, below, above }];
    }
    default:
      return [];
  }
}

function readSize(
  form: TicketForm,
  rules: TicketRules,
): { budget: Budget | null; issues: TicketIssue[] } {
  const field = sizeField(form);
  const typed = readTyped(form[field], true);
  const refused = (issue: TicketIssue) => ({ budget: null, issues: [issue] });
  if (typed.kind === "invalid") return refused({ kind: "not_a_number", field });
  if (typed.kind === "too_large" || (typed.kind === "number" && typed.micro > MOST))
    return refused({ kind: "too_large", field, most: MOST });
  if (typed.kind === "empty" || typed.micro === 0n) return refused({ kind: "size_missing", field });
  if (typed.micro % LOT !== 0n || typed.decimals > 2)
    return refused({ kind: "too_precise", field });
  if (field === "amount") {
    const isSmall = typed.micro < rules.minBuyAmount;
    const issue: TicketIssue = { kind: "below_min_buy", field, minimum: rules.minBuyAmount };
    return {
      budget: { kind: "amount", amount: usdc(typed.micro) },
      issues: isSmall ? [issue] : [],
    };
  }
  const isSmall = form.type === "limit" && typed.micro < rules.minOrderShares;
  const issue: TicketIssue = { kind: "below_min_shares", field, minimum: rules.minOrderShares };
  return {
    budget: { kind: "shares", shares: shares(typed.micro) },
    issues: isSmall ? [issue] : [],
  };
}

/** A limit buy that fills at once is bound to the same minimum as a market buy. */
function crossingIssues(
  { action, type, budget, limit }: TicketOrder,
  best: Price | null,
  rules: TicketRules,
): TicketIssue[] {
  if (action !== "BUY" || type !== "limit" || budget.kind !== "shares") return [];
  if (best === null || limit < best) return [];
  if (notional(budget.shares, limit, "up") >= rules.minBuyAmount) return [];
  return [{ kind: "crossing_below_min", field: "shares", minimum: rules.minBuyAmount }];
}
