// Claims, splits, merges and approvals that a session key signs, at the sandbox's relayer.
import { eq } from "drizzle-orm";
import { signRecoverable } from "tiny-secp256k1";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { signedTransactions, walletTransactions } from "@/lib/db/schema/wallet-transactions";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { recoverBatchSigner } from "@/lib/polymarket/protocol/relayer-signature";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { paperExchange, remoteVenue } from "@/lib/venues";
import { advance } from "@/lib/wallet-transactions/advance";
import { getApprovals, setApprovals } from "@/lib/wallet-transactions/set-approvals";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { advanceUntilClosed, readTransactions } from "@/tests/support/live/claims";
import {
  approveSales,
  LOSE_REQUEST,
  makeRelayedUser,
  splitElsewhere,
} from "@/tests/support/live/relayed-users";
import {
  type LiveUser,
  LONG_TIMEOUTS,
  makeSessionUserOf,
  type SessionEnd,
  type SessionUser,
  toFailure,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";

vi.mock("tiny-secp256k1", async (importOriginal) =>
  (await import("@/tests/support/custody/signatures")).countedSignatures(importOriginal),
);
const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useSandboxRelayer(sandbox);
useFreshDatabase();

const START = Math.floor(Date.now() / 1_000) * 1_000;
const HOUR_MS = 3_600_000;
const TEN = shares(10_000_000n);

/** The time of the service and of the venue. It stands still unless a test moves it. */
let at = START;
let restoreClock = () => {};
let market: Market;
/** When the market's result is known. */
let resolved: number;
beforeAll(async () => {
  const lasting = (await remoteVenue().listMarkets()).filter(
    ({ protocol, untradable, closesAt }) =>
      protocol === "v1" && untradable === null && closesAt > START + HOUR_MS,
  );
  const found = await findListedUntilClaimed(
    lasting.toSorted((one, other) => one.resolvesAt - other.resolvesAt),
  );
  if (!found) throw new Error("the venue lists an open market long enough for its claims");
  market = found;
  resolved = market.resolvesAt + 2 * HOUR_MS;
});

/** Finds a market that the venue still lists some hours after its result. It drops short ones earlier. */
async function findListedUntilClaimed(markets: readonly Market[]): Promise<Market | null> {
  for (const one of markets) {
    const restore = setClock(() => one.resolvesAt + 4 * HOUR_MS);
    const listed = await paperExchange().listMarkets();
    restore();
    const [first] = one.outcomes;
    if (listed.some(({ outcomes }) => outcomes[0].tokenId === first.tokenId)) return one;
  }
  return null;
}

beforeEach(() => {
  at = START;
  restoreClock = setClock(() => at);
});
afterEach(async () => {
  sandbox.fault = () => null;
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
  restoreClock();
});

/** Makes a user with a session key whose wallet holds ten shares of each outcome. */
async function makeHolder(end: (resolvedAt: number) => SessionEnd): Promise<SessionUser> {
  const walletOwner = await makeRelayedUser();
  await splitElsewhere(walletOwner, market, TEN);
  // Then one approval is missing.
  await approveSales(walletOwner, market, false);
  return makeSessionUserOf(walletOwner, end(resolved));
}

const endAt = (ms: number): SessionEnd => ({ entered: new Date(ms), atVenue: new Date(ms) });

interface Action {
  kind: "redeem" | "split" | "merge" | "approve";
  run: (user: LiveUser) => Promise<unknown>;
}

const body = () => ({ marketId: market.id, shares: shares(4_000_000n) });
const APPROVE: Action = { kind: "approve", run: ({ live }) => setApprovals(live) };
const SPLIT: Action = { kind: "split", run: ({ live }) => splitOrMerge(live, "split", body()) };
const MERGE: Action = { kind: "merge", run: ({ live }) => splitOrMerge(live, "merge", body()) };
const CLAIM: Action = {
  kind: "redeem",
  run: ({ live }) => redeemPosition(live, market.outcomes[0].tokenId),
};
const ACTIONS = [APPROVE, SPLIT, MERGE, CLAIM];

/** Moves the time on, to when an action is possible: a claim needs the market's result. */
function moveTo({ kind }: Action): void {
  at = kind === "redeem" ? resolved : at + 1_000;
}

/** Reads the signed forms of a user's transactions. */
async function readForms({ userId }: LiveUser) {
  const rows = await (
    await getDb()
  )
    .select({ body: signedTransactions.body })
    .from(signedTransactions)
    .innerJoin(walletTransactions, eq(walletTransactions.id, signedTransactions.transactionId))
    .where(eq(walletTransactions.userId, userId));
  return rows.map((row) => row.body);
}

/** Recovers who signed a form, and whether in the envelope of a session key. */
function readSigner(form: string) {
  const { nonce, signature, depositWalletParams } = JSON.parse(form) as {
    nonce: string;
    signature: string;
    depositWalletParams: {
      depositWallet: string;
      deadline: string;
      calls: { target: string; value: string; data: string }[];
    };
  };
  const { depositWallet: wallet, deadline, calls } = depositWalletParams;
  const batch = {
    wallet,
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
    calls: calls.map((call) => ({ ...call, value: BigInt(call.value) })),
  };
  return recoverBatchSigner(batch, 137, signature);
}

async function countTransfers({ userId }: LiveUser): Promise<number> {
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows.filter(({ debitAccount, creditAccount }) =>
    `${debitAccount}/${creditAccount}`.includes(`/${userId}/0`),
  ).length;
}

const countSubmits = () => sandbox.calls.filter(({ path }) => path === "/relayer/submit").length;

describe("a session key", () => {
  it("approves, splits, merges and claims at the venue's relayer, in its envelope", async () => {
    const user = await makeHolder((resolvedAt) => endAt(resolvedAt + HOUR_MS));
    expect((await getApprovals(user.live)).isComplete).toBe(false);
    for (const action of ACTIONS) {
      moveTo(action);
      await action.run(user);
      const [latest] = await advanceUntilClosed(user);
      expect(latest).toMatchObject({ kind: action.kind, status: "confirmed", failure: null });
      if (action.kind === "approve") {
        expect((await getApprovals(user.live)).isComplete).toBe(true);
      }
    }
    const [claim] = await readTransactions(user);
    const paid = (claim?.claims ?? []).reduce((sum, { payout }) => sum + BigInt(payout), 0n);
    // Ten shares of each outcome, four more by the split, and four less by the merge.
    expect(paid).toBe(TEN);
    const forms = await readForms(user);
    expect(forms).toHaveLength(ACTIONS.length);
    for (const form of forms) {
      expect(readSigner(form)).toEqual({ address: user.owner, isSessionKey: true });
      expect(form).toContain(`"from":"${user.owner}"`);
    }
  });

  it.each(ACTIONS)("that has expired signs and records nothing: $kind", async (action) => {
    const user = await makeHolder((resolvedAt) =>
      endAt((action.kind === "redeem" ? resolvedAt : START) + 60_000),
    );
    moveTo(action);
    at += 60_000;
    const submits = countSubmits();
    const signed = vi.mocked(signRecoverable).mockClear();
    await expectUnchanged(async () => {
      await expect(action.run(user)).rejects.toMatchObject({
        code: "SESSION_KEY_EXPIRED",
        status: 400,
      });
    });
    expect(signed).not.toHaveBeenCalled();
    expect(countSubmits()).toBe(submits);
    expect(await readTransactions(user)).toEqual([]);
  });

  it.each(ACTIONS)(
    "that expires before a recorded transaction is signed signs nothing: $kind",
    async (action) => {
      const user = await makeHolder((resolvedAt) =>
        endAt((action.kind === "redeem" ? resolvedAt : START) + 60_000),
      );
      moveTo(action);
      // Without the nonce, the transaction is recorded and not signed.
      sandbox.fault = ({ path }) =>
        path === "/relayer/v1/account/transactions/params" ? LOSE_REQUEST : null;
      await action.run(user);
      const [row] = await readTransactions(user);
      expect(row).toMatchObject({ status: "waiting", waitReason: "no_response", attempts: 0 });
      sandbox.fault = () => null;
      at += 60_000;
      const submits = countSubmits();
      const signed = vi.mocked(signRecoverable).mockClear();
      const transfers = await countTransfers(user);
      expect(await advance(row?.id ?? "")).toMatchObject({
        status: "failed",
        failure: expect.stringContaining("The session key of this wallet expired at") as string,
      });
      expect(signed).not.toHaveBeenCalled();
      expect(await readForms(user)).toEqual([]);
      expect(countSubmits()).toBe(submits);
      expect(await countTransfers(user)).toBe(transfers);
    },
  );

  it.each([
    ["has expired there", { expiresAt: new Date(START) }, "the session signer has expired"],
    ["was never listed", null, "the session signer is not authorized for this wallet"],
  ] as const)(
    "that %s is refused by the venue's relayer, and nothing is booked",
    async (_what, change, message) => {
      const walletOwner = await makeRelayedUser();
      const user = await makeSessionUserOf(walletOwner, {}, change);
      const before = await countTransfers(user);
      const failure: unknown = await SPLIT.run(user).catch((error: unknown) => error);
      expect(toFailure(failure).code).toBe("ORDER_REJECTED");
      expect(await readTransactions(user)).toMatchObject([
        { kind: "split", status: "failed", failure: expect.stringContaining(message) as string },
      ]);
      expect(await countTransfers(user)).toBe(before);
    },
  );
});
