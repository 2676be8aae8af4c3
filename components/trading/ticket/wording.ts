import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import { formatInstant } from "@/components/format/times";
import type { Action } from "@/lib/domain/settlement";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Fix, TicketBlock, TicketIssue, TicketWarning } from "@/lib/domain/ticket/issues";
import type { Projection } from "@/lib/domain/ticket/projection";
import { formatMicro, microToNumber, ONE, type Price, type Shares, subtract } from "@/lib/units";

/** Words for what the ticket finds; the same on the server and in the browser. */

/** A price of the market's own grid: 62¢, 62.5¢. */
export function priceText(at: Price, tick: Price): string {
  return formatPrice(microToNumber(at), formatMicro(tick));
}

/** An average has one decimal more than the grid: 62.4¢. */
export function averageText(at: Price, tick: Price): string {
  return formatPrice(microToNumber(at), formatMicro(tick), 1);
}

/** Money a user has or gets is rounded down, money a user pays up. */
export function moneyText(micro: bigint, rounding: "down" | "up"): string {
  return formatMoney(microToNumber(micro), rounding);
}

export function sharesText(size: bigint): string {
  return formatShares(microToNumber(size));
}

export function issueText(issue: TicketIssue): string {
  switch (issue.kind) {
    case "size_missing":
      return issue.field === "amount" ? "Enter an amount." : "Enter a number of shares.";
    case "not_a_number":
      return "Enter a number, like 25 or 25.50.";
    case "too_large":
      return issue.field === "amount"
        ? `That is too large a number. No order is for more than ${moneyText(issue.most, "down")}.`
        : `That is too large a number. No order is for more than ${sharesText(issue.most)} shares.`;
    case "price_missing":
      return "Enter a limit price.";
    case "price_fraction":
      return `Prices are in cents. Did you mean ${priceText(issue.meant, issue.meant)}?`;
    case "price_outside": {
      const highest = subtract(ONE, issue.tick);
      const [from, to] = [priceText(issue.tick, issue.tick), priceText(highest, issue.tick)];
      return `Price must be between ${from} and ${to}.`;
    }
    case "price_off_grid": {
      const [step, below, above] = [issue.tick, issue.below, issue.above].map((at) =>
        priceText(at, issue.tick),
      );
      return `This market trades in steps of ${step}. Use ${below} or ${above}.`;
    }
    case "below_min_shares":
      return `Minimum order is ${sharesText(issue.minimum)} shares.`;
    case "below_min_buy":
      return `Minimum market buy is ${moneyText(issue.minimum, "up")}.`;
    case "crossing_below_min":
      return `A buy that fills at once needs at least ${moneyText(issue.minimum, "up")}.`;
    case "cash_short":
      return `You have ${moneyText(issue.available, "down")} available. This order needs up to ${moneyText(issue.needed, "up")}.`;
    case "shares_short":
      return `You can sell ${sharesText(issue.free)} shares.${reservedText(issue.reserved)}`;
    case "allowance_short":
      return "USDC spending isn't approved for this order.";
    case "too_precise":
      return "Use at most 2 decimals.";
    case "no_liquidity":
      return `No one is ${issue.action === "BUY" ? "selling" : "buying"} right now. Use a limit order.`;
  }
}

/** What the button says that puts the fix into its field. */
export function fixLabel(of: { kind: string; fix?: Fix }): string | null {
  const { fix } = of;
  if (!fix) return null;
  if (of.kind === "cash_short" || of.kind === "shares_short") return "Use max";
  const value = Number(fix.text);
  if (fix.field === "price") return `Use ${fix.text}¢`;
  return `Use ${fix.field === "amount" ? formatMoney(value) : formatShares(value)}`;
}

