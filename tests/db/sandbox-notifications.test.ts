import { describe, expect, it } from "vitest";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { dismissNotifications, listNotifications } from "@/lib/sandbox/notifications";
import { ONE, price } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, useTestClock } from "@/tests/support/exchange/orders";
import { makeSandboxWallet, placeSigned, type SandboxWallet } from "@/tests/support/sandbox/wallet";

useFreshDatabase();
const clock = useTestClock();
const HOUR = 3_600_000;

const list = ({ caller }: SandboxWallet, type = "0") =>
  listNotifications(caller, new URLSearchParams({ signature_type: type }));
const types = async (wallet: SandboxWallet) => (await list(wallet)).map(({ type }) => type);

/** A wallet whose order for 10 shares filled in part and was then canceled. */
async function tradeAndCancel() {
  const [trader, other] = [await makeSandboxWallet(), await makeSandboxWallet()];
  const market = freshMarket({ closesAfter: 24 * HOUR, closesWithin: 40 * 24 * HOUR });
  const at = findPriceInside(market)(0);
  const orderId = await placeSigned(trader, market, { side: "BUY", at, size: 10n });
  await placeSigned(other, market, { side: "BUY", at: price(ONE - at), size: 6n, outcome: 1 });
  clock.advance(1_000);
  await cancelWhere(trader.caller, {});
  return { trader, market, orderId };
}

describe("notifications", () => {
  it("list fills and cancels newest first, only for their owner and wallet", async () => {
    const { trader, market, orderId } = await tradeAndCancel();
    expect(await list(trader)).toMatchObject([
      { type: 1, owner: trader.caller.apiKey, payload: { order_id: orderId, matched_size: "6" } },
      {
        type: 2,
        owner: trader.caller.apiKey,
        payload: { order_id: orderId, condition_id: market.id, matched_size: "6", side: "BUY" },
        timestamp: Math.floor(clock.now / 1000) - 1,
      },
    ]);
    expect(await list(trader, "3")).toEqual([]);
    expect(await list(await makeSandboxWallet())).toEqual([]);
  });

  it("disappear when dismissed and after 48 hours", async () => {
    const { trader } = await tradeAndCancel();
    const [first] = await list(trader);
    const ids = new URLSearchParams({ ids: String(first?.id) });
    expect(await dismissNotifications(trader.caller, ids)).toBe("OK");
    expect(await types(trader)).toEqual([2]);
    clock.advance(48 * HOUR + 1_000);
    expect(await types(trader)).toEqual([]);
    await expect(
      dismissNotifications(trader.caller, new URLSearchParams({ ids: "x" })),
    ).rejects.toThrow("Invalid notification ids");
  });

  it("list the resolution of a market in which the wallet had a position", async () => {
    const { trader, market } = await tradeAndCancel();
    clock.set(market.resolvesAt + HOUR);
    expect(await list(trader)).toMatchObject([
      { type: 4, payload: { condition_id: market.id }, timestamp: market.resolvesAt / 1000 },
    ]);
  });
});
