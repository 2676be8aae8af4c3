// Wallet transactions that are not submitted: canceled by their owner, or too old.
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { cancelTransaction } from "@/lib/wallet-transactions/cancel-transaction";
import { listOpenTransactions } from "@/lib/wallet-transactions/list-transactions";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  readEvents,
  readTransactions,
  useClaims,
  verifyBooksAfterEach,
} from "@/tests/support/live/claims";
import type { Fault } from "@/tests/support/live/fault-server";
import { findLiveMarket, type LiveUser, makeLiveUser, toFailure } from "@/tests/support/live/venue";

const relayer = await useClaims();
useFreshDatabase();
verifyBooksAfterEach();

let market: Market;
let resolved: Market;
let won = "";
beforeAll(async () => {
  market = await findLiveMarket();
  const [first, second] = market.outcomes;
  relayer.tokens[market.id] = [first.tokenId, second.tokenId];
  resolved = await findResolvedMarket(relayer);
  won = resolved.outcomes[0].tokenId;
});

const TEN = 10_000_000n;
let restoreClock = () => {};
afterEach(() => {
  restoreClock();
  restoreClock = () => {};
});

async function makeHolder(): Promise<LiveUser> {
  const user = await makeLiveUser();
  giveShares(relayer, user, CONTRACT.collateral, TEN);
  giveShares(relayer, user, won, TEN);
  return user;
}

const split = (user: LiveUser) =>
  splitOrMerge(user.live, "split", { marketId: market.id, shares: shares(TEN) }).then(
    ({ status }) => status as string,
    (error: unknown) => toFailure(error).code,
  );
const claim = (user: LiveUser) =>
  redeemPosition(user.live, won).then(
    ({ status }) => status as string,
    (error: unknown) => toFailure(error).code,
  );
const cancel = (user: LiveUser, id: string) =>
  cancelTransaction(user.live, id).then(
    ({ status }) => status as string,
    (error: unknown) => toFailure(error).code,
  );

const refuse =
  (status: number, error: string): Fault =>
  async (_, { send }) =>
    send(Response.json({ error }, { status }));
const QUOTA = refuse(429, "quota exceeded: 0 units remaining, resets in 90 seconds");

/** Answers the next submissions with a fault, and counts them. */
function faultSubmissions(fault: Fault | null): { count: number } {
  const seen = { count: 0 };
  relayer.server.fault = ({ path }) => {
    if (path !== "/relayer/submit") return null;
    seen.count += 1;
    return fault;
  };
  return seen;
}

const countAccepted = ({ funder }: LiveUser) =>
  relayer.transactions.filter(({ wallet }) => wallet === funder).length;
const readLast = async (user: LiveUser) => {
  const [row] = await readTransactions(user);
  return row ?? expect.fail("the transaction is recorded");
};

it("a split that waits is listed with its market's title until it is canceled", async () => {
  const user = await makeHolder();
  faultSubmissions(QUOTA);
  expect(await split(user)).toBe("waiting");
  const [waiting, ...others] = await listOpenTransactions(user.live);
  expect(waiting).toMatchObject({ kind: "split", shares: TEN, marketTitle: market.title });
  expect(others).toEqual([]);
  expect(await cancel(user, waiting?.id ?? "")).toBe("failed");
  expect(await listOpenTransactions(user.live)).toEqual([]);
});

