import { expect, it } from "vitest";
import { readLivePortfolio } from "@/lib/portfolio/live-portfolio";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeLiveUser, send, useLiveVenue } from "@/tests/support/live/venue";
import { bookOfOutcome } from "@/tests/support/live/depth";

const venue = await useLiveVenue({
  SUBMIT_ATTEMPT_TIMEOUT_MS: "20000",
  SUBMIT_BUDGET_MS: "20000",
});
useFreshDatabase();

it("a fill appears in the portfolio immediately, in cash and in positions", async () => {
  const user = await makeLiveUser();
  for (const key of ["first", "second"]) {
    // The limit leaves room for moving prices.
    const { limit } = await bookOfOutcome(0, 3);
    const size = shares(20_000_000n);
    const before = await readLivePortfolio(user.userId);
    const order = { action: "BUY", orderType: "limit", price: limit, shares: size } as const;
    expect(await send(user, order, key)).toMatchObject({ status: 200 });
    const after = await readLivePortfolio(user.userId);
    const readShares = ({ portfolio }: typeof after) => portfolio.positions[0]?.shares ?? 0n;
    expect(readShares(after) - readShares(before)).toBe(size);
    expect(after.cash.owned < before.cash.owned).toBe(true);
  }
});

it("cash that changes while holdings are read is read again", async () => {
  const user = await makeLiveUser();
  // Prices move: the limit leaves room for it.
  const { limit } = await bookOfOutcome(0, 3);
  const size = shares(20_000_000n);
  let isFirst = true;
  venue.fault = ({ path }) => {
    if (!path.endsWith("/positions") || !isFirst) return null;
    isFirst = false;
    return async (handle, { send: answer }) => {
      const reply = await handle();
      await send(
        user,
        { action: "BUY", orderType: "limit", price: limit, shares: size },
        "meanwhile",
      );
      await answer(reply);
    };
  };
  const { portfolio } = await readLivePortfolio(user.userId);
  venue.fault = () => null;
  expect(portfolio.positions).toHaveLength(1);
});
