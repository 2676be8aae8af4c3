// The receipts of live claims.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { now, setClock } from "@/lib/clock";
import {
  findRedemption,
  findRedemptionsSince,
  listMarketRedemptions,
} from "@/lib/portfolio/find-redemption";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import type { Market } from "@/lib/venue/port";
import { remoteVenue } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  useClaims,
} from "@/tests/support/live/claims";
import { type LiveUser, LONG_TIMEOUTS, makeLiveUser } from "@/tests/support/live/venue";

const relayer = await useClaims(LONG_TIMEOUTS);
useFreshDatabase();

const FIVE = 5_000_000n;
const TWO = 2_000_000n;

/** The time of the service and of the venue. It stands still unless a test moves it. */
let at = Math.floor(Date.now() / 1_000) * 1_000;
let restoreClock = () => {};
beforeEach(() => {
  restoreClock = setClock(() => at);
});
afterEach(() => restoreClock());

let market: Market;
/** The token that won, and the one that lost. */
let [won, lost] = ["", ""];
beforeAll(async () => {
  market = await findResolvedMarket(relayer);
  const { winner } = remoteVenue().getState(market);
  const [first, second] = market.outcomes.map(({ tokenId }) => tokenId);
  [won = "", lost = ""] = winner === 0 ? [first, second] : [second, first];
});

async function makeWinner(): Promise<LiveUser> {
  const user = await makeLiveUser();
  giveShares(relayer, user, won, FIVE);
  return user;
}

const getName = (tokenId: string) =>
  market.outcomes.find((outcome) => outcome.tokenId === tokenId)?.name;

describe("a live claim", () => {
  it("has a receipt once it is final, without what the shares cost", async () => {
    const [user, other] = [await makeWinner(), await makeWinner()];
    giveShares(relayer, user, lost, TWO);
    const since = new Date(now());
    await redeemPosition(user.live, won);
    expect(await listMarketRedemptions(user.live, market)).toEqual([]);
    expect(await findRedemption(user.live, won)).toBeNull();
    expect(await findRedemptionsSince(user.live, since)).toBeNull();
    const [closed] = await advanceUntilClosed(user);
    const known = { marketTitle: market.title, traded: null, at: closed?.updatedAt };
    const paid = { ...known, outcome: getName(won), shares: FIVE, payoutUsdc: FIVE };
    const unpaid = { ...known, outcome: getName(lost), shares: TWO, payoutUsdc: 0n };
    const receipts = await listMarketRedemptions(user.live, market);
    expect(receipts).toEqual(
      market.outcomes.map(({ tokenId }) => (tokenId === won ? paid : unpaid)),
    );
    expect(await findRedemption(user.live, won)).toEqual(paid);
    expect(await findRedemption(user.live, lost)).toEqual(unpaid);
    const total = { payoutUsdc: FIVE, won: 1, lost: 1 };
    expect(await findRedemptionsSince(user.live, since)).toEqual(total);
    at += 1;
    expect(await findRedemptionsSince(user.live, new Date(at))).toBeNull();
    // Of this user's live account only.
    expect(await listMarketRedemptions(other.live, market)).toEqual([]);
    expect(await findRedemptionsSince(other.live, since)).toBeNull();
    expect(await listMarketRedemptions(user.principal, market)).toEqual([]);
  });

  it("has one receipt together with an earlier claim of the same outcome", async () => {
    const user = await makeWinner();
    await redeemPosition(user.live, won);
    await advanceUntilClosed(user);
    giveShares(relayer, user, won, TWO);
    await redeemPosition(user.live, won);
    await advanceUntilClosed(user);
    const both = FIVE + TWO;
    expect(await listMarketRedemptions(user.live, market)).toMatchObject([
      { outcome: getName(won), shares: both, payoutUsdc: both },
    ]);
  });
});
