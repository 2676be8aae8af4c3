import { LOT } from "@/lib/domain/matching";
import type { Refusal } from "@/lib/domain/funding";
import type { Action } from "@/lib/domain/settlement";
import { ONE, type Price, price, type Shares, shares } from "@/lib/units";
import type { SignedOrder, VenueOrder, VenueTrade } from "@/lib/venue/port";
import type { Random } from "@/tests/support/product-random";

/** What was signed, as its bytes say it. */
export interface Ticket {
  venueOrderId: string;
  owner: string;
  idempotencyKey: string;
  action: Action;
  limit: Price;
  /** Shares that it may trade at most. */
  size: Shares;
  orderType: SignedOrder["orderType"];
}

export interface TrueTrade {
  tradeId: string;
  venueOrderId: string;
  owner: string;
  role: VenueTrade["role"];
  settlement: VenueTrade["settlement"];
  price: Price;
  shares: Shares;
  matchedAt: number;
  /** From when on the lists show it. */
  visibleAt: number;
}

/** An order that the venue took. What it refused leaves no trace. */
export interface TrueOrder extends Ticket {
  status: VenueOrder["status"];
  acceptedAt: number;
  /** Until then no read shows it. */
  hiddenUntil: number;
  /** From then on, once it is over, no read shows it any more. */
  forgottenAt: number;
  trades: TrueTrade[];
}

export type Placement = { kind: "placed"; order: TrueOrder } | { kind: "refused"; text: string };

/** How odd the venue may be: nothing of it when the liveness phase begins. */
export interface Oddity {
  refusals: number;
  hidden: number;
  lag: number;
}

const ODD: Oddity = { refusals: 0.12, hidden: 0.12, lag: 0.4 };
export const SOUND: Oddity = { refusals: 0, hidden: 0, lag: 0 };

const TICK = 10_000n;
/** Trades are listed no later than this after they happened (the overlap of the reconciler). */
const LONGEST_LAG_MS = 60_000;
/** Orders that stand are shown no later than this. */
export const LONGEST_HIDDEN_MS = 240_000;
const FORGOTTEN_AFTER_MS = [90_000, 600_000] as const;

/** The ground truth: what really happened to every order, whatever was heard of it. */
export class Exchange {
  readonly orders = new Map<string, TrueOrder>();
  /** When it was last asked to cancel an order, known or not. */
  readonly cancels = new Map<string, number>();
  oddity: Oddity = ODD;
  private tradeCount = 0;

  constructor(
    private readonly random: Random,
    private readonly clock: () => number,
    private readonly name: string,
  ) {}

  standing(): TrueOrder[] {
    return [...this.orders.values()].filter(isStanding);
  }

