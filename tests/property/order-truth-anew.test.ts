// A file of its own, so that it runs beside the one with the fixed seed.
import { it } from "vitest";
import { simulateUntil, useSimulation } from "@/tests/support/order-truth";

const simulation = useSimulation();

const OPERATIONS = 10_500;

it("no order is lost or doubled under a seed that nobody has run before", async () => {
  const seed = Date.now() % 1_000_000_000;
  process.stdout.write(`seed ${seed}\n`);
  await simulateUntil(simulation(), seed, OPERATIONS);
}, 600_000);
