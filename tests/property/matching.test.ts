import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Book,
  type BookSide,
  type Maker,
  match,
  type MatchResult,
  reduceBook,
  sweep,
  type SweepMatch,
  type Taker,
  uncross,
} from "@/lib/domain/matching";
import { notional, ONE, type Price, price, type Shares, sum } from "@/lib/units";
import { NaiveBook, type NaiveFill } from "@/tests/property/naive-book";
import { anyMatching } from "@/tests/support/domain/arbitraries";
import { LOT } from "@/lib/domain/lots";

const RUNS = { numRuns: 1_000 };

function checkMatches(check: (book: Book, taker: Taker, result: MatchResult) => void): void {
  fc.assert(
    fc.property(anyMatching, ({ book, taker }) => check(book, taker, match(book, taker))),
    RUNS,
  );
}

/** Lists the makers of a book without the code under test. */
function everyone(book: Book) {
  return [
    ...book.orders.map((order) => ({
      key: order.id,
      ownerId: order.ownerId,
      side: order.side,
      price: order.price,
      size: order.remaining,
      rank: order.sequence,
    })),
    ...book.house.map((level) => ({
      key: `house ${level.side} ${level.price}`,
      ownerId: null,
      side: level.side,
      price: level.price,
      size: level.size,
      rank: 1_000n, // behind every order
    })),
  ];
}

type Anyone = ReturnType<typeof everyone>[number];

function createKey(maker: Maker): string {
  if (maker.kind === "order") return maker.order.id;
  return `house ${maker.level.side} ${maker.level.price}`;
}

const isPastLimit = (side: BookSide, limit: Price, at: Price) =>
  side === "bid" ? at > limit : at < limit;

function isRankedBefore(a: Anyone, b: Anyone): boolean {
  if (a.price !== b.price) return a.side === "ask" ? a.price < b.price : a.price > b.price;
  return a.rank < b.rank;
}

describe("the fills of a match", () => {
  it("leaves no better-ranked maker unfilled while a worse one fills", () => {
    checkMatches((book, taker, { matches }) => {
      const filled = new Map(matches.map(({ maker, size }) => [createKey(maker), size]));
      const makers = everyone(book).filter(({ side }) => side !== taker.side);
      for (const worse of makers.filter(({ key }) => filled.has(key))) {
        const better = makers.filter((other) => isRankedBefore(other, worse));
        const skipped = better.filter(
          ({ key, size, ownerId }) => ownerId !== taker.ownerId && filled.get(key) !== size,
        );
        expect(skipped).toEqual([]);
      }
    });
  });

  it("trades at each maker's own price, in the order of rank, never past the taker's limit", () => {
    checkMatches((book, taker, { matches }) => {
      const makers = new Map(everyone(book).map((maker) => [maker.key, maker]));
      const traded = matches.map(({ maker }) => makers.get(createKey(maker)));
      expect(matches.map((trade) => trade.price)).toEqual(traded.map((maker) => maker?.price));
      expect(matches.filter((m) => isPastLimit(taker.side, taker.limit, m.price))).toEqual([]);
      const ranked = traded.flatMap((maker) => maker ?? []);
      expect([...ranked].toSorted((a, b) => (isRankedBefore(a, b) ? -1 : 1))).toEqual(ranked);
    });
  });

  it("takes whole lots, more than nothing and no more than each maker has", () => {
    checkMatches((book, _taker, { matches }) => {
      const sizes = new Map(everyone(book).map(({ key, size }) => [key, size]));
      for (const { maker, size } of matches) {
        expect(size > 0n && size % LOT === 0n && size <= (sizes.get(createKey(maker)) ?? 0n)).toBe(
          true,
        );
      }
      expect(new Set(matches.map(({ maker }) => createKey(maker))).size).toBe(matches.length);
    });
  });
});

