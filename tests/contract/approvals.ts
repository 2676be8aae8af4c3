import { expect, it } from "vitest";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import { type Shares, shares } from "@/lib/units";
import { openScene, type VenueHarness } from "@/tests/contract/scene";

const WAYS: [Action, OutcomeIndex][] = [
  ["BUY", 0],
  ["BUY", 1],
  ["SELL", 0],
  ["SELL", 1],
];
const TEN: Shares = shares(10_000_000n);

/** Contract of the approvals that a wallet gives to a market's exchange. */
export function approvalsContract(harness: VenueHarness): void {
  it.each(WAYS)(
    "%s of outcome %i without the exchange's approval is refused, holds nothing, and fills after it",
    async (...way) => {
      const scene = await openScene(harness, ...way);
      const { market, taker } = scene;
      await scene.rest(0, TEN);
      await harness.approve(taker, market, false);
      const before = await harness.readTotals();
      const limit = await scene.take(scene.limitOrder(0, TEN));
      const atMarket = await scene.take(scene.marketOrder(TEN, 0));
      expect(await harness.readTotals()).toEqual(before);
      for (const { orderId, result } of [limit, atMarket]) {
        expect(result).toMatchObject({ outcome: "rejected", code: "INSUFFICIENT_ALLOWANCE" });
        const { row, fills, events } = await harness.readOrder(orderId);
        expect([row.status, row.held, fills]).toEqual(["rejected", 0n, []]);
        expect(events).toEqual(["received", "rejected"]);
      }
      await harness.approve(taker, market, true);
      const { result } = await scene.take(scene.limitOrder(0, TEN));
      expect(result).toMatchObject({ outcome: "accepted", status: "filled" });
    },
  );
}
