import { CLOSED_STATUSES, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { Answer } from "@/lib/schemas/envelope";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { notional, price, shares } from "@/lib/units";
import { isOpen, sumFilled, sumMatched, type TrueOrder } from "@/tests/simulation/exchange";
import { sumCashMoved } from "@/tests/simulation/market";
import { type OurOrder, selectCash, selectOurs } from "@/tests/simulation/ours";
import { isAbandonment, listOrders } from "@/tests/simulation/requests";
import type { World } from "@/tests/simulation/world";
import { LOT } from "@/lib/domain/lots";

/** An order may be abandoned only this soon after a cancel at the venue. */
const CANCEL_IS_RECENT_MS = 120_000;

const isOneOf = (list: readonly string[], status: string) => list.includes(status);
const isClosed = ({ status }: OurOrder) => isOneOf(CLOSED_STATUSES, status);

/** Checks what must hold at every moment. */
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
    checkAbandoned(world, order);
  }
  checkAnswers(world);
  linkOrders(world, ours);
  return ours;
}

const knownProblems = new Set<string>();

/** Verifies the books. Runs share one database, so known problems are skipped. */
export async function checkBooks(world: World): Promise<void> {
  const { problems } = await verifyBooksAndLogs();
  for (const problem of problems.filter((text) => !knownProblems.has(text))) {
    knownProblems.add(problem);
    const concerned = world.placed.find(({ orderId }) => orderId && problem.includes(orderId));
    world.violate(concerned?.key ?? "books", problem);
  }
}

/** Checks what must hold once the network is sound and time has passed. */
export async function checkAgreement(world: World, ours: readonly OurOrder[]): Promise<void> {
  for (const order of ours) {
    const truth = world.exchange.orders.get(order.venueOrderId) ?? null;
    world.count(`order ${order.status}`);
    if (order.cameBack) world.count("late appearances");
    const failures = truth?.trades.filter(({ settlement }) => settlement === "failed") ?? [];
    world.count("failed trades", failures.length);
    const allowed = truth === null ? ["rejected", "abandoned"] : listAllowedStatuses(order, truth);
    if (!allowed.includes(order.status)) {
      const venueState = truth === null ? "has none" : `${truth.status} ${sumMatched(truth)}`;
      world.violate(order.key, `is ${order.status} ${order.filled}, the venue ${venueState}`);
    }
    const trueFill = truth === null ? 0n : sumFilled(truth);
    if (order.filled !== trueFill) {
      world.violate(order.key, `has ${order.filled} filled, the venue ${trueFill}`);
    }
    const wasAbandoned = world.placed.some(
      ({ key, answer }) => key === order.key && answer !== null && isAbandonment(answer),
    );
    if (wasAbandoned && order.status !== "abandoned" && !order.cameBack) {
      world.violate(order.key, "reappeared without an event in its history");
    }
    if (order.held !== 0n || order.openSettlements > 0) {
      world.violate(order.key, `is over, holds ${order.held}, ${order.openSettlements} to settle`);
    }
  }
  for (const userId of world.userIds) {
    const orders = [...world.exchange.orders.values()].filter(({ owner }) => owner === userId);
    const [here, there] = [await selectCash(userId), sumCashMoved(orders)];
    if (here !== there) world.violate("cash", `${userId} has ${here}, the venue moved ${there}`);
  }
}

/** Checks `filled + released = original`, and that open shares stay reserved. */
function checkReservation(world: World, order: OurOrder): void {
  const { key, reserved, released, used, held, status } = order;
  if (reserved - released - used !== held) {
    world.violate(key, `reserved ${reserved} - ${released} - ${used} is not ${held}`);
  }
  if (isClosed(order)) {
    if (held !== 0n) world.violate(key, `is ${status} and holds ${held}`);
    return;
  }
  // Only a resting order may need less than the cost of taking.
  if (status !== "open" && released !== 0n) {
    world.violate(key, `is ${status} and released ${released}`);
  }
  const truth = world.exchange.orders.get(order.venueOrderId);
  const needed = truth && isOpen(truth) ? computeMaxCost(truth) : 0n;
  if (held < needed) world.violate(key, `is ${status}, holds ${held}, may take ${needed}`);
}

