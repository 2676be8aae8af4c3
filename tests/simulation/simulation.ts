import { openGatedDatabase, type DatabaseGate } from "@/tests/simulation/database";
import { type RunReport, simulate } from "@/tests/simulation/run";
import type { Tally } from "@/tests/simulation/world";

/** Live trading on the embedded database with production timers and no log. */
const ENVIRONMENT = {
  VENUES: "paper,polymarket",
  ALLOW_EMBEDDED_DB_FOR_LIVE: "1",
  LOG_LEVEL: "silent",
};

const OPERATIONS_PER_RUN = 500;

/** Opens a database for any number of consecutive runs. */
export async function openSimulation() {
  Object.assign(process.env, ENVIRONMENT);
  const gate: DatabaseGate = { scheduler: null };
  const close = await openGatedDatabase(gate);
  const run = (seed: number, operations = OPERATIONS_PER_RUN): Promise<RunReport> =>
    simulate({ seed, operations, gate });
  return { run, close };
}

/** Formats violations with their seeds and traces. */
export function describeViolations({ violations }: RunReport): string {
  return violations
    .map(({ seed, text, trace }) =>
      [`violation, seed ${seed}: ${text}`, ...trace.map((line) => `    ${line}`)].join("\n"),
    )
    .join("\n");
}

export function addTallies(a: Tally, b: Tally): Tally {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
