// Reads of an account that has changed: the response cache has nothing, so each is computed.
import { UNIQUE } from "@/bench/load/scenario";
import { measureAlternately } from "@/bench/measure";
import { buildBareCandidate, buildReadCalls, TITLES } from "@/bench/rows-reads";
import type { Allowance } from "@/bench/schedule";
import { CANDIDATES, type ReadName, type Stage } from "@/bench/stage";
import { makeAtLeast, reportAll } from "@/bench/targets";

/** The reads with the multiple of bare Next that they must reach. */
const LEAST: readonly (readonly [Exclude<ReadName, "health">, number])[] = [
  ["positions", 1.5],
  ["open-orders", 1.5],
  ["balance", 3],
  ["order-by-id", 3],
];

export async function measureChangedReads(stage: Stage, allowance: Allowance): Promise<void> {
  for (const [index, [name, least]] of LEAST.entries()) {
    // The second process, so that the entries of these reads don't fill the cache of the first one.
    const { ports, readCpu } = { ports: [stage.two.port], readCpu: stage.two.readCpu };
    // A query that no other request has is not cached, as if the account had changed.
    const calls = buildReadCalls(stage.onPostgres, name).map((call) => ({
      ...call,
      path: `${call.path}?anew=${UNIQUE}`,
    }));
    const candidates = [
      buildBareCandidate(stage, name),
      { name: CANDIDATES.changed, ports, readCpu, calls },
    ];
    const measured = await measureAlternately(candidates, allowance.share(LEAST.length - index));
    const targets = { [CANDIDATES.changed]: makeAtLeast(least) };
    reportAll(`${TITLES[name]}, changed`, measured, CANDIDATES.next, targets);
  }
}
