import type { KeyPrincipal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import type { Answer } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { placeOrder } from "@/lib/orders/place-order";
import { price, shares, usdc } from "@/lib/units";
import { isOpen, sumFilled, sumMatched } from "@/tests/simulation/exchange";
import { MARKET } from "@/tests/simulation/market";
import type { Placed, World } from "@/tests/simulation/world";
import type { Random } from "@/tests/support/random";

/** The status that asks the client to repeat the request with the same key. */
const REPEAT_STATUS = 502;

/** Creates an order with a fresh key. */
export function createPlaced(world: World): Placed {
  const { random } = world;
  const key = `k${world.placed.length + 1}`;
  const placed: Placed = {
    key,
    userId: random.pick(world.userIds),
    body: { ...pickOrder(random), idempotencyKey: key },
    asksAgain: random.chance(0.7),
    answer: null,
    orderId: null,
    canceledAt: null,
  };
  world.placed.push(placed);
  return placed;
}

/** Sends an order, possibly again, and checks the response. */
export async function sendOrder(world: World, placed: Placed): Promise<void> {
  const { key, userId, body } = placed;
  try {
    const { answer, orderId } = await placeOrder(toPrincipal(userId), body);
    placed.orderId = orderId;
    world.trace.record(key, `answered ${answer.status} ${answer.body.slice(0, 120)}`);
    checkAnswer(world, placed, answer);
  } catch (error) {
    recordFailure(world, key, error);
  }
}

/** Sends another order with a used key, which must be rejected. */
export async function sendConflict(world: World, { key, userId, body }: Placed): Promise<void> {
  const action = body.action === "BUY" ? "SELL" : "BUY";
  const other: PlaceOrderBody = { ...OTHER, action, idempotencyKey: key };
  try {
    const { answer } = await placeOrder(toPrincipal(userId), other);
    world.violate(key, `another order under its key is answered ${answer.status}`);
  } catch (error) {
    if (error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED") return;
    recordFailure(world, key, error);
  }
}

/** Cancels an order and checks the response against the venue's truth. */
export async function sendCancel(world: World, placed: Placed): Promise<void> {
  const { key, userId, orderId } = placed;
  if (orderId === null) return;
  const listOwnOrders = () => listOrders(world, key);
  const wasOpen = listOwnOrders().some(isOpen);
  try {
    const record = await cancelOrder(toPrincipal(userId), orderId);
    world.count("canceled 200");
    world.trace.record(key, `cancel answered 200 ${record.status} ${record.filledShares} filled`);
    if (listOwnOrders().some(isOpen)) world.violate(key, "canceled, and it stands at the venue");
    if (record.status !== "canceled") world.violate(key, `canceled, and is ${record.status}`);
    const [order] = listOwnOrders();
    const most = order ? sumMatched(order) : 0n;
    // If the order was closed before, trades that are listed late may still be missing.
    const least = order && wasOpen ? sumFilled(order, world.scheduler.now) : 0n;
    if (record.filledShares > most || record.filledShares < least) {
      world.violate(key, `canceled with ${record.filledShares} filled, the venue has ${most}`);
    }
    placed.canceledAt ??= most;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "ORDER_NOT_CANCELABLE") {
      return recordFailure(world, key, error);
    }
    world.count("not cancelable");
    world.trace.record(key, `cancel answered 400 ${error.message}`);
    const isAbandoned = error.message.includes("abandoned");
    if (!isAbandoned && listOwnOrders().some(isOpen)) {
      world.violate(key, `not cancelable, and it stands at the venue`);
    }
  }
}

export const listOrders = ({ exchange }: World, key: string) =>
  [...exchange.orders.values()].filter(({ idempotencyKey }) => idempotencyKey === key);

/** Returns whether a response reports an abandoned order, the only kind that can change later. */
export const isAbandonment = ({ body }: Answer) => body.includes('"ORDER_ABANDONED"');

const isUnfilled = ({ body }: Answer) => /"(NO_LIQUIDITY|ORDER_NOT_FILLED)"/.test(body);

function checkAnswer(world: World, placed: Placed, answer: Answer): void {
  const { key } = placed;
  world.count(`answered ${answer.status}`);
  // An order that arrives late changes the answer: to 200, to a refusal after its trades have failed, or,
  // for a market order, to the refusal that it filled nothing.
  const orders = listOrders(world, key);
  const hasTraded = orders.some((order) => sumMatched(order) > 0n);
  const isLate =
    placed.answer !== null &&
    isAbandonment(placed.answer) &&
    !isAbandonment(answer) &&
    orders.length > 0 &&
    (answer.status === 200 || hasTraded || isUnfilled(answer));
  if (placed.answer === null || isLate) {
    placed.answer = answer;
    if (isLate) world.count("answers that a late order changed");
  } else if (placed.answer.status !== answer.status || placed.answer.body !== answer.body) {
    world.violate(key, `answered ${placed.answer.body} first and ${answer.body} now`);
  }
  if (answer.status === 200 && orders.length === 0) {
    world.violate(key, "answered 200, and the venue has no such order");
  }
}

function recordFailure(world: World, key: string, error: unknown): void {
  if (error instanceof AppError && error.status === REPEAT_STATUS) {
    world.count(error.code);
    world.trace.record(key, `answered 502 ${error.code}`);
    if (world.network.isSound && error.code === "ORDER_OUTCOME_UNKNOWN") {
      world.count("unknown on a sound network");
    }
    return;
  }
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  world.violate(key, `a request broke: ${text}`);
}

const toPrincipal = (userId: string): KeyPrincipal => ({
  userId,
  mode: "live",
  keyId: "simulation",
  scopes: ["read", "trade", "cancel"],
});

const OTHER: Omit<PlaceOrderBody, "action"> = {
  tokenId: MARKET.outcomes[1].tokenId,
  orderType: "limit",
  price: price(990_000n),
  shares: shares(77_000_000n),
};

function pickOrder(random: Random): PlaceOrderBody {
  const { tokenId } = random.pick(MARKET.outcomes);
  const at = price(BigInt(random.integer(5, 95)) * 10_000n);
  const size = shares(BigInt(random.integer(500, 5_000)) * 10_000n);
  const amount = usdc(BigInt(random.integer(500, 5_000)) * 10_000n);
  const limit = { tokenId, orderType: "limit", price: at } as const;
  const worst = random.chance(0.7) ? { price: at } : {};
  const market = { tokenId, orderType: "market", ...worst } as const;
  return random.pick<PlaceOrderBody>([
    { ...limit, action: "BUY", shares: size },
    { ...limit, action: "BUY", shares: size },
    { ...limit, action: "SELL", shares: size },
    { ...market, action: "BUY", amount },
    { ...market, action: "BUY", shares: size },
    { ...market, action: "SELL", shares: size },
  ]);
}
