// Runs the simulation within the tests.
import { afterAll, beforeAll } from "vitest";
import { addTallies, describeViolations, openSimulation } from "@/tests/simulation/simulation";
import type { Tally } from "@/tests/simulation/world";

type Simulation = Awaited<ReturnType<typeof openSimulation>>;

/** Opens a simulation for the tests of a file. */
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
 * Runs with increasing seeds from `seed` until this many operations ran, and prints a summary. Throws
 * at the first violation, with the command that repeats the run.
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
