import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import {
  type RemoteChange,
  writeIfUnchanged,
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
import { isClosed, type OrderStatus, transition } from "@/lib/domain/order-status";
import { computeFillPrice, sumNotional, sumShares, sumTakerFees } from "@/lib/domain/trade-parts";
import { computeBuilderFee } from "@/lib/domain/fees";
import { assert } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { Answer } from "@/lib/schemas/envelope";
import {
  buildFill,
  buildHold,
  type OrderParty,
  buildRelease,
  buildReversal,
  type RemoteFill,
} from "@/lib/ledger/live-transfers";
import { type EventDraft, NO_CAUSE } from "@/lib/ledger/account-log";
import type { Transfer } from "@/lib/ledger/transfers";
import { raiseAlarm } from "@/lib/orders/live/alarms";
import {
  add,
  formatMicro,
  NO_USDC,
  notional,
  type Shares,
  shares,
  subtract,
  type Usdc,
} from "@/lib/units";
import { draftFinalStates, draftOrderEvents } from "@/lib/db/queries/order-events";
import { toBuilder } from "@/lib/venue/order-row";
import type { VenueTrade } from "@/lib/venue/port";
import { withStatement, withTransaction } from "@/lib/db/client";
import { LOT } from "@/lib/domain/lots";

/** A trade. One from the response to a post has its cash amount, but not its makers. */
export type KnownTrade = VenueTrade & { notional?: FillInsert["notional"] };

const SETTLEMENT_RANK = { matched: 0, mined: 1, confirmed: 2, failed: 3 } as const;

/**
 * Collects all changes that one order report makes to an order, and writes them together under the
 * order's lock. Applying the same report twice changes nothing.
 */
export class OrderChange {
  private readonly transfers: Transfer[] = [];
  private readonly events: OrderEventInsert[] = [];
  private readonly accountEvents: EventDraft[] = [];
  private readonly newFills: { fill: FillInsert; settlement: SettlementRow }[] = [];
  private readonly settled = new Map<string, SettlementRow>();
  private readonly settlements: Map<string, SettledFill["settlement"]>;
  private readonly former: RemoteOrder;
  /** The order was reported as abandoned or rejected, and then appeared at the venue. */
  private isLate = false;

  private constructor(
    public order: OrderRow,
    public remote: RemoteOrderRow,
    private readonly fills: readonly SettledFill[],
    private readonly feeRate: bigint,
    readonly at: Date,
    private readonly lockedAt: Date | null,
  ) {
    this.former = { order, remote };
    this.settlements = new Map(fills.map(({ settlement }) => [settlement.tradeId, settlement]));
  }

  /** Locks an order for the rest of the transaction. */
  static async lock(tx: Tx, orderId: string): Promise<OrderChange> {
    const { order, remote, fills, feeRate, readAt } = await lockRemoteOrder(tx, orderId);
    return new OrderChange(order, remote, fills, feeRate, new Date(now()), readAt);
  }

  /** Starts from a known order without fills and without a lock. Commit it with `commitIfUnchanged`. */
  static fromKnown({ order, remote }: RemoteOrder): OrderChange {
    return new OrderChange(order, remote, [], 0n, new Date(now()), null);
  }

  /** When a locked order was read, by the database's clock. Leases are compared with it. */
  get readAt(): Date {
    assert(this.lockedAt, "a lease is compared only while its order is locked");
    return this.lockedAt;
  }

  /** The changed order for the next change; null if it has fills. */
  get known(): RemoteOrder | null {
    const { order, remote } = this;
    return this.fills.length + this.newFills.length === 0 ? { order, remote } : null;
  }

  get isClosed(): boolean {
    return isClosed(this.order.status);
  }

  /** Shares of all recorded trades, including those whose settlement failed. */
  get matchedShares(): Shares {
    const former = this.fills.map(({ fill }) => fill.shares);
    return shares(
      [...former, ...this.newFills.map(({ fill }) => fill.shares)].reduce(addBigints, 0n),
    );
  }

  /** Whether the remainder is smaller than the smallest lot that the venue trades. */
  get isSpent(): boolean {
    const { shares: size, amount, filledShares, filledNotional, price } = this.order;
    if (size !== null) return subtract(size, filledShares) < LOT;
    if (amount === null || price === null) return false;
    return subtract(amount, filledNotional) < notional(LOT, price, "up");
  }

  setRemote(change: Partial<RemoteOrderRow>): void {
    this.remote = { ...this.remote, ...change };
  }

  /** Records new trades and updates the settlement of known trades. */
  addTrades(trades: readonly KnownTrade[]): void {
    for (const trade of trades) {
      if (trade.venueOrderId !== this.remote.venueOrderId) continue;
      if (trade.parts.length === 0) {
        // The venue's figures contradict each other: book nothing until they agree.
        raiseAlarm("TRADE_CONTRADICTS", { orderId: this.order.id });
        continue;
      }
      const former = this.settlements.get(trade.tradeId);
      if (former === undefined) this.fill(trade);
      else this.settle(former, trade);
    }
  }

  /** Changes the status of the order, if it differs, and records the event in the order history. */
  move(
    to: OrderStatus,
    event: OrderEventInsert["type"],
    detail: Record<string, string> = {},
    keyId: string | null = null,
  ): void {
    if (this.order.status === to) return;
    this.update({ status: transition(this.order.status, to) });
    this.recordEvent(event, detail, keyId);
    if (this.isClosed) this.release();
  }

  /** Adds an event to the order history. */
  recordEvent(
    type: OrderEventInsert["type"],
    detail: Record<string, string>,
    keyId: string | null = null,
  ): void {
    this.events.push({ orderId: this.order.id, type, keyId, detail, createdAt: this.at });
    const cause = { requestId: null, keyId };
    this.accountEvents.push(...draftOrderEvents(this.order, { type, detail }, cause));
  }

  /**
   * Releases the part of the reservation that a resting order cannot need: makers pay a builder's fee
   * only.
   */
  releaseSpare(): void {
    const { type, held, filledShares } = this.order;
    const spare = held - computeNeeded(this);
    if (type === "market" || spare <= 0n) return;
    this.transfers.push(buildRelease(this.party, `rest/${filledShares}`, spare));
    this.update({ held: held - spare });
  }

  /** Records when the venue first reported that the order is not open. */
  noteNotOpen(): void {
    this.setRemote({ notOpenAt: this.remote.notOpenAt ?? this.at });
  }

  /** Restarts the wait before the order is abandoned, because it is posted again. */
  resetUnseen(): void {
    this.setRemote({ unseenCount: 0, notOpenAt: null });
    this.update({});
  }

  get hasReappeared(): boolean {
    return this.isLate;
  }

  /**
   * Reopens an order that was reported as abandoned or rejected, and reserves its funds again. It is
   * marked to be canceled, and its next response replaces the wrong one.
   */
  reappear(): void {
    this.isLate = true;
    this.holdRest();
    this.move("open", "opened", { reason: "late_appearance" });
    this.setRemote({ cancelRequestedAt: this.at });
  }

  /** Reserves the funds for the open remainder of an order without a reservation. */
  holdRest(): void {
    const amount = computeNeeded(this);
    if (amount <= 0n) return;
    this.transfers.push(buildHold(this.party, `again/${this.at.getTime()}`, amount));
    this.update({ held: this.order.held + amount });
  }

  /** Writes the changes and the response in the transaction that locked the order. */
  commit(tx: Tx, answer: Answer | null = null): Promise<void> {
    return writeRemoteChange(tx, this.toRemoteChange(answer));
  }

  /** Writes the changes if the stored order still equals the known one. Returns whether it did. */
  commitIfUnchanged(db: Tx, answer: Answer | null): Promise<boolean> {
    return writeIfUnchanged(db, this.toRemoteChange(answer));
  }

  private toRemoteChange(answer: Answer | null): RemoteChange {
    const { former, order, remote, newFills, transfers, events, at } = this;
    const settled = [...this.settled.values()];
    const next = { order, remote };
    const isAnswerReplaced = this.isLate;
    return {
      former,
      next,
      newFills,
      settled,
      transfers,
      events,
      accountEvents: this.listAccountEvents(),
      at,
      answer,
      isAnswerReplaced,
    };
  }

  private listAccountEvents(): EventDraft[] {
    const { order, former, accountEvents: drafts } = this;
    if (order === former.order) return drafts;
    const filledIds = new Set(this.newFills.map(({ fill }) => fill.orderId));
    return [...drafts, ...draftFinalStates([order], { drafts, filledIds }, () => NO_CAUSE)];
  }

  private get party(): OrderParty {
    const { id, userId, epoch, marketId, tokenId, action } = this.order;
    return { orderId: id, owner: { userId, epoch }, marketId, tokenId, action };
  }

  private fill(trade: KnownTrade): void {
    const { order } = this;
    const { parts } = trade;
    const cash = trade.notional ?? sumNotional(parts);
    const venueFee = trade.role === "taker" ? sumTakerFees(parts, this.feeRate) : NO_USDC;
    const builder = this.computeBuilderPart(trade.role, cash);
    const fee = add(venueFee, builder?.fee ?? NO_USDC);
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
      // The venue does not report the kind of settlement, and it does not change the amounts.
      settlement: "complementary",
      price: computeFillPrice(parts, cash, order.action),
      shares: sumShares(parts),
      notional: cash,
      fee,
      createdAt: this.at,
    };
    const settlement = this.createSettlement(fill.id, trade, {
      status: "matched",
      venueNotional: sumVenueNotional(trade),
    });
    this.newFills.push({ fill, settlement });
    this.settlements.set(trade.tradeId, settlement);
    const { transfers, used } = buildFill(
      this.party,
      { ...fill, tradeId: trade.tradeId, builder },
      order.held,
    );
    this.transfers.push(...transfers);
    this.update({
      filledShares: add(order.filledShares, fill.shares),
      filledNotional: add(order.filledNotional, cash),
      fee: add(order.fee, fee),
      held: order.held - used,
    });
    this.recordEvent("matched", {
      fillId: fill.id,
      shares: formatMicro(fill.shares),
      price: formatMicro(fill.price),
    });
    this.settle(settlement, trade);
  }

  /** Computes what the order's builder code earns by a fill, at the rates when the order was signed. */
  private computeBuilderPart(role: FillInsert["role"], cash: Usdc): RemoteFill["builder"] {
    const fees = toBuilder(this.remote);
    if (fees === null) return null;
    const bps = role === "taker" ? fees.takerBps : fees.makerBps;
    return { code: fees.code, fee: computeBuilderFee(cash, bps, "down") };
  }

  private settle(former: SettlementRow, trade: KnownTrade): void {
    // Confirmed and failed are final for a trade.
    const isFinal = former.status === "confirmed" || former.status === "failed";
    const hasAdvanced =
      !isFinal && SETTLEMENT_RANK[trade.settlement] > SETTLEMENT_RANK[former.status];
    const venueNotional = former.venueNotional ?? sumVenueNotional(trade);
    if (!hasAdvanced && venueNotional === former.venueNotional) return;
    const status = hasAdvanced ? trade.settlement : former.status;
    const next = this.createSettlement(former.fillId, trade, { status, venueNotional });
    this.settlements.set(trade.tradeId, next);
    const fresh = this.newFills.find(({ fill }) => fill.id === former.fillId);
    if (fresh) fresh.settlement = next;
    else this.settled.set(next.fillId, next);
    if (hasAdvanced && status === "failed") this.reverse(former.fillId, trade.tradeId);
  }

  private reverse(fillId: string, tradeId: string): void {
    const all = [...this.fills, ...this.newFills];
    const found = all.find(({ fill }) => fill.id === fillId);
    if (!found) return;
    const { fill } = found;
    const { order } = this;
    const builder = this.computeBuilderPart(fill.role, fill.notional);
    this.transfers.push(...buildReversal(this.party, { ...fill, tradeId, builder }));
    this.update({
      filledShares: subtract(order.filledShares, fill.shares),
      filledNotional: subtract(order.filledNotional, fill.notional),
      fee: subtract(order.fee, fill.fee),
    });
    this.recordEvent("reversed", { fillId, shares: formatMicro(fill.shares), tradeId });
    if (this.order.status === "filled") {
      this.move("canceled", "canceled", { reason: "settlement_failed" });
    }
  }

  private createSettlement(
    fillId: string,
    { tradeId, transactionHash }: VenueTrade,
    state: Pick<SettlementRow, "status" | "venueNotional">,
  ): SettlementRow {
    const { userId } = this.order;
    return { fillId, tradeId, userId, transactionHash, ...state, updatedAt: this.at };
  }

  private release(): void {
    const { held } = this.order;
    if (held === 0n) return;
    this.transfers.push(
      buildRelease(this.party, `${this.order.status}/${this.at.getTime()}`, held),
    );
    this.update({ held: 0n });
  }

  private update(change: Partial<OrderRow>): void {
    this.order = { ...this.order, ...change, updatedAt: this.at };
  }
}