describe("the end of a match", () => {
  it("spends the budget exactly: used and unspent parts add up to it", () => {
    checkMatches((_book, taker, { matches, left }) => {
      const { budget } = taker;
      expect(left.kind).toBe(budget.kind);
      if (budget.kind === "shares" && left.kind === "shares") {
        expect(sum(matches.map(({ size }) => size)) + left.shares).toBe(budget.shares);
        expect(left.shares >= 0n).toBe(true);
      } else if (budget.kind === "amount" && left.kind === "amount") {
        const paid = matches.map((trade) => computeCost(taker.side, trade.price, trade.size));
        expect(sum(paid) + left.amount).toBe(budget.amount);
        expect(left.amount >= 0n).toBe(true);
      }
    });
  });

  it("stops only when the budget is spent or no maker within the limit remains", () => {
    checkMatches((book, taker, { matches, selfCrossed, left, isComplete }) => {
      const rest = everyone(reduceBook(book, matches, selfCrossed))
        .filter(({ side }) => side !== taker.side)
        .filter((maker) => !isPastLimit(taker.side, taker.limit, maker.price));
      if (!isComplete) expect(rest).toEqual([]);
      const [best] = rest.toSorted((a, b) => (isRankedBefore(a, b) ? -1 : 1));
      const lotCost = computeCost(taker.side, best?.price ?? taker.limit, LOT);
      expect(isComplete).toBe(left.kind === "shares" ? left.shares === 0n : left.amount < lotCost);
    });
  });

  it("never trades an owner with himself and cancels exactly his crossed orders", () => {
    checkMatches((book, taker, { matches, selfCrossed, isComplete }) => {
      const own = everyone(book).filter(
        ({ ownerId, side }) => ownerId === taker.ownerId && side !== taker.side,
      );
      const filled = new Set(matches.map(({ maker }) => createKey(maker)));
      expect(own.filter(({ key }) => filled.has(key))).toEqual([]);
      const canceled = new Set(selfCrossed.map(({ id }) => id));
      const makers = everyone(book).filter(({ key }) => filled.has(key));
      for (const order of own) {
        const isInTheWay = makers.some((maker) => isRankedBefore(order, maker));
        if (isInTheWay) expect(canceled).toContain(order.key);
        if (isPastLimit(taker.side, taker.limit, order.price)) {
          expect(canceled).not.toContain(order.key);
        } else if (!isComplete) expect(canceled).toContain(order.key);
      }
      expect([...canceled].every((id) => own.some(({ key }) => key === id))).toBe(true);
    });
  });
});

describe("match", () => {
  it("agrees with a naive lot-by-lot matcher on any book", () => {
    checkMatches((book, taker, result) => {
      const naive = naiveBook(book).take({
        id: "taker",
        owner: taker.ownerId,
        isBid: taker.side === "bid",
        limit: taker.limit,
        budget:
          taker.budget.kind === "shares"
            ? { lots: taker.budget.shares / LOT }
            : { amount: taker.budget.amount },
        age: null,
      });
      expect({
        fills: result.matches.map(({ maker, price: at, size }): NaiveFill => ({
          id: maker.kind === "order" ? maker.order.id : null,
          quote: maker.kind === "house" ? maker.level.price : null,
          price: at,
          lots: size / LOT,
        })),
        canceled: result.selfCrossed.map(({ id }) => id),
        left: result.left.kind === "shares" ? result.left.shares / LOT : result.left.amount,
        isComplete: result.isComplete,
      }).toEqual(naive);
    });
  });

  it("is deterministic and independent of the order of the book's arrays", () => {
    fc.assert(
      fc.property(anyMatching, fc.nat(9), ({ book, taker }, cut) => {
        const first = match(book, taker);
        expect(match(deepFreeze(structuredClone(book)), deepFreeze(taker))).toEqual(first);
        const shuffled = {
          orders: [...book.orders.slice(cut), ...book.orders.slice(0, cut).toReversed()],
          house: [...book.house].toReversed(),
        };
        expect(match(shuffled, taker)).toEqual(first);
        expect(sweep(deepFreeze(shuffled))).toEqual(sweep(book));
      }),
      RUNS,
    );
  });
});

