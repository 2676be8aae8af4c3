import "server-only";
import type { Settlement, TradeSide } from "@/lib/domain/settlement";
import type { Usdc } from "@/lib/units";
import {
  type Account,
  available,
  collateral,
  fees,
  held,
  house,
  issuance,
  type Owner,
  paperBuilder,
  USDC,
} from "@/lib/ledger/accounts";
import type { Transfer } from "@/lib/ledger/transfers";
import { getToken } from "@/lib/exchange/paper-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";

/** A party of a trade: a user's order, or the house (the quotes that belong to no user). */
export type TradeParty = { kind: "order"; orderId: string; owner: Owner } | { kind: "house" };

interface Trade {
  id: string;
  market: ExchangeMarket;
  settlement: Settlement;
  bid: TradeParty;
  ask: TradeParty;
}

/**
 * Builds the ledger transfers of one trade. Users pay and deliver from what their orders hold, and
 * receive into their available balance.
 */
export function buildTradeTransfers(trade: Trade): Transfer[] {
  const { settlement, bid, ask } = trade;
  if (settlement.kind === "mint") {
    return [
      ...buildMint(trade, bid, settlement.bid, "bid"),
      ...buildMint(trade, ask, settlement.ask, "ask"),
    ];
  }
  if (settlement.kind === "merge") {
    return [
      ...buildMerge(trade, bid, settlement.bid, "bid"),
      ...buildMerge(trade, ask, settlement.ask, "ask"),
    ];
  }
  const isBidBuying = settlement.bid.action === "BUY";
  return isBidBuying
    ? buildExchange(trade, bid, ask, settlement.bid)
    : buildExchange(trade, ask, bid, settlement.ask);
}

/** The part of an order in a trade. */
interface OrderPart {
  /** The trade's id. */
  id: string;
  market: ExchangeMarket;
  orderId: string;
  owner: Owner;
  side: TradeSide;
}

/** Builds the transfer of the taker's fee: from a buyer's hold, or from a seller's proceeds. */
export const buildFeeTransfer = (part: OrderPart, fee: Usdc): Transfer =>
  buildFee(part, { name: "fee", credit: fees(part.market.id), amount: fee });

/** Builds the transfer of a builder's fee. Taker and maker of a trade may have different builders. */
export const buildBuilderTransfer = (
  part: OrderPart,
  { code }: { code: string },
  fee: Usdc,
): Transfer =>
  buildFee(part, {
    name: `builder:${part.orderId}`,
    credit: paperBuilder(code, part.market.id),
    amount: fee,
  });

function buildFee(
  { id, market, orderId, owner, side }: OrderPart,
  { name, credit, amount }: { name: string; credit: Account; amount: Usdc },
): Transfer {
  return {
    id: `${id}:${name}`,
    kind: "fee",
    debit: side.action === "BUY" ? held(owner, USDC) : available(owner, USDC),
    credit,
    amount,
    groupId: id,
    orderId,
    marketId: market.id,
  };
}

function buildExchange(
  trade: Trade,
  buyer: TradeParty,
  seller: TradeParty,
  side: TradeSide,
): Transfer[] {
  const token = getToken(trade.market, side.outcome);
  return [
    buildTransfer(
      trade,
      "trade",
      "cash",
      getPayingAccount(trade, buyer, USDC),
      getReceivingAccount(trade, seller, USDC),
      side.notional,
      buyer,
    ),
    buildTransfer(
      trade,
      "trade",
      "shares",
      getPayingAccount(trade, seller, token),
      getReceivingAccount(trade, buyer, token),
      side.size,
      seller,
    ),
  ];
}

function buildMint(trade: Trade, party: TradeParty, side: TradeSide, name: string): Transfer[] {
  const token = getToken(trade.market, side.outcome);
  return [
    buildTransfer(
      trade,
      "mint",
      `cash:${name}`,
      getPayingAccount(trade, party, USDC),
      collateral(trade.market.id),
      side.notional,
      party,
    ),
    buildTransfer(
      trade,
      "mint",
      `shares:${name}`,
      issuance(token),
      getReceivingAccount(trade, party, token),
      side.size,
      party,
    ),
  ];
}

function buildMerge(trade: Trade, party: TradeParty, side: TradeSide, name: string): Transfer[] {
  const token = getToken(trade.market, side.outcome);
  return [
    buildTransfer(
      trade,
      "merge",
      `shares:${name}`,
      getPayingAccount(trade, party, token),
      issuance(token),
      side.size,
      party,
    ),
    buildTransfer(
      trade,
      "merge",
      `cash:${name}`,
      collateral(trade.market.id),
      getReceivingAccount(trade, party, USDC),
      side.notional,
      party,
    ),
  ];
}

function buildTransfer(
  trade: Trade,
  kind: Transfer["kind"],
  name: string,
  debit: Account,
  credit: Account,
  amount: bigint,
  party: TradeParty,
): Transfer {
  return {
    id: `${trade.id}:${name}`,
    kind,
    debit,
    credit,
    amount,
    groupId: trade.id,
    marketId: trade.market.id,
    ...(party.kind === "order" ? { orderId: party.orderId } : {}),
  };
}

function getPayingAccount(trade: Trade, party: TradeParty, asset: string): Account {
  return party.kind === "order" ? held(party.owner, asset) : house(trade.market.id, asset);
}

function getReceivingAccount(trade: Trade, party: TradeParty, asset: string): Account {
  return party.kind === "order" ? available(party.owner, asset) : house(trade.market.id, asset);
}
