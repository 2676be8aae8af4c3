import { parseArgs } from "node:util";
import { addTallies, describeViolations, openSimulation } from "@/tests/simulation/simulation";
import type { Tally } from "@/tests/simulation/world";

const print = (text: string) => process.stdout.write(`${text}\n`);
/** Violations to print. The same one usually occurs in many runs. */
const MOST_SHOWN = 5;

/** Runs `npm run simulate -- --runs N --seed S`. Run i has the seed S + i. Returns the exit code. */
export async function runSimulations(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { runs: { type: "string" }, seed: { type: "string" }, operations: { type: "string" } },
  });
  const runs = parseWholeNumber("runs", values.runs ?? "40");
  const seed = parseWholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000_000));
  const operations = values.operations
    ? parseWholeNumber("operations", values.operations)
    : undefined;
  const simulation = await openSimulation();
  let [done, violations] = [0, 0];
  let tally: Tally = {};
  for (let run = 0; run < runs; run += 1) {
    const report = await simulation.run(seed + run, operations);
    done += report.operations;
    tally = addTallies(tally, report.tally);
    if (report.violations.length > 0 && violations < MOST_SHOWN) print(describeViolations(report));
    violations += report.violations.length;
  }
  await simulation.close();
  for (const [name, times] of Object.entries(tally)) print(`${String(times).padStart(8)} ${name}`);
  print(`simulate: ${runs} runs, ${done} operations, ${violations} violations, seed ${seed}`);
  return violations === 0 ? 0 : 1;
}

function parseWholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not ${text}`);
}
