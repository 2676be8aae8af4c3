import { expect, it } from "vitest";
import { simulateUntil, useSimulation } from "@/tests/support/simulation/use-simulation";

const simulation = useSimulation();

const SEED = 20_261_121;
const OPERATIONS = 10_000;

/** Events that the simulation must have covered. */
const EVENTS = [
  "answered 200",
  "answered 400",
  "answered in the end",
  "ORDER_OUTCOME_UNKNOWN",
  "ORDER_IN_PROGRESS",
  "CANCEL_OUTCOME_UNKNOWN",
  "canceled 200",
  "not cancelable",
  "crashes",
  "failed ticks",
  "failed trades",
  "late appearances",
  "order abandoned",
  "order canceled",
  "order filled",
  "order rejected",
];

it("the same seed produces the same history", async () => {
  const { run } = simulation();
  const first = await run(SEED, 150);
  const second = await run(SEED, 150);
  expect(second).toEqual(first);
}, 120_000);

it("no order is lost or duplicated with the fixed seed", async () => {
  const tally = await simulateUntil(simulation(), SEED, OPERATIONS);
  expect(EVENTS.filter((name) => !tally[name])).toEqual([]);
}, 600_000);
