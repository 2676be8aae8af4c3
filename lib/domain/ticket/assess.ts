import { type Budget } from "@/lib/domain/matching";
import type {
  OrderOptions,
  TicketContext,
  TicketOrder,
  TicketRules,
} from "@/lib/domain/ticket/context";
import type { Action } from "@/lib/domain/settlement";
import {
  computeWorstPrice,
  type Estimate,
  estimateFills,
  findBest,
} from "@/lib/domain/ticket/estimate";
import { chooseSizeField, type TicketForm } from "@/lib/domain/ticket/form";
import {
  findUnplaceable,
  type TicketBlock,
  type TicketIssue,
  type TicketWarning,
} from "@/lib/domain/ticket/issues";
import { formatCents, type PriceReading, readPrice } from "@/lib/domain/ticket/price-field";
import { refuseForFunds } from "@/lib/domain/ticket/funds";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { describePartialFill, findWarnings } from "@/lib/domain/ticket/warnings";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import { MAX_REQUEST_MICRO, notional, type Price, shares, usdc } from "@/lib/units";
import { addDay, isDay, toStartOfDay } from "@/lib/domain/days";
import { toInstant, toWallTime } from "@/lib/domain/wall-time";
import { LOT } from "@/lib/domain/lots";

export interface Assessment {
  block: TicketBlock | null;
  /** The problems, in the order of the fields. */
  issues: readonly TicketIssue[];
  warnings: readonly TicketWarning[];
  /** Null while size or price are invalid, or without a book. */
  estimate: Estimate | null;
  /** The order that the fields describe. It can be placed only without a block and issues. */
  order: TicketOrder | null;
}

/** The largest size of an order, in whole lots. */
const MOST = MAX_REQUEST_MICRO - (MAX_REQUEST_MICRO % LOT);

/** Validates and estimates a ticket. Browser and server share this function. */
export function assess(form: TicketForm, context: TicketContext): Assessment {
  const { rules, book } = context;
  const size = readSize(form, rules);
  const price = form.type === "limit" ? readPrice(form.price, rules.tick) : null;
  const { options, issues: expiryIssues } = readOptions(form, context);
  const issues = [...size.issues];
  if (price && price.kind !== "price") issues.unshift(createPriceIssue(price, rules.tick));
  const best = book ? findBest(book, form.action) : null;
  const limit = findLimit(form, context, price);
  const order: TicketOrder | null =
    size.budget && limit !== null
      ? { action: form.action, type: form.type, budget: size.budget, limit, options }
      : null;
  if (context.isAccepting && form.type === "market" && book && best === null) {
    issues.push({ kind: "no_liquidity", field: null, action: form.action });
  }
  const { feeRate, builderFees } = rules;
  const estimate = order && book ? estimateFills(book, { ...order, feeRate, builderFees }) : null;
  // The checks against the book and the funds don't depend on the expiry.
  const isPriced = issues.length === 0;
  issues.push(...expiryIssues);
  if (order && isPriced) {
    issues.push(
      ...findCrossingIssues(order, estimate?.first ?? null, rules),
      ...findUnfilled(order, estimate),
      ...refuseForFunds(order, estimate, context),
    );
  }
  return {
    block: findBlock(form, context),
    issues,
    warnings:
      order && estimate && !findUnplaceable(issues)
        ? findWarnings(order, estimate, context.funds)
        : [],
    estimate,
    order,
  };
}

function findBlock(form: TicketForm, context: TicketContext): TicketBlock | null {
  if (!context.isAccepting) return "not_accepting";
  if (context.isFrozen) return "frozen";
  // A market order's worst price comes from the book.
  const hasPrices = context.book !== null && !context.isBookDead;
  if (form.type === "market" && !hasPrices) return "book_dead";
  return context.funds === null ? "balance_unknown" : null;
}

/** Returns the typed limit, or the worst price of a market order; null while it is unknown. */
export function findLimit(
  { action, type, price }: Pick<TicketForm, "action" | "type" | "price">,
  { book, protection, rules }: TicketContext,
  typed: PriceReading | null = type === "limit" ? readPrice(price, rules.tick) : null,
): Price | null {
  if (typed) return typed.kind === "price" ? typed.price : null;
  const best = book ? findBest(book, action) : null;
  return best === null ? null : computeWorstPrice(action, best, { protection, tick: rules.tick });
}

