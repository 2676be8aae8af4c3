// Claims, splits and merges against the sandbox's relayer, with every kind of wallet.
import { randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { setClock } from "@/lib/clock";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import {
  deriveDepositWallet,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { ensureAccount } from "@/lib/sandbox/accounts";
import { shares } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import { setApprovals } from "@/lib/wallet-transactions/set-approvals";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { advanceUntilClosed } from "@/tests/support/live/claims";
import {
  findLiveMarket,
  type LiveUser,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";
import { makeUser } from "@/tests/support/users";

useSandboxRelayer(await useLiveVenue());
useFreshDatabase();

let market: Market;
beforeAll(async () => {
  market = await findLiveMarket();
});
let restoreClock = () => {};
afterEach(async () => {
  restoreClock();
  restoreClock = () => {};
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
});

const KINDS = { "1": deriveProxyWallet, "2": deriveSafeWallet, "3": deriveDepositWallet } as const;

async function makeOwner(signatureType: keyof typeof KINDS): Promise<LiveUser> {
  const user = await makeUser();
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const owner = computeAddress(privateKey);
  const funder = KINDS[signatureType](owner);
  await importLiveWallet(user.userId, { privateKey, funder, signatureType });
  await ensureAccount(funder);
  return { ...user, owner, funder, live: { ...user.principal, mode: "live" } };
}

const TEN = shares(10_000_000n);
const pairs = (amount: bigint) => ({ marketId: market.id, shares: shares(amount) });

it.each(["3", "2", "1"] as const)(
  "a wallet of type %s splits, merges and claims",
  async (signatureType) => {
    const user = await makeOwner(signatureType);
    // The sandbox's wallets have approved everything from the start.
    expect((await setApprovals(user.live)).transaction).toBeNull();
    await splitOrMerge(user.live, "split", pairs(TEN));
    await advanceUntilClosed(user);
    await splitOrMerge(user.live, "merge", pairs(4_000_000n));
    const done = await advanceUntilClosed(user);
    expect(done.map(({ kind, status }) => [kind, status])).toEqual([
      ["merge", "confirmed"],
      ["split", "confirmed"],
    ]);
    const resolved = market.resolvesAt + 7_200_000;
    restoreClock = setClock(() => resolved);
    const found = await remoteVenue().findMarketByToken(market.outcomes[0].tokenId);
    expect(found && remoteVenue().getState(found.market).status).toBe("resolved");
    await redeemPosition(user.live, market.outcomes[0].tokenId);
    const [claim] = await advanceUntilClosed(user);
    expect(claim).toMatchObject({ kind: "redeem", status: "confirmed" });
    const paid = (claim?.claims ?? []).reduce((sum, { payout }) => sum + BigInt(payout), 0n);
    expect(paid).toBe(6_000_000n);
    expect((await getPortfolio(user.live)).positions).toEqual([]);
  },
);

it("the venue reads a wallet's balances again after a split", async () => {
  const user = await makeOwner("3");
  const refresh = vi.spyOn(remoteVenue(), "refreshBalances");
  try {
    await splitOrMerge(user.live, "split", pairs(TEN));
    const [split] = await advanceUntilClosed(user);
    expect(split?.status).toBe("confirmed");
    const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
    const trader = expect.objectContaining({ funderAddress: user.funder });
    expect(refresh.mock.calls).toEqual([[trader, tokenIds, market.protocol]]);
    // The sandbox accepted the requests.
    await expect(refresh.mock.results[0]?.value).resolves.toBeUndefined();
  } finally {
    refresh.mockRestore();
  }
});
