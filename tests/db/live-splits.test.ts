import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { setClock } from "@/lib/clock";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  advanceUntilClosed,
  giveShares,
  readTransactions,
  useClaims,
  verifyBooksAfterEach,
} from "@/tests/support/live/claims";
import {
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  toFailure,
} from "@/tests/support/live/venue";
import { createOwner } from "@/tests/support/live/wallets";
import { balanceKey } from "@/tests/support/polymarket/relayer-stub";
import { makeUser } from "@/tests/support/users";

const relayer = await useClaims();
useFreshDatabase();
verifyBooksAfterEach();

let market: Market;
beforeAll(async () => {
  market = await findLiveMarket();
  const [first, second] = market.outcomes;
  relayer.tokens[market.id] = [first.tokenId, second.tokenId];
});

const TEN = 10_000_000n;
let restoreClock = () => {};
afterEach(() => {
  restoreClock();
  restoreClock = () => {};
});

/** Creates a user whose wallet has 10 USDC on the chain. */
async function makeHolder(): Promise<LiveUser> {
  const user = await makeLiveUser();
  giveShares(relayer, user, CONTRACT.collateral, TEN);
  return user;
}

/** Creates such a user with a Safe, whose transactions have no deadline. */
async function makeSafeHolder(): Promise<LiveUser> {
  const user = await makeUser();
  const { privateKey, address: owner, funders } = createOwner();
  await importLiveWallet(user.userId, { privateKey, funder: funders[2], signatureType: "2" });
  const made = { ...user, owner, funder: funders[2], live: { ...user.principal, mode: "live" } };
  giveShares(relayer, made as LiveUser, CONTRACT.collateral, TEN);
  return made as LiveUser;
}

/** Returns the status of a split or merge, or the code of its refusal. */
const change = (user: LiveUser, kind: "split" | "merge", size = TEN, idempotencyKey = "pairs") =>
  splitOrMerge(user.live, kind, { marketId: market.id, shares: shares(size), idempotencyKey }).then(
    ({ status }) => status as string,
    (error: unknown) => toFailure(error).code,
  );

const isSubmit = ({ path }: { path: string }) => path === "/relayer/submit";
const readChain = (user: LiveUser) =>
  [CONTRACT.collateral, ...market.outcomes.map(({ tokenId }) => tokenId)].map(
    (asset) => relayer.balances.get(balanceKey(user.funder, asset)) ?? 0n,
  );

describe("a split", () => {
  it("whose response is lost happens once, however often it is repeated", async () => {
    const user = await makeHolder();
    const lose: Fault = async (handle, { drop }) => {
      await handle();
      drop();
    };
    relayer.server.fault = (call) => (isSubmit(call) ? lose : null);
    expect(await change(user, "split", 4_000_000n)).toBe("ORDER_OUTCOME_UNKNOWN");
    relayer.server.fault = () => null;
    await change(user, "split", 4_000_000n);
    await advanceUntilClosed(user);
    expect(await change(user, "split", 4_000_000n)).toBe("confirmed");
    expect(await readTransactions(user)).toMatchObject([{ status: "confirmed", attempts: 1 }]);
    expect(readChain(user)).toEqual([6_000_000n, 4_000_000n, 4_000_000n]);
  });

  it("does not use cash that open orders reserve", async () => {
    const user = await makeHolder();
    expect(await send(user, RESTING, "resting")).toMatchObject({ status: 200 });
    expect(await change(user, "split")).toBe("INSUFFICIENT_BALANCE");
    expect(await readTransactions(user)).toEqual([]);
    expect(await change(user, "split", 9_000_000n)).toBe("submitted");
    await advanceUntilClosed(user);
    expect(readChain(user)).toEqual([1_000_000n, 9_000_000n, 9_000_000n]);
  });

  it("that waits for longer than its lifetime is not sent any more, even without a deadline", async () => {
    const user = await makeSafeHolder();
    let count = 0;
    relayer.server.fault = (call) => {
      if (!isSubmit(call)) return null;
      count += 1;
      return async (_, { send: answer }) =>
        answer(Response.json({ error: "quota exceeded" }, { status: 429 }));
    };
    expect(await change(user, "split")).toBe("waiting");
    expect(count).toBe(1);
    const startedAt = Date.now();
    restoreClock = setClock(() => startedAt + 700_000);
    const [row] = await readTransactions(user);
    await advance(row?.id ?? "");
    expect(await readTransactions(user)).toMatchObject([{ status: "failed" }]);
    expect(count).toBe(1);
    expect(await change(user, "split")).toBe("ORDER_REJECTED");
  });
});
