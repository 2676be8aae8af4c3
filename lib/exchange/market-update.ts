import "server-only";
import type { FillInsert, OrderEventInsert, OrderRow } from "@/lib/db/rows";
import {
  type Book,
  type BookSide,
  type HouseLevel,
  type Maker,
  reduceBook,
} from "@/lib/domain/matching";
import { type BuilderFees, computeBuilderFee, computeTakerFee } from "@/lib/domain/fees";
import { isLive, type OrderStatus, transition } from "@/lib/domain/order-status";
import { getHouseSide, settle, type TradeSide } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { available, held, USDC } from "@/lib/ledger/accounts";
import { type Cause, type EventDraft, NO_CAUSE } from "@/lib/ledger/account-log";
import type { Transfer } from "@/lib/ledger/transfers";
import {
  add,
  formatMicro,
  NO_USDC,
  type Price,
  type Shares,
  subtract,
  type Usdc,
} from "@/lib/units";
import type { PaperTime } from "@/lib/exchange/clock";
import type { LoadedMarket } from "@/lib/exchange/load-market";
import { computeRemainingShares, toResting } from "@/lib/venue/order-row";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import {
  buildBuilderTransfer,
  buildFeeTransfer,
  buildTradeTransfers,
  type TradeParty,
} from "@/lib/exchange/trade-transfers";
import { toBuilder } from "@/lib/venue/order-row";
import { draftFinalStates, draftOrderEvents } from "@/lib/db/queries/order-events";

/** The book of a market that no longer trades. */
export const NO_BOOK: Pick<LoadedMarket, "book" | "readTo"> = {
  book: { orders: [], house: [] },
  readTo: { bid: null, ask: null },
};

/** Size that a trade took from a level of the house. */
interface HouseTake {
  side: BookSide;
  price: Price;
  size: Shares;
}

/**
 * The changes of one matching pass over a market, collected in memory until `commitUpdate` writes
 * them. The transaction has locked the market's row, so the loaded state can't change meanwhile.
 */
export class MarketUpdate {
  readonly fills: FillInsert[] = [];
  readonly transfers: Transfer[] = [];
  readonly events: OrderEventInsert[] = [];
  /** The same events for the logs of the orders' owners. */
  readonly accountEvents: EventDraft[] = [];
  readonly taken: HouseTake[] = [];
  readonly createdIds = new Set<string>();
  readonly changedIds = new Set<string>();
  lastPrice: Price | null = null;
  /** The request that causes what follows. It is named only in its own user's log. */
  actor: (Cause & { userId: string }) | null = null;
  /** Orders that traded. */
  readonly #filledIds = new Set<string>();
  /** The last loaded price per side; null if all relevant orders of the side were loaded. */
  readonly readTo: LoadedMarket["readTo"];
  private readonly rows = new Map<string, OrderRow>();
  #book: Book;
  /** Trades that are not subtracted from the book yet. */
  #traded: { maker: Maker; size: Shares }[] = [];

  /**
   * @param time.now the service's clock, written to every row.
   * @param time.market the simulated markets' clock, which selects the house quotes.
   */
  constructor(
    readonly market: ExchangeMarket,
    readonly time: PaperTime,
    loaded: Pick<LoadedMarket, "book" | "rows" | "readTo">,
  ) {
    this.#book = loaded.book;
    this.readTo = loaded.readTo;
    for (const row of loaded.rows) this.rows.set(row.id, row);
  }

