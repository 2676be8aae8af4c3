import { afterEach, expect, it } from "vitest";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { encodePositionCall, type PositionCall } from "@/lib/polymarket/protocol/position-calls";
import { toUserId } from "@/lib/sandbox/accounts";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readPosition } from "@/tests/support/exchange/ledger";
import { freshMarket, getToken, useTestClock } from "@/tests/support/exchange/orders";
import { Random } from "@/tests/support/random";
import {
  deriveRelayedWallet,
  makeRelayedOwner,
  readState,
  type RelayedOwner,
  signCalls,
  submitBody,
  type WalletType,
} from "@/tests/support/sandbox/relayer";

// Long enough for a busy machine: a request that waits in vain for its turn gets 503.
process.env["IN_PROGRESS_WAIT_MS"] = "120000";
useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

const TYPES = ["WALLET", "SAFE", "PROXY"] as const;
const SIZE = 3_000_000n;
const MUTATIONS = 1_000;
const OWNERS = 100;
const COPIES = 2;

const newMarket = () =>
  freshMarket({ where: ({ protocol, isNegRisk }) => protocol === "v1" && !isNegRisk });

const listCalls = (market: PaperMarket) =>
  (
    [
      { kind: "approve", spender: CONTRACT.ctfAdapter, amount: SIZE },
      { kind: "split", contract: CONTRACT.ctfAdapter, conditionId: market.id, amount: SIZE },
    ] satisfies PositionCall[]
  ).map(encodePositionCall);

async function readShares(owner: RelayedOwner, type: WalletType, market: PaperMarket) {
  const userId = toUserId(deriveRelayedWallet(owner, type));
  return (await readPosition({ userId }, getToken(market, 0)))?.shares ?? 0n;
}

/** A text value of a body, with its path. The metadata is not signed. */
function listValues(value: unknown, path: string[] = []): { path: string[]; text: string }[] {
  if (typeof value === "string") return path.at(-1) === "metadata" ? [] : [{ path, text: value }];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => listValues(inner, [...path, name]));
}

/** Replaces, removes or adds one character of a text. */
function mutate(random: Random, text: string): string {
  const at = random.integer(0, text.length);
  const digit = random.integer(0, 15).toString(16);
  const removed = random.pick([0, 1]);
  return text.slice(0, at) + random.pick([digit, ""]) + text.slice(at + removed);
}

function withValue(body: unknown, [name, ...rest]: string[], text: string): unknown {
  if (name === undefined) return text;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<
    string,
    unknown
  >;
  copy[name] = withValue(copy[name], rest, text);
  return copy;
}

it("none of 1,000 mutated submissions is accepted", async () => {
  const random = new Random(20_261_125);
  const [owner, market] = [await makeRelayedOwner(), newMarket()];
  const calls = listCalls(market);
  const valid = TYPES.map((type) => signCalls(owner, type, { calls, nonce: 0n }));
  const before = await databaseState();
  const accepted = [];
  for (let done = 0; done < MUTATIONS;) {
    const body = random.pick(valid);
    const { path, text } = random.pick(listValues(body));
    const changed = mutate(random, text);
    // The case of hexadecimal digits has no meaning.
    if (changed.toLowerCase() === text.toLowerCase()) continue;
    done += 1;
    const { status } = await submitBody(owner, withValue(body, path, changed));
    if (status !== 400) accepted.push({ path, changed, status });
  }
  expect(accepted).toEqual([]);
  const { sandbox_wallets: _now, ...after } = await databaseState();
  const { sandbox_wallets: _then, ...expected } = before;
  expect(after).toEqual(expected);
  // The unchanged bodies are valid.
  for (const body of valid) expect((await submitBody(owner, body)).status).toBe(200);
}, 240_000);

it("each of 200 submissions at once is applied once, however often it is sent and polled", async () => {
  const market = newMarket();
  const owners = await Promise.all(Array.from({ length: OWNERS }, makeRelayedOwner));
  const calls = listCalls(market);
  const sent = owners.flatMap((owner, index) => {
    const type = TYPES[index % TYPES.length] ?? "WALLET";
    const body = signCalls(owner, type, { calls, nonce: 0n });
    return Array.from({ length: COPIES }, () => ({ owner, type, body }));
  });
  const send = () => Promise.all(sent.map(({ owner, body }) => submitBody(owner, body)));
  const first = await send();
  const accepted = sent.flatMap(({ owner, type }, index) => {
    const id = first[index]?.body["transactionID"];
    return id === undefined ? [] : [{ owner, type, id }];
  });
  expect(accepted.map(({ owner }) => owner)).toEqual(owners);
  clock.advance(2_000);
  // Every poll finds the transactions due.
  const polls = accepted.flatMap((one) => [one, one, one]);
  const polled = await Promise.all(polls.map(({ owner, id }) => readState(owner, id)));
  expect(new Set(polled.map(([state]) => state))).toEqual(new Set(["STATE_CONFIRMED"]));
  // The same bytes once more, after the transactions are final.
  expect((await send()).map(({ status }) => status)).toEqual(sent.map(() => 400));
  for (const { owner, type } of accepted) expect(await readShares(owner, type, market)).toBe(SIZE);
}, 240_000);
