import { sumNotional, sumTakerFees } from "@/lib/domain/trade-parts";
import { price, shares, usdc } from "@/lib/units";
import { type Market, NO_FIGURES } from "@/lib/venue/port";
import type { TrueOrder } from "@/tests/simulation/exchange";

/** The simulation's only market. It has fees and stays open. */
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
  untradable: null,
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
  protocol: "v1",
  series: null,
  popularity: 1,
  figures: NO_FIGURES,
  opensAt: 0,
  closesAt: Date.UTC(2100, 0, 1),
  resolvesAt: Date.UTC(2100, 0, 2),
};

/** Sums what the trades of orders moved into a wallet, in micro-USDC. Failed trades move nothing. */
export function sumCashMoved(orders: readonly TrueOrder[]): bigint {
  let total = 0n;
  for (const { action, trades } of orders) {
    for (const trade of trades.filter(({ settlement }) => settlement !== "failed")) {
      const { parts, role } = trade;
      const fee = role === "taker" ? sumTakerFees(parts, MARKET.feeRate) : 0n;
      const cash = sumNotional(parts);
      total += action === "BUY" ? -cash - fee : cash - fee;
    }
  }
  return total;
}
