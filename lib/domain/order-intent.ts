import type { Action } from "@/lib/domain/settlement";
import { isOnGrid, getNeighbors } from "@/lib/domain/tick-grid";
import { defaultTimeInForce, endsAtOnce, type TimeInForce } from "@/lib/domain/time-in-force";
import type { Refusal } from "@/lib/domain/funding";
import { checkMinimum } from "@/lib/domain/order-minimum";
import { AppError } from "@/lib/errors";
import {
  divide,
  formatMicro,
  MAX_REQUEST_MICRO,
  parseMicro,
  type Price,
  SCALE,
  type Shares,
  type Usdc,
} from "@/lib/units";
import { LOT, roundToLots } from "@/lib/domain/lots";

/** The fields of an order as the caller sent them, parsed. */
export interface OrderRequest {
  tokenId: string;
  action: Action;
  orderType: "market" | "limit";
  amount?: Usdc | undefined;
  shares?: Shares | undefined;
  price?: Price | undefined;
  tickSize?: string | undefined;
  timeInForce?: TimeInForce | undefined;
  expiresAt?: Date | undefined;
  postOnly?: boolean | undefined;
}

/** A market's rules for orders. */
export interface TradingRules {
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
}

/** A complete order that meets the market's rules. */
export type OrderIntent =
  | { type: "limit"; action: Action; price: Price; shares: Shares; amount: Usdc | null }
  | { type: "market"; action: Action; worstPrice: Price | null; shares: Shares; amount: null }
  | { type: "market"; action: "BUY"; worstPrice: Price | null; shares: null; amount: Usdc };

/** The venue accepts market-buy amounts in whole cents only (polymarket.md 3.7). */
const CENT = 10_000n;

/** Checks that the fields go together. Throws an error that names the field. */
export function checkFields(request: OrderRequest): void {
  const { action, orderType, amount, shares: size, price } = request;
  if (orderType === "limit" && price === undefined) {
    throw new AppError("PRICE_REQUIRED", "A limit order needs a price.");
  }
  if (action === "SELL" && amount !== undefined) {
    throw new AppError(
      "CONFLICTING_FIELDS",
      "A SELL is sized in shares. Send shares instead of amount.",
    );
  }
  if (amount !== undefined && size !== undefined) {
    throw new AppError("CONFLICTING_FIELDS", "Send amount or shares, not both.");
  }
  if (amount === undefined && size === undefined) {
    const message = action === "SELL" ? "A SELL needs shares." : "A BUY needs amount or shares.";
    throw new AppError("AMOUNT_OR_SHARES_REQUIRED", message);
  }
  checkOptions(request);
}

/** Checks that the order options go together. Throws an error that names the fields. */
function checkOptions(request: OrderRequest): void {
  const { orderType, expiresAt, postOnly } = request;
  const timeInForce = resolveTimeInForce(request);
  const refusal =
    orderType === "market" && !endsAtOnce(timeInForce)
      ? `timeInForce ${timeInForce} needs orderType limit. A market order must be FAK or FOK.`
      : timeInForce === "GTD" && expiresAt === undefined
        ? "An order with timeInForce GTD needs expiresAt."
        : timeInForce !== "GTD" && expiresAt !== undefined
          ? `An order with expiresAt needs timeInForce GTD, not ${timeInForce}.`
          : postOnly === true && endsAtOnce(timeInForce)
            ? `An order with postOnly needs timeInForce GTC or GTD, not ${timeInForce}.`
            : null;
  if (refusal !== null) throw new AppError("CONFLICTING_FIELDS", refusal);
}

/** Returns the requested time in force, or the default of the order type. */
export function resolveTimeInForce({
  orderType,
  timeInForce,
}: Pick<OrderRequest, "orderType" | "timeInForce">): TimeInForce {
  return timeInForce ?? defaultTimeInForce(orderType);
}

