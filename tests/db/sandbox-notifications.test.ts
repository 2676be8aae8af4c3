import { describe, expect, it } from "vitest";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { dropNotifications, listNotifications } from "@/lib/sandbox/notifications";
import { ONE, price } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, useTestClock } from "@/tests/support/exchange";
import { makeSandboxWallet, placeSigned, type SandboxWallet } from "@/tests/support/sandbox-wallet";

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
  const at = insideOf(market)(0);
  const orderId = await placeSigned(trader, market, { side: "BUY", at, size: 10n });
  await placeSigned(other, market, { side: "BUY", at: price(ONE - at), size: 6n, outcome: 1 });
  clock.advance(1_000);
  await cancelWhere(trader.caller, {});
  return { trader, market, orderId };
}

describe("notifications", () => {
  it("tell of fills and cancellations, newest first, to their owner and wallet alone", async () => {
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

  it("are gone when they were dropped, and after two days", async () => {
    const { trader } = await tradeAndCancel();
    const [first] = await list(trader);
    const ids = new URLSearchParams({ ids: String(first?.id) });
    expect(dropNotifications(trader.caller, ids)).toBe("OK");
    expect(await types(trader)).toEqual([2]);
    clock.advance(48 * HOUR + 1_000);
    expect(await types(trader)).toEqual([]);
    expect(() => dropNotifications(trader.caller, new URLSearchParams({ ids: "x" }))).toThrow(
      "Invalid notification ids",
    );
  });

  it("tell that a market was resolved which the wallet was in", async () => {
    const { trader, market } = await tradeAndCancel();
    clock.set(market.resolvesAt + HOUR);
    expect(await list(trader)).toMatchObject([
      { type: 4, payload: { condition_id: market.id }, timestamp: market.resolvesAt / 1000 },
    ]);
  });
});
