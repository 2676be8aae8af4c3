import type { Refusal } from "@/lib/domain/funding";
import type { Action } from "@/lib/domain/settlement";
import type { TradePart } from "@/lib/domain/trade-parts";
import { ONE, type Price, price, type Shares, shares } from "@/lib/units";
import type { SignedOrder, VenueOrder, VenueTrade } from "@/lib/venue/port";
import type { Random } from "@/tests/support/random";
import { LOT } from "@/lib/domain/lots";

/** A signed order as parsed from its bytes. */
export interface SignedTerms {
  venueOrderId: string;
  owner: string;
  idempotencyKey: string;
  tokenId: string;
  action: Action;
  limit: Price;
  /** The most shares that it may trade. */
  size: Shares;
  orderType: SignedOrder["orderType"];
}

export interface TrueTrade {
  tradeId: string;
  venueOrderId: string;
  owner: string;
  role: VenueTrade["role"];
  settlement: VenueTrade["settlement"];
  /** The parts by counterparty. */
  parts: TradePart[];
  shares: Shares;
  matchedAt: number;
  /** When the lists start to show it. */
  visibleAt: number;
}

/** An order that the venue accepted. Rejected ones leave no record. */
export interface TrueOrder extends SignedTerms {
  status: VenueOrder["status"];
  acceptedAt: number;
  /** No read shows it before then. */
  hiddenUntil: number;
  /** No read shows it after then, once it is closed. */
  forgottenAt: number;
  trades: TrueTrade[];
}

export type Placement = { kind: "placed"; order: TrueOrder } | { kind: "refused"; text: string };

/** Shares of irregular behaviour of the venue. All zero in the liveness phase. */
export interface Irregularity {
  refusals: number;
  hidden: number;
  lag: number;
}

const IRREGULAR: Irregularity = { refusals: 0.12, hidden: 0.12, lag: 0.4 };
export const REGULAR: Irregularity = { refusals: 0, hidden: 0, lag: 0 };

const TICK = 10_000n;
/** Trades are listed at most this long after the match (the overlap of the reconciler). */
const LONGEST_LAG_MS = 60_000;
/** Open orders are shown at most this long after they were accepted. */
export const LONGEST_HIDDEN_MS = 240_000;
const FORGOTTEN_AFTER_MS = [90_000, 600_000] as const;

/** The ground truth: what happened to every order, whether or not the service learned of it. */
export class Exchange {
  readonly orders = new Map<string, TrueOrder>();
  /** When the venue last received a cancel for an order, known or not. */
  readonly cancels = new Map<string, number>();
  irregularity: Irregularity = IRREGULAR;
  private tradeCount = 0;

  constructor(
    private readonly random: Random,
    private readonly clock: () => number,
    private readonly name: string,
  ) {}

  listOpen(): TrueOrder[] {
    return [...this.orders.values()].filter(isOpen);
  }

  /**
   * Accepts an order and may fill part of it, or rejects it.
   *
   * @param isRepeated a repeated post is rejected more often, because balance and market have changed.
   */
  place(ticket: SignedTerms, isRepeated: boolean): Placement {
    const known = this.orders.get(ticket.venueOrderId);
    if (known) {
      // The venue checks the balance before duplicates, and the first post has reduced it.
      const isLater = known.acceptedAt < this.clock();
      if (isLater && this.random.chance(this.irregularity.refusals * 4)) {
        return { kind: "refused", text: this.pickRefusal() };
      }
      return { kind: "refused", text: `order ${ticket.venueOrderId} is invalid. Duplicated.` };
    }
    const refusals = this.irregularity.refusals * (isRepeated ? 4 : 1);
    if (this.random.chance(refusals)) return { kind: "refused", text: this.pickRefusal() };
    const at = this.clock();
    const order: TrueOrder = {
      ...ticket,
      status: "open",
      acceptedAt: at,
      hiddenUntil: this.chance("hidden") ? at + this.random.integer(1_000, LONGEST_HIDDEN_MS) : at,
      forgottenAt: Number.POSITIVE_INFINITY,
      trades: [],
    };
    if (ticket.orderType === "FAK") {
      if (this.random.chance(0.2)) return { kind: "refused", text: NOTHING_TO_MATCH };
      this.match(
        order,
        this.random.chance(0.6) ? computeRemaining(order) : this.pickPart(order),
        "taker",
      );
      if (order.status === "open") this.end(order, "matched");
    } else if (this.random.chance(0.12)) {
      order.status = "delayed";
    } else if (this.random.chance(0.35)) {
      this.match(
        order,
        this.random.chance(0.4) ? computeRemaining(order) : this.pickPart(order),
        "taker",
      );
    }
    this.orders.set(order.venueOrderId, order);
    return { kind: "placed", order };
  }

  /** Estimates an order before it is sent; null if the book can fill it. */
  estimate(): Refusal | null {
    if (!this.random.chance(this.irregularity.refusals)) return null;
    return { code: "NO_LIQUIDITY", message: "nobody sells here right now" };
  }

  cancel(venueOrderId: string): boolean {
    this.cancels.set(venueOrderId, this.clock());
    const order = this.orders.get(venueOrderId);
    if (order?.status !== "open") return false;
    this.end(order, "canceled");
    return true;
  }

  /** Makes one random event happen to an open order. Returns its description. */
  applyRandomEvent(order: TrueOrder): string {
    if (order.status === "delayed") {
      if (this.random.chance(0.3)) return this.end(order, "rejected");
      order.status = "open";
      return "comes out of its delay";
    }
    if (this.random.chance(0.15)) return this.end(order, "canceled");
    this.match(
      order,
      this.random.chance(0.35) ? computeRemaining(order) : this.pickPart(order),
      "maker",
    );
    return `trades, ${order.status}`;
  }

