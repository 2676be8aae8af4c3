import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { upsertPositions } from "@/lib/db/queries/positions";
import { selectAccount } from "@/lib/db/queries/users";
import { ALL_KINDS, type NotificationKind } from "@/lib/domain/notifications";
import { readNewestEvents } from "@/lib/events/read-events";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { getUnread } from "@/lib/notifications/unread";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { cancelTransaction } from "@/lib/wallet-transactions/cancel-transaction";
import {
  claimAutomatically,
  getAutomaticClaims,
  setAutomaticClaims,
} from "@/lib/portfolio/claim-automatically";
import { freeze, thaw } from "@/lib/limits/freeze";
import { ensureAccount, toUserId } from "@/lib/sandbox/accounts";
import { shares, usdc } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  readTransactions,
  useClaims,
} from "@/tests/support/live/claims";
import {
  type LiveUser,
  LONG_TIMEOUTS,
  makeLiveUser,
  makeSessionUser,
} from "@/tests/support/live/venue";

const relayer = await useClaims(LONG_TIMEOUTS);
useFreshDatabase();

const SIZE = shares(5_000_000n);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The time of the service and of the venue. It stands still unless a test moves it. */
let at = Math.floor(Date.now() / 1_000) * 1_000;
let restoreClock = () => {};
beforeEach(() => {
  restoreClock = setClock(() => at);
});
afterEach(() => restoreClock());

let market: Market;
beforeAll(async () => {
  market = await findResolvedMarket(relayer);
});

it("a live account's wins are claimed only after its user turned it on", async () => {
  const user = await makeWinner();
  await claimAutomatically();
  expect(await readTransactions(user)).toEqual([]);
  await setAutomaticClaims(user, true);
  expect(await getAutomaticClaims(user.userId)).toBe(true);
  await claimAutomatically();
  expect(await readTransactions(user)).toMatchObject([{ kind: "redeem", isAutomatic: true }]);
  await advanceUntilClosed(user);
  // The venue may list the position for a while.
  at += HOUR_MS;
  await claimAutomatically();
  expect(await readTransactions(user)).toMatchObject([{ status: "confirmed" }]);
});

it("turning automatic claims off ends them", async () => {
  const user = await makeWinner();
  await setAutomaticClaims(user, true);
  await setAutomaticClaims(user, false);
  await claimAutomatically();
  expect(await getAutomaticClaims(user.userId)).toBe(false);
  expect(await readTransactions(user)).toEqual([]);
});

const refuse = (error: string, status = 400): void => {
  relayer.server.fault = ({ path }) =>
    path === "/relayer/submit" ? (_, { send }) => send(Response.json({ error }, { status })) : null;
};
const BLOCKED = "call blocked: call[0]";
const countSubmits = ({ funder }: LiveUser) =>
  relayer.server.calls.filter(
    ({ path, body }) => path === "/relayer/submit" && body.includes(funder),
  ).length;

it.each([
  ["user", { scope: "user" }],
  ["live account", { scope: "account", mode: "live" }],
] as const)("a frozen %s claims nothing until the freeze ends", async (_what, subject) => {
  const user = await makeWinner();
  const { userId } = user;
  await setAutomaticClaims(user, true);
  await freeze({ userId, subject, reason: "Stopped." });
  await claimAutomatically();
  expect(await readTransactions(user)).toEqual([]);
  expect(countSubmits(user)).toBe(0);
  await thaw({ userId, subject });
  at += 5 * MINUTE_MS;
  await claimAutomatically();
  expect(await readTransactions(user)).toMatchObject([{ kind: "redeem", isAutomatic: true }]);
  expect(await advanceUntilClosed(user)).toMatchObject([{ status: "confirmed" }]);
});

it("a claim that failed is repeated after an hour, and not before", async () => {
  const user = await makeWinner();
  await setAutomaticClaims(user, true);
  refuse(BLOCKED);
  const failedAt = at;
  await claimAutomatically();
  const failed = await readTransactions(user);
  expect(failed).toMatchObject([{ status: "failed" }]);
  expect(countSubmits(user)).toBe(1);
  relayer.server.fault = () => null;
  for (const minutes of [5, 30, 60]) {
    at = failedAt + minutes * MINUTE_MS;
    await claimAutomatically();
    expect(await readTransactions(user), `${minutes} minutes`).toEqual(failed);
  }
  expect(countSubmits(user)).toBe(1);
  at = failedAt + 65 * MINUTE_MS;
  await claimAutomatically();
  await advanceUntilClosed(user);
  const [repeated, ...others] = await readTransactions(user);
  expect(repeated).toMatchObject({ kind: "redeem", isAutomatic: true, status: "confirmed" });
  expect(others).toEqual(failed);
});

const listNotified = async (user: LiveUser) =>
  (await listNotifications(user.live, 10)).notifications;
/** The events that a browser with these kinds is sent. */
const readPushed = async (user: LiveUser, kinds: readonly NotificationKind[] = ALL_KINDS) =>
  readNewestEvents(await getDb(), user.live, { notified: kinds, isNews: true, limit: 10 });

