import {
  formatMoney,
  formatOrderPrice,
  formatPrice,
  formatShares,
  type MoneyRounding,
} from "@/components/format/numbers";
import { formatInstant } from "@/components/format/times";
import type { Action } from "@/lib/domain/settlement";
import type { OwnOrder } from "@/lib/domain/ticket/book";
import type { TicketOrder, TicketRules } from "@/lib/domain/ticket/context";
import type {
  Fix,
  PartialFill,
  TicketBlock,
  TicketIssue,
  TicketWarning,
} from "@/lib/domain/ticket/issues";
import type { Projection } from "@/lib/domain/ticket/projection";
import { formatMicro, microToNumber, ONE, type Price, type Shares, subtract } from "@/lib/units";

const MINUTE_MS = 60_000;
/** In micro-USDC. */
const CENT = 10_000n;

/** Formats a price on the market's grid: 62¢, 62.5¢. */
export function formatTickPrice(at: Price, tick: Price): string {
  return formatOrderPrice(microToNumber(at), formatMicro(tick));
}

/** Formats an average price, with one decimal more than the grid: 62.4¢. */
export function formatAverage(at: Price, tick: Price): string {
  return formatPrice(microToNumber(at), formatMicro(tick), 1);
}

/** Formats money. Round up what an order needs, and down what there is of it or what it yields at least. */
export function formatMicroMoney(micro: bigint, rounding: MoneyRounding = "nearest"): string {
  return formatMoney(microToNumber(micro), rounding);
}

export function formatMicroShares(size: bigint): string {
  return formatShares(microToNumber(size));
}

export function describeIssue(issue: TicketIssue): string {
  switch (issue.kind) {
    case "size_missing":
      return issue.field === "amount" ? "Enter an amount." : "Enter a number of shares.";
    case "not_a_number":
      return "Enter a number, like 25 or 25.50.";
    case "too_large":
      return issue.field === "amount"
        ? `The maximum order is ${formatMicroMoney(issue.most, "down")}.`
        : `The maximum order is ${formatMicroShares(issue.most)} shares.`;
    case "price_missing":
      return "Enter a limit price.";
    case "price_fraction":
      return `Prices are in cents. Did you mean ${formatTickPrice(issue.meant, issue.meant)}?`;
    case "price_outside": {
      const highest = subtract(ONE, issue.tick);
      const [from, to] = [
        formatTickPrice(issue.tick, issue.tick),
        formatTickPrice(highest, issue.tick),
      ];
      return `Price must be between ${from} and ${to}.`;
    }
    case "price_off_grid": {
      const [step, below, above] = [issue.tick, issue.below, issue.above].map((at) =>
        formatTickPrice(at, issue.tick),
      );
      return `This market trades in steps of ${step}. Use ${below} or ${above}.`;
    }
    case "below_min_shares":
      return `Minimum order is ${formatMicroShares(issue.minimum)} shares.`;
    case "below_min_buy":
      return `Minimum market buy is ${formatMicroMoney(issue.minimum, "up")}.`;
    case "crossing_below_min":
      return `A buy that fills immediately must be at least ${formatMicroMoney(issue.minimum, "up")}.`;
    case "cash_short": {
      const { available, needed } = issue;
      // As on the rest of the page, but never so that both look equal.
      const has = formatMicroMoney(available, needed - available < CENT ? "down" : "nearest");
      return `You have ${has} available. This order needs up to ${formatMicroMoney(needed, "up")}.`;
    }
    case "shares_short":
      return `You can sell ${formatMicroShares(issue.free)} shares.${describeReserved(issue.reserved)}`;
    case "allowance_short":
      return "USDC spending isn’t approved for this order.";
    case "too_precise":
      return "Use at most 2 decimals.";
    case "expiry_missing":
      return "Choose a date and time.";
    case "expiry_too_soon":
      return issue.minLifeMs === 0
        ? "Choose a time in the future."
        : `Choose a time at least ${Math.ceil(issue.minLifeMs / MINUTE_MS)} minutes from now.`;
    case "would_trade":
      return `This order would fill immediately. ${issue.action === "BUY" ? "Lower" : "Raise"} the price, or turn off post only.`;
    case "not_in_full":
      return `Only ${formatFillable(issue)} can fill within the worst price.`;
    case "refused":
      return issue.text;
    case "no_liquidity":
      return `No one is ${issue.action === "BUY" ? "selling" : "buying"} right now. Use a limit order.`;
  }
}

/** Returns the label of the button that applies a fix. */
export function formatFixLabel(of: { kind: string; fix?: Fix }): string | null {
  const { fix } = of;
  if (!fix) return null;
  if (of.kind === "cash_short" || of.kind === "shares_short") return "Use max";
  const value = Number(fix.text);
  if (fix.field === "price") return `Use ${fix.text}¢`;
  if (fix.field === "amount") return `Use ${formatMoney(value)}`;
  return `Use ${formatShares(value)} shares`;
}

