import type { Action } from "@/lib/domain/settlement";
import { isOnGrid, neighbors } from "@/lib/domain/tick-grid";
import { LOT } from "@/lib/domain/matching";
import { AppError } from "@/lib/errors";
import {
  divide,
  formatMicro,
  formatUsdc,
  MAX_REQUEST_MICRO,
  parseMicro,
  type Price,
  SCALE,
  type Shares,
  shares,
  type Usdc,
} from "@/lib/units";

/** The fields of an order as the caller sent them, already typed. */
export interface OrderRequest {
  tokenId: string;
  action: Action;
  orderType: "market" | "limit";
  amount?: Usdc | undefined;
  shares?: Shares | undefined;
  price?: Price | undefined;
  tickSize?: string | undefined;
}

/** What a market demands of an order. */
export interface TradingRules {
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
}

/** An order that is complete, on the grid and large enough. */
export type OrderIntent =
  | { type: "limit"; action: Action; price: Price; shares: Shares; amount: Usdc | null }
  | { type: "market"; action: Action; worstPrice: Price | null; shares: Shares; amount: null }
  | { type: "market"; action: "BUY"; worstPrice: Price | null; shares: null; amount: Usdc };

/** Cents of a dollar: the venue takes market-buy amounts in whole cents (polymarket.md 3.7). */
const CENT = 10_000n;

/** Checks which fields go together. Throws the refusal that names the field. */
export function checkFields(request: OrderRequest): void {
  const { action, orderType, amount, shares: size, price } = request;
  if (orderType === "limit" && price === undefined) {
    throw new AppError("PRICE_REQUIRED", "price is required for a limit order");
  }
  if (action === "SELL" && amount !== undefined) {
    throw new AppError("CONFLICTING_FIELDS", "amount cannot size a SELL; send shares");
  }
  if (amount !== undefined && size !== undefined) {
    throw new AppError("CONFLICTING_FIELDS", "send amount or shares, not both");
  }
  if (amount === undefined && size === undefined) {
    const wanted =
      action === "SELL" ? "shares is required to SELL" : "amount or shares is required";
    throw new AppError("AMOUNT_OR_SHARES_REQUIRED", wanted);
  }
}

/** Checks a request against the market's rules and completes it. Throws the refusal. */
export function toIntent(request: OrderRequest, rules: TradingRules): OrderIntent {
  checkFields(request);
  checkTickClaim(request.tickSize, rules.tick);
  if (request.price !== undefined) checkPrice(request.price, rules.tick);
  if (request.shares !== undefined) checkLot(request.shares);
  const intent = complete(request);
  checkMinimum(intent, rules);
  return intent;
}

function complete(request: OrderRequest): OrderIntent {
  const { action, amount, price } = request;
  if (request.orderType === "limit") {
    if (price === undefined) throw new Error("a limit order has a price");
    const size = request.shares ?? sharesFor(amount, price);
    return { type: "limit", action, price, shares: size, amount: amount ?? null };
  }
  const worstPrice = price ?? null;
  if (request.shares !== undefined) {
    return { type: "market", action, worstPrice, shares: request.shares, amount: null };
  }
  if (amount === undefined) throw new Error("a market order without shares has an amount");
  checkCents(amount);
  return { type: "market", action: "BUY", worstPrice, shares: null, amount };
}

/** The whole lots that `amount` buys at `at`. */
function sharesFor(amount: Usdc | undefined, at: Price): Shares {
  if (amount === undefined) throw new Error("a limit order without shares has an amount");
  const size = divide(amount * SCALE, at, "down");
  if (size > MAX_REQUEST_MICRO) {
    throw new AppError(
      "VALIDATION_ERROR",
      `amount: buys more than ${formatMicro(MAX_REQUEST_MICRO)} shares at this price`,
    );
  }
  return shares(size - (size % LOT));
}

function checkTickClaim(claim: string | undefined, tick: Price): void {
  if (claim === undefined) return;
  const parsed = parseMicro(claim);
  if (parsed.ok && parsed.micro === tick) return;
  throw new AppError(
    "INVALID_TICK_SIZE",
    `tickSize of this market is ${formatMicro(tick)}, not ${JSON.stringify(claim.slice(0, 32))}`,
  );
}

function checkPrice(at: Price, tick: Price): void {
  if (isOnGrid(at, tick)) return;
  const [below, above] = neighbors(at, tick);
  const choice =
    below === above ? formatMicro(below) : `${formatMicro(below)} or ${formatMicro(above)}`;
  throw new AppError(
    "PRICE_OFF_TICK",
    `price ${formatMicro(at)} is not on this market's tick of ${formatMicro(tick)}; use ${choice}`,
  );
}

function checkLot(size: Shares): void {
  if (size % LOT === 0n) return;
  throw new AppError("PRECISION_TOO_HIGH", "shares may have at most 2 decimals");
}

function checkCents(amount: Usdc): void {
  if (amount % CENT === 0n) return;
  throw new AppError("PRECISION_TOO_HIGH", "amount of a market order may have at most 2 decimals");
}

function checkMinimum(intent: OrderIntent, rules: TradingRules): void {
  if (intent.type === "limit" && intent.shares < rules.minOrderShares) {
    throw new AppError(
      "ORDER_TOO_SMALL",
      `a limit order needs at least ${formatMicro(rules.minOrderShares)} shares, got ${formatMicro(intent.shares)}`,
    );
  }
  if (intent.type === "market" && intent.amount !== null && intent.amount < rules.minBuyAmount) {
    throw new AppError(
      "ORDER_TOO_SMALL",
      `a market buy needs at least ${formatUsdc(rules.minBuyAmount)} USDC, got ${formatUsdc(intent.amount)}`,
    );
  }
}
