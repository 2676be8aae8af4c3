import { setClock, setMonotonic, setPause } from "@/lib/clock";
import { reconcileAll, findUnsettledUsers } from "@/lib/orders/live/reconcile-leases";
import { useRemoteVenue } from "@/lib/venues";
import type { DatabaseGate } from "@/tests/simulation/database";
import { isOpen, LONGEST_HIDDEN_MS, REGULAR, sumMatched } from "@/tests/simulation/exchange";
import {
  isAbandonment,
  createPlaced,
  listOrders,
  sendCancel,
  sendConflict,
  sendOrder,
} from "@/tests/simulation/requests";
import type { OurOrder } from "@/tests/simulation/ours";
import { makeTraders } from "@/tests/simulation/traders";
import {
  checkAgreement,
  checkBooks,
  checkSafety,
  isUndecided,
} from "@/tests/simulation/validators";
import { makeVenueDouble } from "@/tests/simulation/venue-double";
import { type Placed, type Tally, type Violation, World } from "@/tests/simulation/world";

export interface RunReport {
  seed: number;
  operations: number;
  violations: Violation[];
  tally: Tally;
  /** A hash of the whole history. */
  digest: string;
}

export interface RunOptions {
  seed: number;
  operations: number;
  gate: DatabaseGate;
}

const PROCESSES = ["A", "B"];
const MOST_TASKS = 6;
const CHECK_EVERY = 25;
const FAILED_TRADES = 0.12;
/** Longer than any pending work of earlier runs. */
const BETWEEN_RUNS_MS = 48 * 3_600_000;
const LIVENESS_ROUNDS = 120;
const ROUND_MS = 30_000;

let time = Date.UTC(2026, 0, 1);