export function describeWarning(warning: TicketWarning, tick: Price): string {
  switch (warning.kind) {
    case "partial":
      return describePartial(warning, tick);
    case "impact": {
      const side = warning.action === "BUY" ? "above" : "below";
      const verb = warning.action === "BUY" ? "pay" : "receive";
      return `You’ll ${verb} ${formatAverage(warning.average, tick)} on average, ${formatAverage(warning.impact, tick)} ${side} the best price.`;
    }
    case "fills_now":
      return `Fills now: ${formatMicroShares(warning.shares)} shares at about ${formatAverage(warning.average, tick)}.`;
    case "far_limit": {
      const where = warning.action === "BUY" ? "above the best offer" : "below the best bid";
      return `Your limit is ${formatTickPrice(warning.distance, tick)} ${where}. Check the price.`;
    }
    case "cancels_own":
      return describeCanceled(warning.orders, tick);
    case "allowance_unknown":
      return "We can’t confirm spending approval.";
  }
}

/** "Cancels your buy of Yes at 30¢ and your sell of No at 71¢." */
function describeCanceled(orders: readonly OwnOrder[], tick: Price): string {
  // An account can have hundreds of orders in a market.
  if (orders.length > 3) return `Cancels ${orders.length} of your orders.`;
  const texts = orders.map(
    ({ wire: { action, outcome, price } }) =>
      `your ${action.toLowerCase()} of ${outcome} at ${formatOrderPrice(price, formatMicro(tick))}`,
  );
  return `Cancels ${texts.join(" and ")}.`;
}

function describePartial(fill: PartialFill, tick: Price): string {
  const verb = fill.action === "BUY" ? "bought" : "sold";
  return `Only ${formatFillable(fill)} can fill at ${formatTickPrice(fill.limit, tick)} or better. The rest won’t be ${verb}.`;
}

/** $544.50 of $1,000.00 */
function formatFillable({ fillable, requested, fix }: PartialFill): string {
  return fix.field === "amount"
    ? `${formatMicroMoney(fillable, "up")} of ${formatMicroMoney(requested)}`
    : `${formatMicroShares(fillable)} of ${formatMicroShares(requested)} shares`;
}

export function describeBlock(block: TicketBlock): string {
  switch (block) {
    case "not_accepting":
      return `${THIS_MARKET} isn’t accepting orders.`;
    case "frozen":
      return "Trading is frozen. Thaw it to place orders.";
    case "cut_off":
      return "You can’t place orders until the connection is back.";
    case "book_dead":
      return "Prices are out of date. Use a limit order or wait for live prices.";
    case "balance_unknown":
      return "Checking your balance…";
  }
}

/** The user's time zone and clock format. */
export type Clock = Parameters<typeof formatInstant>[1];

/** Explains why a market doesn't accept orders: it has closed, or it is paused before its close. */
export function describeClosed(closesAt: string, clock: Clock, market = THIS_MARKET): string {
  const isPast = Date.parse(closesAt) <= Date.now();
  return isPast
    ? `${market} closed on ${formatInstant(closesAt, clock)}.`
    : `${market} isn’t accepting orders.`;
}

const THIS_MARKET = "This market";

export const INVALID_KEY_TEXT = "Reload the page and try again.";
export const UNKNOWN_TEXT =
  "We don’t know yet whether this order was placed. Don’t place it again.";

export function getVerb(action: Action): "Buy" | "Sell" {
  return action === "BUY" ? "Buy" : "Sell";
}

function describeReserved(reserved: Shares): string {
  return reserved === 0n ? "" : ` ${formatMicroShares(reserved)} are in open orders.`;
}

export type FeeRules = Pick<TicketRules, "feeRate" | "builderFees">;

/** Whether a fee can come on top of an order's amount. */
export const hasFees = ({ feeRate, builderFees }: FeeRules) =>
  feeRate > 0n || builderFees !== undefined;

/** Lists the options of an open order: "Expires 24 Nov, 12:00", "Post only". */
export function listOptionTexts(
  { expiresAt, postOnly }: { expiresAt: string | null; postOnly: boolean },
  clock: Clock,
): string[] {
  return [
    ...(expiresAt === null ? [] : [`Expires ${formatInstant(expiresAt, clock)}`]),
    ...(postOnly ? ["Post only"] : []),
  ];
}

interface Submittable {
  order: TicketOrder | null;
  projection: Projection | null;
  outcome: string;
}

/** Returns the label of the submit button, and the total that it shows: "Buy Yes", "$256.10". */
export function createSubmitLabel(
  action: Action,
  { order, projection, outcome }: Submittable,
): { label: string; total: string | null } {
  const label = `${getVerb(action)} ${outcome}`;
  if (!order || !projection || projection.shares === 0n) return { label, total: null };
  return { label, total: formatMicroMoney(projection.money) };
}
