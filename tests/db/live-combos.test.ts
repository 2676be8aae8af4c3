// Combos among a live account's positions: they are listed, and managed at the venue.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log";
import { toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
import { claimAutomatically, setAutomaticClaims } from "@/lib/portfolio/claim-automatically";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { listPairs } from "@/lib/portfolio/list-pairs";
import { redeemAll } from "@/lib/portfolio/redeem-all";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { advanceUntilClosed, readTransactions } from "@/tests/support/live/claims";
import type { Fault } from "@/tests/support/live/fault-server";
import {
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
const clock = useTestClock();

const [YES, NO] = [0n, 1n].map((outcome) => String((3n << 248n) | (7n << 120n) | outcome)) as [
  string,
  string,
];
const CONDITION = toPositionConditionId(YES);
const SIZE = 10_000_000n;
const HOUR_MS = 3_600_000;

/** A combo's position as the venue's list has it. */
const toRow = (tokenId: string, redeemable: boolean) => ({
  token_id: tokenId,
  condition_id: CONDITION,
  current_size: 8,
  avg_price: 0.25,
  entry_cost_usdc: 2,
  current_price: 1,
  current_value: 8,
  redeemable,
  title: "Both of them",
  slug: "both-of-them",
  outcome: "Yes",
});

/** Lets the venue list these combos among every wallet's open positions, and the combo as a market. */
function listCombos(market: Market, ...rows: object[]): void {
  const addRows: Fault = async (handle, { send }) => {
    const page = (await (await handle()).json()) as { data: object[] };
    await send(Response.json({ ...page, data: [...page.data, ...rows] }));
  };
  const describeCombo: Fault = async (_, { send }) => {
    const path = `${sandbox.url}/gamma/markets?closed=true&condition_ids=${market.id}`;
    const [wire] = (await (await fetch(path)).json()) as object[];
    const combo = { conditionId: CONDITION, slug: "both-of-them", positionIds: [YES, NO] };
    await send(Response.json([{ ...wire, ...combo, version: "v2", clobTokenIds: null }]));
  };
  sandbox.fault = ({ path, search }) => {
    if (path === "/data/v2/positions" && search.includes("status=OPEN")) return addRows;
    return path === "/gamma/markets" && isAboutCombo(search) ? describeCombo : null;
  };
}

const isAboutCombo = (search: string) => [YES, NO, CONDITION].some((id) => search.includes(id));

const warn = vi.spyOn(log, "warn");
beforeEach(() => {
  sandbox.fault = () => null;
  warn.mockClear();
});
afterEach(() => {
  sandbox.fault = () => null;
});

/** Creates a user with both outcomes of a resolved market. */
async function makeWinner(): Promise<{ user: RelayedUser; market: Market }> {
  const user = await makeRelayedUser();
  const market = (await remoteVenue().listMarkets()).find(
    ({ protocol, closesAt }) => protocol === "v1" && closesAt > clock.now + HOUR_MS,
  );
  if (!market) return expect.fail("the venue lists open markets");
  await splitElsewhere(user, market, SIZE);
  clock.set(market.resolvesAt + HOUR_MS);
  return { user, market };
}

const readPositions = async ({ live }: RelayedUser) => (await getPortfolio(live)).positions;
const listIds = (positions: readonly { id: string }[]) => positions.map(({ id }) => id).toSorted();

describe("a combo that is resolved", () => {
  it("is skipped by automatic claims without a warning, and the other wins are claimed", async () => {
    const { user, market } = await makeWinner();
    listCombos(market, toRow(YES, true));
    await setAutomaticClaims(user, true);
    await claimAutomatically();
    expect(await advanceUntilClosed(user)).toMatchObject([
      { kind: "redeem", marketId: market.id, isAutomatic: true, status: "confirmed" },
    ]);
    // The next time that the account is due.
    clock.advance(HOUR_MS);
    sandbox.calls.length = 0;
    await claimAutomatically();
    expect(sandbox.calls.map(({ path }) => path)).toContain("/data/v2/positions");
    expect(await readTransactions(user)).toHaveLength(1);
    const warnings = warn.mock.calls.map(([message]) => message);
    expect(warnings.filter((message) => /claimed automatically/.test(message))).toEqual([]);
    expect(listIds(await readPositions(user))).toEqual([YES]);
  });

  it("is left out when everything is claimed, and stays listed with its value", async () => {
    const { user, market } = await makeWinner();
    listCombos(market, toRow(YES, true), toRow(NO, true));
    const { redeemed, failed } = await redeemAll(user.live);
    expect(failed).toEqual([]);
    expect(redeemed.map(({ positionId }) => positionId)).not.toContain(YES);
    expect(redeemed).not.toEqual([]);
    await advanceUntilClosed(user);
    const after = await getPortfolio(user.live);
    expect(listIds(after.positions)).toEqual([YES, NO].toSorted());
    expect(after.portfolioValue - after.balanceUsdc).toBe(16_000_000n);
  });

  it("is refused in the venue's terms if a program claims it", async () => {
    const { user, market } = await makeWinner();
    listCombos(market, toRow(YES, true));
    const failure = await redeemPosition(user.live, YES).then(() => null, toFailure);
    expect(failure).toEqual({ status: 400, code: "ORDER_REJECTED" });
    expect(await readTransactions(user)).toEqual([]);
  });
});

it("both outcomes of an open combo are no pair to merge", async () => {
  const { user, market } = await makeWinner();
  listCombos(market, toRow(YES, false), toRow(NO, false));
  const positions = await readPositions(user);
  expect(listIds(positions)).toEqual(expect.arrayContaining([YES, NO]));
  expect(await listPairs(user.live, positions)).toEqual([]);
});
