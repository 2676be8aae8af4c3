import fc from "fast-check";
import {
  type Book,
  type BookSide,
  type HouseLevel,
  type RestingOrder,
  type Taker,
} from "@/lib/domain/matching";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import { ONE, type Price, price, type Shares, shares, type Usdc, usdc } from "@/lib/units";
import { LOT } from "@/lib/domain/lots";

/** Every tick size the exchange lists: 0.1, 0.01, 0.005, 0.0025, 0.001 and 0.0001. */
const TICKS: readonly Price[] = [100_000n, 10_000n, 5_000n, 2_500n, 1_000n, 100n].map(price);

export const USERS = ["ada", "bob", "cyd"] as const;

export const anyTick: fc.Arbitrary<Price> = fc.constantFrom(...TICKS);
export const anyAction: fc.Arbitrary<Action> = fc.constantFrom("BUY", "SELL");
export const anyOutcome: fc.Arbitrary<OutcomeIndex> = fc.constantFrom(0, 1);
const anySide: fc.Arbitrary<BookSide> = fc.constantFrom("bid", "ask");
const anyUser: fc.Arbitrary<string> = fc.constantFrom(...USERS);
/** The fee rates of polymarket.md 5.7, and 0. */
export const anyFeeRate: fc.Arbitrary<bigint> = fc.constantFrom(0n, 40_000n, 50_000n, 70_000n);

/** Any price on the grid of a tick. */
export const gridPrice = (tick: Price): fc.Arbitrary<Price> =>
  fc.bigInt({ min: 1n, max: ONE / tick - 1n }).map((ticks) => price(ticks * tick));

/** A grid price close to 0.5, so that orders of a small book cross. */
const centralPrice = (tick: Price): fc.Arbitrary<Price> =>
  fc.bigInt({ min: -4n, max: 4n }).map((away) => price((ONE / tick / 2n + away) * tick));

/** A whole number of lots. */
export const anyLots = (max: number): fc.Arbitrary<Shares> =>
  fc.integer({ min: 1, max }).map((count) => shares(LOT * BigInt(count)));

export const anyShares = (max: bigint): fc.Arbitrary<Shares> =>
  fc.bigInt({ min: 1n, max }).map(shares);

const anyAmount = (max: bigint): fc.Arbitrary<Usdc> => fc.bigInt({ min: 1n, max }).map(usdc);

/** House quotes, at most one per side and price. */
const houseLevels = (tick: Price): fc.Arbitrary<HouseLevel[]> =>
  fc.uniqueArray(fc.record({ side: anySide, price: centralPrice(tick), size: anyLots(30) }), {
    selector: (level) => `${level.side}:${level.price}`,
    maxLength: 6,
  });

/** An uncrossed ladder of house quotes. */
const computeHouseLevels = (tick: Price): fc.Arbitrary<HouseLevel[]> =>
  fc
    .record({ levels: houseLevels(tick), middle: centralPrice(tick) })
    .map(({ levels, middle }) =>
      levels.filter((level) =>
        level.side === "bid" ? level.price <= middle : level.price > middle,
      ),
    );

/** An unsorted book, crossed or not: matching must sort it. */
const anyBook = (tick: Price): fc.Arbitrary<Book> =>
  fc
    .record({
      drafts: fc.array(
        fc.record({
          ownerId: anyUser,
          side: anySide,
          price: centralPrice(tick),
          remaining: anyLots(30),
        }),
        { maxLength: 10 },
      ),
      rank: fc.integer({ min: 0, max: 9 }),
      house: houseLevels(tick),
    })
    .map(({ drafts, rank, house }) => ({
      orders: drafts.map(
        // Sequences are distinct and unrelated to the place in the array.
        (draft, index): RestingOrder => ({
          ...draft,
          id: `o${index}`,
          sequence: BigInt((index * 7 + rank) % 11),
        }),
      ),
      house,
    }));

const anyTaker = (tick: Price): fc.Arbitrary<Taker> =>
  fc.record({
    ownerId: anyUser,
    side: anySide,
    limit: centralPrice(tick),
    budget: fc.oneof(
      anyLots(60).map((size) => ({ kind: "shares" as const, shares: size })),
      anyAmount(400_000n).map((amount) => ({ kind: "amount" as const, amount })),
    ),
  });

/** A tick with a book and a taker on its grid. */
export const anyMatching: fc.Arbitrary<{ tick: Price; book: Book; taker: Taker }> = anyTick.chain(
  (tick) => fc.record({ tick: fc.constant(tick), book: anyBook(tick), taker: anyTaker(tick) }),
);

/** Commands of users and the house. Prices are in prices of the order's own token. */
export type Command =
  | {
      kind: "limit";
      user: string;
      action: Action;
      outcome: OutcomeIndex;
      price: Price;
      size: Shares;
    }
  | { kind: "spend"; user: string; outcome: OutcomeIndex; worst: Price; amount: Usdc }
  | {
      kind: "drop";
      user: string;
      action: Action;
      outcome: OutcomeIndex;
      worst: Price;
      size: Shares;
    }
  | { kind: "cancel"; pick: number }
  | { kind: "quote"; levels: HouseLevel[] };

const limitCommand = (tick: Price) =>
  fc.record({
    kind: fc.constant("limit" as const),
    user: anyUser,
    action: anyAction,
    outcome: anyOutcome,
    price: centralPrice(tick),
    size: anyLots(40),
  });

const takerCommand = (tick: Price) =>
  fc.oneof(
    fc.record({
      kind: fc.constant("spend" as const),
      user: anyUser,
      outcome: anyOutcome,
      worst: centralPrice(tick),
      amount: anyAmount(300_000n),
    }),
    fc.record({
      kind: fc.constant("drop" as const),
      user: anyUser,
      action: anyAction,
      outcome: anyOutcome,
      worst: centralPrice(tick),
      size: anyLots(60),
    }),
  );

export type LimitCommand = Extract<Command, { kind: "limit" }>;

/** A market's parameters and a history of commands on it. */
export const anyHistory: fc.Arbitrary<{ feeRate: bigint; commands: Command[] }> = fc
  .record({ tick: anyTick, feeRate: anyFeeRate })
  .chain(({ tick, feeRate }) => {
    const command: fc.Arbitrary<Command> = fc.oneof(
      { weight: 6, arbitrary: limitCommand(tick) },
      { weight: 2, arbitrary: takerCommand(tick) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("cancel" as const), pick: fc.nat(99) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("quote" as const),
          levels: computeHouseLevels(tick),
        }),
      },
    );
    return fc.record({
      feeRate: fc.constant(feeRate),
      commands: fc.array(command, { minLength: 1, maxLength: 40, size: "max" }),
    });
  });

/** Limit orders, each with a flag whether to place its mirror image instead. */
export const anyMirrorable: fc.Arbitrary<{
  feeRate: bigint;
  orders: { order: LimitCommand; isMirrored: boolean }[];
}> = fc.record({ tick: anyTick, feeRate: anyFeeRate }).chain(({ tick, feeRate }) =>
  fc.record({
    feeRate: fc.constant(feeRate),
    orders: fc.array(fc.record({ order: limitCommand(tick), isMirrored: fc.boolean() }), {
      minLength: 1,
      maxLength: 25,
      size: "max",
    }),
  }),
);
