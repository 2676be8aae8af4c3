import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkAccount } from "@/lib/activity/check-account";
import { getLedgerProof } from "@/lib/activity/get-ledger-proof";
import { listStatement } from "@/lib/activity/list-statement";
import { getDb, withTransaction } from "@/lib/db/client";
import { readCashSums } from "@/lib/ledger/account-sums";
import { available, LIVE_EPOCH, USDC } from "@/lib/ledger/accounts";
import { buildFill, buildHold, buildReversal } from "@/lib/ledger/live-transfers";
import { post, type Transfer } from "@/lib/ledger/transfers";
import { verifyAccount } from "@/lib/ledger/verify-account";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { LedgerProof } from "@/lib/schemas/ledger-proof";
import { NO_USDC, shares, sum, usdc } from "@/lib/units";
import { formatMoney } from "@/components/format/numbers";
import { showProof } from "@/components/format/sums";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { liveRandomly } from "@/tests/support/exchange/random-trading";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SEED = 20_261_125;

const readAll = async (user: TestUser, type?: "deposit" | "buy" | "sell" | "claim" | "fee") =>
  (await listStatement(user.principal, { type }, { limit: 10_000 })).lines;

describe("the ledger proof after random trading", () => {
  it(`adds up exactly for each user (seed ${SEED})`, async () => {
    const life = { seed: SEED, operations: 240, width: 4, users: 4 };
    const users = await liveRandomly(clock, life);
    const kinds = new Set<string>();
    for (const user of users) {
      const proof = await getLedgerProof(user.principal);
      const flows = [proof.deposits, proof.bought, proof.sold, proof.fees, proof.payouts];
      for (const [at, { events }] of flows.entries()) if (events > 0) kinds.add(String(at));
      const { balanceUsdc, portfolioValue, positions } = await getPortfolio(user.principal);
      expect(sum(flows.map(({ amountUsdc }) => amountUsdc))).toBe(balanceUsdc);
      expect(proof.cashUsdc).toBe(balanceUsdc);
      expect(proof.totalUsdc).toBe(portfolioValue);
      expect(proof.positionsUsdc).toBe(sum(positions.map(({ value }) => value)));
      expect(proof.outsideUsdc).toBeNull();
      expect(proof.verification.mismatches).toBe(0);
      expect(proof.verification.accounts).toBeGreaterThan(0);
    }
    // The history has every kind of transfer.
    expect(kinds.size).toBe(5);
  });

  it("has the sums of the statement's lines behind each bar", async () => {
    const users = await liveRandomly(clock, { seed: 7, operations: 160, width: 4, users: 3 });
    for (const user of users) {
      const { deposits, bought, sold, fees, payouts } = await getLedgerProof(user.principal);
      const gross = (lines: Awaited<ReturnType<typeof readAll>>) =>
        sum(lines.flatMap(({ amountUsdc, feeUsdc }) => [amountUsdc, feeUsdc]));
      expect(deposits.amountUsdc).toBe(gross(await readAll(user, "deposit")));
      expect(bought.amountUsdc).toBe(gross(await readAll(user, "buy")));
      expect(sold.amountUsdc).toBe(gross(await readAll(user, "sell")));
      expect(payouts.amountUsdc).toBe(gross(await readAll(user, "claim")));
      const withFees = await readAll(user, "fee");
      expect(-fees.amountUsdc).toBe(sum(withFees.map(({ feeUsdc }) => feeUsdc)));
      expect(bought.events).toBe((await readAll(user, "buy")).length);
      expect(fees.events).toBe(withFees.length);
    }
  });

  it("is shown in cents that add up", async () => {
    const users = await liveRandomly(clock, { seed: 11, operations: 120, width: 4, users: 3 });
    for (const user of users) {
      const proof = z.encode(LedgerProof, await getLedgerProof(user.principal));
      const { deposits, bought, sold, fees, payouts, cashUsdc, positionsUsdc, totalUsdc } = proof;
      const flows = [deposits, bought, sold, fees, payouts].map(({ amountUsdc }) => amountUsdc);
      const shown = showProof({ flows, cashUsdc, positionsUsdc, totalUsdc });
      const inCents = (amount: number) => Math.round(amount * 100);
      expect(
        [...shown.flows, shown.flowsRounding].reduce((total, flow) => total + inCents(flow), 0),
      ).toBe(inCents(shown.cash));
      expect(inCents(shown.cash) + inCents(shown.positions) + inCents(shown.totalRounding)).toBe(
        inCents(shown.total),
      );
      expect(formatMoney(shown.total)).toBe(formatMoney(totalUsdc));
    }
  });
});

