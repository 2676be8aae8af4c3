import { computeTakerFee } from "@/lib/domain/fees";
import {
  type Book,
  bestPrice,
  type Budget,
  type Maker,
  match,
  type MatchResult,
  oppositeSide,
  reduceBook,
  sweep,
  type Taker,
} from "@/lib/domain/matching";
import { computeHold } from "@/lib/domain/order-terms";
import {
  type Action,
  toBookPrice,
  toBookSide,
  getHouseSide,
  type OutcomeIndex,
  settle,
  type Settlement,
  type TradeSide,
} from "@/lib/domain/settlement";
import {
  notional,
  type Price,
  type Shares,
  shares,
  smaller,
  subtract,
  sum,
  type Usdc,
  usdc,
} from "@/lib/units";
import type { Command } from "@/tests/support/domain/arbitraries";
import { LOT } from "@/lib/domain/lots";

/** The balances of one party. Users hold the maximum cost of their open orders. */
export interface Account {
  cash: bigint;
  heldCash: bigint;
  shares: [bigint, bigint];
  heldShares: [bigint, bigint];
}

export interface SimulatedOrder {
  id: string;
  user: string;
  action: Action;
  outcome: OutcomeIndex;
  limit: Price;
  /** Size in shares; null for an order that spends an amount. */
  size: Shares | null;
  amount: Usdc | null;
  filled: bigint;
  spent: bigint;
  fee: bigint;
  held: bigint;
  /** The hold before it traded. */
  original: bigint;
  isOpen: boolean;
}

export interface Trade {
  takerId: string | null;
  makerId: string | null;
  /** Price of the house quote used, if one was. */
  quote: Price | null;
  price: Price;
  size: Shares;
  fee: bigint;
  settlement: Settlement;
}

export interface Step {
  trades: Trade[];
  canceled: string[];
  /** The placed order; null if it was refused or the command places none. */
  placed: SimulatedOrder | null;
  taker: Taker | null;
  result: MatchResult | null;
}

/** The starting balance of every user: cash, and as many pairs of shares. */
interface Endowment {
  cash: bigint;
  pairs: bigint;
}

type Placing = Exclude<Command, { kind: "cancel" } | { kind: "quote" }>;

/**
 * An exchange of one market, kept in memory: the same steps as the paper exchange (sweep, match,
 * hold, settle, rest), on plain numbers. Each party is settled from its own side of a trade, so
 * that value is conserved only if the two sides agree.
 */
export class SimulatedExchange {
  book: Book = { orders: [], house: [] };
  readonly accounts = new Map<string, Account>();
  readonly orders = new Map<string, SimulatedOrder>();
  readonly house: Account = newAccount(10n ** 12n, 0n);
  collateral = 0n;
  fees = 0n;

  constructor(
    readonly feeRate: bigint,
    users: readonly string[],
    endowment: Endowment,
  ) {
    for (const user of users) {
      this.accounts.set(user, newAccount(endowment.cash, endowment.pairs));
      this.collateral += endowment.pairs;
    }
  }

  run(command: Command): Step {
    if (command.kind === "cancel") return this.cancelSome(command.pick);
    if (command.kind === "quote") {
      this.book = { ...this.book, house: command.levels };
      return { ...NOTHING, trades: this.sweep() };
    }
    return this.place(command);
  }

  openOrders(): SimulatedOrder[] {
    return [...this.orders.values()].filter((order) => order.isOpen);
  }

  order(id: string): SimulatedOrder {
    const order = this.orders.get(id);
    if (!order) throw new Error(`no order ${id}`);
    return order;
  }

  account(user: string): Account {
    const account = this.accounts.get(user);
    if (!account) throw new Error(`no user ${user}`);
    return account;
  }

  private sweep(): Trade[] {
    return sweep(this.book).map(({ order, level, size }) => {
      const trade = this.trade(null, { kind: "order", order }, order.price, size, level.price);
      this.book = reduceBook(this.book, [
        { maker: { kind: "order", order }, size },
        { maker: { kind: "house", level }, size },
      ]);
      return trade;
    });
  }

  private place(command: Placing): Step {
    const order = this.draft(command);
    const taker: Taker = {
      ownerId: order.user,
      side: toBookSide(order.action, order.outcome),
      limit: toBookPrice(order.outcome, order.limit),
      budget: toBudget(order),
    };
    const result = match(this.book, taker);
    order.held = this.computeHold(order, taker.side, result);
    order.original = order.held;
    if (!this.hold(order)) return NOTHING;
    this.orders.set(order.id, order);
    for (const own of result.selfCrossed) this.close(this.order(own.id));
    this.book = reduceBook(this.book, result.matches, result.selfCrossed);
    const trades = result.matches.map(({ maker, price, size }) =>
      this.trade(order, maker, price, size, maker.kind === "house" ? maker.level.price : null),
    );
    if (result.isComplete || command.kind !== "limit") this.close(order);
    else this.rest(order, taker);
    const canceled = result.selfCrossed.map(({ id }) => id);
    return { trades, canceled, placed: order, taker, result };
  }

  private draft(command: Placing): SimulatedOrder {
    return {
      id: `o${this.orders.size}`,
      user: command.user,
      action: command.kind === "spend" ? "BUY" : command.action,
      outcome: command.outcome,
      limit: command.kind === "limit" ? command.price : command.worst,
      size: command.kind === "spend" ? null : command.size,
      amount: command.kind === "spend" ? command.amount : null,
      filled: 0n,
      spent: 0n,
      fee: 0n,
      held: 0n,
      original: 0n,
      isOpen: true,
    };
  }

