import "server-only";
import type { FillInsert, OrderEventInsert, OrderRow } from "@/lib/db/rows";
import {
  type Book,
  type BookSide,
  type HouseLevel,
  type Maker,
  reduceBook,
  type RestingOrder,
} from "@/lib/domain/matching";
import { takerFee } from "@/lib/domain/fees";
import { type OrderStatus, transition } from "@/lib/domain/order-status";
import { houseActs, settle, type TradeSide } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { available, held, USDC } from "@/lib/ledger/accounts";
import type { Transfer } from "@/lib/ledger/transfers";
import {
  add,
  formatMicro,
  NO_USDC,
  type Price,
  type Shares,
  shares,
  subtract,
  type Usdc,
} from "@/lib/units";
import type { PaperTime } from "@/lib/venue/paper/clock";
import { feeLeg, type TradeParty, tradeLegs } from "@/lib/venue/paper/legs";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";

interface Taking {
  side: BookSide;
  price: Price;
  size: Shares;
}

/**
 * Everything that one touch of a market changes, gathered in memory before any of it is written.
 * The market's row is locked while a round is played, so what it read cannot change under it.
 */
export class Round {
  readonly fills: FillInsert[] = [];
  readonly transfers: Transfer[] = [];
  readonly events: OrderEventInsert[] = [];
  readonly taken: Taking[] = [];
  readonly createdIds = new Set<string>();
  readonly changedIds = new Set<string>();
  lastPrice: Price | null = null;
  private readonly rows = new Map<string, OrderRow>();

  book: Book;

  /**
   * @param time.now the service's clock, written to every row.
   * @param time.market the simulated markets' clock, which decides on liquidity.
   */
  constructor(
    readonly market: ExchangeMarket,
    readonly time: PaperTime,
    loaded: { book: Book; rows: Iterable<OrderRow> },
  ) {
    this.book = loaded.book;
    for (const row of loaded.rows) this.rows.set(row.id, row);
  }

  get at(): Date {
    return new Date(this.time.now);
  }

  order(id: string): OrderRow {
    const row = this.rows.get(id);
    assert(row, `order ${id} takes part in the round`);
    return row;
  }

  orders(): OrderRow[] {
    return [...this.rows.values()];
  }

  /** Brings an order into the round that the loaded part of the book did not hold. */
  include(row: OrderRow): void {
    if (!this.rows.has(row.id)) this.rows.set(row.id, row);
  }

  create(row: OrderRow): void {
    this.rows.set(row.id, row);
    this.createdIds.add(row.id);
  }

  /** Reserves what a new order may cost. */
  hold(row: OrderRow): void {
    const asset = heldAsset(row);
    this.transfers.push({
      id: `${row.id}:hold`,
      kind: "hold",
      debit: available(row, asset),
      credit: held(row, asset),
      amount: row.held,
      groupId: row.id,
      orderId: row.id,
      marketId: this.market.id,
    });
  }

  /** Gives back all of an order's reservation but `keep`. */
  release(id: string, keep: bigint, step: "improvement" | "final"): void {
    const row = this.order(id);
    const amount = row.held - keep;
    if (amount === 0n) return;
    const asset = heldAsset(row);
    this.transfers.push({
      id: `${id}:release:${step}`,
      kind: "release",
      debit: held(row, asset),
      credit: available(row, asset),
      amount,
      groupId: id,
      orderId: id,
      marketId: this.market.id,
    });
    this.update(id, { held: keep });
  }

  /** Moves an order to a status and tells its biography. A final status releases what is held. */
  move(
    id: string,
    to: OrderStatus,
    event: OrderEventInsert["type"],
    detail: Record<string, string> = {},
    keyId: string | null = null,
  ): void {
    this.update(id, { status: transition(this.order(id).status, to) });
    this.tell(id, event, detail, keyId);
    if (to === "filled" || to === "canceled" || to === "expired") this.release(id, 0n, "final");
  }

  tell(
    id: string,
    type: OrderEventInsert["type"],
    detail: Record<string, string>,
    keyId: string | null = null,
  ): void {
    this.events.push({ orderId: id, type, keyId, detail, createdAt: this.at });
  }

