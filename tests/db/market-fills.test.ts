import { expect, it } from "vitest";
import { listMarketFills } from "@/lib/activity/list-market-fills";
import { resetAccount } from "@/lib/accounts/reset-account";
import { shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, MINUTE, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
const SIZE = shares(20_000_000n);
const MANY = 50;

it("a market's page lists the account's fills since its reset, newest first", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [market, elsewhere] = [freshMarket(), freshMarket()];
  const buy = (outcome: 0 | 1) => place(user, { market, action: "BUY", outcome, size: SIZE });
  await buy(0);
  expect(await listMarketFills(user.principal, market.id, MANY)).not.toEqual([]);
  clock.advance(MINUTE);
  await resetAccount(user.principal, usdc(500_000_000n));
  expect(await listMarketFills(user.principal, market.id, MANY)).toEqual([]);

  clock.advance(MINUTE);
  await buy(1);
  clock.advance(MINUTE);
  await buy(0);
  const fills = await listMarketFills(user.principal, market.id, MANY);
  expect(fills[0]?.tokenId).toBe(market.outcomes[0].tokenId);
  expect(fills.at(-1)?.tokenId).toBe(market.outcomes[1].tokenId);
  expect(await listMarketFills(user.principal, market.id, 1)).toEqual(fills.slice(0, 1));
  expect(await listMarketFills(other.principal, market.id, MANY)).toEqual([]);
  expect(await listMarketFills(user.principal, elsewhere.id, MANY)).toEqual([]);
});
