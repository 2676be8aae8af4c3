// Every call of the relayer and of the chain's node with every fault: each claim, split, merge and approval happens
// once and is booked once.
import { beforeAll, beforeEach, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { isOpen } from "@/lib/domain/wallet-transaction";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { shares } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";
import { setApprovals } from "@/lib/wallet-transactions/set-approvals";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceUntilClosed,
  findResolvedMarket,
  giveShares,
  readTransactions,
  useClaims,
} from "@/tests/support/live/claims";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import { DELIVERED, DELIVERED_LATE, NOT_DELIVERED } from "@/tests/support/live/faults";
import { findLiveMarket, type LiveUser, makeLiveUser, toFailure } from "@/tests/support/live/venue";
import { executeAll } from "@/tests/support/polymarket/relayer-stub";
import { Random, readSeed } from "@/tests/support/random";

const relayer = await useClaims();
useFreshDatabase();

const FAULTS = Object.entries({ ...NOT_DELIVERED, ...DELIVERED, ...DELIVERED_LATE });

type RpcAnswer = { id: number; result: string };
const changeAnswers =
  (change: (answer: RpcAnswer) => object): Fault =>
  async (handle, { send }) => {
    const answers = (await (await handle()).json()) as RpcAnswer[];
    await send(Response.json(answers.map(change)));
  };
/** Wrong results that the chain's node returns with status 200. */
const NODE_FAULTS = Object.entries({
  "the node fails each call": changeAnswers(({ id }) => ({
    jsonrpc: "2.0",
    id,
    error: { code: -32_000, message: "header not found" },
  })),
  "the node's results are empty": changeAnswers((answer) => ({ ...answer, result: "0x" })),
  "the node returns the results of other calls": changeAnswers(({ id, ...answer }) => ({
    ...answer,
    id: id + 100,
  })),
});
const FIVE = 5_000_000n;

/** The calls of the relayer and of the node. Ante never asks whether a wallet is deployed. */
const CALLS: Record<string, (call: VenueCall) => boolean> = {
  nonce: ({ path }) => path === "/relayer/v1/account/transactions/params",
  submission: ({ path }) => path === "/relayer/submit",
  status: ({ path }) => /^\/relayer\/v1\/account\/transactions\/[0-9a-f-]{36}$/.test(path),
  list: ({ path }) => path === "/relayer/transactions",
  chain: ({ path }) => path === "/rpc",
};
const MOMENTS = ["the first", "every one until the request is repeated"] as const;
/** The second read of the chain, after the transaction is recorded and before it is signed. */
const WHILE_SIGNING = "the second";
const KINDS = ["redeem", "split", "merge", "approve"] as const;

type Moment = (typeof MOMENTS)[number] | typeof WHILE_SIGNING;
interface Case {
  kind: (typeof KINDS)[number];
  name: string;
  moment: Moment;
  fault: Fault;
  about: string;
}

const listMoments = (name: string): readonly Moment[] =>
  name === "chain" ? [...MOMENTS, WHILE_SIGNING] : MOMENTS;

const CASES: Case[] = KINDS.flatMap((kind) =>
  Object.keys(CALLS).flatMap((name) =>
    listMoments(name).flatMap((moment) =>
      (name === "chain" ? [...FAULTS, ...NODE_FAULTS] : FAULTS).map(([what, fault]) => ({
        kind,
        name,
        moment,
        fault,
        about: `${kind}, ${name}, ${moment}: ${what}`,
      })),
    ),
  ),
);

const TOTAL = 1_092;
/** Number of cases to run; RELAYER_FAULT_CASES=1092 runs all. */
const COUNT = Number(process.env["RELAYER_FAULT_CASES"] ?? 30);
const AT_ONCE = 12;
const CASE_MS = 10_000;

/** The number of transfers that each kind books. Those of a claim are the shares, and their payout if they won. */
const transfers = { redeem: 0, split: 3, merge: 3, approve: 0 };
let [open, resolved]: [Market | null, Market | null] = [null, null];
beforeAll(async () => {
  open = await findLiveMarket();
  const [first, second] = open.outcomes;
  relayer.tokens[open.id] = [first.tokenId, second.tokenId];
  resolved = await findResolvedMarket(relayer);
  transfers.redeem = remoteVenue().getState(resolved).winner === 0 ? 2 : 1;
});
// After `useClaims`, which ends all faults before each test.
beforeEach(() => {
  relayer.server.fault = (call) => {
    const owner = [...troubles.keys()].find((user) => isOf(call, user));
    return (owner === undefined ? null : troubles.get(owner)?.(call)) ?? null;
  };
});

/** The faults of each user's calls. The list has no address: it fails for all users. */
const troubles = new Map<LiveUser, (call: VenueCall) => Fault | null>();
function isOf(call: VenueCall, { owner, funder }: LiveUser): boolean {
  if (CALLS["list"]?.(call)) return true;
  if (CALLS["chain"]?.(call)) return call.body.includes(funder.slice(2).toLowerCase());
  if (!CALLS["status"]?.(call)) return `${call.search}${call.body}`.includes(owner);
  return relayer.transactions.some(({ id, from }) => call.path.endsWith(id) && from === owner);
}