  /** Ends every delay. Orders are delayed for seconds only. */
  endDelays(): void {
    for (const order of this.listOpen().filter(({ status }) => status === "delayed")) {
      this.applyRandomEvent(order);
    }
  }

  /** Advances the settlement of some trades; a share of them fails. Returns descriptions. */
  settleSome(failures: number): string[] {
    const open = [...this.orders.values()].flatMap(({ trades }) => trades).filter(isSettling);
    return open
      .filter(() => this.random.chance(0.5))
      .map((trade) => {
        if (this.random.chance(failures)) trade.settlement = "failed";
        else trade.settlement = trade.settlement === "matched" ? "mined" : "confirmed";
        return `trade of ${trade.venueOrderId.slice(0, 8)} is ${trade.settlement}`;
      });
  }

  /** Returns what a read shows of an order; null while it is hidden or forgotten. */
  findShown(venueOrderId: string): VenueOrder | null {
    const order = this.orders.get(venueOrderId);
    if (!order || order.hiddenUntil > this.clock() || order.forgottenAt <= this.clock())
      return null;
    const linked = order.trades.filter(({ visibleAt }) => visibleAt <= this.clock());
    return {
      venueOrderId,
      status: order.status,
      matchedShares: sumMatched(order),
      tradeIds: linked.map(({ tradeId }) => tradeId),
      wallet: null,
      details: null,
    };
  }

  listShownTrades(owner: string): TrueTrade[] {
    return [...this.orders.values()]
      .filter((order) => order.owner === owner)
      .flatMap(({ trades }) => trades)
      .filter(({ visibleAt }) => visibleAt <= this.clock());
  }

  private pickRefusal(): string {
    return this.random.pick([
      "not enough balance / allowance: the balance is not enough -> balance: 1, order amount: 2",
      "the orderbook 1 does not exist",
      "address banned",
    ]);
  }

  private pickPart(order: TrueOrder): Shares {
    const lots = Number(computeRemaining(order) / LOT);
    return shares(BigInt(this.random.integer(1, Math.max(1, lots - 1))) * LOT);
  }

  private match(order: TrueOrder, size: Shares, role: TrueTrade["role"]): void {
    this.tradeCount += 1;
    const at = this.clock();
    // Trades of a hidden order are late too.
    const isLate = this.chance("lag") || order.hiddenUntil > at;
    const lag = isLate ? this.random.integer(1, LONGEST_LAG_MS) : 0;
    order.trades.push({
      tradeId: `${this.name}-trade-${this.tradeCount}`,
      venueOrderId: order.venueOrderId,
      owner: order.owner,
      role,
      settlement: "matched",
      parts: this.split(size).map((part) => ({
        price: role === "taker" ? this.improvePrice(order) : order.limit,
        shares: part,
      })),
      shares: size,
      matchedAt: at,
      visibleAt: at + lag,
    });
    if (computeRemaining(order) === 0n) this.end(order, "matched");
  }

  /** Splits a size between one to three counterparties. */
  private split(size: Shares): Shares[] {
    const parts: Shares[] = [];
    let left: bigint = size;
    while (parts.length < 2 && left > LOT && this.random.chance(0.5)) {
      const part = BigInt(this.random.integer(1, Number(left / LOT) - 1 || 1)) * LOT;
      if (part >= left) break;
      parts.push(shares(part));
      left -= part;
    }
    return [...parts, shares(left)];
  }

  /** A taker may get a better price. An amount is spent at its limit, so that it buys whole lots. */
  private improvePrice({ action, limit, orderType }: TrueOrder): Price {
    const isAmount = action === "BUY" && orderType === "FAK";
    if (isAmount || this.random.chance(0.6)) return limit;
    const better = limit + (action === "BUY" ? -1n : 1n) * BigInt(this.random.integer(1, 4)) * TICK;
    return better > 0n && better < ONE ? price(better) : limit;
  }

  private end(order: TrueOrder, status: "matched" | "canceled" | "rejected"): string {
    order.status = status;
    const [least, most] = FORGOTTEN_AFTER_MS;
    if (this.random.chance(0.4)) {
      order.forgottenAt = this.clock() + this.random.integer(least, most);
    }
    return `ends ${status}`;
  }

  private chance(irregularity: keyof Irregularity): boolean {
    return this.random.chance(this.irregularity[irregularity]);
  }
}

const NOTHING_TO_MATCH = "no orders found to match with FAK order";

export const isOpen = ({ status }: TrueOrder) => status === "open" || status === "delayed";
const isSettling = ({ settlement }: TrueTrade) =>
  settlement === "matched" || settlement === "mined";

/** Sums the matched shares, including those whose settlement failed. */
export function sumMatched({ trades }: TrueOrder): Shares {
  return shares(trades.reduce((total, trade) => total + trade.shares, 0n));
}

/** Sums the matched shares without failed settlements, of trades that are listed by `at`. */
export function sumFilled({ trades }: TrueOrder, at = Number.POSITIVE_INFINITY): Shares {
  const valid = trades.filter(
    ({ settlement, visibleAt }) => settlement !== "failed" && visibleAt <= at,
  );
  return shares(valid.reduce((total, trade) => total + trade.shares, 0n));
}

function computeRemaining(order: TrueOrder): Shares {
  return shares(order.size - sumMatched(order));
}
