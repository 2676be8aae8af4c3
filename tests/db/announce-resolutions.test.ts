import { expect, it } from "vitest";
import { listEvents } from "@/lib/events/list-events";
import { paperVenue } from "@/lib/exchange";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  getToken,
  MINUTE,
  mintPair,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();

const DAY = 24 * 60 * MINUTE;
const SIZE = shares(20_000_000n);

const listTold = async ({ principal }: TestUser) => {
  const types = ["market.resolved", "position.redeemable"] as const;
  return (await listEvents(principal, { types })).events;
};

it("every holder of a resolved market is told once, also by two processes at once", async () => {
  const market = freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
  const deposit = usdc(1_000_000_000n);
  const [first, second, other] = [
    await makeUser(deposit),
    await makeUser(deposit),
    await makeUser(deposit),
  ];
  await mintPair(market, { first, second }, SIZE);
  clock.set(market.resolvesAt - 1);
  expect(await announceResolutions()).toBe(0);
  expect(await listTold(first)).toEqual([]);

  clock.set(market.resolvesAt);
  const announced = await Promise.all([announceResolutions(), announceResolutions()]);
  expect(announced.toSorted()).toEqual([0, 1]);
  expect(await announceResolutions()).toBe(0);

  const { winner } = paperVenue.getState(market);
  if (winner === null) throw new Error("a simulated market has a winner");
  const resolved = {
    id: market.id,
    title: market.title,
    slug: market.slug,
    winner: market.outcomes[winner].name,
    winningTokenId: market.outcomes[winner].tokenId,
  };
  for (const [user, outcome] of [
    [first, 0],
    [second, 1],
  ] as const) {
    const told = await listTold(user);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ["market.resolved", { market: resolved }],
      [
        "position.redeemable",
        { position: expect.objectContaining({ id: getToken(market, outcome), shares: SIZE }) },
      ],
    ]);
  }
  expect(await listTold(other)).toEqual([]);
});
