import { afterEach, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { listPairs } from "@/lib/portfolio/list-pairs";
import { ONE, price, shares } from "@/lib/units";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readCashBalance } from "@/tests/support/exchange/ledger";
import { freshMarket, MINUTE, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const TEN = shares(10_000_000n);
const FOUR = shares(4_000_000n);

const read = async ({ principal }: TestUser) =>
  listPairs(principal, (await getPortfolio(principal)).positions);

it("pairs are the shares of both outcomes that no order reserves", async () => {
  const user = await makeUser();
  const [market, other] = [freshMarket(), freshMarket()];
  await splitOrMerge(user.principal, "split", { marketId: market.id, shares: TEN });
  await place(user, { market: other, action: "BUY", outcome: 0, size: TEN });
  const limit = price(ONE - market.tick);
  await place(user, { market, action: "SELL", outcome: 1, limit, size: shares(6_000_000n) });
  const [pair, ...others] = await read(user);
  expect(pair).toMatchObject({ marketId: market.id, shares: FOUR });
  const names = market.outcomes.map(({ name }) => name);
  expect(pair?.outcomes.toSorted()).toEqual(names.toSorted());
  expect(others).toEqual([]);
});

it("pairs that are merged are paid once, and are gone", async () => {
  const user = await makeUser();
  const market = freshMarket();
  await splitOrMerge(user.principal, "split", { marketId: market.id, shares: TEN });
  const { owned } = await readCashBalance(user);
  const [pair] = await read(user);
  const body = { marketId: market.id, shares: pair?.shares ?? FOUR, idempotencyKey: "form" };
  const merges = await Promise.all(
    [1, 2, 3].map(() => splitOrMerge(user.principal, "merge", body)),
  );
  expect(new Set(merges.map(({ id }) => id)).size).toBe(1);
  expect((await readCashBalance(user)).owned).toBe(owned + TEN);
  expect(await read(user)).toEqual([]);
});

it("pairs of a resolved market are claimed, not merged", async () => {
  const user = await makeUser();
  const market = freshMarket({ inside: 0, closesAfter: MINUTE });
  await splitOrMerge(user.principal, "split", { marketId: market.id, shares: TEN });
  expect(await read(user)).toHaveLength(1);
  clock.set(market.resolvesAt);
  expect(await read(user)).toEqual([]);
});