it(`the relayer's fault matrix has every fault of every call: ${TOTAL} cases`, () => {
  expect(CASES).toHaveLength(TOTAL);
  expect(new Set(CASES.map(({ about }) => about)).size).toBe(TOTAL);
});

it(
  `${COUNT} fault cases of the relayer end with one transaction that is booked once`,
  async () => {
    const seed = readSeed();
    process.stdout.write(`relayer faults: PRODUCT_SEED=${seed}\n`);
    const problems: string[] = [];
    const tally: Record<string, number> = {};
    const drawn = new Random(seed).shuffle(CASES).slice(0, COUNT);
    for (const name of Object.keys(CALLS)) {
      const queue = drawn.filter((each) => each.name === name).values();
      const work = async () => {
        for (const each of queue) {
          const { told, found } = await run(each);
          tally[`${name} ${told}`] = (tally[`${name} ${told}`] ?? 0) + 1;
          problems.push(...found.map((text) => `${each.about}: ${text}`));
          for (const text of found)
            process.stdout.write(`relayer faults: ${each.about}: ${text}\n`);
        }
      };
      await Promise.all(Array.from({ length: name === "list" ? 1 : AT_ONCE }, work));
    }
    process.stdout.write(`relayer faults: ${COUNT} cases, ${JSON.stringify(tally)}\n`);
    expect(problems).toEqual([]);
    expect((await verifyBooksAndLogs()).problems).toEqual([]);
  },
  120_000 + COUNT * CASE_MS,
);

/** Returns the first response and what is wrong at the end. */
async function run({
  kind,
  name,
  moment,
  fault,
}: Case): Promise<{ told: string; found: string[] }> {
  const user = await makeLiveUser();
  for (const asset of listHoldings(kind)) giveShares(relayer, user, asset, FIVE);
  const begun: Promise<unknown>[] = [];
  let [count, submissions] = [0, 0];
  troubles.set(user, (call) => {
    // The list is read after a response was lost.
    if (name === "list" && CALLS["submission"]?.(call)) {
      submissions += 1;
      return submissions === 1
        ? (DELIVERED["the connection is lost on the way back"] ?? null)
        : null;
    }
    if (!CALLS[name]?.(call)) return null;
    count += 1;
    if (moment === "the first" && count > 1) return null;
    if (moment === WHILE_SIGNING && count !== 2) return null;
    return async (handle, answer) => {
      const faulty = fault(handle, answer);
      begun.push(faulty.catch(() => {}));
      await faulty;
    };
  });
  const told = await ask(user, kind);
  if (name !== "submission") await advanceUntilClosed(user, 1);
  await Promise.all(begun);
  troubles.delete(user);
  // The chain goes on without Ante, also with what Ante doesn't know to be accepted.
  executeAll(relayer);
  await ask(user, kind);
  const rows = await advanceUntilClosed(user);
  const found: string[] = [];
  if (begun.length === 0) found.push("no call had the fault");
  const executed = relayer.executed.filter(({ wallet }) => wallet === user.funder);
  const states = rows.map(({ status, failure }) => failure ?? status);
  if (rows.length !== 1 || states[0] !== "confirmed") found.push(states.join());
  if (rows.some(({ status }) => isOpen(status))) found.push("it is still open");
  if (executed.length !== 1) found.push(`executed ${executed.length} times`);
  const booked = await countBooked(user);
  if (booked !== transfers[kind]) found.push(`${booked} transfers`);
  return { told, found };
}

/** Lists what a wallet holds before a transaction. */
function listHoldings(kind: Case["kind"]): string[] {
  switch (kind) {
    case "redeem":
      return [resolved?.outcomes[0].tokenId ?? ""];
    case "split":
      return [CONTRACT.collateral];
    case "merge":
      return open?.outcomes.map(({ tokenId }) => tokenId) ?? [];
    case "approve":
      return [];
  }
}

const ask = (user: LiveUser, kind: Case["kind"]): Promise<string> =>
  request(user, kind).catch((error: unknown) => toFailure(error).code);

async function request({ live }: LiveUser, kind: Case["kind"]): Promise<string> {
  switch (kind) {
    case "redeem":
      return (await redeemPosition(live, resolved?.outcomes[0].tokenId ?? "")).status;
    case "split":
    case "merge": {
      const body = { marketId: open?.id ?? "", shares: shares(FIVE), idempotencyKey: "pairs" };
      return (await splitOrMerge(live, kind, body)).status;
    }
    case "approve":
      return (await setApprovals(live)).transaction?.status ?? "nothing to set";
  }
}

async function countBooked(user: LiveUser): Promise<number> {
  const [row] = await readTransactions(user);
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows.filter(({ groupId }) => groupId.includes(row?.id ?? "none")).length;
}