/** Checks a request against the market's rules and completes it. Throws if it breaks a rule. */
export function toIntent(request: OrderRequest, rules: TradingRules): OrderIntent {
  checkFields(request);
  checkMaximum(request);
  checkTickClaim(request.tickSize, rules.tick);
  if (request.price !== undefined) checkPrice(request.price, rules.tick);
  if (request.shares !== undefined) checkLot(request.shares);
  const intent = completeRequest(request);
  checkMinimum(intent, rules);
  return intent;
}

function completeRequest(request: OrderRequest): OrderIntent {
  const { action, amount, price } = request;
  if (request.orderType === "limit" && !endsAtOnce(resolveTimeInForce(request))) {
    if (price === undefined) throw new Error("a limit order has a price");
    const size = request.shares ?? computeShares(amount, price);
    return { type: "limit", action, price, shares: size, amount: amount ?? null };
  }
  const worstPrice = price ?? null;
  if (request.shares !== undefined) {
    return { type: "market", action, worstPrice, shares: request.shares, amount: null };
  }
  if (amount === undefined) throw new Error("an order without shares has an amount");
  checkCents(amount);
  if (worstPrice !== null) checkSharesBought(amount, worstPrice);
  return { type: "market", action: "BUY", worstPrice, shares: null, amount };
}

/** Returns the shares, in whole lots, that `amount` buys at `at`. */
function computeShares(amount: Usdc | undefined, at: Price): Shares {
  if (amount === undefined) throw new Error("a limit order without shares has an amount");
  checkSharesBought(amount, at);
  const size = divide(amount * SCALE, at, "down");
  return roundToLots(size);
}

function checkSharesBought(amount: Usdc, at: Price): void {
  const refusal = refuseTooManyShares(amount, at);
  if (refusal) throw new AppError(refusal.code, refusal.message);
}

/** Refuses an amount that could buy more than the maximum shares at `at`. Custody signs no larger order. */
export function refuseTooManyShares(amount: bigint, at: Price): Refusal | null {
  if (divide(amount * SCALE, at, "down") <= MAX_REQUEST_MICRO) return null;
  return {
    code: "VALIDATION_ERROR",
    message: `amount: must not buy more than ${formatMicro(MAX_REQUEST_MICRO)} shares at ${formatMicro(at)}`,
  };
}

function checkMaximum({ amount, shares: size }: OrderRequest): void {
  const most = formatMicro(MAX_REQUEST_MICRO);
  if (size !== undefined && size > MAX_REQUEST_MICRO) {
    throw new AppError("VALIDATION_ERROR", `shares: must be at most ${most}`);
  }
  if (amount !== undefined && amount > MAX_REQUEST_MICRO) {
    throw new AppError("VALIDATION_ERROR", `amount: must be at most ${most}`);
  }
}

function checkTickClaim(claim: string | undefined, tick: Price): void {
  if (claim === undefined) return;
  const parsed = parseMicro(claim);
  if (parsed.ok && parsed.micro === tick) return;
  throw new AppError(
    "INVALID_TICK_SIZE",
    `This market's tick size is ${formatMicro(tick)}, not ${JSON.stringify(claim.slice(0, 32))}.`,
  );
}

function checkPrice(at: Price, tick: Price): void {
  if (isOnGrid(at, tick)) return;
  const [below, above] = getNeighbors(at, tick);
  const choice =
    below === above ? formatMicro(below) : `${formatMicro(below)} or ${formatMicro(above)}`;
  throw new AppError(
    "PRICE_OFF_TICK",
    `The price ${formatMicro(at)} is not a multiple of this market's tick size ${formatMicro(tick)}. Use ${choice}.`,
  );
}

function checkLot(size: Shares): void {
  if (size % LOT === 0n) return;
  throw new AppError("PRECISION_TOO_HIGH", "Shares can have at most 2 decimals.");
}

function checkCents(amount: Usdc): void {
  if (amount % CENT === 0n) return;
  throw new AppError(
    "PRECISION_TOO_HIGH",
    "The amount of a market order can have at most 2 decimals.",
  );
}
