import "server-only";
import type { Refusal } from "@/lib/domain/funding";
import type { OrderPayload } from "@/lib/sandbox/order-payload";
import { formatMicro } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** The asset that an order needs, in base units. */
export interface Funds {
  owned: bigint;
  reserved: bigint;
  /** The order's maker amount, without the fee. */
  wanted: bigint;
}

const NOT_IN_FULL = "order couldn't be fully filled. FOK orders are fully filled or killed.";
const NO_MATCH =
  "no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.";

/** Formats the exchange's refusal in the venue's words (polymarket.md 2.5). */
export async function formatRefusal(
  refusal: Refusal,
  orderType: OrderPayload["orderType"],
  { market, funds }: { market: Market; funds: () => Promise<Funds> },
): Promise<string> {
  switch (refusal.code) {
    case "NO_LIQUIDITY":
    case "ORDER_NOT_FILLED":
      return orderType === "FOK" ? NOT_IN_FULL : NO_MATCH;
    case "INSUFFICIENT_BALANCE":
    case "INSUFFICIENT_SHARES":
    case "INSUFFICIENT_ALLOWANCE":
      return `not enough balance / allowance: ${formatShortfall(await funds(), refusal.needed)}`;
    case "ORDER_TOO_SMALL":
      return `invalid amount for a marketable BUY order, min size: $${formatMicro(market.minBuyAmount)}`;
    case "ORDER_REJECTED":
      return "invalid post-only order: order crosses book";
    case "RISK_LIMIT_EXCEEDED":
    case "TRADING_FROZEN":
      return refusal.message;
    default:
      return "could not run the execution";
  }
}

function formatShortfall({ owned, reserved, wanted }: Funds, needed = wanted): string {
  const active = reserved === 0n ? "" : `, sum of active orders: ${reserved}`;
  const label = needed > wanted ? "order amount (inc. fees)" : "order amount";
  return `the balance is not enough -> balance: ${owned}${active}, ${label}: ${needed}`;
}
