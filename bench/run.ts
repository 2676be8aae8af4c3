// Runs parts within the time and stops every process that they started.
import { endLoad } from "@/bench/load/load";
import { reportMissing } from "@/bench/results";
import { Allowance, runParts } from "@/bench/schedule";
import type { Parts } from "@/bench/parts";
import { endAll } from "@/tests/support/product/process";

/** Runs all parts. A failed part appears in the table, and the others are still measured. */
export async function runAll({ site, parts }: Parts, seconds: number): Promise<void> {
  const total = new Allowance(seconds);
  const end = async () => {
    endLoad();
    await endAll();
    await site.close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  const say = (message: string) =>
    process.stderr.write(`bench, ${Math.round(total.used)} s: ${message}\n`);
  try {
    await site.open();
    await runParts(parts, total, async ({ name, open, measure }, computeAllowance) => {
      try {
        say(`Opening ${name}.`);
        await open();
        const allowance = computeAllowance();
        say(`Measuring ${name}, for about ${Math.round(allowance.seconds)} s.`);
        await measure(allowance);
      } catch (error) {
        reportMissing(name, "failed", error instanceof Error ? error.message : String(error));
        process.exitCode = 1;
      }
    });
    say("Done.");
  } finally {
    await end();
  }
}
