import "server-only";
import type { z } from "zod";
import { callNode } from "@/lib/polymarket/json-rpc";
import { parseJson } from "@/lib/polymarket/http";
import { type Moved, readReceipts, readTransfers } from "@/lib/polymarket/share-transfers";
import { WireBlock, WireSentTransaction } from "@/lib/polymarket/wire/chain";
import { WireSignedBody } from "@/lib/polymarket/wire/relayer";
import type { PositionTransaction, RelayedWallet, WalletRelay } from "@/lib/venue/wallet-relay";

/** More than half a day of blocks. A form that was in flight for longer is not proved. */
const MAX_BLOCKS = 50_000;
/** More transactions than a wallet makes that look like one of Ante's. */
const MAX_CANDIDATES = 50;
/** The clocks of this host and of the chain differ by less. */
const MARGIN_S = 30;

const UNDECIDED = { outcome: "undecided" } as const;

/**
 * Looks in the wallet's transfers of a market's shares for the transaction that carried a form. It is the
 * one whose bytes include the form's signature. If no transfer since the signing can be the form's effect,
 * in blocks that go beyond the use of the nonce and can't change any more, the form was not executed. In
 * every other case the chain decides nothing.
 */
export const proveExecution: WalletRelay["proveExecution"] = async (wallet, transaction, form) => {
  const last = await readBlock("finalized");
  const since = Math.floor(form.signedAt.getTime() / 1_000) - MARGIN_S;
  // A block takes a second or more, so the signing lies in this range.
  const from = Math.max(0, last.number - Math.max(0, last.timestamp - since));
  if (last.number - from > MAX_BLOCKS) return UNDECIDED;
  const transfers = await readTransfers(wallet, transaction, { from, to: last.number });
  const hashes = [...transfers].flatMap(([hash, moved]) =>
    isLike(transaction, moved) ? [hash] : [],
  );
  const signed = WireSignedBody.safeParse(parseJson(form.body));
  if (!signed.success || hashes.length > MAX_CANDIDATES) return UNDECIDED;
  const transactionHash = await findSigned(hashes, signed.data.signature);
  if (transactionHash !== undefined) return { outcome: "executed", transactionHash };
  if (!(await areUnpaid(wallet, transaction, hashes))) return UNDECIDED;
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

/** Whether transfers can be a transaction's effect. A claim moves what the wallet holds at that moment. */
const isLike = ({ kind, tokenIds, shares }: PositionTransaction, moved: Moved): boolean =>
  kind === "redeem" || tokenIds.every((tokenId) => moved.get(tokenId) === shares);

/** Returns the hash of the transaction that carries a signature; undefined if none does. */
async function findSigned(
  hashes: readonly string[],
  signature: string,
): Promise<string | undefined> {
  const calls = hashes.map((hash) => ({ method: "eth_getTransactionByHash", params: [hash] }));
  const sent = await callNode(calls, WireSentTransaction);
  // The last byte is left out, because it has several forms.
  const bytes = signature.slice(2, -2).toLowerCase();
  return hashes[sent.findIndex(({ input }) => input.toLowerCase().includes(bytes))];
}

/**
 * Whether transactions that moved the shares of a split or merge are proved to be neither: a split takes
 * the wallet's collateral in the same transaction, and a merge pays it. A stranger who sends shares to the
 * wallet can do neither for it. A receipt without the transfer that was found proves nothing.
 */
async function areUnpaid(
  wallet: RelayedWallet,
  transaction: PositionTransaction,
  hashes: readonly string[],
): Promise<boolean> {
  if (hashes.length === 0) return true;
  // Losing shares are redeemed for nothing.
  if (transaction.kind === "redeem") return false;
  const receipts = await readReceipts(wallet, transaction, hashes);
  return receipts.every(
    (receipt) => receipt && isLike(transaction, receipt.moved) && !receipt.movedCollateral,
  );
}
