import "server-only";
import { Interface, zeroPadValue } from "ethers";
import type { z } from "zod";
import { callNode } from "@/lib/polymarket/json-rpc";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { WireLogs, WireReceipt } from "@/lib/polymarket/wire/chain";
import type { PositionTransaction, RelayedWallet } from "@/lib/venue/wallet-relay";

type Logs = z.output<typeof WireLogs>;

/** The contracts of both protocols announce every transfer of shares with one of the first two. */
const EVENTS = new Interface([
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const [SINGLE = "", BATCH = "", COLLATERAL = ""] = EVENTS.fragments.map(
  (event) => EVENTS.getEvent(event.format())?.topicHash,
);

/** Blocks of one filter: nodes refuse wide ones. */
const BLOCKS_AT_ONCE = 1_000;

/** Shares by token. */
export type Moved = ReadonlyMap<string, bigint>;

const getPositionToken = ({ protocol }: PositionTransaction) =>
  protocol === "v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens;

const toTopic = ({ funderAddress }: RelayedWallet) => zeroPadValue(funderAddress, 32).toLowerCase();

/** The topics of transfers of shares in the direction of a transaction: a split's go to the wallet. */
const toTopics = ({ kind }: PositionTransaction, wallet: RelayedWallet) => [
  [SINGLE, BATCH],
  ...(kind === "split" ? [null, null] : [null]),
  toTopic(wallet),
];

/** Reads the wallet's transfers of the market's shares in the direction of a transaction, by its hash. */
export async function readTransfers(
  wallet: RelayedWallet,
  transaction: PositionTransaction,
  { from, to }: { from: number; to: number },
): Promise<ReadonlyMap<string, Moved>> {
  const address = getPositionToken(transaction);
  const topics = toTopics(transaction, wallet);
  const calls = [];
  for (let first = from; first <= to; first += BLOCKS_AT_ONCE) {
    const range = [first, Math.min(to, first + BLOCKS_AT_ONCE - 1)];
    const [fromBlock, toBlock] = range.map((block) => `0x${block.toString(16)}`);
    calls.push({ method: "eth_getLogs", params: [{ address, topics, fromBlock, toBlock }] });
  }
  const byHash = new Map<string, Logs>();
  for (const log of (await callNode(calls, WireLogs)).flat()) {
    byHash.set(log.transactionHash, [...(byHash.get(log.transactionHash) ?? []), log]);
  }
  return new Map([...byHash].map(([hash, logs]) => [hash, sumShares(logs, transaction)]));
}

function sumShares(logs: Logs, { tokenIds }: PositionTransaction): Moved {
  const moved = new Map<string, bigint>();
  for (const [tokenId, amount] of logs.flatMap(decodeTransfer)) {
    if (tokenIds.includes(tokenId)) moved.set(tokenId, (moved.get(tokenId) ?? 0n) + amount);
  }
  return moved;
}

function decodeTransfer({ topics, data }: Logs[number]): [string, bigint][] {
  const parsed = EVENTS.parseLog({ topics, data });
  if (!parsed) return [];
  const { id, value, ids, values } = parsed.args.toObject() as Record<string, unknown>;
  if (parsed.name === "TransferSingle") return [[String(id), value as bigint]];
  const amounts = values as bigint[];
  return (ids as bigint[]).map((each, index) => [String(each), amounts[index] ?? 0n]);
}

/** A transaction of the chain, as its receipt shows it. */
interface Receipt {
  /** The market's shares that it moved in the direction of a split or merge. */
  moved: Moved;
  /** Whether it also moved the wallet's collateral in the opposite direction, at any amount. */
  movedCollateral: boolean;
}

/** Reads the receipts of transactions that were executed; null for one that the node does not have. */
export async function readReceipts(
  wallet: RelayedWallet,
  transaction: PositionTransaction,
  hashes: readonly string[],
): Promise<(Receipt | null)[]> {
  const calls = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  const receipts = await callNode(calls, WireReceipt);
  const shares = { address: getPositionToken(transaction), topics: toTopics(transaction, wallet) };
  const party = transaction.kind === "split" ? [toTopic(wallet)] : [null, toTopic(wallet)];
  const collateral = { address: CONTRACT.collateral, topics: [[COLLATERAL], ...party] };
  return receipts.map(
    (receipt) =>
      receipt && {
        moved: sumShares(receipt.logs.filter(isOf(shares)), transaction),
        movedCollateral: receipt.logs.some(isOf(collateral)),
      },
  );
}

interface Filter {
  address: string;
  topics: readonly (readonly string[] | string | null)[];
}

/** Returns a check that a log passes a filter, as a node checks it. */
const isOf =
  ({ address, topics }: Filter) =>
  (log: Logs[number]): boolean =>
    log.address.toLowerCase() === address.toLowerCase() &&
    topics.every((topic, index) => {
      const found = log.topics[index]?.toLowerCase();
      return topic === null || (found !== undefined && [topic].flat().includes(found));
    });
