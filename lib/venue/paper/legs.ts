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
  USDC,
} from "@/lib/ledger/accounts";
import type { Transfer } from "@/lib/ledger/transfers";
import { tokenOf } from "@/lib/venue/paper/market";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";

/** One party of a trade: an order of a user, or the house. */
export type TradeParty = { kind: "order"; orderId: string; owner: Owner } | { kind: "house" };

interface Trade {
  id: string;
  market: ExchangeMarket;
  settlement: Settlement;
  bid: TradeParty;
  ask: TradeParty;
}

/**
 * The ledger rows of one trade. Users pay and deliver from what their orders hold; what they
 * receive is available at once.
 */
export function tradeLegs(trade: Trade): Transfer[] {
  const { settlement, bid, ask } = trade;
  if (settlement.kind === "mint") {
    return [
      ...mintLegs(trade, bid, settlement.bid, "bid"),
      ...mintLegs(trade, ask, settlement.ask, "ask"),
    ];
  }
  if (settlement.kind === "merge") {
    return [
      ...mergeLegs(trade, bid, settlement.bid, "bid"),
      ...mergeLegs(trade, ask, settlement.ask, "ask"),
    ];
  }
  const isBidBuying = settlement.bid.action === "BUY";
  return isBidBuying
    ? exchangeLegs(trade, bid, ask, settlement.bid)
    : exchangeLegs(trade, ask, bid, settlement.ask);
}

/** The taker's fee: from a buyer's hold, or from what a seller has just received. */
export function feeLeg(
  tradeId: string,
  market: ExchangeMarket,
  party: Extract<TradeParty, { kind: "order" }>,
  side: TradeSide,
  fee: Usdc,
): Transfer {
  const source = side.action === "BUY" ? held(party.owner, USDC) : available(party.owner, USDC);
  return {
    id: `${tradeId}:fee`,
    kind: "fee",
    debit: source,
    credit: fees(market.id),
    amount: fee,
    groupId: tradeId,
    orderId: party.orderId,
    marketId: market.id,
  };
}

function exchangeLegs(
  trade: Trade,
  buyer: TradeParty,
  seller: TradeParty,
  side: TradeSide,
): Transfer[] {
  const token = tokenOf(trade.market, side.outcome);
  return [
    leg(
      trade,
      "trade",
      "cash",
      payingAccount(trade, buyer, USDC),
      receivingAccount(trade, seller, USDC),
      side.notional,
      buyer,
    ),
    leg(
      trade,
      "trade",
      "shares",
      payingAccount(trade, seller, token),
      receivingAccount(trade, buyer, token),
      side.size,
      seller,
    ),
  ];
}

function mintLegs(trade: Trade, party: TradeParty, side: TradeSide, name: string): Transfer[] {
  const token = tokenOf(trade.market, side.outcome);
  return [
    leg(
      trade,
      "mint",
      `cash:${name}`,
      payingAccount(trade, party, USDC),
      collateral(trade.market.id),
      side.notional,
      party,
    ),
    leg(
      trade,
      "mint",
      `shares:${name}`,
      issuance(token),
      receivingAccount(trade, party, token),
      side.size,
      party,
    ),
  ];
}

function mergeLegs(trade: Trade, party: TradeParty, side: TradeSide, name: string): Transfer[] {
  const token = tokenOf(trade.market, side.outcome);
  return [
    leg(
      trade,
      "merge",
      `shares:${name}`,
      payingAccount(trade, party, token),
      issuance(token),
      side.size,
      party,
    ),
    leg(
      trade,
      "merge",
      `cash:${name}`,
      collateral(trade.market.id),
      receivingAccount(trade, party, USDC),
      side.notional,
      party,
    ),
  ];
}

function leg(
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

function payingAccount(trade: Trade, party: TradeParty, asset: string): Account {
  return party.kind === "order" ? held(party.owner, asset) : house(trade.market.id, asset);
}

function receivingAccount(trade: Trade, party: TradeParty, asset: string): Account {
  return party.kind === "order" ? available(party.owner, asset) : house(trade.market.id, asset);
}
