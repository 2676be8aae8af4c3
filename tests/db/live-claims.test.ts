import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { signedTransactions } from "@/lib/db/schema/wallet-transactions";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { freeze, thaw } from "@/lib/limits/freeze";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { readEvents } from "@/tests/support/live/claims";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  readTransactions,
  useClaims,
  verifyBooksAfterEach,
} from "@/tests/support/live/claims";
import { type Fault, type VenueCall } from "@/tests/support/live/fault-server";
import { type LiveUser, makeLiveUser, toFailure } from "@/tests/support/live/venue";
import { createOwner } from "@/tests/support/live/wallets";
import { makeUser } from "@/tests/support/users";
import { executeAll } from "@/tests/support/polymarket/relayer-stub";

const relayer = await useClaims();
useFreshDatabase();
verifyBooksAfterEach();

let market: Market;
/** The token that won, and the one that lost. */
let [won, lost] = ["", ""];
beforeAll(async () => {
  market = await findResolvedMarket(relayer);
  const { winner } = (await import("@/lib/venues")).remoteVenue().getState(market);
  const tokens = market.outcomes.map(({ tokenId }) => tokenId);
  [won, lost] =
    winner === 0 ? [tokens[0] ?? "", tokens[1] ?? ""] : [tokens[1] ?? "", tokens[0] ?? ""];
});

const FIVE = 5_000_000n;
let restoreClock = () => {};
afterEach(() => {
  restoreClock();
  restoreClock = () => {};
});

async function makeWinner(): Promise<LiveUser> {
  const user = await makeLiveUser();
  giveShares(relayer, user, won, FIVE);
  return user;
}

/** Returns the outcome of a claim: its status, or the code of the refusal. */
async function claim(user: LiveUser, tokenId = won): Promise<string> {
  try {
    return (await redeemPosition(user.live, tokenId)).status;
  } catch (error) {
    return toFailure(error).code;
  }
}

/** Accepts a wallet's last submission a second time, as one that fails. */
const acceptAgain =
  (user: LiveUser): Fault =>
  async (_, { send }) => {
    const first = findAccepted(user).at(-1);
    if (!first) throw new Error("a submission was accepted before");
    const second = { ...first, id: crypto.randomUUID(), state: "STATE_FAILED" };
    relayer.transactions.unshift(second);
    await send(Response.json({ transactionID: second.id, state: "STATE_NEW" }));
  };

const isSubmit = ({ path }: VenueCall) => path === "/relayer/submit";
const findExecuted = (user: LiveUser) =>
  relayer.executed.filter(({ wallet }) => wallet === user.funder);
const findAccepted = (user: LiveUser) =>
  relayer.transactions.filter(({ wallet }) => wallet === user.funder);

async function readForms(user: LiveUser) {
  const rows = await (await getDb()).select().from(signedTransactions);
  return rows.filter(({ wallet }) => wallet === user.funder);
}

async function readClaimTransfers(user: LiveUser) {
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows.filter(
    ({ kind, debitAccount, creditAccount }) =>
      kind === "redeem" && `${debitAccount}/${creditAccount}`.includes(`/${user.userId}/0`),
  );
}

/** Checks that a claim happened exactly once: on the chain, in the ledger and in the log. */
async function expectClaimedOnce(user: LiveUser): Promise<void> {
  expect(findExecuted(user)).toHaveLength(1);
  const [row, ...others] = await readTransactions(user);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: "confirmed", failure: null, waitReason: null });
  const transfers = await readClaimTransfers(user);
  expect(transfers.map(({ amount }) => amount)).toEqual([FIVE, FIVE]);
  const types = (await readEvents(user)).map(({ type }) => type);
  expect(types.filter((type) => type === "position.redeemed")).toHaveLength(1);
  expect(types.filter((type) => type === "transaction.confirmed")).toHaveLength(1);
  expect(await claim(user)).toBe("INSUFFICIENT_SHARES");
}

