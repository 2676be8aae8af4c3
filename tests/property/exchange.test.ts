import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestPrice, type Book } from "@/lib/domain/matching";
import { complement, notional } from "@/lib/units";
import {
  type Account,
  countLots,
  outstanding,
  SimulatedExchange,
  type SimulatedOrder,
  type Step,
  totalCash,
  type Trade,
} from "@/tests/property/exchange";
import { NaiveBook, type NaiveFill } from "@/tests/property/naive-book";
import {
  anyHistory,
  anyMirrorable,
  type Command,
  type LimitCommand,
  USERS,
} from "@/tests/support/domain/arbitraries";
import { LOT } from "@/lib/domain/lots";

/** A small balance, so that histories also include refusals. */
const MODEST = { cash: 400_000n, pairs: 600_000n };
/** More than any generated history can use. */
const PLENTY = { cash: 10n ** 9n, pairs: 10n ** 9n };
const RUNS = { numRuns: 150 };

interface Moment {
  exchange: SimulatedExchange;
  command: Command;
  step: Step;
}

/** Runs a history and yields every step. */
function live(
  { feeRate, commands }: { feeRate: bigint; commands: Command[] },
  look: (moment: Moment) => void,
): void {
  const exchange = new SimulatedExchange(feeRate, USERS, MODEST);
  for (const command of commands) look({ exchange, command, step: exchange.run(command) });
}

function checkHistories(look: (moment: Moment) => void): void {
  fc.assert(
    fc.property(anyHistory, (history) => live(history, look)),
    RUNS,
  );
}

const listAmounts = (account: Account) => [
  account.cash,
  account.heldCash,
  ...account.shares,
  ...account.heldShares,
];

describe("value", () => {
  it("outstanding YES equals outstanding NO equals locked collateral after every step", () => {
    checkHistories(({ exchange }) => {
      expect(outstanding(exchange, 0)).toBe(exchange.collateral);
      expect(outstanding(exchange, 1)).toBe(exchange.collateral);
    });
  });

  it("the total of cash, fees and collateral never changes", () => {
    const total = totalCash(new SimulatedExchange(0n, USERS, MODEST));
    checkHistories(({ exchange }) => expect(totalCash(exchange)).toBe(total));
  });

  it("no user's available or held balance is ever negative, nor is the house's", () => {
    checkHistories(({ exchange }) => {
      for (const account of [...exchange.accounts.values(), exchange.house]) {
        expect(listAmounts(account).filter((amount) => amount < 0n)).toEqual([]);
      }
      expect(exchange.openOrders().filter((order) => order.held < 0n)).toEqual([]);
    });
  });

  it("a taker holds its cost and fee before it trades", () => {
    checkHistories(({ step: { placed } }) => {
      if (placed === null || placed.action === "SELL") return;
      expect(
        placed.original >= placed.spent + placed.fee + (placed.isOpen ? placed.held : 0n),
      ).toBe(true);
    });
  });

  it("a buy that fills nothing immediately holds exactly its cost at the limit", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(0n, 1n), ({ feeRate, commands }, missing) => {
        for (const command of commands) {
          if (command.kind !== "limit" || command.action !== "BUY") continue;
          const cost = notional(command.size, command.price, "up");
          const exchange = new SimulatedExchange(feeRate, USERS, {
            cash: cost - missing,
            pairs: 0n,
          });
          const { placed } = exchange.run(command);
          expect(placed?.held ?? null).toBe(missing === 0n ? cost : null);
        }
      }),
      RUNS,
    );
  });

  it("a resting order holds exactly the cost of its remainder at its limit", () => {
    checkHistories(({ exchange }) => {
      for (const { id, remaining } of exchange.book.orders) {
        const { action, limit, held } = exchange.order(id);
        expect(held).toBe(action === "BUY" ? notional(remaining, limit, "up") : remaining);
      }
    });
  });

  it("an account's held balance is the sum of its open orders' holds", () => {
    checkHistories(({ exchange }) => {
      for (const [user, account] of exchange.accounts) {
        const open = exchange.openOrders().filter((order) => order.user === user);
        expect(account.heldCash).toBe(heldBy(open.filter(({ action }) => action === "BUY")));
        for (const outcome of [0, 1] as const) {
          const sells = open.filter((o) => o.action === "SELL" && o.outcome === outcome);
          expect(account.heldShares[outcome]).toBe(heldBy(sells));
        }
      }
    });
  });
});