describe("the cash of a live account", () => {
  const at = new Date("2026-11-25T12:00:00Z");
  const postAll = (transfers: readonly Transfer[]) =>
    withTransaction((tx) => post(tx, { transfers, events: [] }, at));

  it("is summed over fills from the reservation and from the wallet, without reversed fills", async () => {
    const { userId } = await makeUser();
    const owner = { userId, epoch: LIVE_EPOCH };
    const order = { owner, marketId: "market", tokenId: "token" };
    const buy = { ...order, orderId: "live-buy", action: "BUY" } as const;
    const sell = { ...order, orderId: "live-sell", action: "SELL" } as const;
    const fill = (tradeId: string, notional: bigint, fee: bigint) => ({
      tradeId,
      shares: shares(10_000_000n),
      notional: usdc(notional),
      fee: usdc(fee),
      builder: null,
    });
    const reserved = 3_000_000n;
    await postAll([buildHold(buy, "1", reserved)]);
    await postAll(buildFill(buy, fill("first", 4_000_001n, 90_000n), reserved).transfers);
    await postAll(buildFill(sell, fill("second", 2_500_000n, 50_000n), 0n).transfers);
    for (const [party, failed] of [
      [buy, fill("third", 7_000_000n, 70_000n)],
      [sell, fill("fourth", 1_000_000n, 10_000n)],
    ] as const) {
      await postAll(buildFill(party, failed, 0n).transfers);
      await postAll(buildReversal(party, failed));
    }
    const sums = await readCashSums(await getDb(), owner);
    const amounts = Object.fromEntries(
      Object.entries(sums).map(([cause, { amount }]) => [cause, amount]),
    );
    expect(amounts).toEqual({
      deposit: 0n,
      buy: -4_000_001n,
      sell: 2_500_000n,
      fee: -140_000n,
      payout: 0n,
    });
  });
});

describe("the verification of an account", () => {
  it("counts a balance that its transfers don't add up to", async () => {
    const user = await makeUser();
    const db = await getDb();
    const owner = { userId: user.userId, epoch: 1 };
    const { id } = available(owner, USDC);
    const change = (by: number) =>
      db.execute(
        sql`update ledger_accounts set balance_micro = balance_micro + ${by}::bigint where id = ${id}`,
      );
    const intact = await verifyAccount(db, owner);
    expect(intact.mismatches).toBe(0);
    expect(intact.transfers).toBe(1);
    await change(1);
    expect((await verifyAccount(db, owner)).mismatches).toBe(1);
    await change(-1);
  });

  it("is reused for fifteen seconds", async () => {
    const user = await makeUser();
    const { id } = available({ userId: user.userId, epoch: 1 }, USDC);
    const change = async (by: number) =>
      (await getDb()).execute(
        sql`update ledger_accounts set balance_micro = balance_micro + ${by}::bigint where id = ${id}`,
      );
    const countMismatches = async () => (await checkAccount(user.principal)).mismatches;
    expect(await countMismatches()).toBe(0);
    await change(1);
    clock.advance(14_000);
    expect(await countMismatches()).toBe(0);
    clock.advance(1_000);
    expect(await countMismatches()).toBe(1);
    await change(-1);
  });

  it("of an account without transfers has nothing to disagree", async () => {
    const user = await makeUser(NO_USDC);
    const { verification, totalUsdc } = await getLedgerProof(user.principal);
    expect([verification.transfers, verification.mismatches, totalUsdc]).toEqual([0, 0, 0n]);
  });
});
