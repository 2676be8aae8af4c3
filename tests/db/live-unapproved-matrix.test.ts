// Every post of a sell that the exchange may not execute, with every fault: nothing is placed or held.
import { expect, it } from "vitest";
import type { Protocol } from "@/lib/domain/protocol";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { compareOrders, reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";
import type { Fault } from "@/tests/support/live/fault-server";
import { DELIVERED, DELIVERED_LATE, NOT_DELIVERED } from "@/tests/support/live/faults";
import { approveSales, makeRelayedUser, splitElsewhere } from "@/tests/support/live/relayed-users";
import { failPosts, POST_MOMENTS, useTroubles } from "@/tests/support/live/troubles";
import {
  findLiveMarket,
  type LiveUser,
  type Order,
  type Outcome,
  send,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";
import { Random, readSeed } from "@/tests/support/random";

const venue = await useLiveVenue();
useSandboxRelayer(venue);
useFreshDatabase();
const troubles = useTroubles(venue);

const FAULTS = Object.entries({ ...NOT_DELIVERED, ...DELIVERED, ...DELIVERED_LATE });
const FIVE = 5_000_000n;
/** Far above every price of the sandbox, so that it stays open once it is approved. */
const SELL: Order = {
  action: "SELL",
  orderType: "limit",
  price: price(990_000n),
  shares: shares(FIVE),
};

interface Case {
  protocol: Protocol;
  moment: string;
  fault: Fault;
  about: string;
}

const CASES: Case[] = (["v1", "v2"] as const).flatMap((protocol) =>
  POST_MOMENTS.flatMap((moment) =>
    FAULTS.map(([what, fault]) => ({
      protocol,
      moment,
      fault,
      about: `${protocol}, ${moment}: ${what}`,
    })),
  ),
);

/** Number of cases to run; UNAPPROVED_FAULT_CASES=144 runs all. */
const COUNT = Number(process.env["UNAPPROVED_FAULT_CASES"] ?? 12);
const AT_ONCE = 12;
const CASE_MS = 10_000;
const MOST_TRIES = 20;

it("the fault matrix of unapproved sells has every fault of every post: 144 cases", () => {
  expect(CASES).toHaveLength(144);
  expect(new Set(CASES.map(({ about }) => about)).size).toBe(144);
});

it(
  `${COUNT} fault cases of unapproved sells end without an order, and sell once approved`,
  async () => {
    const seed = readSeed();
    process.stdout.write(`unapproved faults: PRODUCT_SEED=${seed}\n`);
    const queue = new Random(seed).shuffle(CASES).slice(0, COUNT).values();
    const problems: string[] = [];
    const work = async () => {
      for (const each of queue) {
        const found = await run(each);
        problems.push(...found.map((text) => `${each.about}: ${text}`));
        for (const text of found)
          process.stdout.write(`unapproved faults: ${each.about}: ${text}\n`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    process.stdout.write(`unapproved faults: ${COUNT} cases done\n`);
    expect(problems).toEqual([]);
    expect((await verifyBooksAndLogs()).problems).toEqual([]);
  },
  120_000 + COUNT * CASE_MS,
);

/** Repeats the request and reconciles until the outcome is known, up to a limit. */
async function untilKnown(user: LiveUser, order: Order, key: string): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const told = await send(user, order, key);
    if (told.status !== 502 || tries >= MOST_TRIES) return told;
    await reconcileUntilSettled(user);
  }
}

/** Returns what is wrong at the end. */
async function run({ protocol, moment, fault }: Case): Promise<string[]> {
  const [user, market] = [await makeRelayedUser(), await findLiveMarket(protocol)];
  await splitElsewhere(user, market, FIVE);
  await approveSales(user, market, false);
  const order = { ...SELL, protocol };
  const found: string[] = [];
  troubles.set(user.owner, failPosts(moment, fault));
  const told = await send(user, order, "key");
  if (told.status !== 400 && told.status !== 502) found.push(`answered ${told.status}`);
  troubles.heal(user.owner);
  const faults = await troubles.finish(user.owner);
  if (faults === 0) found.push("no post had a fault");
  const end = await untilKnown(user, order, "key");
  if (!["INSUFFICIENT_ALLOWANCE", "ORDER_ABANDONED"].includes(end.code ?? "")) {
    found.push(`ended as ${end.status} ${end.code}`);
  }
  for (const { ours, venue: there } of await compareOrders(user)) {
    if (there !== null) found.push(`the venue has it as ${there.status}`);
    if (ours?.held !== 0n) found.push(`it holds ${ours?.held}`);
  }
  await approveSales(user, market, true);
  const sold = await untilKnown(user, order, "approved");
  if (sold.status !== 200) found.push(`once approved: ${sold.status} ${sold.code}`);
  return found;
}
