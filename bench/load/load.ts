// The benchmark's side of the load generator.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { LoadOptions, LoadResult } from "@/bench/load/scenario";
import { ROOT } from "@/tests/support/product/process";

const WORKER = join(ROOT, "dist/bench/worker.mjs");

let worker: ChildProcess | undefined;

/** Runs one load in the worker. Loads must not overlap. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const child = (worker ??= fork(WORKER, { serialization: "advanced" }));
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("the load generator ended"));
    child.once("exit", fail);
    child.once("message", (result: LoadResult) => {
      child.off("exit", fail);
      resolve(result);
    });
    child.send(options);
  });
}

export function endLoad(): void {
  worker?.disconnect();
  worker = undefined;
}

/** Describes the responses other than 200 by count and one sample; null if there are none. */
export function describeFailures({ failures }: LoadResult): string | null {
  const [first] = failures;
  if (!first) return null;
  const count = failures.reduce((sum, failure) => sum + failure.count, 0);
  return `${count} requests failed, one with ${first.status}: ${first.sample}`;
}