export function warningText(warning: TicketWarning, tick: Price): string {
  switch (warning.kind) {
    case "partial":
      return partialText(warning, tick);
    case "impact": {
      const side = warning.action === "BUY" ? "above" : "below";
      return `This order moves the average to ${averageText(warning.average, tick)}, ${averageText(warning.impact, tick)} ${side} the best price.`;
    }
    case "fills_now":
      return `Fills now: ${sharesText(warning.shares)} shares at about ${averageText(warning.average, tick)}.`;
    case "far_limit": {
      const where = warning.action === "BUY" ? "above the best offer" : "below the best bid";
      return `Your limit is ${priceText(warning.distance, tick)} ${where}. Check the price.`;
    }
    case "allowance_unknown":
      return "We can't confirm spending approval.";
  }
}

function partialText(warning: Extract<TicketWarning, { kind: "partial" }>, tick: Price): string {
  const limit = priceText(warning.limit, tick);
  const { fillable, wanted } = warning;
  if (warning.fix.field === "amount") {
    const [part, all] = [moneyText(fillable, "up"), moneyText(wanted, "up")];
    return `Only ${part} of ${all} can fill at ${limit} or better. The rest won't be bought.`;
  }
  const [part, all] = [sharesText(fillable), sharesText(wanted)];
  const verb = warning.action === "BUY" ? "bought" : "sold";
  return `Only ${part} of ${all} shares can fill at ${limit} or better. The rest won't be ${verb}.`;
}

export function blockText(block: TicketBlock): string {
  switch (block) {
    case "not_accepting":
      return `${THIS_MARKET} isn't accepting orders.`;
    case "book_dead":
      return "Prices are out of date. Use a limit order or wait for live prices.";
    case "balance_unknown":
      return "Checking your balance…";
  }
}

/** How the reader's clock is shown. */
export type Clock = Parameters<typeof formatInstant>[1];

/** Why a market takes no orders. One that only pauses has its end before it. */
export function closedText(closesAt: string, clock: Clock, market = THIS_MARKET): string {
  const isPast = Date.parse(closesAt) <= Date.now();
  return isPast
    ? `${market} closed on ${formatInstant(closesAt, clock)}.`
    : `${market} isn't accepting orders.`;
}

const THIS_MARKET = "This market";

export const INVALID_KEY_TEXT = "Reload the page and try again.";
export const UNKNOWN_TEXT =
  "We don't know yet whether this order was placed. Don't place it again.";

export function verbOf(action: Action): "Buy" | "Sell" {
  return action === "BUY" ? "Buy" : "Sell";
}

function reservedText(reserved: Shares): string {
  return reserved === 0n ? "" : ` ${sharesText(reserved)} are in open orders.`;
}

/** An order's fields in words, as it will be sent. */
export function orderWords({ action, type, budget, limit }: TicketOrder, tick: Price): string {
  const verb = action === "BUY" ? "buy" : "sell";
  const size =
    budget.kind === "amount"
      ? `for ${moneyText(budget.amount, "up")}`
      : `of ${sharesText(budget.shares)} shares`;
  return type === "market"
    ? `Market ${verb} ${size}. Fills at ${priceText(limit, tick)} or better at once; the rest is dropped.`
    : `Limit ${verb} ${size} at ${priceText(limit, tick)} or better. What does not fill at once waits until you cancel it.`;
}

interface Submittable {
  order: TicketOrder | null;
  projection: Projection | null;
  outcome: string;
  tick: Price;
}

/** What the ticket's button will do, as far as the fields say it: "buy 160.31 Yes for ≈ $100.00". */
export function deedText(
  action: Action,
  { order, projection, outcome, tick }: Submittable,
): string {
  const verb = verbOf(action).toLowerCase();
  if (!order || !projection || projection.shares === 0n) return `${verb} ${outcome}`;
  const size = `${verb} ${sharesText(projection.shares)} ${outcome}`;
  if (order.type === "limit") return `${size} at ${priceText(order.limit, tick)}`;
  return `${size} for ≈ ${moneyText(projection.money, action === "BUY" ? "up" : "down")}`;
}
