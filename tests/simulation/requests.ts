import type { KeyPrincipal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import type { Answer } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { placeOrder } from "@/lib/services/orders/place-order";
import { price, shares, usdc } from "@/lib/units";
import { filled, isStanding, matched } from "@/tests/simulation/exchange";
import { MARKET } from "@/tests/simulation/market";
import type { Placed, World } from "@/tests/simulation/world";
import type { Random } from "@/tests/support/product-random";

/** The answers that say to ask again with the same key. */
const ASK_AGAIN = 502;

/** An order that no key has been used for yet. */
export function newPlaced(world: World): Placed {
  const { random } = world;
  const key = `k${world.placed.length + 1}`;
  const placed: Placed = {
    key,
    userId: random.pick(world.userIds),
    body: { ...anyOrder(random), idempotencyKey: key },
    asksAgain: random.chance(0.7),
    answer: null,
    orderId: null,
    canceledAt: null,
  };
  world.placed.push(placed);
  return placed;
}

/** Sends an order, for the first time or again, and checks what is answered. */
export async function sendOrder(world: World, placed: Placed): Promise<void> {
  const { key, userId, body } = placed;
  try {
    const { answer, orderId } = await placeOrder(principalOf(userId), body);
    placed.orderId = orderId;
    world.trace.tell(key, `answered ${answer.status} ${answer.body.slice(0, 120)}`);
    checkAnswer(world, placed, answer);
  } catch (error) {
    noteFailure(world, key, error);
  }
}

/** Sends another order under a key that is taken: it must be refused, whatever became of the first. */
export async function sendConflict(world: World, { key, userId, body }: Placed): Promise<void> {
  const action = body.action === "BUY" ? "SELL" : "BUY";
  const other: PlaceOrderBody = { ...OTHER, action, idempotencyKey: key };
  try {
    const { answer } = await placeOrder(principalOf(userId), other);
    world.violate(key, `another order under its key is answered ${answer.status}`);
  } catch (error) {
    if (error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED") return;
    noteFailure(world, key, error);
  }
}

/** Cancels an order and checks what is answered against what the venue has. */
export async function sendCancel(world: World, placed: Placed): Promise<void> {
  const { key, userId, orderId } = placed;
  if (orderId === null) return;
  const ownOrders = () => ordersOf(world, key);
  const wasStanding = ownOrders().some(isStanding);
  try {
    const record = await cancelOrder(principalOf(userId), orderId);
    world.count("canceled 200");
    world.trace.tell(key, `cancel answered 200 ${record.status} ${record.filledShares} filled`);
    if (ownOrders().some(isStanding)) world.violate(key, "canceled, and it stands at the venue");
    if (record.status !== "canceled") world.violate(key, `canceled, and is ${record.status}`);
    const [order] = ownOrders();
    const most = order ? matched(order) : 0n;
    // Of an order that was over before, the record may still wait for trades that came late.
    const least = order && wasStanding ? filled(order, world.scheduler.now) : 0n;
    if (record.filledShares > most || record.filledShares < least) {
      world.violate(key, `canceled with ${record.filledShares} filled, the venue has ${most}`);
    }
    placed.canceledAt ??= most;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "ORDER_NOT_CANCELABLE") {
      return noteFailure(world, key, error);
    }
    world.count("not cancelable");
    world.trace.tell(key, `cancel answered 400 ${error.message}`);
    const isAbandoned = error.message.includes("abandoned");
    if (!isAbandoned && ownOrders().some(isStanding)) {
      world.violate(key, `not cancelable, and it stands at the venue`);
    }
  }
}

export const ordersOf = ({ exchange }: World, key: string) =>
  [...exchange.orders.values()].filter(({ idempotencyKey }) => idempotencyKey === key);

/** Whether an answer says that its order was given up, which alone may turn out otherwise. */
export const isAbandonment = ({ body }: Answer) => body.includes('"ORDER_ABANDONED"');

function checkAnswer(world: World, placed: Placed, answer: Answer): void {
  const { key } = placed;
  world.count(`answered ${answer.status}`);
  if (placed.answer === null) {
    placed.answer = answer;
  } else if (placed.answer.status !== answer.status || placed.answer.body !== answer.body) {
    world.violate(key, `answered ${placed.answer.body} first and ${answer.body} now`);
  }
  if (answer.status === 200 && ordersOf(world, key).length === 0) {
    world.violate(key, "answered 200, and the venue has no such order");
  }
}

function noteFailure(world: World, key: string, error: unknown): void {
  if (error instanceof AppError && error.status === ASK_AGAIN) {
    world.count(error.code);
    world.trace.tell(key, `answered 502 ${error.code}`);
    if (world.network.isSound && error.code === "ORDER_OUTCOME_UNKNOWN") {
      world.count("unknown on a sound network");
    }
    return;
  }
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  world.violate(key, `a request broke: ${text}`);
}

const principalOf = (userId: string): KeyPrincipal => ({
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

function anyOrder(random: Random): PlaceOrderBody {
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
