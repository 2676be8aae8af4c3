import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import {
  type RemoteChange,
  writeIfStill,
  writeRemoteChange,
} from "@/lib/db/queries/change-remote-order";
import {
  lockRemoteOrder,
  type RemoteOrder,
  type RemoteOrderRow,
  type SettledFill,
  type SettlementRow,
} from "@/lib/db/queries/remote-orders";
import type { FillInsert, OrderEventInsert, OrderRow } from "@/lib/db/rows";
import { takerFee } from "@/lib/domain/fees";
import { LOT } from "@/lib/domain/matching";
import { CLOSED_STATUSES, type OrderStatus, transition } from "@/lib/domain/order-status";
import { newId } from "@/lib/ids";
import type { Answer } from "@/lib/schemas/envelope";
import {
  fillLegs,
  holdLeg,
  type OrderParty,
  releaseLeg,
  reversalLegs,
} from "@/lib/ledger/remote-legs";
import type { Transfer } from "@/lib/ledger/transfers";
import {
  add,
  formatMicro,
  NO_USDC,
  notional,
  type Shares,
  shares,
  subtract,
  usdc,
} from "@/lib/units";
import type { VenueTrade } from "@/lib/venue/port";

/** A trade as a reply told it: the cash that moved is then known to the micro-unit. */
export type KnownTrade = VenueTrade & { notional?: FillInsert["notional"] };

const SETTLEMENT_RANK = { matched: 0, mined: 1, confirmed: 2, failed: 3 } as const;

/**
 * Everything that one look at the venue changes about one order, gathered under the order's lock and
 * written together. Seeing the same thing twice changes nothing.
 */
export class OrderChange {
  private readonly transfers: Transfer[] = [];
  private readonly events: OrderEventInsert[] = [];
  private readonly made: { fill: FillInsert; settlement: SettlementRow }[] = [];
  private readonly settled = new Map<string, SettlementRow>();
  private readonly settlements: Map<string, SettledFill["settlement"]>;
  private readonly former: RemoteOrder;

  private constructor(
    public order: OrderRow,
    public remote: RemoteOrderRow,
    private readonly fills: readonly SettledFill[],
    private readonly feeRate: bigint,
    readonly at: Date,
  ) {
    this.former = { order, remote };
    this.settlements = new Map(fills.map(({ settlement }) => [settlement.tradeId, settlement]));
  }

  /** Locks an order for the rest of the transaction. */
  static async open(tx: Tx, orderId: string): Promise<OrderChange> {
    const { order, remote, fills, feeRate } = await lockRemoteOrder(tx, orderId);
    return new OrderChange(order, remote, fills, feeRate, new Date(now()));
  }

  /** Of an order without fills, as it was read or written a moment ago. Only `commitIfStill` fits. */
  static of({ order, remote }: RemoteOrder): OrderChange {
    return new OrderChange(order, remote, [], 0n, new Date(now()));
  }

  /** The order as it is now, for another change; null once it has fills. */
  get known(): RemoteOrder | null {
    const { order, remote } = this;
    return this.fills.length + this.made.length === 0 ? { order, remote } : null;
  }

  get isClosed(): boolean {
    return CLOSED_STATUSES.some((status) => status === this.order.status);
  }

  /** Shares of every trade that was ever seen, whether its settlement failed or not. */
  get matchedShares(): Shares {
    const former = this.fills.map(({ fill }) => fill.shares);
    return shares([...former, ...this.made.map(({ fill }) => fill.shares)].reduce(sumOf, 0n));
  }

  /** What is left to trade is less than the venue trades. */
  get isSpent(): boolean {
    const { shares: size, amount, filledShares, filledNotional, price } = this.order;
    if (size !== null) return subtract(size, filledShares) < LOT;
    if (amount === null || price === null) return false;
    return subtract(amount, filledNotional) < notional(LOT, price, "up");
  }

  setRemote(change: Partial<RemoteOrderRow>): void {
    this.remote = { ...this.remote, ...change };
  }

  /** Records the trades that are new and follows the settlement of those that are known. */
  addTrades(trades: readonly KnownTrade[]): void {
    for (const trade of trades) {
      if (trade.venueOrderId !== this.remote.venueOrderId) continue;
      const former = this.settlements.get(trade.tradeId);
      if (former === undefined) this.fill(trade);
      else this.settle(former, trade);
    }
  }

  /** Moves the order to a status, if it is not there, and tells its biography. */
  move(
    to: OrderStatus,
    event: OrderEventInsert["type"],
    detail: Record<string, string> = {},
    keyId: string | null = null,
  ): void {
    if (this.order.status === to) return;
    this.update({ status: transition(this.order.status, to) });
    this.tell(event, detail, keyId);
    if (this.isClosed) this.release();
  }

  tell(
    type: OrderEventInsert["type"],
    detail: Record<string, string>,
    keyId: string | null = null,
  ): void {
    this.events.push({ orderId: this.order.id, type, keyId, detail, createdAt: this.at });
  }

  /** What rests trades at its own limit and pays no fee: it may need less than was reserved. */
  releaseSpare(): void {
    const { type, held, filledShares } = this.order;
    const spare = held - stillNeeded(this.order);
    if (type === "market" || spare <= 0n) return;
    this.transfers.push(releaseLeg(this.party, `rest/${filledShares}`, spare));
    this.update({ held: held - spare });
  }

  /** Remembers since when the venue says that it does not stand. */
  noteNotOpen(): void {
    this.setRemote({ notOpenAt: this.remote.notOpenAt ?? this.at });
  }