it("a claim that fails is one notification for its owner, however often it is repeated", async () => {
  const [user, other] = [await makeWinner(), await makeWinner()];
  await setAutomaticClaims(user, true);
  refuse(BLOCKED);
  for (let repeat = 0; repeat < 3; repeat += 1) {
    await claimAutomatically();
    at += 65 * MINUTE_MS;
  }
  expect((await readTransactions(user)).map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => "failed"),
  );
  expect(await listNotified(user)).toMatchObject([
    {
      kind: "claim",
      title: "Automatic claim failed. Ante tries again",
      text: market.title,
      href: "/",
      reason: `Polymarket's relayer refused the transaction: ${BLOCKED}`,
      claim: null,
      isUnread: true,
    },
  ]);
  expect(await getUnread(user.live)).toEqual({ unread: 1 });
  const pushed = await readPushed(user, ["claim"]);
  expect(pushed.map(({ type }) => type)).toEqual(["transaction.failed"]);
  expect(pushed[0]?.data).not.toHaveProperty("transaction.notifiesOwner");
  const others = ALL_KINDS.filter((kind) => kind !== "claim");
  expect(await readPushed(user, others)).toEqual([]);
  expect(await listNotified(other)).toEqual([]);
});

it.each([
  ["a busy wallet", "wallet busy: this wallet has an active action", 400, "wallet_busy"],
  ["the relayer's quota", "quota exceeded: 0 units remaining, resets in 5 seconds", 429, "quota"],
])("a claim that waits for %s is no notification", async (_what, error, status, waitReason) => {
  const user = await makeWinner();
  await setAutomaticClaims(user, true);
  refuse(error, status);
  await claimAutomatically();
  expect(await readTransactions(user)).toMatchObject([{ status: "signed", waitReason }]);
  relayer.server.fault = () => null;
  expect(await advanceUntilClosed(user)).toMatchObject([{ status: "confirmed" }]);
  expect(await listNotified(user)).toEqual([]);
});

it("a claim that its owner cancels or has made elsewhere is no notification, and its failure later is one", async () => {
  const user = await makeWinner();
  await setAutomaticClaims(user, true);
  refuse("wallet busy: this wallet has an active action");
  await claimAutomatically();
  const [waiting] = await readTransactions(user);
  await cancelTransaction(user.live, waiting?.id ?? "");
  at += 65 * MINUTE_MS;
  // The first request after a claim is recorded reads the wallet's nonce. The shares are gone by then.
  relayer.server.fault = ({ path, search }) => {
    if (path === "/relayer/v1/account/transactions/params" && search.includes(user.owner)) {
      for (const { tokenId } of market.outcomes) giveShares(relayer, user, tokenId, 0n);
    }
    return null;
  };
  await claimAutomatically();
  expect(await readTransactions(user)).toMatchObject([
    { status: "failed", failure: "This position has nothing to claim." },
    { status: "failed", failure: "You canceled it. Nothing changed." },
  ]);
  expect(await listNotified(user)).toEqual([]);
  for (const { tokenId } of market.outcomes) giveShares(relayer, user, tokenId, SIZE);
  refuse(BLOCKED);
  at += 65 * MINUTE_MS;
  await claimAutomatically();
  expect(await listNotified(user)).toMatchObject([{ kind: "claim" }]);
});

it("a claim by the user that fails is no notification, because its response says so", async () => {
  const user = await makeWinner();
  refuse(BLOCKED);
  const claim = redeemPosition(user.live, market.outcomes[0].tokenId);
  await expect(claim).rejects.toMatchObject({ code: "ORDER_REJECTED" });
  expect(await readTransactions(user)).toMatchObject([{ status: "failed", isAutomatic: false }]);
  expect(await listNotified(user)).toEqual([]);
});

it("a session key claims until it expires, and nothing afterwards", async () => {
  const end = new Date(at + MINUTE_MS);
  const [valid, expired] = [
    await makeWinner(await makeSessionUser({ entered: new Date(at + HOUR_MS) })),
    await makeWinner(await makeSessionUser({ entered: end })),
  ];
  for (const user of [valid, expired]) await setAutomaticClaims(user, true);
  at = end.getTime();
  await claimAutomatically();
  expect(await readTransactions(valid)).toMatchObject([{ kind: "redeem", isAutomatic: true }]);
  expect(await readTransactions(expired)).toEqual([]);
  expect(countSubmits(expired)).toBe(0);
  expect(await advanceUntilClosed(valid)).toMatchObject([{ status: "confirmed" }]);
});

/** Makes a user hold shares of both outcomes, on the chain and in the venue's list. */
async function makeWinner(winner?: LiveUser): Promise<LiveUser> {
  const user = winner ?? (await makeLiveUser());
  await ensureAccount(user.funder);
  const db = await getDb();
  const owner = await selectAccount(db, toUserId(user.funder));
  if (!owner) throw new Error("the venue has an account for the wallet");
  for (const { tokenId } of market.outcomes) {
    giveShares(relayer, user, tokenId, SIZE);
    const row = {
      tokenId,
      marketId: market.id,
      shares: SIZE,
      cost: usdc(1n),
      realizedPnl: usdc(0n),
    };
    const { userId, epoch } = owner;
    await upsertPositions(db, [{ ...row, userId, epoch, updatedAt: new Date() }]);
  }
  return user;
}
