import { like } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { toUserId } from "@/lib/sandbox/accounts";
import { changeSwitches, NO_FAULTS } from "@/lib/sandbox/switches";
import { complement, type Price, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { orderRow, readCashBalance, readFills } from "@/tests/support/exchange/ledger";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { callClob } from "@/tests/support/sandbox/call";
import {
  makeSandboxWallet,
  placeSigned,
  type SandboxWallet,
  type SignedTerms,
  signedBody,
} from "@/tests/support/sandbox/wallet";

useFreshDatabase();
useTestClock();
beforeEach(() => changeSwitches({ builderFees: RATES }));
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

/** With these, the fees of most fills are no whole micro-units. */
const RATES = { takerBps: 33, makerBps: 17 };
const FUNDS = 10_000_000_000n;
const newMarket = () => freshMarket({ inside: 5, where: ({ tick }) => tick === 1_000n });
/** Each test reads what its own code earned. */
let next = 0;
const makeCode = () => `0x${"cd".repeat(31)}${(next += 1).toString(16).padStart(2, "0")}`;

async function send(wallet: SandboxWallet, market: PaperMarket, terms: SignedTerms) {
  const body = signedBody(wallet, market, terms);
  const { status, body: answer } = await callClob(wallet, ["POST", "/order"], { body });
  return { code: status, ...(answer as { orderID: string; error?: string; status: string }) };
}

async function readEarned(code: string): Promise<bigint> {
  const rows = await (
    await getDb()
  )
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(like(ledgerAccounts.id, `paper_builder/${code}/%`));
  return rows.reduce((sum, { balance }) => sum + balance, 0n);
}

const readCash = ({ wallet }: SandboxWallet) =>
  readCashBalance({ userId: toUserId(wallet.address) });

/** Rests asks of 7 shares, each as a bid for the other outcome. */
async function restAsks(market: PaperMarket, prices: readonly Price[]): Promise<void> {
  const maker = await makeSandboxWallet();
  for (const at of prices) {
    await placeSigned(maker, market, { side: "BUY", at: complement(at), size: 7n, outcome: 1 });
  }
}

describe("an order with a builder code", () => {
  it("pays the taker's fee once on everything it takes, on top of the venue's fee", async () => {
    const [market, code, taker] = [newMarket(), makeCode(), await makeSandboxWallet()];
    const at = findPriceInside(market);
    // Of five neighbouring prices, the cut parts of the fees add up to more than a micro-unit.
    const asks = [0, 1, 2, 3, 4].map(at);
    await restAsks(market, asks);
    const { orderID } = await send(taker, market, {
      side: "BUY",
      at: at(4),
      size: 35n,
      builder: code,
    });
    const [order, fills] = [await orderRow(orderID), await readFills(orderID)];
    expect(fills).toHaveLength(5);
    const earned = (order.filledNotional * 33n) / 10_000n;
    expect(await readEarned(code)).toBe(earned);
    // Cut once, not per fill.
    const cut = fills.map(({ notional }) => (notional * 33n) / 10_000n);
    expect(cut.reduce((sum, fee) => sum + fee, 0n)).toBeLessThan(earned);
    const bare = await makeSandboxWallet();
    await restAsks(market, asks);
    const plain = await send(bare, market, { side: "BUY", at: at(4), size: 35n });
    expect(order.fee).toBe((await orderRow(plain.orderID)).fee + earned);
    expect(order.fee).toBe(fills.reduce((sum, { fee }) => sum + fee, 0n));
    expect(await readCash(taker)).toMatchObject({
      owned: FUNDS - order.filledNotional - order.fee,
      held: 0n,
    });
  });

  it("that rests reserves the maker's fee and pays it, at the rates of its placement", async () => {
    const [market, code, maker] = [newMarket(), makeCode(), await makeSandboxWallet()];
    const at = findPriceInside(market)(0);
    const { orderID } = await send(maker, market, { side: "BUY", at, size: 20n, builder: code });
    const cost = at * 20n;
    expect((await orderRow(orderID)).held).toBe(cost + (cost * 17n + 9_999n) / 10_000n);
    await changeSwitches({ builderFees: { takerBps: 0, makerBps: 0 } });
    const taker = await makeSandboxWallet();
    for (const size of [7n, 13n]) {
      await placeSigned(taker, market, { side: "BUY", at: complement(at), size, outcome: 1 });
    }
    const fee = (at * 7n * 17n) / 10_000n + (at * 13n * 17n) / 10_000n;
    expect(await orderRow(orderID)).toMatchObject({ status: "filled", fee, held: 0n });
    expect(await readEarned(code)).toBe(fee);
    expect(await readCash(maker)).toMatchObject({ owned: FUNDS - cost - fee, held: 0n });
  });

  it("that sells pays from its proceeds", async () => {
    const [market, code, trader] = [newMarket(), makeCode(), await makeSandboxWallet()];
    const at = findPriceInside(market)(1);
    await restAsks(market, [at]);
    await placeSigned(trader, market, { side: "BUY", at, size: 7n });
    const bidder = await makeSandboxWallet();
    await placeSigned(bidder, market, { side: "BUY", at, size: 7n });
    const { owned } = await readCash(trader);
    const { orderID } = await send(trader, market, { side: "SELL", at, size: 7n, builder: code });
    const order = await orderRow(orderID);
    expect(order.status).toBe("filled");
    expect(await readEarned(code)).toBe((order.filledNotional * 33n) / 10_000n);
    expect((await readCash(trader)).owned).toBe(owned + order.filledNotional - order.fee);
  });

  it("that the balance covers only without the fee is refused and moves no money", async () => {
    const [market, wallet] = [newMarket(), await makeSandboxWallet()];
    const at = findPriceInside(market)(0);
    const size = FUNDS / at;
    const code = makeCode();
    await changeSwitches({ builderFees: { takerBps: 0, makerBps: 100 } });
    const refused = await send(wallet, market, { side: "BUY", at, size, builder: code });
    expect(refused).toMatchObject({
      code: 400,
      error: expect.stringContaining("order amount (inc. fees)"),
    });
    expect(await readCash(wallet)).toMatchObject({ owned: FUNDS, held: 0n });
    expect(await readEarned(code)).toBe(0n);
    expect((await send(wallet, market, { side: "BUY", at, size })).code).toBe(200);
  });

  it("pays nothing while the rates are zero", async () => {
    await changeSwitches({ builderFees: NO_FAULTS.builderFees });
    const [market, code, taker] = [newMarket(), makeCode(), await makeSandboxWallet()];
    const at = findPriceInside(market)(0);
    await restAsks(market, [at]);
    const { orderID } = await send(taker, market, { side: "BUY", at, size: 7n, builder: code });
    expect((await orderRow(orderID)).filledNotional).toBe(usdc(at * 7n));
    expect(await readEarned(code)).toBe(0n);
  });
});