describe("a cancel of a wallet transaction", () => {
  it("ends one that the relayer refused for a while, and it is never sent again", async () => {
    const user = await makeHolder();
    faultSubmissions(QUOTA);
    expect(await split(user)).toBe("waiting");
    const { id } = await readLast(user);
    const canceled = await cancelTransaction(user.live, id);
    expect(canceled).toMatchObject({
      status: "failed",
      reason: "You canceled it. Nothing changed.",
    });
    expect(await cancelTransaction(user.live, id)).toEqual(canceled);
    const seen = faultSubmissions(null);
    expect(await advance(id)).toBeNull();
    expect(seen.count).toBe(0);
    expect(countAccepted(user)).toBe(0);
    expect((await readEvents(user)).map(({ type }) => type)).toEqual([
      "wallet.added",
      "transaction.waiting",
      "transaction.failed",
    ]);
  });

  it("ends one that waits for another one, which goes on", async () => {
    const user = await makeHolder();
    relayer.confirmAfter = 1_000;
    expect(await claim(user)).toBe("submitted");
    expect(await split(user)).toBe("waiting");
    const { id } = await readLast(user);
    expect(await cancel(user, id)).toBe("failed");
    relayer.confirmAfter = 1;
    const rows = await advanceUntilClosed(user);
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
      ["split", "failed"],
      ["redeem", "confirmed"],
    ]);
  });

  it.each([
    ["submitted", null],
    [
      "unknown",
      async (handle: () => Promise<Response>, { drop }: Parameters<Fault>[1]) => {
        await handle();
        drop();
      },
    ],
  ] as const)("is refused for one that is %s, which goes on", async (status, fault) => {
    const user = await makeHolder();
    relayer.confirmAfter = 1_000;
    faultSubmissions(fault);
    await split(user);
    const before = await readLast(user);
    expect(before.status).toBe(status);
    expect(await cancel(user, before.id)).toBe("ORDER_NOT_CANCELABLE");
    expect(await readLast(user)).toEqual({ ...before, leasedUntil: new Date(0) });
    relayer.server.fault = () => null;
    relayer.confirmAfter = 1;
    await advanceUntilClosed(user);
    const after = await readLast(user);
    expect(after.status).toBe("confirmed");
    expect(await cancel(user, after.id)).toBe("ORDER_NOT_CANCELABLE");
    expect(await readLast(user)).toEqual(after);
  });

  it("of another user's transaction is refused like one of an unknown id", async () => {
    const [user, other] = [await makeHolder(), await makeHolder()];
    faultSubmissions(QUOTA);
    await split(user);
    const before = await readLast(user);
    expect(await cancel(other, before.id)).toBe("TRANSACTION_NOT_FOUND");
    expect(await cancel(other, "wtx_unknown")).toBe("TRANSACTION_NOT_FOUND");
    expect(await readLast(user)).toEqual(before);
  });
});

describe("a transaction that can't be sent", () => {
  it("ends after ten minutes if it is a split, and its account's log says so", async () => {
    const user = await makeHolder();
    relayer.confirmAfter = 1_000;
    expect(await claim(user)).toBe("submitted");
    expect(await split(user)).toBe("waiting");
    const { id } = await readLast(user);
    const startedAt = Date.now();
    restoreClock = setClock(() => startedAt + 500_000);
    expect(await advance(id)).toMatchObject({ status: "waiting", waitReason: "wallet_busy" });
    restoreClock();
    restoreClock = setClock(() => startedAt + 601_000);
    expect(await advance(id)).toMatchObject({
      status: "failed",
      failure: "It could not be sent within 10 minutes. Nothing changed. Try again.",
    });
    expect((await readEvents(user)).at(-1)).toMatchObject({
      type: "transaction.failed",
      data: { id, reason: expect.stringContaining("Nothing changed") as string },
    });
  });

  it("waits for the relayer's quota however often it is repeated, if it is a claim", async () => {
    const user = await makeHolder();
    const seen = faultSubmissions(QUOTA);
    const startedAt = Date.now();
    restoreClock = setClock(() => startedAt);
    for (let round = 0; round < 5; round += 1) expect(await claim(user)).toBe("waiting");
    expect(seen.count).toBe(1);
    restoreClock();
    restoreClock = setClock(() => startedAt + 91_000);
    const after = faultSubmissions(null);
    expect(await claim(user)).toBe("submitted");
    expect(after.count).toBe(1);
  });
});