/** Runs one seeded history: a phase with faults, then a sound phase in which everything must settle. */
export async function simulate({ seed, operations, gate }: RunOptions): Promise<RunReport> {
  time += BETWEEN_RUNS_MS;
  const userIds = await makeTraders(seed, time);
  const world = new World(seed, time, userIds);
  const { scheduler, exchange, network, salts } = world;
  const restore = [
    setClock(() => scheduler.now),
    setMonotonic(() => scheduler.now),
    setPause((ms) => scheduler.gate({ delayMs: ms })),
  ];
  useRemoteVenue(makeVenueDouble({ exchange, network, random: salts, clock: () => scheduler.now }));
  gate.scheduler = scheduler;
  try {
    await runWithFaults(world, operations);
    await settleAll(world);
  } catch (error) {
    world.violate("run", `broke: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    gate.scheduler = null;
    for (const undo of restore) undo();
    time = scheduler.now;
  }
  const { trace, violations, tally } = world;
  return { seed, operations: trace.operations, violations, tally, digest: trace.digest };
}

/** Runs the safety phase: random operations and faults. */
async function runWithFaults(world: World, operations: number): Promise<void> {
  let checkedAt = 0;
  while (world.trace.operations < operations && world.violations.length === 0) {
    await act(world);
    const late = world.network.deliverDue();
    for (let each = 0; each < late; each += 1)
      world.trace.operation(null, "a late message arrives");
    if (world.trace.operations - checkedAt < CHECK_EVERY) continue;
    checkedAt = world.trace.operations;
    await checkSafety(world);
  }
  await checkSafety(world);
  await checkBooks(world);
}

/** Runs the liveness phase: without new faults, every outcome must become known. */
async function settleAll(world: World): Promise<void> {
  if (world.violations.length > 0) return;
  const { scheduler, network, exchange, trace } = world;
  trace.record(null, "the network is sound");
  network.isSound = true;
  exchange.irregularity = REGULAR;
  await drain(world);
  const waiting = world.placed.filter(({ answer, asksAgain }) => asksAgain && answer === null);
  for (const placed of waiting) {
    if (world.random.chance(0.7)) await startSend(world, placed, "repeats");
    await drain(world);
  }
  const shownAt = scheduler.now + LONGEST_HIDDEN_MS;
  for (let round = 0; ; round += 1) {
    const ours = await checkSafety(world);
    const isOver = scheduler.now >= shownAt && network.lateCount === 0 && !ours.some(isUndecided);
    if (isOver && ours.every(({ openSettlements }) => openSettlements === 0)) break;
    if (round >= LIVENESS_ROUNDS) {
      for (const order of ours.filter(isUndecided)) {
        world.violate(order.key, `never comes to rest: ${order.status}`);
      }
      break;
    }
    if (round % 4 === 3) await cancelOpen(world, ours);
    scheduler.now += ROUND_MS;
    network.deliverDue();
    exchange.endDelays();
    exchange.settleSome(0);
    await startTick(world, "A");
    await drain(world);
  }
  // A request that never stored a claim has no response to repeat.
  for (const placed of world.placed.filter(({ orderId }) => orderId !== null)) {
    const before = placed.answer;
    await startSend(world, placed, "asks once more");
    await drain(world);
    if (placed.answer === null) world.violate(placed.key, "is not answered on a sound network");
    if (before === null && placed.answer !== null) world.count("answered in the end");
    // An order that closed without a trade before it was seen counts as never placed.
    const counts = listOrders(world, placed.key).some(
      (order) => isOpen(order) || sumMatched(order) > 0n,
    );
    if (placed.answer && isAbandonment(placed.answer) && counts) {
      world.violate(placed.key, "is answered as abandoned, and it stands or traded at the venue");
    }
  }
  await checkBooks(world);
  await checkAgreement(world, await checkSafety(world));
}

/** Performs one random operation. */
async function act(world: World): Promise<void> {
  const { random, scheduler } = world;
  const isFull = scheduler.running.length >= MOST_TASKS;
  const roll = random.integer(0, 999);
  if (roll < 560) {
    await scheduler.step(random);
  } else if (roll < 595) {
    if (!isFull) await placeNew(world);
  } else if (roll < 690) {
    if (!isFull) await repeat(world);
  } else if (roll < 715) {
    if (!isFull) await cancelOne(world);
  } else if (roll < 737) {
    await startTick(world, random.pick(PROCESSES));
  } else if (roll < 870) {
    happenAtVenue(world);
  } else if (roll < 920) {
    for (const text of world.exchange.settleSome(FAILED_TRADES)) world.trace.operation(null, text);
  } else if (roll < 928) {
    crash(world);
  } else if (roll < 988) {
    passTime(world, random.integer(500, 8_000));
  } else {
    passTime(world, random.integer(8_000, 60_000));
  }
}

async function placeNew(world: World): Promise<void> {
  const { random } = world;
  const placed = createPlaced(world);
  const times = random.chance(0.25) ? random.integer(2, 4) : 1;
  for (let each = 0; each < times; each += 1) await startSend(world, placed, "places");
}

/** Repeats a request, preferably one without a response; sometimes with another order. */
async function repeat(world: World): Promise<void> {
  const { random } = world;
  const placed = world.placed.filter(({ answer, asksAgain }) => asksAgain || answer !== null);
  const waiting = placed.filter(({ answer }) => answer === null);
  const pool = waiting.length > 0 && random.chance(0.5) ? waiting : placed;
  if (pool.length === 0) return;
  const chosen = random.pick(pool);
  if (chosen.answer !== null && random.chance(0.2)) {
    world.trace.operation(chosen.key, "another order under the same key");
    const name = `conflict ${chosen.key}`;
    await start(world, name, () => sendConflict(world, chosen));
  } else {
    await startSend(world, chosen, "repeats");
  }
}

async function cancelOne(world: World): Promise<void> {
  const known = world.placed.filter(({ orderId }) => orderId !== null);
  if (known.length === 0) return;
  const placed = world.random.pick(known.slice(-12));
  world.trace.operation(placed.key, "cancels");
  await start(world, `cancel ${placed.key}`, () => sendCancel(world, placed));
}

/** Cancels open orders, except late appearances of abandoned ones, which the service must cancel. */
async function cancelOpen(world: World, ours: readonly OurOrder[]): Promise<void> {
  const cameBack = new Set(ours.filter((order) => order.cameBack).map(({ key }) => key));
  for (const { idempotencyKey } of world.exchange.listOpen()) {
    const placed = world.placed.find(({ key }) => key === idempotencyKey);
    if (!placed || cameBack.has(placed.key)) continue;
    await start(world, `cancel ${placed.key}`, () => sendCancel(world, placed));
    await drain(world);
  }
}

async function startSend(world: World, placed: Placed, verb: string): Promise<void> {
  world.trace.operation(placed.key, `${verb} ${placed.body.orderType} ${placed.body.action}`);
  await start(world, `send ${placed.key}`, () => sendOrder(world, placed));
}

async function startTick(world: World, process: string): Promise<void> {
  const isBusy = world.scheduler.running.some(
    (task) => task.name === "tick" && task.process === process,
  );
  if (isBusy) return;
  world.trace.operation(null, `tick of ${process}`);
  await world.scheduler.start({ name: "tick", process }, async () => {
    // Sorted, because the database returns them in any order.
    const { failed } = await reconcileAll((await findUnsettledUsers()).toSorted());
    if (failed > 0) world.count("failed ticks", failed);
  });
}

async function start(world: World, name: string, work: () => Promise<void>): Promise<void> {
  await world.scheduler.start({ name, process: world.random.pick(PROCESSES) }, work);
}

function happenAtVenue(world: World): void {
  const open = world.exchange.listOpen();
  if (open.length === 0) return;
  const order = world.random.pick(open);
  world.trace.operation(
    order.idempotencyKey,
    `at the venue: ${world.exchange.applyRandomEvent(order)}`,
  );
}

function crash(world: World): void {
  const process = world.random.pick(PROCESSES);
  const lost = world.scheduler.crash(process);
  if (lost === 0) return;
  world.count("crashes");
  world.trace.operation(null, `CRASH of ${process}, ${lost} waiting`);
}

function passTime(world: World, ms: number): void {
  world.scheduler.now += ms;
  world.trace.operation(null, `${ms} ms pass`);
}

async function drain(world: World): Promise<void> {
  while (await world.scheduler.step(world.random));
}
