import "server-only";
import type { z } from "zod";
import { requireAccount } from "@/lib/accounts/require-account";
import { checkOwner } from "@/lib/activity/check-account";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb, withSnapshot } from "@/lib/db/client";
import { assert } from "@/lib/errors";
import { type CashSums, readCashSums } from "@/lib/ledger/account-sums";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { readPaperHoldings } from "@/lib/ledger/read-paper-account";
import type { AccountVerification } from "@/lib/ledger/verify-account";
import { valuePaperHoldings } from "@/lib/portfolio/get-portfolio";
import { readLivePortfolio, type PortfolioWithCash } from "@/lib/portfolio/live-portfolio";
import type { LedgerProof } from "@/lib/schemas/ledger-proof";
import { subtract, sum } from "@/lib/units";

type Proof = z.output<typeof LedgerProof>;

/**
 * Returns what the caller's account consists of, as sums over the ledger: deposits, trades, fees and
 * payouts add up to the cash, and cash and positions to the value. A paper account's ledger is complete.
 * A live wallet's cash also changes outside of Ante; that part is the rest.
 */
export async function getLedgerProof(principal: Principal): Promise<Proof> {
  if (principal.mode === "live") return readLiveProof(principal.userId);
  const { owner, found, sums } = await withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const holdings = await readPaperHoldings(tx, principal.userId);
    assert(holdings, "an account with a wallet has holdings");
    return { owner: account, found: holdings, sums: await readCashSums(tx, account) };
  });
  const verification = await checkOwner(owner);
  return toProof(await valuePaperHoldings(found), sums, { verification, hasOutside: false });
}

async function readLiveProof(userId: string): Promise<Proof> {
  const db = await getDb();
  const owner = { userId, epoch: LIVE_EPOCH };
  const account = await readLivePortfolio(userId);
  const [sums, verification] = [await readCashSums(db, owner), await checkOwner(owner)];
  return toProof(account, sums, { verification, hasOutside: true });
}

function toProof(
  { portfolio, cash }: PortfolioWithCash,
  { deposit, buy, sell, fee, payout }: CashSums,
  { verification, hasOutside }: { verification: AccountVerification; hasOutside: boolean },
): Proof {
  const known = sum([deposit, buy, sell, fee, payout].map(({ amount }) => amount));
  const toFlow = ({ amount, events }: CashSums["buy"]) => ({ amountUsdc: amount, events });
  return {
    deposits: toFlow(deposit),
    bought: toFlow(buy),
    sold: toFlow(sell),
    fees: toFlow(fee),
    payouts: toFlow(payout),
    outsideUsdc: hasOutside ? subtract(cash.owned, known) : null,
    cashUsdc: cash.owned,
    reservedUsdc: cash.held,
    positionsUsdc: subtract(portfolio.portfolioValue, cash.owned),
    positions: portfolio.positions.length,
    totalUsdc: portfolio.portfolioValue,
    verification,
    at: new Date(now()),
  };
}
