import { beforeAll, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { upsertPositions } from "@/lib/db/queries/positions";
import { selectAccount } from "@/lib/db/queries/users";
import {
  claimAutomatically,
  getAutomaticClaims,
  setAutomaticClaims,
} from "@/lib/portfolio/claim-automatically";
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
import { type LiveUser, makeLiveUser } from "@/tests/support/live/venue";

const relayer = await useClaims();
useFreshDatabase();

const SIZE = shares(5_000_000n);
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
  const restore = setClock(() => Date.now() + 3_600_000);
  await claimAutomatically();
  restore();
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

/** Makes a user who holds shares of both outcomes, on the chain and in the venue's list. */
async function makeWinner(): Promise<LiveUser> {
  const user = await makeLiveUser();
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
