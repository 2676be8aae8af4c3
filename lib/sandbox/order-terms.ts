import "server-only";
import { now } from "@/lib/clock";
import { LOT } from "@/lib/domain/matching";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { isOnGrid } from "@/lib/domain/tick-grid";
import { priceDecimals } from "@/lib/polymarket/amounts";
import { SandboxError } from "@/lib/sandbox/error";
import type { OrderPayload } from "@/lib/sandbox/order-payload";
import {
  formatMicro,
  MAX_REQUEST_MICRO,
  type Price,
  price,
  SCALE,
  shares,
  usdc,
} from "@/lib/units";
import { type Market, NO_CONDITIONS, type OrderConditions } from "@/lib/venue/port";

const CENT = 10_000n;
/** An order ends this long before the instant it names (polymarket.md 5.4). */
export const EXPIRY_MARGIN_S = 60;
const MIN_LIFE_S = 180;
/** The end of the year 9999: behind it there is no ISO instant. */
const LAST_INSTANT_S = 253_402_300_799;

/** What a signed order asks of the exchange. */
export interface OrderTerms {
  intent: OrderIntent;
  conditions: OrderConditions;
}

/** Reads an order's terms out of its two amounts. Throws the venue's refusals, in its order. */
export function termsOfPayload(payload: OrderPayload, id: string, market: Market): OrderTerms {
  const { order, orderType } = payload;
  const [maker, taker] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  if (maker === 0n || taker === 0n || maker > MAX_REQUEST_MICRO || taker > MAX_REQUEST_MICRO) {
    throw new SandboxError(400, "Invalid order payload");
  }
  const isTaking = orderType === "FOK" || orderType === "FAK";
  const [usd, size] = order.side === "BUY" ? [maker, taker] : [taker, maker];
  // Amounts of a taking order are rounded; those of a resting one divide without a rest.
  const isPriced = isTaking || (usd * SCALE) % size === 0n;
  const at = price(isTaking ? nearest(usd, size, market.tick) : (usd * SCALE) / size);
  if (!isPriced || !isOnGrid(at, market.tick)) {
    const off = `Price (${formatMicro(at)}) breaks minimum tick size rule`;
    throw new SandboxError(400, `order ${id} is invalid. ${off}: ${formatMicro(market.tick)}`);
  }
  const intent = isTaking
    ? takingIntent(payload, at, market)
    : restingIntent(payload, { at, size, id }, market);
  return { intent, conditions: conditionsOf(payload) };
}

function restingIntent(
  { order }: OrderPayload,
  { at, size, id }: { at: Price; size: bigint; id: string },
  market: Market,
): OrderIntent {
  assertLots(size);
  if (size < market.minOrderShares) {
    const small = `Size (${formatMicro(size)}) lower than the minimum`;
    const minimum = formatMicro(market.minOrderShares);
    throw new SandboxError(400, `order ${id} is invalid. ${small}: ${minimum}`);
  }
  return { type: "limit", action: order.side, price: at, shares: shares(size), amount: null };
}

function takingIntent({ order }: OrderPayload, at: Price, market: Market): OrderIntent {
  const [maker, taker] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  const decimals = priceDecimals(market.tick) + 2;
  const step = 10n ** BigInt(6 - decimals);
  if (maker % CENT !== 0n || taker % step !== 0n) {
    const side = order.side === "BUY" ? "buy" : "sell";
    throw new SandboxError(
      400,
      `invalid amounts, the market ${side} orders maker amount supports a max accuracy of 2 decimals, taker amount a max of ${decimals} decimals`,
    );
  }
  if (order.side === "SELL") {
    return { type: "market", action: "SELL", worstPrice: at, shares: shares(maker), amount: null };
  }
  if (maker < market.minBuyAmount) throw tooSmall(maker, market);
  return { type: "market", action: "BUY", worstPrice: at, shares: null, amount: usdc(maker) };
}

function tooSmall(amount: bigint, market: Market): SandboxError {
  const minimum = formatMicro(market.minBuyAmount);
  const text = `invalid amount for a marketable BUY order ($${formatMicro(amount)}), min size: $${minimum}`;
  return new SandboxError(400, text);
}

function conditionsOf({ order, orderType, postOnly }: OrderPayload): OrderConditions {
  if (postOnly && orderType !== "GTC" && orderType !== "GTD") {
    throw new SandboxError(
      400,
      "invalid post-only order: only GTC and GTD order types are allowed",
    );
  }
  const expiration = Number(order.expiration);
  const isDated = orderType === "GTD";
  const isTooSoon = expiration < now() / 1000 + MIN_LIFE_S;
  if (isDated ? isTooSoon || expiration > LAST_INSTANT_S : expiration !== 0) {
    throw new SandboxError(400, "invalid expiration");
  }
  return {
    ...NO_CONDITIONS,
    isFillOrKill: orderType === "FOK",
    isPostOnly: postOnly,
    expiresAt: isDated ? (expiration - EXPIRY_MARGIN_S) * 1000 : null,
  };
}

function assertLots(size: bigint): void {
  if (size % LOT === 0n) return;
  const text = formatMicro(size);
  const decimals = text.split(".")[1]?.length ?? 0;
  throw new SandboxError(400, `Size ${text} has ${decimals} decimal places. Maximum lot size is 2`);
}

/** The grid price next to what two rounded amounts come to. */
function nearest(usd: bigint, size: bigint, tick: Price): bigint {
  const steps = (usd * SCALE * 2n + size * tick) / (2n * size * tick);
  return steps * tick;
}
