import { now } from "@/lib/clock";
import { type Action, bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { floorToGrid } from "@/lib/domain/tick-grid";
import { AppError } from "@/lib/errors";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { listOpenOrders } from "@/lib/services/orders/list-open-orders";
import { deposit } from "@/lib/services/paper/deposit";
import { resetAccount } from "@/lib/services/paper/reset-account";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/services/portfolio/redeem-position";
import { type Price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { referencePrice } from "@/lib/venue/paper/reference-price";
import { tick } from "@/lib/venue/paper/ticker";
import {
  freshMarket,
  insideOf,
  MINUTE,
  mintPair,
  place,
  type TestClock,
} from "@/tests/support/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

/** Uniform numbers in [0, 1) that a seed decides (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Life {
  seed: number;
  operations: number;
  /** How many operations are under way at once. */
  width: number;
  users: number;
}

/**
 * Lets users trade at random in a few markets that close and are resolved on the way: orders of
 * every kind, cancels, ticks, claims, deposits and resets. Only refusals that the interface knows
 * may happen.
 */
export async function liveRandomly(clock: TestClock, life: Life): Promise<TestUser[]> {
  const random = seededRandom(life.seed);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(random() * from.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };
  const users = await Promise.all(Array.from({ length: life.users }, () => makeUser()));
  let markets: PaperMarket[] = [];
  await mergeOnce(users);
  for (let done = 0; done < life.operations; done += life.width) {
    markets = openMarkets(markets, clock);
    const batch = Array.from({ length: life.width }, () => {
      const operation = drawOperation(random, pick, markets);
      return operation(pick(users)).catch(expectRefusal);
    });
    await Promise.all(batch);
    clock.advance(Math.floor(random() * (random() < 0.1 ? 10 * MINUTE : 4_000)));
  }
  return users;
}

/** The one kind of trade that chance seldom makes: a pair is minted and destroyed again. */
async function mergeOnce([first, second]: readonly TestUser[]): Promise<void> {
  if (!first || !second) throw new Error("a merge takes two users");
  const [market, size] = [freshMarket(), shares(20_000_000n)];
  await mintPair(market, { first, second }, size);
  const at = insideOf(market)(1);
  const sell = { market, action: "SELL", size } as const;
  await place(first, { ...sell, outcome: 0, limit: at });
  await place(second, { ...sell, outcome: 1, limit: bookPriceOf(1, at) });
}

type Operation = (user: TestUser) => Promise<unknown>;
type Pick = <T>(from: readonly T[]) => T;

function drawOperation(random: () => number, pick: Pick, markets: PaperMarket[]): Operation {
  const chance = random();
  if (chance < 0.62) return drawOrder(random, pick, markets);
  if (chance < 0.78) return cancelOne;
  if (chance < 0.8) return ({ principal }) => cancelOrders(principal);
  if (chance < 0.87) return tick;
  if (chance < 0.96) return claimAll;
  if (chance < 0.99) return ({ userId }) => deposit(userId, usdc(7_654_321n));
  return ({ principal }) => resetAccount(principal, usdc(500_000_000n));
}

function drawOrder(random: () => number, pick: Pick, markets: PaperMarket[]): Operation {
  const market = pick(markets);
  const outcome = pick<OutcomeIndex>([0, 1]);
  const action = pick<Action>(["BUY", "BUY", "SELL"]);
  const size = shares(BigInt(500 + Math.floor(random() * 6_000)) * 10_000n);
  const base = { market, outcome, action };
  const rehearsal = random() < 0.1 ? "delayed" : null;
  const kind = random();
  const steps = BigInt(Math.floor(random() * 9) - 4);
  if (kind < 0.65) {
    const limit = (): Price => nearPrice(market, outcome, steps);
    return (user) => place(user, { ...base, limit: limit(), size }, rehearsal);
  }
  if (kind < 0.8 || action === "SELL") return (user) => place(user, { ...base, size }, rehearsal);
  const amount = usdc(BigInt(100 + Math.floor(random() * 3_000)) * 10_000n);
  return (user) => place(user, { ...base, amount }, rehearsal);
}

/** A grid price a few steps from the market's reference price, in prices of the outcome. */
function nearPrice(market: PaperMarket, outcome: OutcomeIndex, steps: bigint): Price {
  const reference = referencePrice(market, Math.min(now(), market.closesAt));
  return floorToGrid(bookPriceOf(outcome, reference) + steps * market.tick, market.tick);
}

async function cancelOne({ principal }: TestUser): Promise<unknown> {
  const { orders } = await listOpenOrders(principal, {});
  const oldest = orders.at(-1);
  return oldest && cancelOrder(principal, oldest.id);
}

async function claimAll({ principal }: TestUser): Promise<void> {
  const { positions } = await getPortfolio(principal);
  for (const { id, redeemable } of positions) {
    if (redeemable) await redeemPosition(principal, id);
  }
}

/** Keeps four markets open: two that end within the hour, two that last. */
function openMarkets(markets: readonly PaperMarket[], clock: TestClock): PaperMarket[] {
  const open = markets.filter((market) => market.closesAt > clock.now);
  const isShort = (market: PaperMarket) => market.closesAt - clock.now < 120 * MINUTE;
  const short = open.filter(isShort);
  const long = open.filter((market) => !isShort(market));
  while (short.length < 2) {
    const wish = { inside: 0, closesAfter: MINUTE, closesWithin: 119 * MINUTE };
    short.push(freshMarket(wish));
  }
  while (long.length < 2) long.push(freshMarket());
  return [...short, ...long];
}

const EXPECTED = [
  "ORDER_TOO_SMALL",
  "ORDER_NOT_CANCELABLE",
  "MARKET_CLOSED",
  "INSUFFICIENT_SHARES",
];

function expectRefusal(error: unknown): void {
  if (!(error instanceof AppError) || !EXPECTED.includes(error.code)) throw error;
}
