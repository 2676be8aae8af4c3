import { LOT } from "@/lib/domain/matching";
import { CLOSED_STATUSES, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { Answer } from "@/lib/schemas/envelope";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { notional, price, shares } from "@/lib/units";
import { filled, isStanding, matched, type TrueOrder } from "@/tests/simulation/exchange";
import { cashMoved } from "@/tests/simulation/market";
import { type OurOrder, selectCash, selectOurs } from "@/tests/simulation/ours";
import { isAbandonment, ordersOf } from "@/tests/simulation/requests";
import type { World } from "@/tests/simulation/world";

/** An order is given up right after the venue was asked to cancel it. */
const CANCEL_IS_RECENT_MS = 120_000;

const isOneOf = (list: readonly string[], status: string) => list.includes(status);
const isClosed = ({ status }: OurOrder) => isOneOf(CLOSED_STATUSES, status);

/** What must hold at every moment, however little has come back from the venue. */
export async function checkSafety(world: World): Promise<OurOrder[]> {
  const ours = await selectOurs(world.userIds);
  const known = new Set(ours.map(({ venueOrderId }) => venueOrderId));
  for (const { venueOrderId, idempotencyKey } of world.exchange.orders.values()) {
    if (!known.has(venueOrderId))
      world.violate(idempotencyKey, "the venue has what we do not know");
  }
  for (const order of ours) {
    checkReservation(world, order);
    checkEnd(world, order);
    checkGivenUp(world, order);
  }
  checkAnswers(world);
  linkOrders(world, ours);
  return ours;
}

const knownProblems = new Set<string>();

/** Every balance and hold follows from the transfers and fills. Runs share one database. */
export async function checkBooks(world: World): Promise<void> {
  const { problems } = await verifyBooks();
  for (const problem of problems.filter((text) => !knownProblems.has(text))) {
    knownProblems.add(problem);
    const meant = world.placed.find(({ orderId }) => orderId && problem.includes(orderId));
    world.violate(meant?.key ?? "books", problem);
  }
}

/** What must hold once the network is sound and time has passed. */
export async function checkAgreement(world: World, ours: readonly OurOrder[]): Promise<void> {
  for (const order of ours) {
    const truth = world.exchange.orders.get(order.venueOrderId) ?? null;
    world.count(`order ${order.status}`);
    if (order.cameBack) world.count("late appearances");
    const failures = truth?.trades.filter(({ settlement }) => settlement === "failed") ?? [];
    world.count("failed trades", failures.length);
    const allowed = truth === null ? ["rejected", "abandoned"] : endsOf(order, truth);
    if (!allowed.includes(order.status)) {
      const there = truth === null ? "has none" : `${truth.status} ${matched(truth)}`;
      world.violate(order.key, `is ${order.status} ${order.filled}, the venue ${there}`);
    }
    const trueFill = truth === null ? 0n : filled(truth);
    if (order.filled !== trueFill) {
      world.violate(order.key, `has ${order.filled} filled, the venue ${trueFill}`);
    }
    const wasGivenUp = world.placed.some(
      ({ key, answer }) => key === order.key && answer !== null && isAbandonment(answer),
    );
    if (wasGivenUp && order.status !== "abandoned" && !order.cameBack) {
      world.violate(order.key, "came back, and its biography does not tell");
    }
    if (order.held !== 0n || order.openSettlements > 0) {
      world.violate(order.key, `is over, holds ${order.held}, ${order.openSettlements} to settle`);
    }
  }
  for (const userId of world.userIds) {
    const orders = [...world.exchange.orders.values()].filter(({ owner }) => owner === userId);
    const [here, there] = [await selectCash(userId), cashMoved(orders)];
    if (here !== there) world.violate("cash", `${userId} has ${here}, the venue moved ${there}`);
  }
}

/** `filled + released = original`, and what may still trade stays reserved. */
function checkReservation(world: World, order: OurOrder): void {
  const { key, reserved, released, used, held, status } = order;
  if (reserved - released - used !== held) {
    world.violate(key, `reserved ${reserved} - ${released} - ${used} is not ${held}`);
  }
  if (isClosed(order)) {
    if (held !== 0n) world.violate(key, `is ${status} and holds ${held}`);
    return;
  }
  // Only what rests may need less than it might have cost to take.
  if (status !== "open" && released !== 0n) {
    world.violate(key, `is ${status} and released ${released}`);
  }
  const truth = world.exchange.orders.get(order.venueOrderId);
  const needed = truth && isStanding(truth) ? mostToPay(truth) : 0n;
  if (held < needed) world.violate(key, `is ${status}, holds ${held}, may take ${needed}`);
}

/** What the rest of an order takes at its limit. */
function mostToPay(truth: TrueOrder): bigint {
  const rest = shares(truth.size - matched(truth));
  return truth.action === "SELL" ? rest : notional(rest, truth.limit, "up");
}

/** What we say is over does not stand at the venue, unless it came after it was given up. */
function checkEnd(world: World, order: OurOrder): void {
  const truth = world.exchange.orders.get(order.venueOrderId);
  if (!truth || order.status === "abandoned" || !isClosed(order)) return;
  if (isStanding(truth)) world.violate(order.key, `is ${order.status} and stands at the venue`);
  if (order.status === "rejected" && truth.status !== "rejected") {
    world.violate(order.key, `is rejected, the venue took it: ${truth.status}`);
  }
}

function checkGivenUp(world: World, { key, venueOrderId, abandonedAt }: OurOrder): void {
  if (abandonedAt === null) return;
  const canceledAt = world.exchange.cancels.get(venueOrderId) ?? Number.NEGATIVE_INFINITY;
  if (canceledAt < abandonedAt - CANCEL_IS_RECENT_MS) {
    world.violate(key, "was given up without being canceled");
  }
}

function checkAnswers(world: World): void {
  for (const { key, answer, canceledAt } of world.placed) {
    const orders = ordersOf(world, key);
    if (orders.length > 1) world.violate(key, `has ${orders.length} orders at the venue`);
    const [order] = orders;
    if (order && canceledAt !== null && (isStanding(order) || matched(order) !== canceledAt)) {
      world.violate(key, `had ${canceledAt} filled when canceled, and ${matched(order)} now`);
    }
    if (answer === null || answer.status === 200 || isAbandonment(answer)) continue;
    if (order && !isNothing(order, answer)) {
      world.violate(
        key,
        `was answered ${answer.body}, the venue has it ${order.status}, ${filled(order)} filled`,
      );
    }
  }
}

/** Whether a refusal is true of an order that the venue took: it was invalid, or ended untraded. */
function isNothing(order: TrueOrder, { body }: Answer): boolean {
  if (order.status === "rejected") return true;
  return body.includes('"NO_LIQUIDITY"') && !isStanding(order) && filled(order) === 0n;
}

/** Clients can cancel what they find in their list of orders. */
function linkOrders(world: World, ours: readonly OurOrder[]): void {
  const ids = new Map(ours.map(({ key, orderId }) => [key, orderId]));
  for (const placed of world.placed) placed.orderId ??= ids.get(placed.key) ?? null;
}

export const isUndecided = ({ status }: OurOrder) => isOneOf(UNSETTLED_STATUSES, status);

/** The statuses that an order may end in, by what became of it at the venue. */
function endsOf(order: OurOrder, truth: TrueOrder): string[] {
  if (isStanding(truth)) return ["open"];
  // An order that ended untraded before anybody saw it is as good as one that never came.
  const unseen = matched(truth) === 0n ? ["abandoned"] : [];
  if (truth.status === "rejected") return ["rejected", "canceled", ...unseen];
  const isWhole = isSpent(order, truth);
  if (truth.status === "canceled") return [isWhole ? "filled" : "canceled", ...unseen];
  const isKept = filled(truth) === matched(truth);
  return [isKept && (isWhole || truth.orderType !== "FAK") ? "filled" : "canceled"];
}

function isSpent({ shares: size, amount, price: at }: OurOrder, truth: TrueOrder): boolean {
  if (size !== null) return size - filled(truth) < LOT;
  const left = (amount ?? 0n) - notional(filled(truth), truth.limit, "up");
  return left < notional(LOT, price(at), "up");
}
