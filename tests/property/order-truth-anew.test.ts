// A separate file, so that it runs in parallel with the fixed seed.
import { it } from "vitest";
import { simulateUntil, useSimulation } from "@/tests/support/simulation/use-simulation";

const simulation = useSimulation();

const OPERATIONS = 10_500;

it("no order is lost or duplicated with a random seed", async () => {
  const seed = Date.now() % 1_000_000_000;
  process.stdout.write(`seed ${seed}\n`);
  await simulateUntil(simulation(), seed, OPERATIONS);
}, 600_000);
