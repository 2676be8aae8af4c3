import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { listActivity } from "@/lib/activity/list-activity";
import { getLedgerProof } from "@/lib/activity/get-ledger-proof";
import { getStatementSheet, listStatement } from "@/lib/activity/list-statement";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { ONE, price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  MINUTE,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { readCashBalance, readFills } from "@/tests/support/exchange/ledger";
import type { StatementFilter } from "@/lib/ledger/statement";
import { makeUser, type TestUser } from "@/tests/support/users";

/** A result that a venue can have, but no simulated market. */
const payouts = vi.hoisted(() => ({ areHalf: false }));
vi.mock("@/lib/domain/mark-price", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/domain/mark-price")>();
  const getPayoutPrice: typeof original.getPayoutPrice = (isWinner) =>
    payouts.areHalf ? price(500_000n) : original.getPayoutPrice(isWinner);
  return { ...original, getPayoutPrice };
});

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const START_MONEY = usdc(1_000_000_000n);
const SIZE = shares(20_000_000n);
const ALL = { limit: 100 };

/** A deposit, two buys and a sell with fees, a resolution and a claim. */
async function busyAccount() {
  const user = await makeUser(START_MONEY);
  clock.advance(MINUTE);
  const market = freshMarket();
  const bought = await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
  clock.advance(MINUTE);
  await place(user, { market, action: "SELL", outcome: 0, size: shares(5_000_000n) });
  const short = freshMarket({ closesAfter: MINUTE, closesWithin: 120 * MINUTE, inside: 0 });
  await place(user, { market: short, action: "BUY", outcome: 0, size: SIZE });
  await place(user, { market: short, action: "BUY", outcome: 1, size: SIZE });
  clock.set(short.resolvesAt);
  for (const outcome of [0, 1] as const)
    await redeemPosition(user.principal, getToken(short, outcome));
  return { user, market, short, bought };
}

/** Counts the lines of December before the two last deposits. */
const countOlder = (lines: readonly { createdAt: Date }[]) =>
  lines.slice(2).filter(({ createdAt }) => createdAt.getUTCMonth() === 11).length;

const readLines = async (user: TestUser, filter = {}) =>
  (await listStatement(user.principal, filter, ALL)).lines;

