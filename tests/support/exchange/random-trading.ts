import { now } from "@/lib/clock";
import { type Action, toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { floorToGrid } from "@/lib/domain/tick-grid";
import { AppError } from "@/lib/errors";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { deposit } from "@/lib/accounts/deposit";
import { resetAccount } from "@/lib/accounts/reset-account";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { type Price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import { tick } from "@/lib/exchange/ticker";
import { changePositions } from "@/tests/support/exchange/change-positions";
import {
  freshMarket,
  findPriceInside,
  MINUTE,
  mintPair,
  place,
  type TestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

/** Returns a seeded generator of uniform numbers in [0, 1) (mulberry32). */
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
  /** Number of concurrent operations. */
  width: number;
  users: number;
}

/**
 * Lets users trade at random in a few markets, some of which close and resolve: orders of
 * every kind, cancels, splits, merges, ticks, claims, deposits and resets. Only documented refusals
 * are allowed.
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

/** Mints and merges a pair, which random trading rarely does. */
async function mergeOnce([first, second]: readonly TestUser[]): Promise<void> {
  if (!first || !second) throw new Error("a merge takes two users");
  const [market, size] = [freshMarket(), shares(20_000_000n)];
  await mintPair(market, { first, second }, size);
  const at = findPriceInside(market)(1);
  const sell = { market, action: "SELL", size } as const;
  await place(first, { ...sell, outcome: 0, limit: at });
  await place(second, { ...sell, outcome: 1, limit: toBookPrice(1, at) });
}

type Operation = (user: TestUser) => Promise<unknown>;
type Pick = <T>(from: readonly T[]) => T;

function drawOperation(random: () => number, pick: Pick, markets: PaperMarket[]): Operation {
  const chance = random();
  if (chance < 0.62) return drawOrder(random, pick, markets);
  if (chance < 0.78) return cancelOne;
  if (chance < 0.8) return ({ principal }) => cancelOrders(principal);
  if (chance < 0.83) return drawSplit(random, pick(markets));
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
  const simulatedFault = random() < 0.1 ? "delayed" : null;
  const kind = random();
  const steps = BigInt(Math.floor(random() * 9) - 4);
  if (kind < 0.65) {
    const limit = (): Price => nearPrice(market, outcome, steps);
    return (user) => place(user, { ...base, limit: limit(), size }, simulatedFault);
  }
  if (kind < 0.8 || action === "SELL")
    return (user) => place(user, { ...base, size }, simulatedFault);
  const amount = usdc(BigInt(100 + Math.floor(random() * 3_000)) * 10_000n);
  return (user) => place(user, { ...base, amount }, simulatedFault);
}

/** Splits, merges, or both in one transaction. Too little money or too few shares change nothing. */
function drawSplit(random: () => number, market: PaperMarket): Operation {
  const size = () => shares(BigInt(Math.floor(random() * 40_000_001)));
  const kinds = pickKinds(random());
  const changes = kinds.map((kind) => ({ kind, market, shares: size() }));
  return ({ userId }) => changePositions(userId, changes);
}

function pickKinds(chance: number): ("split" | "merge")[] {
  if (chance < 0.4) return ["split"];
  return chance < 0.8 ? ["merge"] : ["split", "merge"];
}

/** Returns a grid price a few ticks from the reference price, in prices of the outcome. */
function nearPrice(market: PaperMarket, outcome: OutcomeIndex, steps: bigint): Price {
  const reference = computeReferencePrice(market, Math.min(now(), market.closesAt));
  return floorToGrid(toBookPrice(outcome, reference) + steps * market.tick, market.tick);
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
    const criteria = { inside: 0, closesAfter: MINUTE, closesWithin: 119 * MINUTE };
    short.push(freshMarket(criteria));
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