describe("a claim", () => {
  it("is submitted, and confirmed when the chain has it", async () => {
    const user = await makeWinner();
    expect(await redeemPosition(user.live, won)).toMatchObject({
      positionId: won,
      shares: FIVE,
      payoutUsdc: FIVE,
      status: "submitted",
    });
    expect(await readClaimTransfers(user)).toEqual([]);
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    expect((await readEvents(user)).map(({ type }) => type)).toEqual([
      "wallet.added",
      "transaction.submitted",
      "transaction.confirmed",
      "position.redeemed",
    ]);
  });

  it("includes the approval that the market's contract lacks, once", async () => {
    const user = await makeWinner();
    await claim(user);
    await advanceUntilClosed(user);
    expect(findExecuted(user)[0]?.calls.map(({ kind }) => kind)).toEqual(["setOperator", "redeem"]);
    giveShares(relayer, user, won, FIVE);
    await claim(user);
    await advanceUntilClosed(user);
    expect(findExecuted(user)[1]?.calls).toEqual([
      {
        kind: "redeem",
        contract: market.isNegRisk ? CONTRACT.negRiskCtfAdapter : CONTRACT.ctfAdapter,
        conditionId: market.id,
      },
    ]);
    expect(await readClaimTransfers(user)).toHaveLength(4);
  });

  it("redeems both outcomes of a market, of which one pays nothing", async () => {
    const user = await makeWinner();
    giveShares(relayer, user, lost, 2_000_000n);
    expect(await redeemPosition(user.live, lost)).toMatchObject({ payoutUsdc: 0n });
    await advanceUntilClosed(user);
    const [row] = await readTransactions(user);
    expect(row?.claims?.map(({ tokenId, payout }) => [tokenId, payout]).toSorted()).toEqual(
      [
        [won, FIVE.toString()],
        [lost, "0"],
      ].toSorted(),
    );
    expect(await claim(user, won)).toBe("INSUFFICIENT_SHARES");
    expect(findExecuted(user)).toHaveLength(1);
  });

  it("that was already submitted is returned by ten concurrent requests", async () => {
    const user = await makeWinner();
    relayer.confirmAfter = 1_000;
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(user)));
    expect(new Set(answers)).toEqual(
      new Set(answers.filter((one) => /submitted|waiting|OUTCOME/.test(one))),
    );
    relayer.confirmAfter = 1;
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    expect(await readForms(user)).toHaveLength(1);
  });

  it("of an unresolved market, or without shares, is refused and records nothing", async () => {
    const user = await makeLiveUser();
    expect(await claim(user)).toBe("INSUFFICIENT_SHARES");
    expect(await readTransactions(user)).toEqual([]);
    expect(findAccepted(user)).toEqual([]);
  });

  it("is not held up by a stranger with an invented session key of the wallet", async () => {
    const user = await makeWinner();
    const stranger = await makeUser();
    const { privateKey, address } = createOwner();
    const sessionKey = {
      scopes: "CLOB",
      expiresAt: String(Math.floor(Date.now() / 1_000) + 9_999),
    };
    const input = { privateKey, funder: user.funder, signatureType: "3", sessionKey };
    await importLiveWallet(stranger.userId, input);
    const live = { ...stranger.principal, mode: "live" } as const;
    const unauthorized: Fault = async (_, { send }) =>
      send(Response.json({ error: "invalid authorization" }, { status: 401 }));
    relayer.server.fault = (call) =>
      isSubmit(call) && call.body.includes(address) ? unauthorized : null;
    await redeemPosition(live, won);
    expect(await claim(user)).toBe("submitted");
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
  });

  it("keeps its wallet from being removed while it can happen", async () => {
    const user = await makeWinner();
    await claim(user);
    await expect(removeLiveWallet(user.userId)).rejects.toThrow("can still happen");
    await advanceUntilClosed(user);
    await removeLiveWallet(user.userId);
  });
});

describe("a frozen user", () => {
  const subject = { scope: "user" } as const;

  it("claims nothing", async () => {
    const user = await makeWinner();
    const { isLimited: _, ...live } = user.live;
    await freeze({ userId: user.userId, subject, reason: "Stopped." });
    expect(await claim({ ...user, live })).toBe("TRADING_FROZEN");
    expect(await readTransactions(user)).toEqual([]);
    expect(findAccepted(user)).toEqual([]);
  });

  it("sends nothing that was signed before, until the freeze ends", async () => {
    const user = await makeWinner();
    const fault: Fault = async (_, { send }) =>
      send(Response.json({ error: "wallet busy: active action" }, { status: 400 }));
    relayer.server.fault = (call) => (isSubmit(call) ? fault : null);
    expect(await claim(user)).toBe("waiting");
    relayer.server.fault = () => null;
    await freeze({ userId: user.userId, subject, reason: "Stopped." });
    const [row] = await readTransactions(user);
    expect(await advance(row?.id ?? "")).toMatchObject({ status: "signed", waitReason: "frozen" });
    expect(findAccepted(user)).toEqual([]);
    await thaw({ userId: user.userId, subject });
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
  });
});