  /** The loaded book after the trades of this update. */
  get book(): Book {
    if (this.#traded.length > 0) this.#book = reduceBook(this.#book, this.#traded);
    this.#traded = [];
    return this.#book;
  }

  set book(book: Book) {
    this.#traded = [];
    this.#book = book;
  }

  get at(): Date {
    return new Date(this.time.now);
  }

  getOrder(id: string): OrderRow {
    const row = this.rows.get(id);
    assert(row, `order ${id} is part of the update`);
    return row;
  }

  /** Returns by how much this update changes the number of a user's live orders. */
  countNewLiveOrders(userId: string): number {
    let count = 0;
    for (const id of this.createdIds) {
      const { userId: owner, status } = this.getOrder(id);
      if (owner === userId && isLive(status)) count += 1;
    }
    // All loaded orders were live.
    for (const id of this.changedIds) {
      const { userId: owner, status } = this.getOrder(id);
      if (owner === userId && !isLive(status)) count -= 1;
    }
    return count;
  }

  /** Adds an order that is not part of the loaded book. */
  include(row: OrderRow): void {
    if (!this.rows.has(row.id)) this.rows.set(row.id, row);
  }

  create(row: OrderRow): void {
    this.rows.set(row.id, row);
    this.createdIds.add(row.id);
  }

  /** Reserves the maximum cost of a new order. */
  hold(row: OrderRow): void {
    const asset = getHeldAsset(row);
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

  /** Releases what an order holds, except for `keep`. */
  release(id: string, keep: bigint, step: "improvement" | "final"): void {
    const row = this.getOrder(id);
    const amount = row.held - keep;
    if (amount === 0n) return;
    const asset = getHeldAsset(row);
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

  /** Changes an order's status and records the event. A final status releases what the order holds. */
  move(
    id: string,
    to: OrderStatus,
    event: OrderEventInsert["type"],
    detail: Record<string, string> = {},
    keyId: string | null = null,
  ): void {
    this.update(id, { status: transition(this.getOrder(id).status, to) });
    this.recordEvent(id, event, detail, keyId);
    if (to === "filled" || to === "canceled" || to === "expired") this.release(id, 0n, "final");
  }

  recordEvent(
    id: string,
    type: OrderEventInsert["type"],
    detail: Record<string, string>,
    keyId: string | null = null,
  ): void {
    const row = this.getOrder(id);
    // The order was received before its transaction began.
    const createdAt = type === "received" ? row.createdAt : this.at;
    this.events.push({ orderId: id, type, keyId, detail, createdAt });
    this.accountEvents.push(...draftOrderEvents(row, { type, detail }, this.findCause(row.userId)));
  }

  /** Returns the events for the logs of the owners, up to the final state of every order. */
  listAccountEvents(): EventDraft[] {
    const drafts = this.accountEvents;
    const filledIds = this.#filledIds;
    const changed = [...this.createdIds, ...this.changedIds].map((id) => this.getOrder(id));
    const findCause = (userId: string) => this.findCause(userId);
    return [...drafts, ...draftFinalStates(changed, { drafts, filledIds }, findCause)];
  }

  /** Returns the request that changes a user's account; no request if another user's order does. */
  findCause(userId: string): Cause {
    if (this.actor?.userId !== userId) return NO_CAUSE;
    const { requestId, keyId } = this.actor;
    return { requestId, keyId };
  }

  /**
   * Records a trade of `size` shares at a book price. An order id of null stands for the house, whose
   * quote is `level`. Only a taker that is an order pays the venue's fee.
   */
  trade(terms: {
    bidId: string | null;
    askId: string | null;
    takerId: string | null;
    level: HouseLevel | null;
    price: Price;
    size: Shares;
  }): void {
    const bidRow = terms.bidId === null ? null : this.getOrder(terms.bidId);
    const askRow = terms.askId === null ? null : this.getOrder(terms.askId);
    const settlement = settle(
      bidRow ?? getHouseSide("bid"),
      askRow ?? getHouseSide("ask"),
      terms.price,
      terms.size,
    );
    const id = newId("trd");
    const [bid, ask] = [toParty(bidRow), toParty(askRow)];
    this.transfers.push(...buildTradeTransfers({ id, market: this.market, settlement, bid, ask }));
    if (bidRow) this.fill(id, bidRow, settlement.bid, settlement.kind, bidRow.id === terms.takerId);
    if (askRow) this.fill(id, askRow, settlement.ask, settlement.kind, askRow.id === terms.takerId);
    if (terms.level)
      this.taken.push({ side: terms.level.side, price: terms.level.price, size: terms.size });
    this.lastPrice = terms.price;
    this.#traded.push(...findMakers(terms, bidRow, askRow));
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  update(id: string, change: Partial<OrderRow>): void {
    this.rows.set(id, { ...this.getOrder(id), ...change, updatedAt: this.at });
    if (!this.createdIds.has(id)) this.changedIds.add(id);
  }

  private fill(
    tradeId: string,
    row: OrderRow,
    side: TradeSide,
    settlement: FillInsert["settlement"],
    isTaker: boolean,
  ): void {
    const venueFee = isTaker
      ? computeTakerFee(side.size, side.price, this.market.feeRate)
      : NO_USDC;
    const builder = toBuilder(row);
    const builderFee = builder ? computeFillFee(builder, row, { side, isTaker }) : NO_USDC;
    const fee = add(venueFee, builderFee);
    const trade = { id: tradeId, market: this.market, orderId: row.id, owner: row, side };
    if (venueFee > 0n) this.transfers.push(buildFeeTransfer(trade, venueFee));
    if (builder && builderFee > 0n) {
      this.transfers.push(buildBuilderTransfer(trade, builder, builderFee));
    }
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
    this.#filledIds.add(row.id);
    this.recordEvent(row.id, "matched", {
      fillId,
      shares: formatMicro(side.size),
      price: formatMicro(side.price),
    });
    if (!isTaker && computeRemainingShares(this.getOrder(row.id)) === 0n)
      this.move(row.id, "filled", "filled");
  }
}

/**
 * Computes a builder's fee of one fill. The fills of a taker are one trade of the sandbox, which pays the
 * fee of their sum, cut once. A resting order's fills are a trade each.
 */
function computeFillFee(
  { takerBps, makerBps }: BuilderFees,
  { filledNotional }: Pick<OrderRow, "filledNotional">,
  { side, isTaker }: { side: TradeSide; isTaker: boolean },
): Usdc {
  if (!isTaker) return computeBuilderFee(side.notional, makerBps, "down");
  const [paid, total] = [filledNotional, add(filledNotional, side.notional)];
  const computeFee = (amount: Usdc) => computeBuilderFee(amount, takerBps, "down");
  return subtract(computeFee(total), computeFee(paid));
}

/** Returns the unspent part of an order sized in USDC. */
export function computeRemainingAmount(amount: Usdc, row: Pick<OrderRow, "filledNotional">): Usdc {
  return subtract(amount, row.filledNotional);
}

/** Returns the asset that an order holds: USDC for a BUY, its token for a SELL. */
export function getHeldAsset(row: Pick<OrderRow, "action" | "tokenId">): string {
  return row.action === "BUY" ? USDC : row.tokenId;
}

function toParty(row: OrderRow | null): TradeParty {
  return row ? { kind: "order", orderId: row.id, owner: row } : { kind: "house" };
}

/** Returns the resting orders and house levels that a trade consumes. */
function findMakers(
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