function heldBy(orders: readonly SimulatedOrder[]): bigint {
  return orders.reduce((total, { held }) => total + held, 0n);
}

describe("fills", () => {
  it("no fill is worse than the limit of the maker or the taker", () => {
    checkHistories(({ exchange, step }) => {
      for (const trade of step.trades) {
        for (const { order, side } of findParties(exchange, trade)) {
          const isBuy = side.action === "BUY";
          expect(isBuy ? side.price <= order.limit : side.price >= order.limit).toBe(true);
          const atLimit = notional(side.size, order.limit, isBuy ? "up" : "down");
          expect(isBuy ? side.notional <= atLimit : side.notional >= atLimit).toBe(true);
        }
      }
    });
  });

  it("a resting order fills at its own price, against a taker and against the house", () => {
    checkHistories(({ exchange, step }) => {
      for (const trade of step.trades) {
        if (trade.makerId === null) {
          expect(trade.price).toBe(trade.quote);
          continue;
        }
        const maker = exchange.order(trade.makerId);
        expect(maker.outcome === 0 ? trade.price : complement(trade.price)).toBe(maker.limit);
      }
    });
  });

  it("an order's fills are whole lots and never exceed its size or amount", () => {
    checkHistories(({ exchange }) => {
      for (const order of exchange.orders.values()) {
        expect(order.filled % LOT).toBe(0n);
        if (order.size !== null) expect(order.filled <= order.size).toBe(true);
        if (order.amount !== null) expect(order.spent <= order.amount).toBe(true);
      }
    });
  });

  it("only the taker of a trade pays a fee, and no user trades with himself", () => {
    checkHistories(({ exchange, step }) => {
      for (const trade of step.trades) {
        if (trade.takerId === null) expect(trade.fee).toBe(0n);
        const users = findParties(exchange, trade).map(({ order }) => order.user);
        expect(new Set(users).size).toBe(users.length);
      }
    });
  });
});

function findParties(exchange: SimulatedExchange, trade: Trade) {
  return [trade.takerId, trade.makerId].flatMap((id) => {
    if (id === null) return [];
    const order = exchange.order(id);
    const { bid, ask } = trade.settlement;
    const isBid = (order.action === "BUY") === (order.outcome === 0);
    return [{ order, side: isBid ? bid : ask }];
  });
}

describe("the book", () => {
  it("is never crossed after an order was placed or new house quotes were swept", () => {
    checkHistories(({ exchange }) => {
      const [bid, ask] = [bestPrice(exchange.book, "bid"), bestPrice(exchange.book, "ask")];
      expect(bid === null || ask === null || bid < ask).toBe(true);
    });
  });

  it("has exactly the open orders, each with its unfilled remainder", () => {
    checkHistories(({ exchange }) => {
      const listed = exchange.book.orders.map(({ id, remaining }) => [id, remaining]);
      const open = exchange.openOrders().map((o) => [o.id, (o.size ?? 0n) - o.filled]);
      expect(listed.toSorted()).toEqual(open.toSorted());
      expect(listed.every(([, remaining]) => remaining !== 0n)).toBe(true);
    });
  });

  it("agrees with a naive lot-by-lot matcher over whole histories", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const naive = new NaiveBook();
        live(history, ({ exchange, command, step }) => {
          const fills = runNaively(naive, exchange, command, step);
          expect(step.trades.map(toNaiveFill)).toEqual(fills);
          expect(bookRows(exchange.book)).toEqual(naiveRows(naive));
        });
      }),
      RUNS,
    );
  });
});

/** Applies accepted orders to the naive book, and compares the cancels. */
function runNaively(
  naive: NaiveBook,
  exchange: SimulatedExchange,
  command: Command,
  { placed, canceled, result }: Step,
): NaiveFill[] {
  if (command.kind === "quote") {
    naive.setHouse(
      command.levels.map(({ side, price, size }) => ({
        isBid: side === "bid",
        price,
        lots: countLots(size),
      })),
    );
    return naive.sweep();
  }
  if (command.kind === "cancel") for (const id of canceled) naive.cancel(id);
  if (placed === null) return [];
  const { id, user, action, outcome, limit, size, amount } = placed;
  const other = naive.take({
    id,
    owner: user,
    isBid: (action === "BUY") === (outcome === 0),
    limit: outcome === 0 ? limit : complement(limit),
    budget: size === null ? { amount: amount ?? 0n } : { lots: countLots(size) },
    age: command.kind === "limit" ? BigInt(exchange.orders.size) : null,
  });
  expect(canceled).toEqual(other.canceled);
  expect(result?.isComplete).toBe(other.isComplete);
  return other.fills;
}