/** Computes the funds that the open remainder needs if it fills at its limit. */
export function computeNeeded({ order, remote }: RemoteOrder): bigint {
  const { action, shares: size, amount, filledShares, filledNotional, price } = order;
  if (size === null) {
    return amount === null ? 0n : addMakerFee(subtract(amount, filledNotional), remote);
  }
  const left = subtract(size, filledShares);
  if (action === "SELL" || price === null) return left;
  return addMakerFee(notional(left, price, "up"), remote);
}

function addMakerFee(cost: Usdc, remote: RemoteOrderRow): Usdc {
  const fees = toBuilder(remote);
  return fees === null ? cost : add(cost, computeBuilderFee(cost, fees.makerBps, "up"));
}

/** Sums up the listed makers; null for the response to a post, which lists none. */
function sumVenueNotional({
  notional: reported,
  parts,
}: KnownTrade): SettlementRow["venueNotional"] {
  return reported === undefined ? sumNotional(parts) : null;
}

function addBigints(total: bigint, each: bigint): bigint {
  return total + each;
}

/** The order to change. */
export interface ChangeTarget {
  orderId: string;
  /** The order as last read or written, if it has no fills; null to read it under a lock. */
  known: RemoteOrder | null;
}

/**
 * Changes one order and stores the resulting response in the same transaction. A known order takes
 * one conditional statement. If that finds a newer order, the order is locked and read first.
 *
 * @param work changes the order. It may run a second time, on a newer version of the order.
 * @returns the changed order, and the response that `work` returned.
 */
export async function changeOrder(
  { orderId, known }: ChangeTarget,
  work: (change: OrderChange) => Answer | null,
): Promise<{ change: OrderChange; answer: Answer | null }> {
  if (known !== null) {
    const change = OrderChange.fromKnown(known);
    const answer = work(change);
    if (await withStatement((db) => change.commitIfUnchanged(db, answer)))
      return { change, answer };
  }
  const changed = await withTransaction(async (tx) => {
    const change = await OrderChange.lock(tx, orderId);
    const answer = work(change);
    await change.commit(tx, answer);
    return { change, answer };
  });
  if (changed.change.hasReappeared) raiseAlarm("LATE_APPEARANCE", { orderId });
  return changed;
}
