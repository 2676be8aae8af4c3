// Runs of the simulation inside the test run.
import { afterAll, beforeAll } from "vitest";
import { addTallies, describeViolations, openSimulation } from "@/tests/simulation/simulation";
import type { Tally } from "@/tests/simulation/world";

type Simulation = Awaited<ReturnType<typeof openSimulation>>;

/** A simulation for the tests of a file. */
export function useSimulation(): () => Simulation {
  let opened: Simulation | null = null;
  beforeAll(async () => {
    opened = await openSimulation();
  });
  afterAll(async () => opened?.close());
  return () => {
    if (!opened) throw new Error("the simulation opens before the tests");
    return opened;
  };
}

/**
 * Runs with the seeds from `seed` on until there were that many operations, and tells so. Throws at
 * the first run with a violation, with what repeats that run.
 */
export async function simulateUntil(
  { run }: Simulation,
  seed: number,
  operations: number,
): Promise<Tally> {
  const startedAt = performance.now();
  let [runs, done] = [0, 0];
  let tally: Tally = {};
  for (; done < operations; runs += 1) {
    const report = await run(seed + runs);
    if (report.violations.length > 0) {
      const again = `npm run simulate -- --runs 1 --seed ${report.seed}`;
      throw new Error(`${describeViolations(report)}\nrepeat it: ${again}`);
    }
    done += report.operations;
    tally = addTallies(tally, report.tally);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(
    `simulate: ${runs} runs, ${done} operations, 0 violations, seed ${seed}, ${seconds} s\n`,
  );
  return tally;
}
