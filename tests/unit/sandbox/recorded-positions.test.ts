import { expect, it } from "vitest";
import { valuate } from "@/lib/domain/position";
import { computeRealizedPercent } from "@/lib/sandbox/data-wallet-positions";
import { type Price, price, shares, usdc } from "@/lib/units";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Recorded {
  position: {
    size: number;
    avgPrice: number;
    initialValue: number;
    currentValue: number;
    cashPnl: number;
    percentPnl: number;
    totalBought: number;
    percentRealizedPnl: number;
    curPrice: number;
  };
}

const recorded = readRecorded<Recorded[]>("data-api/positions.json").map(
  ({ position }) => position,
);
const micro = (value: number) => BigInt(Math.round(value * 1_000_000));
const plain = (value: bigint) => Number(value) / 1_000_000;
/** The captures truncate money to four decimals and prices to four or six. */
const near = (value: number) => expect.closeTo(value, value > 1_000 ? -1 : 0);

it("data-wallet-positions values every recorded position as the venue did, including percentages", () => {
  expect(recorded.length).toBeGreaterThan(50);
  for (const position of recorded) {
    const holding = {
      shares: shares(micro(position.size)),
      cost: usdc(micro(position.initialValue)),
      realizedPnl: usdc(0n),
    };
    const { value, pnl, pnlPercentMicro } = valuate(holding, price(micro(position.curPrice)));
    const average: Price = price(micro(position.avgPrice));
    const bought = { shares: shares(micro(position.totalBought)) };
    expect([value, pnl, pnlPercentMicro].map(plain)).toEqual(
      [position.currentValue, position.cashPnl, position.percentPnl].map(near),
    );
    expect(plain(computeRealizedPercent({ value, averagePrice: average, bought }))).toBeCloseTo(
      position.percentRealizedPnl,
      0,
    );
  }
});
