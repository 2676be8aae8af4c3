import { afterEach, describe, expect, it } from "vitest";
import { resetAccount } from "@/lib/accounts/reset-account";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { countClosed, listClosedPositions } from "@/lib/portfolio/list-closed-positions";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares, sum, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  getToken,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);

async function readClosed({ principal }: TestUser, cursor?: string, limit = 50) {
  const page = await listClosedPositions(principal, { cursor, limit });
  if (!page) throw new Error("a paper account has closed positions");
  return page;
}

/** Buys and sells all shares of a new market. */
async function buyAndSell(user: TestUser): Promise<string> {
  const market = freshMarket();
  await place(user, { market, action: "BUY", outcome: 1, size: SIZE });
  clock.advance(MINUTE);
  await place(user, { market, action: "SELL", outcome: 1, size: SIZE });
  return getToken(market, 1);
}

describe("closed positions", () => {
  it("have the profit after fees of a sale, a win and a loss, and add up to the account's profit", async () => {
    const user = await makeUser();
    const sold = await buyAndSell(user);
    const soldAt = clock.now;
    const market = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
    for (const outcome of [0, 1] as const)
      await place(user, { market, action: "BUY", outcome, size: SIZE });
    expect(await countClosed(user.principal)).toBe(1);
    clock.set(market.resolvesAt + MINUTE);
    for (const outcome of [0, 1] as const) {
      await redeemPosition(user.principal, getToken(market, outcome));
      clock.advance(MINUTE);
    }

    const { positions, nextCursor } = await readClosed(user);
    expect(nextCursor).toBeNull();
    expect(await countClosed(user.principal)).toBe(3);
    expect(positions.map(({ id }) => id)).toEqual([getToken(market, 1), getToken(market, 0), sold]);
    expect(positions.at(-1)).toMatchObject({
      end: "sold",
      shares: SIZE,
      outcome: expect.any(String),
      closedAt: new Date(soldAt),
    });
    expect(
      positions
        .slice(0, 2)
        .map(({ end }) => end)
        .toSorted(),
    ).toEqual(["lost", "won"]);
    expect(positions.find(({ end }) => end === "won")).toMatchObject({ receivedUsdc: SIZE });
    expect(positions.find(({ end }) => end === "lost")).toMatchObject({ receivedUsdc: 0n });
    for (const { boughtUsdc, receivedUsdc, fees, pnl } of positions) {
      expect(boughtUsdc > 0n && fees > 0n).toBe(true);
      expect(pnl).toBe(receivedUsdc - boughtUsdc - fees);
    }
    const { totalPnl } = await getPortfolio(user.principal);
    expect(sum(positions.map(({ pnl }) => pnl))).toBe(totalPnl);
  });

  it("leave out open positions, other users' and those from before a reset", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    await place(user, { market: freshMarket(), action: "BUY", outcome: 0, size: SIZE });
    await buyAndSell(other);
    expect((await readClosed(user)).positions).toEqual([]);
    await resetAccount(other.principal, usdc(1_000_000_000n));
    expect((await readClosed(other)).positions).toEqual([]);
    expect(await countClosed(other.principal)).toBe(0);
  });

  it("are paged newest first, without gaps or repeats", async () => {
    const user = await makeUser();
    const tokens: string[] = [];
    for (let count = 0; count < 5; count += 1) tokens.unshift(await buyAndSell(user));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readClosed(user, cursor, 2);
      found.push(...page.positions.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(tokens);
  });

  it("of a live account are unknown", async () => {
    const { principal } = await makeUser();
    const live = { ...principal, mode: "live" } as const;
    expect(await listClosedPositions(live, {})).toBeNull();
    expect(await countClosed(live)).toBeNull();
  });
});
