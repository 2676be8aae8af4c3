import { describe, expect, it } from "vitest";
import {
  computeLimitAmounts,
  computeMarketBuyAmounts,
  computeMarketSellAmounts,
} from "@/lib/polymarket/protocol/amounts";
import { type Price, parseMicro, price, shares, usdc } from "@/lib/units";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Vector {
  side: "BUY" | "SELL";
  price: number;
  size?: number;
  amount?: number;
  tickSize: string;
  makerAmount: string;
  takerAmount: string;
}

const rounding = readRecorded<{ limit: Vector[]; market: Vector[] }>("vectors/rounding.json");

function micro(value: number | string): bigint {
  const parsed = parseMicro(String(value));
  if (!parsed.ok) throw new Error(`${value} is not a decimal`);
  return parsed.micro;
}

function computeAmounts(vector: Vector, isMarket: boolean) {
  const [at, tick]: [Price, Price] = [price(micro(vector.price)), price(micro(vector.tickSize))];
  const size = micro(vector.amount ?? vector.size ?? 0);
  if (!isMarket) return computeLimitAmounts(vector.side, { price: at, size: shares(size), tick });
  if (vector.side === "SELL") return computeMarketSellAmounts(shares(size), at, tick);
  return computeMarketBuyAmounts(usdc(size), at, tick);
}

describe("amounts agree with the official client to the base unit", () => {
  it.each(rounding.limit)("limit $side $size at $price, tick $tickSize", (vector) => {
    const { maker, taker } = computeAmounts(vector, false);
    expect([String(maker), String(taker)]).toEqual([vector.makerAmount, vector.takerAmount]);
  });

  it.each(rounding.market)("market $side $amount at $price, tick $tickSize", (vector) => {
    const { maker, taker } = computeAmounts(vector, true);
    expect([String(maker), String(taker)]).toEqual([vector.makerAmount, vector.takerAmount]);
  });
});
