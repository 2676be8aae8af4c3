// Splits, merges and claims of every kind of market, through the sandbox's relayer and its contracts.
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getDb } from "@/lib/db/client";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { sandboxTransactions } from "@/lib/db/schema/sandbox";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { placeOrder } from "@/lib/orders/place-order";
import { readChain } from "@/lib/polymarket/chain";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { decodePositionCall } from "@/lib/polymarket/protocol/position-calls";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { getPositionToken } from "@/lib/sandbox/plan-calls";
import { price, shares, usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import { setApprovals } from "@/lib/wallet-transactions/set-approvals";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { advanceUntilClosed, readEvents, readTransactions } from "@/tests/support/live/claims";
import {
  LOSE_RESPONSE,
  loseSubmissions,
  makeRelayedUser,
  type RelayedUser,
  splitElsewhere,
} from "@/tests/support/live/relayed-users";
import {
  LONG_TIMEOUTS,
  toFailure,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";

const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useSandboxRelayer(sandbox);
useFreshDatabase();
// The markets don't move, and resolve when a test says so.
const clock = useTestClock();
beforeEach(() => {
  sandbox.fault = () => null;
});
afterEach(async () => {
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
});

const WALLET_TYPES = ["WALLET", "SAFE", "PROXY"] as const;
const { ctfAdapter, negRiskCtfAdapter, router } = CONTRACT;
const KINDS = [
  { protocol: "v1", isNegRisk: false, contract: ctfAdapter },
  { protocol: "v1", isNegRisk: true, contract: negRiskCtfAdapter },
  { protocol: "v2", isNegRisk: false, contract: router },
  { protocol: "v2", isNegRisk: true, contract: router },
] as const;
type Kind = (typeof KINDS)[number];

const FUNDS = 10_000_000_000n;
const TEN = 10_000_000n;
const FOUR = 4_000_000n;
const SIX = TEN - FOUR;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Finds the open market of a kind that resolves first, but not within a day. */
async function findMarket({ protocol, isNegRisk }: Kind): Promise<Market> {
  const [found] = (await remoteVenue().listMarkets())
    .filter(
      (market) =>
        market.protocol === protocol &&
        market.isNegRisk === isNegRisk &&
        market.closesAt > clock.now + DAY_MS,
    )
    .toSorted((one, other) => one.resolvesAt - other.resolvesAt);
  return found ?? expect.fail("the venue lists open markets of each kind");
}

async function resolve(market: Market): Promise<void> {
  clock.set(market.resolvesAt + HOUR_MS);
  const found = await remoteVenue().findMarketByToken(market.outcomes[0].tokenId);
  expect(found && remoteVenue().getState(found.market).status).toBe("resolved");
}

/** Reads the wallet's cash and its shares of both outcomes from the chain. */
const readWallet = ({ funder }: RelayedUser, market: Market): Promise<bigint[]> =>
  readChain([
    { contract: CONTRACT.collateral, function: "balanceOf(address)", args: [funder] },
    ...market.outcomes.map(({ tokenId }) => ({
      contract: getPositionToken(market),
      function: "balanceOf(address,uint256)" as const,
      args: [funder, BigInt(tokenId)],
    })),
  ]);

/** Reads the calls of each transaction that the relayer accepted for a wallet, oldest first. */
async function readRelayed({ funder }: RelayedUser) {
  const db = await getDb();
  const mine = eq(sandboxTransactions.wallet, funder.toLowerCase());
  const rows = await db.select().from(sandboxTransactions).where(mine);
  return rows
    .toSorted((one, other) => Number((one.nonce ?? 0n) - (other.nonce ?? 0n)))
    .map(({ calls }) => calls.map((call) => decodePositionCall({ ...call, value: 0n })));
}

/** The transfers of a kind in the user's live account, as changes of it: asset and amount. */
async function readBooked({ userId }: RelayedUser, kind: string): Promise<[string, bigint][]> {
  const own = `external/${userId}/0/`;
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows
    .filter((row) => row.kind === kind)
    .flatMap(({ debitAccount, creditAccount, amount }): [string, bigint][] => {
      if (debitAccount.startsWith(own)) return [[debitAccount.slice(own.length), -amount]];
      return creditAccount.startsWith(own) ? [[creditAccount.slice(own.length), amount]] : [];
    });
}

/** The calls that claim a whole holding: one for both outcomes, or with Protocol V2 one for each. */
function listClaims({ protocol, contract }: Kind, market: Market, held: readonly bigint[]) {
  const conditionId = market.id;
  if (protocol === "v1") return [{ kind: "redeem", contract, conditionId }];
  return held.flatMap((amount, outcome) =>
    amount === 0n ? [] : [{ kind: "redeemOutcome", conditionId, outcome, amount }],
  );
}

const claim = (user: RelayedUser, market: Market, outcome: 0 | 1 = 0) =>
  redeemPosition(user.live, market.outcomes[outcome].tokenId);

/** Claims both outcomes again, which pays nothing. */
async function expectClaimed(user: RelayedUser, market: Market): Promise<void> {
  const before = await readTransactions(user);
  const left = await readWallet(user, market);
  for (const outcome of [0, 1] as const) {
    const failure = await claim(user, market, outcome).then(() => null, toFailure);
    expect(failure).toEqual({ status: 400, code: "INSUFFICIENT_SHARES" });
  }
  expect(await readTransactions(user)).toEqual(before);
  expect(await readWallet(user, market)).toEqual(left);
}

describe.each(KINDS)("a market of Protocol $protocol, neg-risk $isNegRisk,", (kind) => {
  const { contract } = kind;
  const change = (user: RelayedUser, how: "split" | "merge", market: Market, amount: bigint) =>
    splitOrMerge(user.live, how, { marketId: market.id, shares: shares(amount) });

  it.each(WALLET_TYPES)(
    "is split, merged and claimed by a wallet of type %s, each once",
    async (type) => {
      const market = await findMarket(kind);
      const [first, second] = market.outcomes.map(({ tokenId }) => tokenId);
      const user = await makeRelayedUser(type);
      // The sandbox's wallets have approved everything from the start.
      expect((await setApprovals(user.live)).transaction).toBeNull();
      await change(user, "split", market, TEN);
      await advanceUntilClosed(user);
      expect(await readWallet(user, market)).toEqual([FUNDS - TEN, TEN, TEN]);
      await change(user, "merge", market, FOUR);
      await advanceUntilClosed(user);
      expect(await readWallet(user, market)).toEqual([FUNDS - SIX, SIX, SIX]);

      await resolve(market);
      await claim(user, market);
      const [redeem] = await advanceUntilClosed(user);
      expect(await readWallet(user, market)).toEqual([FUNDS, 0n, 0n]);
      await expectClaimed(user, market);

      expect(
        (await readTransactions(user)).map(({ kind: what, status, attempts }) => [
          what,
          status,
          attempts,
        ]),
      ).toEqual([
        ["redeem", "confirmed", 1],
        ["merge", "confirmed", 1],
        ["split", "confirmed", 1],
      ]);
      const conditionId = market.id;
      expect(await readRelayed(user)).toEqual([
        [{ kind: "split", contract, conditionId, amount: TEN }],
        [{ kind: "merge", contract, conditionId, amount: FOUR }],
        listClaims(kind, market, [SIX, SIX]),
      ]);

      const claims = redeem?.claims ?? [];
      expect(claims.map(({ tokenId, shares: size }) => [tokenId, size])).toEqual([
        [first, String(SIX)],
        [second, String(SIX)],
      ]);
      const payouts = claims.map(({ payout }) => BigInt(payout)).filter((payout) => payout > 0n);
      expect(payouts.reduce((sum, payout) => sum + payout, 0n)).toBe(SIX);
      const booked = async (what: string) => new Set(await readBooked(user, what));
      expect(await booked("split_position")).toEqual(
        new Set([
          ["usdc", -TEN],
          [first, TEN],
          [second, TEN],
        ]),
      );
      expect(await booked("merge_positions")).toEqual(
        new Set([
          ["usdc", FOUR],
          [first, -FOUR],
          [second, -FOUR],
        ]),
      );
      expect(await booked("redeem")).toEqual(
        new Set([
          [first, -SIX],
          [second, -SIX],
          ...payouts.map((payout) => ["usdc", payout] as [string, bigint]),
        ]),
      );
      const redeemed = (await readEvents(user)).filter(
        ({ type: what }) => what === "position.redeemed",
      );
      expect(redeemed.map(({ data }) => data)).toEqual(claims);
      expect((await getPortfolio(user.live)).positions).toEqual([]);
    },
  );

  it("whose second outcome alone is held is claimed with one call", async () => {
    const market = await findMarket(kind);
    const user = await makeRelayedUser();
    const bought = await placeOrder(user.live, {
      tokenId: market.outcomes[1].tokenId,
      action: "BUY",
      orderType: "limit",
      price: price(990_000n),
      amount: usdc(20_000_000n),
      timeInForce: "FAK",
      idempotencyKey: "the second outcome",
    });
    expect(bought.answer.status).toBe(200);
    const [cash = 0n, none, held = 0n] = await readWallet(user, market);
    expect(none).toBe(0n);
    expect(held).toBeGreaterThan(0n);

    await resolve(market);
    await claim(user, market, 1);
    const [redeem] = await advanceUntilClosed(user);
    expect(redeem).toMatchObject({ kind: "redeem", status: "confirmed" });
    expect(await readRelayed(user)).toEqual([listClaims(kind, market, [0n, held])]);
    expect(redeem?.claims).toHaveLength(1);
    const payout = BigInt(redeem?.claims?.[0]?.payout ?? -1n);
    expect(await readWallet(user, market)).toEqual([cash + payout, 0n, 0n]);
    await expectClaimed(user, market);
  });

  it("has its balances read again by the venue after a split", async () => {
    const market = await findMarket(kind);
    const user = await makeRelayedUser();
    const refresh = vi.spyOn(remoteVenue(), "refreshBalances");
    try {
      await change(user, "split", market, TEN);
      expect(await advanceUntilClosed(user)).toMatchObject([{ status: "confirmed" }]);
      const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
      const trader = expect.objectContaining({ funderAddress: user.funder });
      expect(refresh.mock.calls).toEqual([[trader, tokenIds, kind.protocol]]);
      // The sandbox accepted the requests.
      await expect(refresh.mock.results[0]?.value).resolves.toBeUndefined();
    } finally {
      refresh.mockRestore();
    }
  });

  it.each(["split", "merge", "claim"] as const)(
    "has a %s whose response is lost, which the chain proves, once",
    async (what) => {
      const market = await findMarket(kind);
      const user = await makeRelayedUser();
      if (what !== "split") await splitElsewhere(user, market, TEN);
      if (what === "claim") await resolve(market);
      loseSubmissions(sandbox, LOSE_RESPONSE);
      const attempt = () =>
        what === "claim" ? claim(user, market) : change(user, what, market, FOUR);
      expect(await attempt().then(() => null, toFailure)).toMatchObject({
        code: "ORDER_OUTCOME_UNKNOWN",
      });
      expect(await advanceUntilClosed(user)).toMatchObject([{ status: "confirmed", attempts: 1 }]);
      sandbox.fault = () => null;
      const after = {
        split: [FUNDS - FOUR, FOUR, FOUR],
        merge: [FUNDS - SIX, SIX, SIX],
        claim: [FUNDS, 0n, 0n],
      };
      expect(await readWallet(user, market)).toEqual(after[what]);
      if (what === "claim") await expectClaimed(user, market);
      expect(await readRelayed(user)).toHaveLength(what === "split" ? 1 : 2);
      const own = { split: "split_position", merge: "merge_positions", claim: "redeem" }[what];
      // Cash, and both outcomes. A claim has no transfer of nothing.
      expect(await readBooked(user, own)).toHaveLength(
        what === "claim" ? expectedClaims(await readTransactions(user)) : 3,
      );
    },
  );
});

/** The number of transfers of the only claim: the shares of each outcome, and each payout. */
function expectedClaims([row]: Awaited<ReturnType<typeof readTransactions>>): number {
  const claims = row?.claims ?? [];
  return claims.length + claims.filter(({ payout }) => payout !== "0").length;
}