function computeCost(side: BookSide, at: Price, size: Shares) {
  return notional(size, side === "bid" ? at : price(ONE - at), "up");
}

function naiveBook(book: Book): NaiveBook {
  const naive = new NaiveBook();
  for (const { key, ownerId, side, price: at, size, rank } of everyone(book)) {
    naive.add({
      id: ownerId === null ? null : key,
      owner: ownerId,
      isBid: side === "bid",
      price: at,
      lots: size / LOT,
      age: rank,
    });
  }
  return naive;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

function checkSweeps(check: (book: Book, found: SweepMatch[], after: Book) => void): void {
  fc.assert(
    fc.property(anyMatching, ({ book }) => {
      const found = sweep(book);
      check(book, found, reduceBook(book, listTaken(found)));
    }),
    RUNS,
  );
}

function listTaken(found: readonly SweepMatch[]): { maker: Maker; size: Shares }[] {
  return found.flatMap(({ order, level, size }): { maker: Maker; size: Shares }[] => [
    { maker: { kind: "order", order }, size },
    { maker: { kind: "house", level }, size },
  ]);
}

describe("sweep", () => {
  it("fills no order past its limit and uses no size twice", () => {
    checkSweeps((book, found) => {
      for (const { order, level, size } of found) {
        expect(order.side).not.toBe(level.side);
        expect(isPastLimit(order.side, order.price, level.price)).toBe(false);
        expect(size > 0n).toBe(true);
      }
      for (const { key, size } of everyone(book)) {
        const used = listTaken(found).filter(({ maker }) => createKey(maker) === key);
        expect(sum(used.map((taking) => taking.size)) <= size).toBe(true);
      }
    });
  });

  it("leaves no order that a house quote reaches, so a second sweep changes nothing", () => {
    checkSweeps((_book, _found, after) => {
      for (const order of after.orders) {
        const reached = after.house.filter(
          ({ side, price: at }) => side !== order.side && !isPastLimit(order.side, order.price, at),
        );
        expect(reached).toEqual([]);
      }
      expect(sweep(after)).toEqual([]);
    });
  });

  it("fills no order while the quote still reaches a better-ranked one of its side", () => {
    checkSweeps((book, found) => {
      const orders = everyone(book).filter(({ ownerId }) => ownerId !== null);
      const filled = (key: string) =>
        sum(found.filter(({ order }) => order.id === key).map(({ size }) => size));
      for (const { order } of found) {
        const worse = orders.find(({ key }) => key === order.id);
        const better = orders.filter(
          (other) => worse && other.side === worse.side && isRankedBefore(other, worse),
        );
        expect(better.filter(({ key, size }) => filled(key) !== size)).toEqual([]);
      }
    });
  });

  it("agrees with a naive lot-by-lot matcher on any book", () => {
    checkSweeps((book, found) => {
      const fills = found.map(({ order, level, size }): NaiveFill => ({
        id: order.id,
        quote: level.price,
        price: order.price,
        lots: size / LOT,
      }));
      expect(fills).toEqual(naiveBook(book).sweep());
    });
  });
});

describe("reduceBook", () => {
  it("removes exactly the traded and canceled sizes", () => {
    checkMatches((book, _taker, { matches, selfCrossed }) => {
      const used = new Map(matches.map(({ maker, size }) => [createKey(maker), size]));
      const canceled = new Set(selfCrossed.map(({ id }) => id));
      const expected = everyone(book)
        .map((maker) => ({ ...maker, size: maker.size - (used.get(maker.key) ?? 0n) }))
        .filter(({ key, size }) => size > 0n && !canceled.has(key));
      expect(everyone(reduceBook(book, matches, selfCrossed))).toEqual(expected);
    });
  });

  it("in uncross, removes everything that a sweep would trade", () => {
    checkSweeps((book, _found, after) => {
      expect(uncross(book)).toEqual(after);
      expect(sweep(uncross(book))).toEqual([]);
    });
  });
});