  /** Computes the hold with the function of the paper exchange. */
  private computeHold(
    order: SimulatedOrder,
    side: Taker["side"],
    { matches }: MatchResult,
  ): bigint {
    const best = bestPrice(this.book, oppositeSide(side));
    const lowest =
      best === null ? order.limit : smaller(toBookPrice(order.outcome, best), order.limit);
    const at = matches.map((made) => ({
      size: made.size,
      own: toBookPrice(order.outcome, made.price),
    }));
    const taken = {
      shares: sum(at.map(({ size }) => size)),
      amount: sum(at.map(({ size, own }) => notional(size, own, "up"))),
      lowest,
    };
    return computeHold({ ...order, budget: toBudget(order) }, taken, this.feeRate);
  }

  private hold(order: SimulatedOrder): boolean {
    const account = this.account(order.user);
    const free = order.action === "BUY" ? account.cash : account.shares[order.outcome];
    if (free < order.held) return false;
    if (order.action === "BUY") account.cash -= order.held;
    else account.shares[order.outcome] -= order.held;
    if (order.action === "BUY") account.heldCash += order.held;
    else account.heldShares[order.outcome] += order.held;
    return true;
  }

  private release(order: SimulatedOrder, keep: bigint): void {
    const account = this.account(order.user);
    const back = order.held - keep;
    if (order.action === "BUY") {
      account.heldCash -= back;
      account.cash += back;
    } else {
      account.heldShares[order.outcome] -= back;
      account.shares[order.outcome] += back;
    }
    order.held = keep;
  }

  private close(order: SimulatedOrder): void {
    this.release(order, 0n);
    order.isOpen = false;
  }

  private rest(order: SimulatedOrder, taker: Taker): void {
    const remaining = shares((order.size ?? 0n) - order.filled);
    const keep = order.action === "BUY" ? notional(remaining, order.limit, "up") : remaining;
    this.release(order, keep);
    const resting = {
      id: order.id,
      ownerId: order.user,
      side: taker.side,
      price: taker.limit,
      remaining,
      sequence: BigInt(this.orders.size),
    };
    this.book = { ...this.book, orders: [...this.book.orders, resting] };
  }

  private cancelSome(pick: number): Step {
    const open = this.openOrders();
    const order = open[pick % Math.max(1, open.length)];
    if (!order) return NOTHING;
    this.close(order);
    const orders = this.book.orders.filter((other) => other.id !== order.id);
    this.book = { ...this.book, orders };
    return { ...NOTHING, canceled: [order.id] };
  }

  private trade(
    taker: SimulatedOrder | null,
    maker: Maker,
    price: Price,
    size: Shares,
    quote: Price | null,
  ): Trade {
    const makerOrder = maker.kind === "order" ? this.order(maker.order.id) : null;
    const isMakerBid = (maker.kind === "order" ? maker.order.side : maker.level.side) === "bid";
    const [bid, ask] = isMakerBid ? [makerOrder, taker] : [taker, makerOrder];
    const settlement = settle(bid ?? getHouseSide("bid"), ask ?? getHouseSide("ask"), price, size);
    const side = isMakerBid ? settlement.ask : settlement.bid;
    const fee = taker ? computeTakerFee(size, side.price, this.feeRate) : usdc(0n);
    this.apply(settlement.bid, bid, bid !== null && bid === taker ? fee : 0n);
    this.apply(settlement.ask, ask, ask !== null && ask === taker ? fee : 0n);
    if (settlement.kind === "mint") this.collateral += size;
    if (settlement.kind === "merge") this.collateral -= size;
    if (makerOrder?.size === makerOrder?.filled && makerOrder) this.close(makerOrder);
    const [takerId, makerId] = [taker?.id ?? null, makerOrder?.id ?? null];
    return { takerId, makerId, quote, price, size, fee, settlement };
  }

  /** Pays and delivers from the order's hold. Proceeds are available immediately. */
  private apply(side: TradeSide, order: SimulatedOrder | null, fee: bigint): void {
    this.fees += fee;
    if (order === null) {
      const sign = side.action === "BUY" ? 1n : -1n;
      this.house.cash -= sign * side.notional;
      this.house.shares[side.outcome] += sign * side.size;
      return;
    }
    const account = this.account(order.user);
    const used = side.action === "BUY" ? side.notional + fee : side.size;
    if (side.action === "BUY") {
      account.heldCash -= used;
      account.shares[side.outcome] += side.size;
    } else {
      account.heldShares[side.outcome] -= used;
      account.cash += side.notional - fee;
    }
    order.held -= used;
    order.filled += side.size;
    order.spent += side.notional;
    order.fee += fee;
  }
}

const NOTHING: Step = { trades: [], canceled: [], placed: null, taker: null, result: null };

/** Sums the shares of an outcome over all parties, held and available. */
export function outstanding(exchange: SimulatedExchange, outcome: OutcomeIndex): bigint {
  return [...exchange.accounts.values(), exchange.house].reduce(
    (total, account) => total + account.shares[outcome] + account.heldShares[outcome],
    0n,
  );
}

/** Sums all cash: in accounts, in fees, and as collateral. */
export function totalCash(exchange: SimulatedExchange): bigint {
  return [...exchange.accounts.values(), exchange.house].reduce(
    (total, account) => total + account.cash + account.heldCash,
    exchange.fees + exchange.collateral,
  );
}

export const countLots = (size: Shares): bigint => size / LOT;

function newAccount(cash: bigint, pairs: bigint): Account {
  return { cash, heldCash: 0n, shares: [pairs, pairs], heldShares: [0n, 0n] };
}

function toBudget(order: SimulatedOrder): Budget {
  if (order.amount !== null) return { kind: "amount", amount: order.amount };
  return { kind: "shares", shares: subtract(order.size ?? shares(0n), shares(order.filled)) };
}