describe("a response that proves nothing", () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 1_300));
  const LOST: Record<string, Fault> = {
    "is lost on the way back": async (handle, { drop }) => {
      await handle();
      drop();
    },
    "comes too late": async (handle, { send }) => {
      const response = await handle();
      await later();
      await send(response);
    },
    "is a 500": async (handle, { send }) => {
      await handle();
      await send(new Response("oops", { status: 500 }));
    },
    "is a page of a firewall": async (handle, { send }) => {
      await handle();
      await send(new Response("<html>blocked</html>", { status: 403 }));
    },
    "has no transaction id": async (handle, { send }) => {
      await handle();
      await send(Response.json({ state: "STATE_NEW" }));
    },
    "is a bare 429": async (handle, { send }) => {
      await handle();
      await send(new Response("Too Many Requests", { status: 429 }));
    },
  };

  it.each(Object.entries(LOST))(
    "makes the claim unknown, and it happens once: it %s",
    async (_, fault) => {
      const user = await makeWinner();
      let count = 0;
      relayer.server.fault = (call) => {
        if (!isSubmit(call)) return null;
        count += 1;
        return count === 1 ? fault : null;
      };
      expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
      expect((await readTransactions(user)).map(({ status }) => status)).toEqual(["unknown"]);
      await advanceUntilClosed(user);
      await expectClaimedOnce(user);
      expect(await readForms(user)).toHaveLength(1);
    },
  );

  it("is resolved by the nonce and the shares when the relayer lists nothing", async () => {
    const user = await makeWinner();
    relayer.isListing = false;
    relayer.server.fault = (call) =>
      isSubmit(call) ? (LOST["is lost on the way back"] ?? null) : null;
    expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
    executeAll(relayer);
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
  });

  it("followed by a refusal stays unknown: the refusal can be a consequence", async () => {
    const user = await makeWinner();
    relayer.isListing = false;
    let count = 0;
    relayer.server.fault = (call) => {
      if (!isSubmit(call)) return null;
      count += 1;
      return count === 1 ? (LOST["is a 500"] ?? null) : null;
    };
    await claim(user);
    // The relayer says that the wallet is busy, with this very transaction.
    for (let round = 0; round < 3; round += 1) {
      await advance((await readTransactions(user))[0]?.id ?? "");
      expect((await readTransactions(user))[0]?.status).toBe("unknown");
    }
    expect(count).toBeGreaterThan(1);
    executeAll(relayer);
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
  });

  it("to a submission that never arrived is resolved by sending the same bytes", async () => {
    const user = await makeWinner();
    const bodies: string[] = [];
    relayer.server.fault = (call) => {
      if (!isSubmit(call)) return null;
      bodies.push(call.body);
      return bodies.length === 1 ? async (_, { drop }) => drop() : null;
    };
    expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
    await advanceUntilClosed(user);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    await expectClaimedOnce(user);
  });

  it.each([["lists both"], ["lists none"]] as const)(
    "followed by a second acceptance, which fails, is resolved by the first: the relayer %s",
    async (listing) => {
      const user = await makeWinner();
      relayer.isListing = false;
      let count = 0;
      relayer.server.fault = (call) => {
        if (!isSubmit(call)) return null;
        count += 1;
        return count === 1 ? (LOST["is lost on the way back"] ?? null) : acceptAgain(user);
      };
      expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
      const [{ id } = { id: "" }] = await readTransactions(user);
      await advance(id);
      expect((await readTransactions(user))[0]?.status).toBe("submitted");
      // The chain executes the first one, so the second one's nonce is used.
      executeAll(relayer);
      relayer.isListing = listing === "lists both";
      await advanceUntilClosed(user);
      await expectClaimedOnce(user);
    },
  );

  it("is proved not to have happened by a deadline that passed with an unused nonce", async () => {
    const user = await makeWinner();
    relayer.server.fault = (call) => (isSubmit(call) ? async (_, { drop }) => drop() : null);
    expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
    const startedAt = Date.now();
    restoreClock = setClock(() => startedAt + 700_000);
    relayer.server.fault = () => null;
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    // The first form expired, so a second one was signed.
    expect(await readForms(user)).toHaveLength(2);
  });
});

