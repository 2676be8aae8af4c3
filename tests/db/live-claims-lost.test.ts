// Claims whose responses are lost after the relayer accepted them.
import { beforeAll, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { signedTransactions } from "@/lib/db/schema/wallet-transactions";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import type { Market } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  useClaims,
} from "@/tests/support/live/claims";
import { makeLiveUser, toFailure } from "@/tests/support/live/venue";

const relayer = await useClaims();
useFreshDatabase();

const COUNT = 200;
const AT_ONCE = 8;
const SHARES = 5_000_000n;

let market: Market;
beforeAll(async () => {
  market = await findResolvedMarket(relayer);
});

it(`${COUNT} claims whose responses are lost after acceptance happen once each`, async () => {
  const seen = new Set<string>();
  // The first submission of every body is accepted, and its response is lost.
  relayer.server.fault = ({ path, body }) => {
    if (path !== "/relayer/submit" || seen.has(body)) return null;
    seen.add(body);
    return async (handle, { drop }) => {
      await handle();
      drop();
    };
  };
  const queue = Array.from({ length: COUNT }, (_, index) => index).values();
  const problems: string[] = [];
  const work = async () => {
    for (const index of queue) problems.push(...(await claimOnce(index)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(problems).toEqual([]);
  expect(seen.size).toBe(COUNT);
  expect(relayer.executed).toHaveLength(COUNT);
  const db = await getDb();
  expect(await db.select().from(signedTransactions)).toHaveLength(COUNT);
  const transfers = await db.select().from(ledgerTransfers);
  const booked = transfers.filter(({ kind, asset }) => kind === "redeem" && asset !== "usdc");
  expect(booked.map(({ amount }) => amount)).toEqual(Array.from({ length: COUNT }, () => SHARES));
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
}, 300_000);

/** Makes one claim, repeats the request, and returns what is wrong. */
async function claimOnce(index: number): Promise<string[]> {
  const user = await makeLiveUser();
  const token = market.outcomes[index % 2 === 0 ? 0 : 1].tokenId;
  giveShares(relayer, user, token, SHARES);
  const claim = () =>
    redeemPosition(user.live, token).then(
      ({ status }) => status,
      (error: unknown) => toFailure(error).code,
    );
  const first = await claim();
  const again = await claim();
  const rows = await advanceUntilClosed(user);
  const last = await claim();
  const found: string[] = [];
  // A busy machine can be too slow for the first request to be sent at all.
  const UNKNOWN = "ORDER_OUTCOME_UNKNOWN";
  if (![UNKNOWN, "waiting"].includes(first)) found.push(`${index}: first ${first}`);
  if (![UNKNOWN, "submitted", "waiting", "confirmed"].includes(again))
    found.push(`${index}: again ${again}`);
  if (rows.length !== 1 || rows[0]?.status !== "confirmed") {
    found.push(`${index}: ${rows.map(({ status }) => status).join()}`);
  }
  if (last !== "INSUFFICIENT_SHARES") found.push(`${index}: last ${last}`);
  return found;
}
