import { expect, it } from "vitest";
import { z } from "zod";
import { getOwnMarket } from "@/lib/activity/get-own-market";
import { OwnMarket } from "@/lib/schemas/market-pages";
import { price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
const SIZE = shares(20_000_000n);

it("a market's page gets the account's position, open order and fills in its own shape", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [market, elsewhere] = [freshMarket(), freshMarket()];
  await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
  const open = { action: "BUY", outcome: 0, size: SIZE, limit: price(20_000n) } as const;
  await place(user, { market, ...open });
  await place(user, { market: elsewhere, ...open });

  const wire = z.encode(OwnMarket, await getOwnMarket(user.principal, market.id));
  expect(wire.positions).toHaveLength(1);
  expect(wire.orders).toMatchObject([{ marketId: market.id, price: 0.02, shares: 20 }]);
  expect(wire.fills).toMatchObject([{ shares: 20 }]);
  expect(await getOwnMarket(other.principal, market.id)).toEqual({
    positions: [],
    orders: [],
    fills: [],
  });
});