  /**
   * Trades `size` at a book price between two parties. A missing order id is the house; the house
   * quote it drew on is `level`. Only a taker that is an order pays a fee.
   */
  trade(terms: {
    bidId: string | null;
    askId: string | null;
    takerId: string | null;
    level: HouseLevel | null;
    price: Price;
    size: Shares;
  }): void {
    const bidRow = terms.bidId === null ? null : this.order(terms.bidId);
    const askRow = terms.askId === null ? null : this.order(terms.askId);
    const settlement = settle(
      bidRow ?? houseActs("bid"),
      askRow ?? houseActs("ask"),
      terms.price,
      terms.size,
    );
    const id = newId("trd");
    const [bid, ask] = [partyOf(bidRow), partyOf(askRow)];
    this.transfers.push(...tradeLegs({ id, market: this.market, settlement, bid, ask }));
    if (bidRow) this.fill(id, bidRow, settlement.bid, settlement.kind, bidRow.id === terms.takerId);
    if (askRow) this.fill(id, askRow, settlement.ask, settlement.kind, askRow.id === terms.takerId);
    if (terms.level)
      this.taken.push({ side: terms.level.side, price: terms.level.price, size: terms.size });
    this.lastPrice = terms.price;
    this.book = reduceBook(this.book, makersOf(terms, bidRow, askRow));
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  update(id: string, change: Partial<OrderRow>): void {
    this.rows.set(id, { ...this.order(id), ...change, updatedAt: this.at });
    if (!this.createdIds.has(id)) this.changedIds.add(id);
  }

  private fill(
    tradeId: string,
    row: OrderRow,
    side: TradeSide,
    settlement: FillInsert["settlement"],
    isTaker: boolean,
  ): void {
    const fee = isTaker ? takerFee(side.size, side.price, this.market.feeRate) : NO_USDC;
    if (fee > 0n)
      this.transfers.push(
        feeLeg(tradeId, this.market, { kind: "order", orderId: row.id, owner: row }, side, fee),
      );
    const fillId = newId("fil");
    this.fills.push({
      id: fillId,
      tradeId,
      orderId: row.id,
      userId: row.userId,
      epoch: row.epoch,
      marketId: this.market.id,
      tokenId: row.tokenId,
      action: side.action,
      role: isTaker ? "taker" : "maker",
      settlement,
      price: side.price,
      shares: side.size,
      notional: side.notional,
      fee,
      createdAt: this.at,
    });
    this.update(row.id, {
      filledShares: add(row.filledShares, side.size),
      filledNotional: add(row.filledNotional, side.notional),
      fee: add(row.fee, fee),
      held: row.held - (side.action === "BUY" ? side.notional + fee : side.size),
    });
    this.tell(row.id, "matched", {
      fillId,
      shares: formatMicro(side.size),
      price: formatMicro(side.price),
    });
    if (!isTaker && remainingShares(this.order(row.id)) === 0n)
      this.move(row.id, "filled", "filled");
  }
}

/** What is left of an order that is sized in shares. */
export function remainingShares(row: Pick<OrderRow, "shares" | "filledShares">): Shares {
  return row.shares === null ? shares(0n) : subtract(row.shares, row.filledShares);
}

/** What is left to spend of an order that is sized in USDC. */
export function remainingAmount(amount: Usdc, row: Pick<OrderRow, "filledNotional">): Usdc {
  return subtract(amount, row.filledNotional);
}

/** A resting order as matching sees it. */
export function toResting(row: OrderRow): RestingOrder {
  assert(row.bookPrice !== null, `order ${row.id} rests at a price`);
  return {
    id: row.id,
    ownerId: row.userId,
    side: row.bookSide,
    price: row.bookPrice,
    remaining: remainingShares(row),
    sequence: row.sequence,
  };
}

export function heldAsset(row: Pick<OrderRow, "action" | "tokenId">): string {
  return row.action === "BUY" ? USDC : row.tokenId;
}

function partyOf(row: OrderRow | null): TradeParty {
  return row ? { kind: "order", orderId: row.id, owner: row } : { kind: "house" };
}

/** Which standing interest a trade uses up, so that the book shrinks with it. */
function makersOf(
  terms: { takerId: string | null; level: HouseLevel | null; size: Shares },
  bid: OrderRow | null,
  ask: OrderRow | null,
): { maker: Maker; size: Shares }[] {
  const makers: { maker: Maker; size: Shares }[] = [];
  for (const row of [bid, ask]) {
    if (row && row.id !== terms.takerId)
      makers.push({ maker: { kind: "order", order: toResting(row) }, size: terms.size });
  }
  if (terms.level) makers.push({ maker: { kind: "house", level: terms.level }, size: terms.size });
  return makers;
}
