import "server-only";
import { type Account, external, fees, held, house, type Owner, USDC } from "@/lib/ledger/accounts";
import type { Transfer } from "@/lib/ledger/transfers";
import type { Action } from "@/lib/domain/settlement";
import type { Shares, Usdc } from "@/lib/units";

/** Whose order it is and what it trades. */
export interface OrderParty {
  orderId: string;
  owner: Owner;
  marketId: string;
  tokenId: string;
  action: Action;
}

/** A fill in the ledger's terms. */
export interface RemoteFill {
  tradeId: string;
  shares: Shares;
  notional: Usdc;
  fee: Usdc;
}

/** What an order reserves: USDC for a BUY, shares for a SELL. */
function reservedAsset({ action, tokenId }: Pick<OrderParty, "action" | "tokenId">): string {
  return action === "BUY" ? USDC : tokenId;
}

/** Reserves `amount` out of the wallet on the chain. */
export function holdLeg(party: OrderParty, step: string, amount: bigint): Transfer {
  const asset = reservedAsset(party);
  return {
    ...common(party, party.orderId),
    id: `${party.orderId}:hold:${step}`,
    kind: "hold",
    debit: external(party.owner, asset),
    credit: held(party.owner, asset),
    amount,
  };
}

/** Gives back what an order reserves no longer. */
export function releaseLeg(party: OrderParty, step: string, amount: bigint): Transfer {
  const asset = reservedAsset(party);
  return {
    ...common(party, party.orderId),
    id: `${party.orderId}:release:${step}`,
    kind: "release",
    debit: held(party.owner, asset),
    credit: external(party.owner, asset),
    amount,
  };
}

/**
 * The rows of one fill. The order pays from what it reserves; a fill that comes after the
 * reservation ended pays from the wallet, where the venue has taken it. What is received goes to
 * the wallet.
 *
 * @returns the rows, and how much of the reservation they use.
 */
export function fillLegs(
  party: OrderParty,
  fill: RemoteFill,
  reserved: bigint,
): { transfers: Transfer[]; used: bigint } {
  const pays =
    party.action === "BUY"
      ? [
          { name: "cash", amount: fill.notional, to: house(party.marketId, USDC) },
          { name: "fee", amount: fill.fee, to: fees(party.marketId) },
        ]
      : [{ name: "shares", amount: fill.shares, to: house(party.marketId, party.tokenId) }];
  const transfers: Transfer[] = [];
  let left = reserved;
  for (const { name, amount, to } of pays) {
    const fromHold = amount < left ? amount : left;
    left -= fromHold;
    transfers.push(
      leg(party, fill, { name, from: held(party.owner, to.asset), to, amount: fromHold }),
      leg(party, fill, {
        name: `${name}:wallet`,
        from: external(party.owner, to.asset),
        to,
        amount: amount - fromHold,
      }),
    );
  }
  transfers.push(...receiptLegs(party, fill));
  return { transfers: transfers.filter(({ amount }) => amount > 0n), used: reserved - left };
}

/** The rows that undo a fill whose settlement failed. The money is the wallet's again. */
export function reversalLegs(party: OrderParty, fill: RemoteFill): Transfer[] {
  const { transfers } = fillLegs(party, fill, 0n);
  return transfers.map((transfer) => ({
    ...transfer,
    id: `${transfer.id}:reversal`,
    kind: "reversal",
    debit: transfer.credit,
    credit: transfer.debit,
  }));
}

function receiptLegs(party: OrderParty, fill: RemoteFill): Transfer[] {
  const { owner, marketId, tokenId, action } = party;
  if (action === "BUY") {
    const [from, to] = [house(marketId, tokenId), external(owner, tokenId)];
    return [leg(party, fill, { name: "shares", from, to, amount: fill.shares })];
  }
  const wallet = external(owner, USDC);
  return [
    leg(party, fill, {
      name: "cash",
      from: house(marketId, USDC),
      to: wallet,
      amount: fill.notional,
    }),
    leg(party, fill, { name: "fee", from: wallet, to: fees(marketId), amount: fill.fee }),
  ];
}

function leg(
  party: OrderParty,
  { tradeId }: RemoteFill,
  { name, from, to, amount }: { name: string; from: Account; to: Account; amount: bigint },
): Transfer {
  return {
    ...common(party, tradeId),
    id: `${tradeId}/${party.orderId}:${name}`,
    kind: to.kind === "fees" ? "fee" : "trade",
    debit: from,
    credit: to,
    amount,
  };
}

function common({ orderId, marketId }: OrderParty, groupId: string) {
  return { groupId, orderId, marketId };
}
