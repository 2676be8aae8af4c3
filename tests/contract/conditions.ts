import { expect, it } from "vitest";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { type Shares, shares, usdc } from "@/lib/units";
import type { OrderConditions } from "@/lib/venue/port";
import { openScene, type Scene, submit, type VenueHarness } from "@/tests/contract/scene";

const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const TEN = count(10);

/** Contract of the order conditions fill-or-kill and post-only. */
export function conditionsContract(harness: VenueHarness): void {
  const takeWith = (scene: Scene, intent: OrderIntent, conditions: Partial<OrderConditions>) =>
    submit(harness, { trader: scene.taker, market: scene.market, outcome: 0, intent, conditions });

  it("a fill-or-kill order that the book can fill in full fills in full", async () => {
    const scene = await openScene(harness);
    await scene.rest(0, TEN);
    const intent = scene.marketOrder(TEN, 0);
    const { orderId, result } = await takeWith(scene, intent, { isFillOrKill: true });
    expect(result).toMatchObject({ outcome: "accepted", status: "filled", filledShares: TEN });
    expect((await harness.readOrder(orderId)).row.isFillOrKill).toBe(true);
  });

  it("a fill-or-kill order that the book cannot fill in full trades nothing", async () => {
    const scene = await openScene(harness);
    const maker = await scene.rest(0, TEN);
    const before = await harness.readTotals();
    const wishes: OrderIntent[] = [
      scene.marketOrder(count(11), 0),
      {
        type: "market",
        action: "BUY",
        worstPrice: scene.own(0),
        shares: null,
        amount: usdc(9_990_000n),
      },
    ];
    for (const intent of wishes) {
      const { orderId, result } = await takeWith(scene, intent, { isFillOrKill: true });
      expect(result).toMatchObject({ outcome: "rejected", code: "ORDER_NOT_FILLED" });
      const { row, fills } = await harness.readOrder(orderId);
      expect([row.status, row.held, fills]).toEqual(["rejected", 0n, []]);
    }
    expect(await harness.readTotals()).toEqual(before);
    expect((await harness.readOrder(maker)).row).toMatchObject({
      status: "open",
      filledShares: 0n,
    });
  });

  it("a post-only order rests, and is refused if it would take", async () => {
    const scene = await openScene(harness);
    const rested = await takeWith(scene, scene.limitOrder(0, TEN), { isPostOnly: true });
    expect(rested.result).toMatchObject({ outcome: "accepted", status: "open" });
    await scene.rest(1, TEN);
    const before = await harness.readTotals();
    const refused = await takeWith(scene, scene.limitOrder(1, TEN), { isPostOnly: true });
    expect(refused.result).toMatchObject({ outcome: "rejected", code: "ORDER_REJECTED" });
    expect(await harness.readTotals()).toEqual(before);
  });
}