  /** Begins the wait for it anew: it is about to be posted again. */
  lookAgain(): void {
    this.setRemote({ unseenCount: 0, notOpenAt: null });
    this.update({});
  }

  /** Reserves again for an order that came back. */
  holdAgain(amount: bigint): void {
    if (amount <= 0n) return;
    this.transfers.push(holdLeg(this.party, `again/${this.at.getTime()}`, amount));
    this.update({ held: this.order.held + amount });
  }

  /** Writes it, with the answer that follows from it, in the transaction that locked the order. */
  commit(tx: Tx, answer: Answer | null = null): Promise<void> {
    return writeRemoteChange(tx, this.written(answer));
  }

  /** Writes it by itself if the order still is as it was known. Returns whether it was. */
  commitIfStill(db: Tx, answer: Answer | null): Promise<boolean> {
    return writeIfStill(db, this.written(answer));
  }

  private written(answer: Answer | null): RemoteChange {
    const { former, order, remote, made, transfers, events, at } = this;
    const settled = [...this.settled.values()];
    return { former, next: { order, remote }, made, settled, transfers, events, at, answer };
  }

  private get party(): OrderParty {
    const { id, userId, epoch, marketId, tokenId, action } = this.order;
    return { orderId: id, owner: { userId, epoch }, marketId, tokenId, action };
  }

  private fill(trade: KnownTrade): void {
    const { order } = this;
    const rounding = order.action === "BUY" ? "up" : "down";
    const cash = trade.notional ?? notional(trade.shares, trade.price, rounding);
    const isTaker = trade.role === "taker";
    const fee = isTaker ? takerFee(trade.shares, trade.price, this.feeRate) : NO_USDC;
    const fill: FillInsert = {
      id: newId("fil"),
      tradeId: trade.tradeId,
      orderId: order.id,
      userId: order.userId,
      epoch: order.epoch,
      marketId: order.marketId,
      tokenId: order.tokenId,
      action: order.action,
      role: trade.role,
      // The venue does not tell how a trade settled; to its owner the money is the same.
      settlement: "complementary",
      price: trade.price,
      shares: trade.shares,
      notional: cash,
      fee,
      createdAt: this.at,
    };
    const settlement = this.settlementOf(fill.id, trade, "matched");
    this.made.push({ fill, settlement });
    this.settlements.set(trade.tradeId, settlement);
    const { transfers, used } = fillLegs(
      this.party,
      { ...fill, tradeId: trade.tradeId },
      order.held,
    );
    this.transfers.push(...transfers);
    this.update({
      filledShares: add(order.filledShares, fill.shares),
      filledNotional: add(order.filledNotional, cash),
      fee: add(order.fee, fee),
      held: order.held - used,
    });
    this.tell("matched", {
      fillId: fill.id,
      shares: formatMicro(fill.shares),
      price: formatMicro(fill.price),
    });
    this.settle(settlement, trade);
  }

  private settle(former: SettlementRow, trade: KnownTrade): void {
    // What is confirmed stays so, and what failed does not come back under the same trade.
    if (former.status === "confirmed" || former.status === "failed") return;
    if (SETTLEMENT_RANK[trade.settlement] <= SETTLEMENT_RANK[former.status]) return;
    const next = this.settlementOf(former.fillId, trade, trade.settlement);
    this.settlements.set(trade.tradeId, next);
    const fresh = this.made.find(({ fill }) => fill.id === former.fillId);
    if (fresh) fresh.settlement = next;
    else this.settled.set(next.fillId, next);
    if (trade.settlement === "failed") this.reverse(former.fillId, trade.tradeId);
  }

  private reverse(fillId: string, tradeId: string): void {
    const all = [...this.fills, ...this.made];
    const found = all.find(({ fill }) => fill.id === fillId);
    if (!found) return;
    const { fill } = found;
    const { order } = this;
    this.transfers.push(...reversalLegs(this.party, { ...fill, tradeId }));
    this.update({
      filledShares: subtract(order.filledShares, fill.shares),
      filledNotional: subtract(order.filledNotional, fill.notional),
      fee: subtract(order.fee, fill.fee),
    });
    this.tell("reversed", { fillId, shares: formatMicro(fill.shares), tradeId });
    if (this.order.status === "filled") {
      this.move("canceled", "canceled", { reason: "settlement_failed" });
    }
  }

  private settlementOf(
    fillId: string,
    { tradeId, transactionHash }: VenueTrade,
    status: SettlementRow["status"],
  ): SettlementRow {
    const { userId } = this.order;
    return { fillId, tradeId, userId, status, transactionHash, updatedAt: this.at };
  }

  private release(): void {
    const { held } = this.order;
    if (held === 0n) return;
    this.transfers.push(releaseLeg(this.party, `${this.order.status}/${this.at.getTime()}`, held));
    this.update({ held: 0n });
  }

  private update(change: Partial<OrderRow>): void {
    this.order = { ...this.order, ...change, updatedAt: this.at };
  }
}

/** What the part of an order that has not filled takes when it fills at its limit. */
export function stillNeeded(order: OrderRow): bigint {
  const { action, shares: size, amount, filledShares, filledNotional, price } = order;
  if (size === null) return amount === null ? 0n : subtract(amount, filledNotional);
  const left = subtract(size, filledShares);
  return action === "SELL" || price === null ? left : usdc(notional(left, price, "up"));
}

function sumOf(total: bigint, each: bigint): bigint {
  return total + each;
}