describe("the statement of an account", () => {
  it("has exact balances from zero to the current cash, each trade with its fee in one line", async () => {
    const { user } = await busyAccount();
    const lines = await readLines(user);
    let balance: bigint = (await readCashBalance(user)).owned;
    for (const line of lines) {
      expect(line.balanceUsdc).toBe(balance);
      balance -= line.amountUsdc;
    }
    expect(balance).toBe(0n);
    const { lines: ledger } = await listActivity(user.principal, { limit: 100 });
    const paid = ledger.filter(({ kind }) => kind === "fee");
    const total = (of: readonly { amountUsdc: bigint }[]) =>
      of.reduce((sum, line) => sum + line.amountUsdc, 0n);
    expect(total(lines)).toBe(total(ledger));
    expect(lines.reduce((sum, line) => sum + line.feeUsdc, 0n)).toBe(-total(paid));
  });

  it("has the payout price per share for a split market", async () => {
    const [user, market] = [await makeUser(START_MONEY), freshMarket({ closesAfter: MINUTE })];
    const odd = shares(9_010_000n);
    await place(user, { market, action: "BUY", outcome: 0, size: odd });
    clock.set(market.resolvesAt);
    payouts.areHalf = true;
    await redeemPosition(user.principal, getToken(market, 0));
    payouts.areHalf = false;
    const claim = (await readLines(user)).find(({ kind }) => kind === "claim");
    const paid = { shares: odd, price: 500_000n, amountUsdc: 4_505_000n };
    expect(claim).toMatchObject(paid);
  });

  it("has market, outcome, shares and order of trades and claims", async () => {
    const { user, market, short, bought } = await busyAccount();
    const lines = await readLines(user);
    expect(lines.at(-1)).toMatchObject({ kind: "deposit", market: null, orderId: null });
    const [fill] = await readFills(bought.orderId);
    expect(lines.find(({ orderId }) => orderId === bought.orderId)).toMatchObject({
      kind: "buy",
      amountUsdc: -(fill?.notional ?? 0n) - (fill?.fee ?? 0n),
      feeUsdc: fill?.fee,
      shares: fill?.shares,
      price: fill?.price,
      market: { title: market.title, slug: market.slug, outcome: market.outcomes[0].name },
    });
    const claims = lines.filter(({ kind }) => kind === "claim");
    const won = claims.find(({ amountUsdc }) => amountUsdc > 0n);
    const lost = claims.find(({ amountUsdc }) => amountUsdc === 0n);
    expect(won).toMatchObject({ shares: SIZE, price: ONE, amountUsdc: SIZE });
    expect(lost).toMatchObject({ shares: SIZE, price: 0n });
    const outcomes = [won?.market?.outcome, lost?.market?.outcome];
    expect(outcomes.toSorted()).toEqual(short.outcomes.map(({ name }) => name).toSorted());
  });

  it("filters by kind, market and time without touching the running balance", async () => {
    const { user, market } = await busyAccount();
    const lines = await readLines(user);
    const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id);
    for (const type of ["deposit", "buy", "sell", "claim"] as const) {
      const expected = lines.filter((line) => line.kind === type);
      expect(expected.length).toBeGreaterThan(0);
      expect(await readLines(user, { type })).toEqual(expected);
    }
    const withFees = lines.filter(({ feeUsdc }) => feeUsdc > 0n);
    expect(withFees.length).toBeGreaterThan(0);
    expect(await readLines(user, { type: "fee" })).toEqual(withFees);
    const text = market.title.slice(3, 20).toUpperCase();
    const ofMarket = lines.filter((line) => line.market?.title.toUpperCase().includes(text));
    expect(await readLines(user, { text })).toEqual(ofMarket);
    const cut = lines.at(-2)?.createdAt ?? new Date(0);
    expect(ids(await readLines(user, { from: cut }))).toEqual(ids(lines.slice(0, -1)));
    expect(ids(await readLines(user, { to: cut }))).toEqual(ids(lines.slice(-1)));
    expect(await readLines(user, { text: "50%_\0" })).toEqual([]);
  });

  it("is paged without gaps or repeats while deposits arrive", async () => {
    const { user } = await busyAccount();
    const lines = await readLines(user);
    const first = await listStatement(user.principal, {}, { limit: 2 });
    await deposit(user.userId, usdc(1_000_000n));
    const cursor = first.nextCursor ?? "";
    const rest = await listStatement(user.principal, {}, { limit: 100, cursor });
    expect([...first.lines, ...rest.lines]).toEqual(lines);
    expect(rest.nextCursor).toBeNull();
  });

  it("has totals of whole months, in the user's time zone, however few lines a page has", async () => {
    const { user } = await busyAccount();
    // 31 December 23:30 in UTC is already January in Berlin.
    clock.set(Date.UTC(2026, 11, 31, 22, 30));
    await deposit(user.userId, usdc(1_000_001n));
    clock.advance(60 * MINUTE);
    await deposit(user.userId, usdc(2_000_002n));
    const lines = await readLines(user);
    const readSheet = (filter: StatementFilter, zone: string, limit = 1) =>
      getStatementSheet(user.principal, filter, { limit }, zone);
    const { months, total, nextCursor } = await readSheet({}, "Europe/Berlin");
    expect(nextCursor).not.toBeNull();
    expect(months).toEqual([
      {
        month: "2027-01",
        lines: 1,
        receivedUsdc: 2_000_002n,
        paidUsdc: 0n,
        feesUsdc: 0n,
        openingUsdc: lines[1]?.balanceUsdc,
        closingUsdc: lines[0]?.balanceUsdc,
      },
    ]);
    const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
    const amounts = lines.map(({ amountUsdc }) => amountUsdc);
    const everything = {
      lines: lines.length,
      receivedUsdc: sumOf(amounts.filter((amount) => amount > 0n)),
      paidUsdc: -sumOf(amounts.filter((amount) => amount < 0n)),
      feesUsdc: sumOf(lines.map(({ feeUsdc }) => feeUsdc)),
      openingUsdc: 0n,
      closingUsdc: lines[0]?.balanceUsdc,
    };
    expect(total).toEqual(everything);
    const inUtc = await readSheet({}, "UTC");
    expect(inUtc.months).toMatchObject([{ month: "2026-12", lines: 2 + countOlder(lines) }]);
    const buys = lines.filter(({ kind }) => kind === "buy");
    const ofBuys = await readSheet({ type: "buy" }, "UTC", 2);
    expect(ofBuys.total).toMatchObject({
      lines: buys.length,
      paidUsdc: -sumOf(buys.map(({ amountUsdc }) => amountUsdc)),
      openingUsdc: null,
      closingUsdc: null,
    });
    // The ledger proof has the same sums.
    const { bought } = await getLedgerProof(user.principal);
    const { receivedUsdc = 0n, paidUsdc = 0n, feesUsdc = 0n } = ofBuys.total ?? {};
    expect(receivedUsdc - paidUsdc + feesUsdc).toBe(bought.amountUsdc);
    const none = await readSheet({ text: "no market is called this" }, "UTC");
    expect(none).toMatchObject({ lines: [], months: [], total: null });
  });

  it("starts again with a reset, and has no other user's lines", async () => {
    const { user } = await busyAccount();
    await resetAccount(user.principal, usdc(5_000_000n));
    expect(await readLines(user)).toMatchObject([{ kind: "deposit", balanceUsdc: 5_000_000n }]);
    const other = await makeUser(usdc(7n));
    expect(await readLines(other)).toMatchObject([{ kind: "deposit", amountUsdc: 7n }]);
  });

  it("rejects a foreign cursor", async () => {
    const user = await makeUser();
    const page = { limit: 10, cursor: "nonsense" };
    await expect(listStatement(user.principal, {}, page)).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });
});