/** Returns the problem of a price field's text. The ticket and the form that edits an order share it. */
export function createPriceIssue(
  reading: Exclude<PriceReading, { kind: "price" }>,
  tick: Price,
): TicketIssue {
  const field = "price";
  switch (reading.kind) {
    case "empty":
      return { kind: "price_missing", field };
    case "invalid":
      return { kind: "not_a_number", field };
    case "fraction": {
      const { meant } = reading;
      return { kind: "price_fraction", field, meant, fix: { field, text: formatCents(meant) } };
    }
    case "outside":
      return { kind: "price_outside", field, tick };
    case "off_grid":
      return { kind: "price_off_grid", field, tick, below: reading.below, above: reading.above };
  }
}

function readSize(
  form: TicketForm,
  rules: TicketRules,
): { budget: Budget | null; issues: TicketIssue[] } {
  const field = chooseSizeField(form);
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

/**
 * Returns the issues of an order for shares that would fill immediately. Post-only orders are rejected,
 * and a buy must reach the minimum of a market buy.
 */
function findCrossingIssues(
  { action, budget, limit, options }: TicketOrder,
  best: Price | null,
  rules: TicketRules,
): TicketIssue[] {
  if (budget.kind !== "shares" || best === null) return [];
  if (action === "BUY" ? limit < best : limit > best) return [];
  if (options.postOnly) return [refuseTrading(action, best, rules.tick)];
  if (action !== "BUY") return [];
  if (notional(budget.shares, limit, "up") >= rules.minBuyAmount) return [];
  return [{ kind: "crossing_below_min", field: "shares", minimum: rules.minBuyAmount }];
}

/** Offers the nearest price that would rest, if the grid has one. */
function refuseTrading(action: Action, best: Price, tick: Price): TicketIssue {
  const resting = action === "BUY" ? best - tick : best + tick;
  const limit = action === "BUY" ? floorToGrid(resting, tick) : ceilToGrid(resting, tick);
  const issue = { kind: "would_trade", field: "postOnly", action } as const;
  const isOnBook = action === "BUY" ? limit < best : limit > best;
  return isOnBook ? { ...issue, fix: { field: "price", text: formatCents(limit) } } : issue;
}

function findUnfilled(order: TicketOrder, estimate: Estimate | null): TicketIssue[] {
  if (order.options.timeInForce !== "FOK" || !estimate) return [];
  if (estimate.isComplete) return [];
  return [{ kind: "not_in_full", field: "fillOrKill", ...describePartialFill(order, estimate) }];
}

/** Browsers append seconds that aren't zero. A browser without the field type sends the typed text. */
const WALL_TIME = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Returns the order options of a form, and the issues of its expiry. */
function readOptions(
  form: TicketForm,
  { zone, now, rules }: Pick<TicketContext, "zone" | "now" | "rules">,
): { options: OrderOptions; issues: TicketIssue[] } {
  if (form.type === "market") {
    const timeInForce = form.fillOrKill && canFillOrKill(form, rules) ? "FOK" : "FAK";
    return { options: { timeInForce, expiresAt: null, postOnly: false }, issues: [] };
  }
  const { postOnly } = form;
  if (form.expiry === "never") {
    return { options: { timeInForce: "GTC", expiresAt: null, postOnly }, issues: [] };
  }
  const at = form.expiry === "today" ? getEndOfToday(now, zone) : readExpiry(form.expires, zone);
  const expiresAt = at === null ? null : new Date(at).toISOString();
  const options = { timeInForce: "GTD", expiresAt, postOnly } as const;
  if (at === null) return { options, issues: [{ kind: "expiry_missing", field: "expires" }] };
  const { minLifeMs } = rules;
  if (at > now && at - now >= minLifeMs) return { options, issues: [] };
  return { options, issues: [{ kind: "expiry_too_soon", field: "expires", minLifeMs }] };
}

/** Whether the order can be all-or-nothing at its venue. */
export function canFillOrKill(form: TicketForm, rules: TicketRules): boolean {
  const isBuyOfShares = form.action === "BUY" && chooseSizeField(form) === "shares";
  return form.type === "market" && (rules.takesFokOfShares || !isBuyOfShares);
}

function getEndOfToday(now: number, zone: string): number {
  return toStartOfDay(addDay(toWallTime(now, zone).slice(0, 10)), zone);
}

function readExpiry(text: string, zone: string): number | null {
  const [, day] = WALL_TIME.exec(text) ?? [];
  return day !== undefined && isDay(day) ? toInstant(text.replace(" ", "T"), zone) : null;
}
