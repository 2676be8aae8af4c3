import "server-only";
import { type Account, external, house, type Owner, USDC } from "@/lib/ledger/accounts";
import type { Transfer, TransferKind } from "@/lib/ledger/transfers";
import type { Shares, Usdc } from "@/lib/units";

/** A transaction of a live wallet that happened, and its owner. */
export interface TransactionParty {
  transactionId: string;
  owner: Owner;
  marketId: string;
}

/** Builds the transfers of a claim: the shares go to the market, and their payout to the wallet. */
export function buildClaim(
  party: TransactionParty,
  claims: readonly { tokenId: string; shares: Shares; payout: Usdc }[],
): Transfer[] {
  const { owner, marketId } = party;
  const transfers = claims.flatMap(({ tokenId, shares, payout }) => {
    const [wallet, market] = [external(owner, tokenId), house(marketId, tokenId)];
    return [
      build(party, { name: `${tokenId}:shares`, from: wallet, to: market, amount: shares }),
      build(party, {
        name: `${tokenId}:cash`,
        from: house(marketId, USDC),
        to: external(owner),
        amount: payout,
      }),
    ];
  });
  return transfers.filter(({ amount }) => amount > 0n);
}

/** Builds the transfers that turn cash of the wallet into as many shares of each outcome, or back. */
export function buildSplitOrMerge(
  party: TransactionParty,
  kind: "split" | "merge",
  { tokenIds, shares: amount }: { tokenIds: readonly string[]; shares: Shares },
): Transfer[] {
  const { owner, marketId } = party;
  const isSplit = kind === "split";
  return [USDC, ...tokenIds].map((asset) => {
    const [wallet, market] = [external(owner, asset), house(marketId, asset)];
    // A split pays cash and receives shares.
    const isPaid = (asset === USDC) === isSplit;
    const [from, to] = isPaid ? [wallet, market] : [market, wallet];
    const move = { name: asset, from, to, amount };
    return build(party, move, isSplit ? "split_position" : "merge_positions");
  });
}

function build(
  { transactionId, marketId }: TransactionParty,
  { name, from, to, amount }: { name: string; from: Account; to: Account; amount: bigint },
  kind: TransferKind = "redeem",
): Transfer {
  const id = `${transactionId}:${name}`;
  return { id, kind, debit: from, credit: to, amount, groupId: transactionId, marketId };
}
