import "server-only";
import {
  type Account,
  builder as builderAccount,
  external,
  fees,
  held,
  house,
  type Owner,
  USDC,
} from "@/lib/ledger/accounts";
import type { Transfer } from "@/lib/ledger/transfers";
import type { Action } from "@/lib/domain/settlement";
import { type Shares, subtract, type Usdc } from "@/lib/units";

/** An order, its owner and its token. */
export interface OrderParty {
  orderId: string;
  owner: Owner;
  marketId: string;
  tokenId: string;
  action: Action;
}

/** The amounts of a fill. */
export interface RemoteFill {
  tradeId: string;
  shares: Shares;
  notional: Usdc;
  /** With the builder's part. */
  fee: Usdc;
  /** The part of the fee that a builder code earned; null without one. */
  builder: { code: string; fee: Usdc } | null;
}

/** Returns the asset that an order reserves: USDC for a BUY, its token for a SELL. */
function getReservedAsset({ action, tokenId }: Pick<OrderParty, "action" | "tokenId">): string {
  return action === "BUY" ? USDC : tokenId;
}

/** Builds the transfer that reserves `amount` from the wallet on chain. */
export function buildHold(party: OrderParty, step: string, amount: bigint): Transfer {
  const asset = getReservedAsset(party);
  return {
    ...getReferences(party, party.orderId),
    id: `${party.orderId}:hold:${step}`,
    kind: "hold",
    debit: external(party.owner, asset),
    credit: held(party.owner, asset),
    amount,
  };
}

/** Builds the transfer that returns a reserved amount to the wallet. */
export function buildRelease(party: OrderParty, step: string, amount: bigint): Transfer {
  const asset = getReservedAsset(party);
  return {
    ...getReferences(party, party.orderId),
    id: `${party.orderId}:release:${step}`,
    kind: "release",
    debit: held(party.owner, asset),
    credit: external(party.owner, asset),
    amount,
  };
}

/**
 * Builds the transfers of one fill. The order pays from its reservation. What the reservation does not
 * cover is paid from the wallet. Proceeds go to the wallet.
 *
 * @returns the transfers, and the used part of the reservation.
 */
export function buildFill(
  party: OrderParty,
  fill: RemoteFill,
  reserved: bigint,
): { transfers: Transfer[]; used: bigint } {
  const payments =
    party.action === "BUY"
      ? [
          { name: "cash", amount: fill.notional, to: house(party.marketId, USDC) },
          ...splitFee(party, fill),
        ]
      : [{ name: "shares", amount: fill.shares, to: house(party.marketId, party.tokenId) }];
  const transfers: Transfer[] = [];
  let left = reserved;
  for (const { name, amount, to } of payments) {
    const fromHold = amount < left ? amount : left;
    left -= fromHold;
    transfers.push(
      buildTransfer(party, fill, { name, from: held(party.owner, to.asset), to, amount: fromHold }),
      buildTransfer(party, fill, {
        name: `${name}:wallet`,
        from: external(party.owner, to.asset),
        to,
        amount: amount - fromHold,
      }),
    );
  }
  transfers.push(...buildReceipts(party, fill));
  return { transfers: transfers.filter(({ amount }) => amount > 0n), used: reserved - left };
}

/** Builds the transfers that undo a fill whose settlement failed. The money returns to the wallet. */
export function buildReversal(party: OrderParty, fill: RemoteFill): Transfer[] {
  const { transfers } = buildFill(party, fill, 0n);
  return transfers.map((transfer) => ({
    ...transfer,
    id: `${transfer.id}:reversal`,
    kind: "reversal",
    debit: transfer.credit,
    credit: transfer.debit,
  }));
}

function buildReceipts(party: OrderParty, fill: RemoteFill): Transfer[] {
  const { owner, marketId, tokenId, action } = party;
  if (action === "BUY") {
    const [from, to] = [house(marketId, tokenId), external(owner, tokenId)];
    return [buildTransfer(party, fill, { name: "shares", from, to, amount: fill.shares })];
  }
  const wallet = external(owner, USDC);
  return [
    buildTransfer(party, fill, {
      name: "cash",
      from: house(marketId, USDC),
      to: wallet,
      amount: fill.notional,
    }),
    ...splitFee(party, fill).map((part) => buildTransfer(party, fill, { ...part, from: wallet })),
  ];
}

/** Splits the fee of a fill into the venue's and the builder's part. */
function splitFee(
  { marketId }: OrderParty,
  { fee, builder }: RemoteFill,
): { name: string; amount: Usdc; to: Account }[] {
  const venue = { name: "fee", to: fees(marketId) };
  if (builder === null) return [{ ...venue, amount: fee }];
  return [
    { ...venue, amount: subtract(fee, builder.fee) },
    { name: "builder", to: builderAccount(builder.code), amount: builder.fee },
  ];
}

function buildTransfer(
  party: OrderParty,
  { tradeId }: RemoteFill,
  { name, from, to, amount }: { name: string; from: Account; to: Account; amount: bigint },
): Transfer {
  return {
    ...getReferences(party, tradeId),
    id: `${tradeId}/${party.orderId}:${name}`,
    kind: to.kind === "fees" || to.kind === "builder" ? "fee" : "trade",
    debit: from,
    credit: to,
    amount,
  };
}

function getReferences({ orderId, marketId }: OrderParty, groupId: string) {
  return { groupId, orderId, marketId };
}
