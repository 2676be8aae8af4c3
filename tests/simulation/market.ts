import { takerFee } from "@/lib/domain/fees";
import { notional, price, shares, usdc } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import type { TrueOrder } from "@/tests/simulation/exchange";

/** The one market that the simulation trades, with fees. It stays open. */
export const MARKET: Market = {
  id: `0x${"51".repeat(32)}`,
  slug: "simulated",
  title: "Does the simulation hold?",
  eventSlug: "simulated",
  eventTitle: "Does the simulation hold?",
  label: null,
  category: "Science",
  rules: "It does while nobody finds otherwise.",
  resolutionSource: "",
  icon: "science.svg",
  outcomes: [
    { name: "Yes", tokenId: "5101" },
    { name: "No", tokenId: "5102" },
  ],
  tick: price(10_000n),
  minOrderShares: shares(5_000_000n),
  minBuyAmount: usdc(1_000_000n),
  feeRate: 70_000n,
  isNegRisk: false,
  popularity: 1,
  opensAt: 0,
  closesAt: Date.UTC(2100, 0, 1),
  resolvesAt: Date.UTC(2100, 0, 2),
};

/** What the trades of orders moved into a wallet, in micro-USDC; those that failed moved nothing. */
export function cashMoved(orders: readonly TrueOrder[]): bigint {
  let total = 0n;
  for (const { action, trades } of orders) {
    for (const trade of trades.filter(({ settlement }) => settlement !== "failed")) {
      const { shares: size, price: at, role } = trade;
      const fee = role === "taker" ? takerFee(size, at, MARKET.feeRate) : 0n;
      const isBuy = action === "BUY";
      const cash = notional(size, at, isBuy ? "up" : "down");
      total += isBuy ? -cash - fee : cash - fee;
    }
  }
  return total;
}
