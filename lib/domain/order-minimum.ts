import type { Refusal } from "@/lib/domain/funding";
import type { Budget } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import { AppError } from "@/lib/errors";
import { formatMicro, formatUsdc, notional, type Price, type Shares, type Usdc } from "@/lib/units";

interface Minimums {
  minOrderShares: Shares;
  minBuyAmount: Usdc;
}

interface Size {
  type: "limit" | "market";
  shares: Shares | null;
  amount: Usdc | null;
}

/** Checks a limit order's shares and a market buy's amount. Throws ORDER_TOO_SMALL. */
export function checkMinimum({ type, shares, amount }: Size, minimums: Minimums): void {
  const { minOrderShares, minBuyAmount } = minimums;
  if (type === "limit" && shares !== null && shares < minOrderShares) {
    throw new AppError(
      "ORDER_TOO_SMALL",
      `A limit order must be for at least ${formatMicro(minOrderShares)} shares. This one is for ${formatMicro(shares)}.`,
    );
  }
  if (type === "market" && amount !== null && amount < minBuyAmount) {
    throw new AppError(
      "ORDER_TOO_SMALL",
      `A market buy must be at least $${formatUsdc(minBuyAmount)}. This one is $${formatUsdc(amount)}.`,
    );
  }
}

/** Refuses a buy that would fill immediately and is worth less than `minimum` at its limit. */
export function refuseSmallBuy(
  { action, budget }: { action: Action; budget: Budget },
  limit: Price,
  minimum: Usdc,
): Refusal | null {
  if (action !== "BUY" || budget.kind !== "shares") return null;
  const worth = notional(budget.shares, limit, "up");
  if (worth >= minimum) return null;
  return {
    code: "ORDER_TOO_SMALL",
    message:
      `A buy that fills immediately must be at least $${formatUsdc(minimum)}. ` +
      `This one is $${formatUsdc(worth)}.`,
  };
}
