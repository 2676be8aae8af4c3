import "server-only";
import { Interface, zeroPadValue } from "ethers";
import type { z } from "zod";
import { callNode } from "@/lib/polymarket/json-rpc";
import { parseJson } from "@/lib/polymarket/http";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { WireBlock, WireLogs, WireSentTransaction } from "@/lib/polymarket/wire/chain";
import { WireSignedBody } from "@/lib/polymarket/wire/relayer";
import type {
  ExecutionProof,
  PositionTransaction,
  RelayedWallet,
  SentForm,
  WalletRelay,
} from "@/lib/venue/wallet-relay";

/** The contracts of both protocols announce every transfer of shares with one of these. */
const EVENTS = new Interface([
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);
const TOPICS = EVENTS.fragments.map((event) => EVENTS.getEvent(event.format())?.topicHash ?? "");

/** Blocks of one filter: nodes refuse wide ones. */
const BLOCKS_AT_ONCE = 1_000;
/** More than half a day of blocks. A form that was in flight for longer is not proved. */
const MAX_BLOCKS = 50_000;
/** More transactions than a wallet makes that look like one of Ante's. */
const MAX_CANDIDATES = 50;
/** The clocks of this host and of the chain differ by less. */
const MARGIN_S = 30;

const UNDECIDED = { outcome: "undecided" } as const;

/**
 * Looks in the wallet's transfers of a market's shares for the transaction that carried a form. It is the
 * one whose bytes include the form's signature. If no transfer since the signing even looks like the form's
 * effect, in blocks that go beyond the use of the nonce and can't change any more, the form was not
 * executed. In every other case the chain decides nothing.
 */
export const proveExecution: WalletRelay["proveExecution"] = async (wallet, transaction, form) => {
  const last = await readBlock("finalized");
  const since = Math.floor(form.signedAt.getTime() / 1_000) - MARGIN_S;
  // A block takes a second or more, so the signing lies in this range.
  const from = Math.max(0, last.number - Math.max(0, last.timestamp - since));
  if (last.number - from > MAX_BLOCKS) return UNDECIDED;
  const transfers = await readTransfers(wallet, transaction, { from, to: last.number });
  const candidates = [...transfers].filter(([, moved]) => isLike(transaction, moved));
  const hashes = candidates.map(([hash]) => hash);
  if (hashes.length > 0) return findSigned(hashes, form);
  const isPast = form.usedSince !== null && last.timestamp > toSeconds(form.usedSince) + MARGIN_S;
  const isWhole = from === 0 || (await readBlock(`0x${from.toString(16)}`)).timestamp <= since;
  return isPast && isWhole ? { outcome: "not_executed" } : UNDECIDED;
};

const toSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

async function readBlock(tag: string): Promise<z.output<typeof WireBlock>> {
  const call = { method: "eth_getBlockByNumber", params: [tag, false] };
  const [block] = await callNode([call], WireBlock);
  if (!block) throw new RangeError("every call has a result");
  return block;
}

/** Shares by token. */
type Moved = ReadonlyMap<string, bigint>;

/** Reads the wallet's transfers of the market's shares in the direction of a transaction, by its hash. */
async function readTransfers(
  { funderAddress }: RelayedWallet,
  { kind, protocol, tokenIds }: PositionTransaction,
  { from, to }: { from: number; to: number },
): Promise<ReadonlyMap<string, Moved>> {
  const address = protocol === "v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens;
  const wallet = zeroPadValue(funderAddress, 32).toLowerCase();
  const parties = kind === "split" ? [null, null, wallet] : [null, wallet];
  const calls = [];
  for (let first = from; first <= to; first += BLOCKS_AT_ONCE) {
    const range = [first, Math.min(to, first + BLOCKS_AT_ONCE - 1)];
    const [fromBlock, toBlock] = range.map((block) => `0x${block.toString(16)}`);
    const filter = { address, topics: [TOPICS, ...parties], fromBlock, toBlock };
    calls.push({ method: "eth_getLogs", params: [filter] });
  }
  const byHash = new Map<string, Map<string, bigint>>();
  for (const log of (await callNode(calls, WireLogs)).flat()) {
    for (const [tokenId, amount] of decodeTransfer(log)) {
      if (!tokenIds.includes(tokenId)) continue;
      const moved = byHash.get(log.transactionHash) ?? new Map<string, bigint>();
      moved.set(tokenId, (moved.get(tokenId) ?? 0n) + amount);
      byHash.set(log.transactionHash, moved);
    }
  }
  return byHash;
}

function decodeTransfer({ topics, data }: z.output<typeof WireLogs>[number]): [string, bigint][] {
  const parsed = EVENTS.parseLog({ topics, data });
  if (!parsed) return [];
  const { id, value, ids, values } = parsed.args.toObject() as Record<string, unknown>;
  if (parsed.name === "TransferSingle") return [[String(id), value as bigint]];
  const amounts = values as bigint[];
  return (ids as bigint[]).map((each, index) => [String(each), amounts[index] ?? 0n]);
}

/** Whether transfers can be a transaction's effect. A claim moves what the wallet holds at that moment. */
const isLike = ({ kind, tokenIds, shares }: PositionTransaction, moved: Moved): boolean =>
  kind === "redeem" || tokenIds.every((tokenId) => moved.get(tokenId) === shares);

/** Finds the transaction that carries the form's signature. */
async function findSigned(hashes: readonly string[], { body }: SentForm): Promise<ExecutionProof> {
  const parsed = WireSignedBody.safeParse(parseJson(body));
  if (!parsed.success || hashes.length > MAX_CANDIDATES) return UNDECIDED;
  const calls = hashes.map((hash) => ({ method: "eth_getTransactionByHash", params: [hash] }));
  const sent = await callNode(calls, WireSentTransaction);
  // The last byte is left out, because it has several forms.
  const signature = parsed.data.signature.slice(2, -2).toLowerCase();
  const index = sent.findIndex(({ input }) => input.toLowerCase().includes(signature));
  const transactionHash = hashes[index];
  return transactionHash === undefined ? UNDECIDED : { outcome: "executed", transactionHash };
}