function toNaiveFill({ makerId, quote, price, size }: Trade): NaiveFill {
  return { id: makerId, quote, price, lots: countLots(size) };
}

function bookRows(book: Book): string[] {
  const orders = book.orders.map((o) => `${o.id} ${o.side} ${o.price} ${countLots(o.remaining)}`);
  const house = book.house.map((l) => `house ${l.side} ${l.price} ${countLots(l.size)}`);
  return [...orders, ...house].toSorted();
}

function naiveRows({ entries }: NaiveBook): string[] {
  return entries
    .map((e) => `${e.id ?? "house"} ${e.isBid ? "bid" : "ask"} ${e.price} ${e.lots}`)
    .toSorted();
}

describe("the two tokens of a market", () => {
  it("give the same fills, prices and fees for buying one at p and selling the other at 1 - p", () => {
    fc.assert(
      fc.property(anyMirrorable, ({ feeRate, orders }) => {
        const plain = new SimulatedExchange(feeRate, USERS, PLENTY);
        const mirrored = new SimulatedExchange(feeRate, USERS, PLENTY);
        for (const { order, isMirrored } of orders) {
          const one = plain.run(order);
          const other = mirrored.run(isMirrored ? mirror(order) : order);
          expect(other.trades.map(withoutSettlement)).toEqual(one.trades.map(withoutSettlement));
          expect(other.canceled).toEqual(one.canceled);
        }
        expect(bookRows(mirrored.book)).toEqual(bookRows(plain.book));
      }),
      RUNS,
    );
  });

  it("give a user the same value for either token, with pairs counted as cash", () => {
    fc.assert(
      fc.property(anyMirrorable, ({ feeRate, orders }) => {
        const plain = new SimulatedExchange(feeRate, USERS, PLENTY);
        const mirrored = new SimulatedExchange(feeRate, USERS, PLENTY);
        for (const { order, isMirrored } of orders) {
          plain.run(order);
          mirrored.run(isMirrored ? mirror(order) : order);
        }
        for (const user of USERS) {
          expect(wealth(mirrored.account(user))).toEqual(wealth(plain.account(user)));
        }
      }),
      RUNS,
    );
  });
});

function mirror(order: LimitCommand): LimitCommand {
  return {
    ...order,
    action: order.action === "BUY" ? "SELL" : "BUY",
    outcome: order.outcome === 0 ? 1 : 0,
    price: complement(order.price),
  };
}

function withoutSettlement({ takerId, makerId, price, size, fee }: Trade) {
  return { takerId, makerId, price, size, fee };
}

/** Returns an account's value if the first outcome wins, and if the second wins. */
function wealth(account: Account): bigint[] {
  const cash = account.cash + account.heldCash;
  return ([0, 1] as const).map(
    (outcome) => cash + account.shares[outcome] + account.heldShares[outcome],
  );
}

describe("replay", () => {
  it("of the same history gives the same book, accounts and orders", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const [first, second] = [0, 1].map(() => {
          const exchange = new SimulatedExchange(history.feeRate, USERS, MODEST);
          for (const command of history.commands) exchange.run(command);
          return exchange;
        });
        expect(second).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });

  it("covers histories that trade, refuse, mint, merge, sweep and prevent self-trades", () => {
    const seen = new Set<string>();
    for (const history of fc.sample(anyHistory, { seed: 1, numRuns: 60 })) {
      live(history, ({ step, command }) => {
        for (const trade of step.trades) {
          seen.add(trade.settlement.kind);
          seen.add(trade.takerId === null ? "sweep" : trade.makerId === null ? "house" : "maker");
          if (trade.fee > 0n) seen.add("fee");
        }
        if (step.placed === null && command.kind !== "cancel" && command.kind !== "quote") {
          seen.add("refused");
        }
        if (step.placed !== null && step.canceled.length > 0) seen.add("self-cross");
      });
    }
    const wanted = ["complementary", "mint", "merge", "sweep", "house", "maker", "fee"];
    expect([...seen].toSorted()).toEqual([...wanted, "refused", "self-cross"].toSorted());
  });
});