describe("a refusal of the relayer", () => {
  const answer =
    (status: number, error: string): Fault =>
    async (_, { send }) =>
      send(Response.json({ error }, { status }));
  const refuseOnce = (fault: Fault) => {
    let count = 0;
    relayer.server.fault = (call) => {
      if (!isSubmit(call)) return null;
      count += 1;
      return count === 1 ? fault : null;
    };
  };

  it.each([
    ["wallet_busy", answer(400, "wallet busy: wallet has an active action")],
    ["wallet_busy", answer(400, "wallet has in-flight action")],
    ["quota", answer(429, "quota exceeded: 0 units remaining, resets in 90 seconds")],
    ["not_authorized", answer(401, "invalid authorization")],
  ] as const)("for a while is waited out and shown: %s", async (reason, fault) => {
    const user = await makeWinner();
    refuseOnce(fault);
    expect(await claim(user)).toBe("waiting");
    const [row] = await readTransactions(user);
    expect(row).toMatchObject({ status: "signed", waitReason: reason });
    const waitMs = (row?.dueAt.getTime() ?? 0) - Date.now();
    if (reason === "quota") expect(waitMs).toBeGreaterThan(80_000);
    expect(waitMs).toBeGreaterThan(1_000);
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    const waiting = (await readEvents(user)).find(({ type }) => type === "transaction.waiting");
    expect(waiting?.data).toMatchObject({ reason: expect.stringMatching(/\w/) as string });
  });

  it("because of a quota that resets in 31 years is repeated within a day", async () => {
    const user = await makeWinner();
    refuseOnce(answer(429, "quota exceeded: 0 units remaining, resets in 999999999 seconds"));
    expect(await claim(user)).toBe("waiting");
    const [row] = await readTransactions(user);
    expect(row?.dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000);
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
  });

  it("because of an old nonce makes Ante sign again, once it is proved that nothing happened", async () => {
    const user = await makeWinner();
    refuseOnce(async (handle, { send }) => {
      // Another program used the nonce in the meantime.
      relayer.nonces.set(user.owner.toLowerCase(), 1n);
      await send(await handle());
    });
    expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    expect(await readForms(user)).toHaveLength(2);
  });

  it("because of the nonce that the same bytes used leads to the first delivery", async () => {
    const user = await makeWinner();
    refuseOnce(async (handle, { send }) => {
      await handle();
      executeAll(relayer);
      await send(await handle());
    });
    expect(await claim(user)).toBe("ORDER_OUTCOME_UNKNOWN");
    await advanceUntilClosed(user);
    await expectClaimedOnce(user);
    expect(await readForms(user)).toHaveLength(1);
  });

  it("of the call itself ends the claim with the relayer's reason", async () => {
    const user = await makeWinner();
    refuseOnce(answer(400, "call blocked: call[0] blocked: calls to 0x00 are not permitted"));
    expect(await claim(user)).toBe("ORDER_REJECTED");
    expect((await readTransactions(user))[0]).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("call blocked") as string,
    });
    expect(await readClaimTransfers(user)).toEqual([]);
    // The next request makes another claim.
    expect(await claim(user)).toBe("submitted");
    await advanceUntilClosed(user);
    expect(findExecuted(user)).toHaveLength(1);
  });

  it("on the chain ends the claim, and nothing is booked", async () => {
    const user = await makeWinner();
    relayer.failing = true;
    expect(await claim(user)).toBe("submitted");
    await advanceUntilClosed(user);
    expect((await readTransactions(user))[0]).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("execution reverted") as string,
    });
    expect(await readClaimTransfers(user)).toEqual([]);
    relayer.failing = false;
    // The failed form could still use the nonce, so the next one waits for its deadline.
    expect(await claim(user)).toBe("waiting");
    expect(findAccepted(user)).toHaveLength(1);
    const startedAt = Date.now();
    restoreClock = setClock(() => startedAt + 700_000);
    await advanceUntilClosed(user);
    expect(findExecuted(user)).toHaveLength(1);
    expect(await readClaimTransfers(user)).toHaveLength(2);
  });
});
