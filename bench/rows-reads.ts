// Reads compared with the platform's limits: bare servers that return the same bytes.
import type { Call } from "@/bench/load/scenario";
import { type Candidate, measureAlternately } from "@/bench/measure";
import { bearer } from "@/bench/orders";
import type { Allowance } from "@/bench/schedule";
import { CANDIDATES, type Cast, READ_NAMES, type ReadName, READS, type Stage } from "@/bench/stage";
import { makeAll, makeAtLeast, makeP99AtMost, reportAll } from "@/bench/targets";

export const TITLES: Record<ReadName, string> = {
  health: "GET /health",
  balance: "GET balance",
  positions: "GET positions (50)",
  "open-orders": "GET open orders (100)",
  "order-by-id": "GET order by id",
};

const HEALTH_TARGETS = { [CANDIDATES.one]: makeAtLeast(20) };
const READ_TARGETS = {
  [CANDIDATES.one]: makeAll(makeAtLeast(5), makeP99AtMost(0.25)),
  [CANDIDATES.embedded]: makeAtLeast(1.2),
  [CANDIDATES.throughNext]: makeAtLeast(0.5),
};

export async function measureReads(stage: Stage, allowance: Allowance): Promise<void> {
  for (const [index, name] of READ_NAMES.entries()) {
    const own = allowance.share(READ_NAMES.length - index);
    const measured = await measureAlternately(listCandidates(stage, name), own);
    const targets = name === "health" ? HEALTH_TARGETS : READ_TARGETS;
    reportAll(TITLES[name], measured, CANDIDATES.next, targets, {
      // Next mounts the interface behind proxy.ts.
      [CANDIDATES.throughNext]: CANDIDATES.proxiedNext,
    });
  }
}

/** Builds the anchor of a read: bare Next with the same bytes. */
export function buildBareCandidate({ bareNext }: Stage, name: ReadName): Candidate {
  const calls: Call[] = [{ method: "GET", path: `/${name}` }];
  return { name: CANDIDATES.next, ports: [bareNext.port], readCpu: bareNext.readCpu, calls };
}

function listCandidates(stage: Stage, name: ReadName): Candidate[] {
  const { site, one, two, next, embedded, bareNode } = stage;
  const bare = buildBareCandidate(stage, name);
  const calls = buildReadCalls(stage.onPostgres, name);
  const toCandidate = (
    candidate: string,
    { port, readCpu }: Pick<Stage["one"], "port" | "readCpu">,
    own = calls,
  ) => ({ name: candidate, ports: [port], readCpu, calls: own });
  return [
    // Node's own limit is the same for every path.
    ...(name === "health" ? [toCandidate(CANDIDATES.node, bareNode, bare.calls as Call[])] : []),
    bare,
    {
      ...bare,
      name: CANDIDATES.proxiedNext,
      calls: [{ method: "GET" as const, path: `/proxied/${name}` }],
    },
    toCandidate(CANDIDATES.one, one),
    {
      name: CANDIDATES.two,
      ports: [one.port, two.port],
      readCpu: site.readCpuOf([one, two]),
      calls,
    },
    toCandidate(CANDIDATES.embedded, embedded, buildReadCalls(stage.onEmbedded, name)),
    toCandidate(CANDIDATES.throughNext, next),
  ];
}

export function buildReadCalls({ readers }: Cast, name: ReadName): Call[] {
  return readers.map((reader) => ({
    method: "GET",
    path: READS[name](reader),
    headers: name === "health" ? {} : bearer(reader.apiKey),
  }));
}