  /**
   * Takes an order, fills some of it at once, or refuses it.
   *
   * @param isRepeated what is sent again meets another balance and another market.
   */
  place(ticket: Ticket, isRepeated: boolean): Placement {
    const known = this.orders.get(ticket.venueOrderId);
    if (known) {
      // What the first arrival reserved may be missing by now, and that is looked at first.
      const isLater = known.acceptedAt < this.clock();
      if (isLater && this.random.chance(this.oddity.refusals * 4)) {
        return { kind: "refused", text: this.refusal() };
      }
      return { kind: "refused", text: `order ${ticket.venueOrderId} is invalid. Duplicated.` };
    }
    const refusals = this.oddity.refusals * (isRepeated ? 4 : 1);
    if (this.random.chance(refusals)) return { kind: "refused", text: this.refusal() };
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
      this.match(order, this.random.chance(0.6) ? remaining(order) : this.part(order), "taker");
      if (order.status === "open") this.end(order, "matched");
    } else if (this.random.chance(0.12)) {
      order.status = "delayed";
    } else if (this.random.chance(0.35)) {
      this.match(order, this.random.chance(0.4) ? remaining(order) : this.part(order), "taker");
    }
    this.orders.set(order.venueOrderId, order);
    return { kind: "placed", order };
  }

  /** What the book says of an order before it is sent. */
  foresee(): Refusal | null {
    if (!this.random.chance(this.oddity.refusals)) return null;
    return { code: "NO_LIQUIDITY", message: "nobody sells here right now" };
  }

  cancel(venueOrderId: string): boolean {
    this.cancels.set(venueOrderId, this.clock());
    const order = this.orders.get(venueOrderId);
    if (order?.status !== "open") return false;
    this.end(order, "canceled");
    return true;
  }

  /** One thing that happens to a standing order by itself. */
  happen(order: TrueOrder): string {
    if (order.status === "delayed") {
      if (this.random.chance(0.3)) return this.end(order, "rejected");
      order.status = "open";
      return "comes out of its delay";
    }
    if (this.random.chance(0.15)) return this.end(order, "canceled");
    this.match(order, this.random.chance(0.35) ? remaining(order) : this.part(order), "maker");
    return `trades, ${order.status}`;
  }

  /** Orders are delayed for seconds. */
  endDelays(): void {
    for (const order of this.standing().filter(({ status }) => status === "delayed")) {
      this.happen(order);
    }
  }

  /** Moves trades on towards the chain: some fail. */
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

  /** What a read shows of an order; null when it is hidden or forgotten. */
  shown(venueOrderId: string): VenueOrder | null {
    const order = this.orders.get(venueOrderId);
    if (!order || order.hiddenUntil > this.clock() || order.forgottenAt <= this.clock())
      return null;
    const linked = order.trades.filter(({ visibleAt }) => visibleAt <= this.clock());
    return {
      venueOrderId,
      status: order.status,
      matchedShares: matched(order),
      tradeIds: linked.map(({ tradeId }) => tradeId),
    };
  }

  shownTrades(owner: string): TrueTrade[] {
    return [...this.orders.values()]
      .filter((order) => order.owner === owner)
      .flatMap(({ trades }) => trades)
      .filter(({ visibleAt }) => visibleAt <= this.clock());
  }

  private refusal(): string {
    return this.random.pick([
      "not enough balance / allowance: the balance is not enough -> balance: 1, order amount: 2",
      "the orderbook 1 does not exist",
      "address banned",
    ]);
  }

  private part(order: TrueOrder): Shares {
    const lots = Number(remaining(order) / LOT);
    return shares(BigInt(this.random.integer(1, Math.max(1, lots - 1))) * LOT);
  }

  private match(order: TrueOrder, size: Shares, role: TrueTrade["role"]): void {
    this.tradeCount += 1;
    const at = this.clock();
    // Whoever does not show an order yet is as late with its trades.
    const isLate = this.chance("lag") || order.hiddenUntil > at;
    const lag = isLate ? this.random.integer(1, LONGEST_LAG_MS) : 0;
    order.trades.push({
      tradeId: `${this.name}-trade-${this.tradeCount}`,
      venueOrderId: order.venueOrderId,
      owner: order.owner,
      role,
      settlement: "matched",
      price: role === "taker" ? this.improved(order) : order.limit,
      shares: size,
      matchedAt: at,
      visibleAt: at + lag,
    });
    if (remaining(order) === 0n) this.end(order, "matched");
  }

  /** A taker may get a better price. An amount is spent at its limit, to stay with whole lots. */
  private improved({ action, limit, orderType }: TrueOrder): Price {
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

  private chance(oddity: keyof Oddity): boolean {
    return this.random.chance(this.oddity[oddity]);
  }
}

const NOTHING_TO_MATCH = "no orders found to match with FAK order";

export const isStanding = ({ status }: TrueOrder) => status === "open" || status === "delayed";
const isSettling = ({ settlement }: TrueTrade) =>
  settlement === "matched" || settlement === "mined";

/** Every share that matched, whether its settlement failed or not. */
export function matched({ trades }: TrueOrder): Shares {
  return shares(trades.reduce((total, trade) => total + trade.shares, 0n));
}

/** Shares that matched and were not undone, of the trades that are listed by then. */
export function filled({ trades }: TrueOrder, at = Number.POSITIVE_INFINITY): Shares {
  const kept = trades.filter(
    ({ settlement, visibleAt }) => settlement !== "failed" && visibleAt <= at,
  );
  return shares(kept.reduce((total, trade) => total + trade.shares, 0n));
}

function remaining(order: TrueOrder): Shares {
  return shares(order.size - matched(order));
}
