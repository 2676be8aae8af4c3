import { describe, expect, it } from "vitest";
import { listTrades } from "@/lib/markets/list-trades";
import { ONE, price, shares } from "@/lib/units";
import { tick } from "@/lib/exchange/ticker";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  houseBest,
  findPriceInside,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const tape = (market: PaperMarket) => listTrades({ mode: "paper" }, market);
const SIZE = shares(20_000_000n);

describe("the tape of a market", () => {
  it("shows a trade between two users once, from the taker's side", async () => {
    const market = freshMarket();
    const [maker, taker] = [await makeUser(), await makeUser()];
    const at = findPriceInside(market)(1);
    await place(maker, { market, action: "BUY", outcome: 0, limit: at, size: SIZE });
    const other = price(ONE - at);
    await place(taker, { market, action: "BUY", outcome: 1, limit: other, size: SIZE });
    expect(await tape(market)).toMatchObject([
      { action: "BUY", outcome: market.outcomes[1].name, price: other, shares: SIZE },
    ]);
  });

  it("shows a user's trade with the house", async () => {
    const market = freshMarket();
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    const [trade] = await tape(market);
    expect(trade).toMatchObject({ action: "BUY", outcome: market.outcomes[0].name, shares: SIZE });
    expect(trade?.price).toBe(houseBest(market, "ask", clock.now));
  });

  it("shows the house as the taker of a resting order that its quotes reached", async () => {
    const market = freshMarket({ inside: 2 });
    const user = await makeUser();
    const limit = findPriceInside(market)(1);
    await place(user, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    for (let step = 0; step < 3_000 && (await tape(market)).length === 0; step += 1) {
      clock.advance(MINUTE);
      await tick();
    }
    const [trade] = await tape(market);
    expect(trade).toMatchObject({
      action: "BUY",
      outcome: market.outcomes[1].name,
      price: ONE - limit,
    });
  });

  it("is empty for a market without trades", async () => {
    const user = await makeUser();
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    expect(await tape(freshMarket())).toEqual([]);
  });

  it("is sorted newest first", async () => {
    const market = freshMarket();
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    clock.advance(1_000);
    await place(user, { market, action: "SELL", outcome: 0, size: SIZE });
    const actions = (await tape(market)).map(({ action }) => action);
    expect(actions).toEqual(["SELL", "BUY"]);
  });
});
