import "server-only";
import { AbiCoder, getAddress, Interface, isHexString, ZeroAddress } from "ethers";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type RelayedTransaction,
  selectAppliedBetween,
  selectByHash,
} from "@/lib/db/queries/sandbox-transactions";
import { selectAccount } from "@/lib/db/queries/users";
import { readRedemptions } from "@/lib/ledger/account-history";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { decodePositionCall, type PositionCall } from "@/lib/polymarket/protocol/position-calls";
import { toUserId } from "@/lib/sandbox/accounts";
import { getPositionToken } from "@/lib/sandbox/plan-calls";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { hashTransaction } from "@/lib/sandbox/transaction-views";
import { sum } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const EVENTS = new Interface([
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const SECOND = 1_000;
/** Blocks of one filter, as at public nodes. */
const MAX_RANGE = 10_000;
/** `0x` and 32 bytes, of which an address is the last 20. */
const ADDRESS_AT = 26;

/** Renders a block: there is one each second, with the second as its number. Null for a later one. */
export function readBlock(tag: unknown) {
  const number = parseTag(tag);
  const newest = toBlock(now());
  if (number === null || number > newest) return null;
  return { number: toQuantity(number), timestamp: toQuantity(number), transactions: [] };
}

const toBlock = (at: number) => Math.floor(at / SECOND);
const toQuantity = (value: number) => `0x${value.toString(16)}`;

/** Every block of the sandbox is final at once. */
function parseTag(tag: unknown): number | null {
  if (tag === "earliest") return 0;
  if (tag === "latest" || tag === "safe" || tag === "finalized") return toBlock(now());
  return typeof tag === "string" && /^0x[0-9a-f]{1,12}$/i.test(tag) ? Number(tag) : null;
}

const Topic = z.union([z.string(), z.array(z.string()), z.null()]);
const Filter = z.object({
  address: z.string(),
  topics: z.array(Topic).max(4),
  fromBlock: z.string(),
  toBlock: z.string(),
});

interface Log {
  address: string;
  topics: readonly string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
}

/**
 * Answers `eth_getLogs` with the transfers by the relayer's transactions of one wallet, which the topics must
 * name as sender or recipient of shares. Trades are not among them. Null for any other filter.
 */
export async function readLogs(given: unknown): Promise<Log[] | null> {
  const filter = Filter.safeParse(given);
  if (!filter.success) return null;
  const { address, topics, fromBlock, toBlock: lastBlock } = filter.data;
  const party = [topics[2], topics[3]].find((topic) => typeof topic === "string");
  const [from, to] = [parseTag(fromBlock), parseTag(lastBlock)];
  if (typeof party !== "string" || !isHexString(party, 32) || from === null || to === null) {
    return null;
  }
  if (to - from > MAX_RANGE) return null;
  const wallet = `0x${party.slice(ADDRESS_AT)}`;
  await settleWallet(wallet);
  const range = { from: new Date(from * SECOND), before: new Date((to + 1) * SECOND) };
  const rows = await selectAppliedBetween(await getDb(), wallet, range);
  const logs = (await Promise.all(rows.map(listLogs))).flat();
  return logs.filter(
    (log) =>
      log.address.toLowerCase() === address.toLowerCase() &&
      topics.every((topic, index) => isMatch(topic, log.topics[index])),
  );
}

function isMatch(topic: z.output<typeof Topic>, found: string | undefined): boolean {
  if (topic === null) return true;
  return [topic].flat().some((each) => each.toLowerCase() === found?.toLowerCase());
}

async function listLogs(row: RelayedTransaction): Promise<Log[]> {
  const calls = row.calls.map((call) => decodePositionCall({ ...call, value: 0n }));
  const logs = await Promise.all(calls.map((call) => (call ? listLogsOfCall(row, call) : [])));
  return logs.flat();
}

async function listLogsOfCall(row: RelayedTransaction, call: PositionCall): Promise<Log[]> {
  if (call.kind === "approve" || call.kind === "setOperator") return [];
  const market = await paperExchange().findMarket(call.conditionId);
  if (!market) return [];
  const operator = call.kind === "redeemOutcome" ? CONTRACT.router : call.contract;
  const wallet = getAddress(row.wallet);
  // The contracts of Protocol V2 make and burn the wallet's shares; the adapters of V1 move them.
  const other = operator === CONTRACT.router ? ZeroAddress : operator;
  const parties = call.kind === "split" ? [other, wallet] : [wallet, other];
  const { moved, collateral } = await findMoved(row, call, market);
  if (moved.length === 0) return [];
  const shares = EVENTS.encodeEventLog("TransferBatch", [
    operator,
    ...parties,
    moved.map(([id]) => id),
    moved.map(([, amount]) => amount),
  ]);
  const logs = [{ ...toPlace(row), ...shares, address: getPositionToken(market) }];
  if (collateral === 0n) return logs;
  const payers = call.kind === "split" ? [wallet, operator] : [operator, wallet];
  const paid = EVENTS.encodeEventLog("Transfer", [...payers, collateral]);
  return [...logs, { ...toPlace(row), ...paid, address: CONTRACT.collateral }];
}

/** Returns the shares that a call moved, by token, and the collateral that it took or paid for them. */
async function findMoved(
  { wallet }: RelayedTransaction,
  call: Exclude<PositionCall, { kind: "approve" | "setOperator" }>,
  { outcomes }: Market,
): Promise<{ moved: [bigint, bigint][]; collateral: bigint }> {
  const ids = outcomes.map(({ tokenId }) => tokenId);
  if (call.kind === "split" || call.kind === "merge") {
    return { moved: ids.map((id) => [BigInt(id), call.amount]), collateral: call.amount };
  }
  const db = await getDb();
  const owner = await selectAccount(db, toUserId(wallet));
  const claimed = call.kind === "redeemOutcome" ? ids.slice(call.outcome, call.outcome + 1) : ids;
  const redeemed = owner ? [...(await readRedemptions(db, owner, claimed))] : [];
  return {
    moved: redeemed.map(([id, { shares }]) => [BigInt(id), shares]),
    collateral: sum(redeemed.map(([, { payout }]) => payout)),
  };
}

/** Answers `eth_getTransactionReceipt` with the transfers of a relayed transaction. */
export async function readReceipt(hash: unknown) {
  const row = await findApplied(hash);
  if (!row) return null;
  const { blockNumber } = toPlace(row);
  return { transactionHash: hash, blockNumber, status: "0x1", logs: await listLogs(row) };
}

/** Answers `eth_getTransactionByHash`. The input contains the calls and the signature, as the real one. */
export async function readChainTransaction(hash: unknown) {
  const row = await findApplied(hash);
  if (!row) return null;
  const input = AbiCoder.defaultAbiCoder().encode(
    ["tuple(address target, bytes data)[]", "bytes"],
    [row.calls, row.signature ?? "0x"],
  );
  return { hash, input, blockNumber: toPlace(row).blockNumber };
}

/** Finds the relayed transaction with a hash, if it had an effect. */
async function findApplied(hash: unknown): Promise<RelayedTransaction | null> {
  if (typeof hash !== "string" || !isHexString(hash, 32)) return null;
  const row = await selectByHash(await getDb(), hash.slice(2).toLowerCase());
  return row?.appliedAt ? row : null;
}

/** Where a transaction that had an effect is on the chain. */
const toPlace = ({ id, appliedAt }: RelayedTransaction) => ({
  blockNumber: toQuantity(toBlock(appliedAt?.getTime() ?? 0)),
  transactionHash: hashTransaction(id),
});
