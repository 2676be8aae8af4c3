import "server-only";
import { now } from "@/lib/clock";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { isOnGrid } from "@/lib/domain/tick-grid";
import { countPriceDecimals } from "@/lib/polymarket/protocol/amounts";
import { SandboxError } from "@/lib/sandbox/error";
import type { OrderPayload } from "@/lib/sandbox/order-payload";
import { formatMicro, type Price, price, SCALE, shares, usdc } from "@/lib/units";
import { type Market, NO_CONDITIONS, type OrderConditions } from "@/lib/venue/port";
import { LOT } from "@/lib/domain/lots";

const CENT = 10_000n;
/** The venue has no maximum. Larger amounts would overflow what is computed from them. */
const MAX_BASE_UNITS = 999_999_999_999_999n;
/** An order expires this long before its expiration (polymarket.md 5.4). */
export const EXPIRY_MARGIN_S = 60;
const MIN_LIFE_S = 180;
/** The end of the year 9999, the last instant that ISO 8601 can write. */
const LAST_INSTANT_S = 253_402_300_799;

/** A signed order in the exchange's terms. */
export interface OrderTerms {
  intent: OrderIntent;
  conditions: OrderConditions;
}

/** Parses an order's terms from its two amounts. Throws the venue's refusals, in the venue's order. */
export function parseTerms(payload: OrderPayload, id: string, market: Market): OrderTerms {
  const { order, orderType } = payload;
  const [maker, taker] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  if (maker === 0n || taker === 0n || maker > MAX_BASE_UNITS || taker > MAX_BASE_UNITS) {
    throw new SandboxError(400, "Invalid order payload");
  }
  const isTaking = orderType === "FOK" || orderType === "FAK";
  const [usd, size] = order.side === "BUY" ? [maker, taker] : [taker, maker];
  // Amounts of a taking order are rounded; those of a resting order must divide exactly.
  const isPriced = isTaking || (usd * SCALE) % size === 0n;
  const at = price(isTaking ? roundToTick(usd, size, market.tick) : (usd * SCALE) / size);
  if (!isPriced || !isOnGrid(at, market.tick)) {
    const off = `Price (${formatMicro(at)}) breaks minimum tick size rule`;
    throw new SandboxError(400, `order ${id} is invalid. ${off}: ${formatMicro(market.tick)}`);
  }
  const intent = isTaking
    ? toTakingIntent(payload, at, market)
    : toRestingIntent(payload, { at, size, id }, market);
  return { intent, conditions: parseConditions(payload) };
}

function toRestingIntent(
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

function toTakingIntent({ order }: OrderPayload, at: Price, market: Market): OrderIntent {
  const [maker, taker] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  const decimals = countPriceDecimals(market.tick) + 2;
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
  if (maker < market.minBuyAmount) throw orderTooSmall(maker, market);
  return { type: "market", action: "BUY", worstPrice: at, shares: null, amount: usdc(maker) };
}

function orderTooSmall(amount: bigint, market: Market): SandboxError {
  const minimum = formatMicro(market.minBuyAmount);
  const text = `invalid amount for a marketable BUY order ($${formatMicro(amount)}), min size: $${minimum}`;
  return new SandboxError(400, text);
}

function parseConditions({ order, orderType, postOnly }: OrderPayload): OrderConditions {
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

/** Returns the grid price nearest to the quotient of two rounded amounts. */
function roundToTick(usd: bigint, size: bigint, tick: Price): bigint {
  const steps = (usd * SCALE * 2n + size * tick) / (2n * size * tick);
  return steps * tick;
}