/** Computes what the open shares of an order cost at its limit. */
function computeMaxCost(truth: TrueOrder): bigint {
  const rest = shares(truth.size - sumMatched(truth));
  return truth.action === "SELL" ? rest : notional(rest, truth.limit, "up");
}

/** Checks that a closed order is not open at the venue, except a late appearance after abandonment. */
function checkEnd(world: World, order: OurOrder): void {
  const truth = world.exchange.orders.get(order.venueOrderId);
  if (!truth || order.status === "abandoned" || !isClosed(order)) return;
  if (isOpen(truth)) world.violate(order.key, `is ${order.status} and stands at the venue`);
  if (order.status === "rejected" && truth.status !== "rejected") {
    world.violate(order.key, `is rejected, the venue took it: ${truth.status}`);
  }
}

function checkAbandoned(world: World, { key, venueOrderId, abandonedAt }: OurOrder): void {
  if (abandonedAt === null) return;
  const canceledAt = world.exchange.cancels.get(venueOrderId) ?? Number.NEGATIVE_INFINITY;
  if (canceledAt < abandonedAt - CANCEL_IS_RECENT_MS) {
    world.violate(key, "was abandoned without a cancel");
  }
}

function checkAnswers(world: World): void {
  for (const { key, answer, canceledAt } of world.placed) {
    const orders = listOrders(world, key);
    if (orders.length > 1) world.violate(key, `has ${orders.length} orders at the venue`);
    const [order] = orders;
    if (order && canceledAt !== null && (isOpen(order) || sumMatched(order) !== canceledAt)) {
      world.violate(key, `had ${canceledAt} filled when canceled, and ${sumMatched(order)} now`);
    }
    if (answer === null || answer.status === 200 || isAbandonment(answer)) continue;
    if (order && !isUntraded(order, answer)) {
      world.violate(
        key,
        `was answered ${answer.body}, the venue has it ${order.status}, ${sumFilled(order)} filled`,
      );
    }
  }
}

/** Returns whether a rejection is true of an accepted order: it was invalid, or closed untraded. */
function isUntraded(order: TrueOrder, { body }: Answer): boolean {
  if (order.status === "rejected") return true;
  return body.includes('"NO_LIQUIDITY"') && !isOpen(order) && sumFilled(order) === 0n;
}

/** Links orders to clients, which can cancel what they find in their lists. */
function linkOrders(world: World, ours: readonly OurOrder[]): void {
  const ids = new Map(ours.map(({ key, orderId }) => [key, orderId]));
  for (const placed of world.placed) placed.orderId ??= ids.get(placed.key) ?? null;
}

export const isUndecided = ({ status }: OurOrder) => isOneOf(UNSETTLED_STATUSES, status);

/** Lists the statuses that our order may have, given the venue's. */
function listAllowedStatuses(order: OurOrder, truth: TrueOrder): string[] {
  if (isOpen(truth)) return ["open"];
  // An order that closed without a trade before it was seen counts as never placed.
  const unseen = sumMatched(truth) === 0n ? ["abandoned"] : [];
  if (truth.status === "rejected") return ["rejected", "canceled", ...unseen];
  const isWhole = isSpent(order, truth);
  if (truth.status === "canceled") return [isWhole ? "filled" : "canceled", ...unseen];
  const isKept = sumFilled(truth) === sumMatched(truth);
  return [isKept && (isWhole || truth.orderType !== "FAK") ? "filled" : "canceled"];
}

function isSpent({ shares: size, amount, price: at }: OurOrder, truth: TrueOrder): boolean {
  if (size !== null) return size - sumFilled(truth) < LOT;
  const left = (amount ?? 0n) - notional(sumFilled(truth), truth.limit, "up");
  return left < notional(LOT, price(at), "up");
}
