import { expect, it } from "vitest";
import { previewOrder } from "@/lib/orders/preview-order";
import { complement, price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findInsidePrice,
  findLiveMarket,
  LONG_TIMEOUTS,
  makeLiveUser,
  type Order,
  send,
  STANDING_MARKET,
  useLiveVenue,
} from "@/tests/support/live/venue";

await useLiveVenue({ ...LONG_TIMEOUTS, ...STANDING_MARKET });
useFreshDatabase();

const SIZE = shares(10_000_000n);

it("a live preview fills at other users' prices, not against the account's own order", async () => {
  const [user, other] = [await makeLiveUser(), await makeLiveUser()];
  const market = await findLiveMarket();
  const inside = await findInsidePrice();
  // A bid for the second outcome is an ask for the first.
  const ask: Order = { action: "BUY", orderType: "limit", price: complement(inside), shares: SIZE };
  expect(await send(user, ask, "own", 1)).toMatchObject({ status: 200 });
  const [{ tokenId }] = market.outcomes;
  const bid = { tokenId, action: "BUY", orderType: "limit", shares: SIZE } as const;
  const take = { ...bid, price: price(990_000n) } as const;
  expect(await previewOrder(other.live, take)).toMatchObject({ worstPrice: inside, shares: SIZE });
  const own = await previewOrder(user.live, take);
  expect(own.shares).toBe(SIZE);
  expect(own.avgPrice).toBeGreaterThan(inside);
  expect(await previewOrder(user.live, { ...bid, price: inside })).toMatchObject({
    shares: 0n,
    restingShares: SIZE,
  });
});
