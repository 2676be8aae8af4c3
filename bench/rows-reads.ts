// Reads, compared with the platform's limits: bare servers that return the same bytes.
import { type Call, UNIQUE } from "@/bench/load/scenario";
import {
  type Candidate,
  measureAlternately,
  type Measured,
  QUICK,
  reportAll,
  type Target,
  computeRatio,
} from "@/bench/measure";
import { bearer } from "@/bench/orders";
import { type Cast, READ_NAMES, type ReadName, READS, type Stage } from "@/bench/stage";

export const CANDIDATES = {
  node: "bare node:http",
  next: "bare Next",
  proxiedNext: "bare Next behind a proxy",
  one: "Postgres, 1 process",
  uncached: "Postgres, nothing cached",
  two: "Postgres, 2 processes",
  embedded: "embedded",
  throughNext: "Postgres, through Next",
} as const;

const TITLES: Record<ReadName, string> = {
  health: "GET /health",
  balance: "GET balance",
  positions: "GET positions (50)",
  "open-orders": "GET open orders (100)",
  "order-by-id": "GET order by id",
};

const atLeast = (times: number, limit = "bare Next"): Target => ({
  text: `≥ ${times} × ${limit}`,
  isMet: (own, base) => (computeRatio(own, base) ?? 0) >= times,
});

const fastRead: Target = {
  text: "≥ 4 × bare Next, p99 ≤ its p99 / 5",
  isMet: (own, base) => (computeRatio(own, base) ?? 0) >= 4 && isWithinFifth(own, base),
};

function isWithinFifth({ p99 }: Measured, base: Measured | undefined): boolean {
  return p99 !== null && typeof base?.p99 === "number" && p99 <= base.p99 / 5;
}

const HEALTH_TARGETS = { [CANDIDATES.one]: atLeast(20) };
const READ_TARGETS = {
  [CANDIDATES.one]: fastRead,
  [CANDIDATES.embedded]: atLeast(1.2),
  [CANDIDATES.throughNext]: atLeast(0.5, CANDIDATES.proxiedNext),
};

export async function measureReads(stage: Stage): Promise<void> {
  for (const name of READ_NAMES) {
    const measured = await measureAlternately(listCandidates(stage, name), QUICK);
    const targets = name === "health" ? HEALTH_TARGETS : READ_TARGETS;
    reportAll(TITLES[name], measured, CANDIDATES.next, targets, {
      // Next mounts the interface behind proxy.ts.
      [CANDIDATES.throughNext]: CANDIDATES.proxiedNext,
    });
  }
}

function listCandidates(stage: Stage, name: ReadName): Candidate[] {
  const { one, two, next, embedded, bareNode, bareNext } = stage;
  const bare: Call[] = [{ method: "GET", path: `/${name}` }];
  const proxied: Call[] = [{ method: "GET", path: `/proxied/${name}` }];
  const onPostgres = buildCalls(stage.onPostgres, name);
  const node = { name: CANDIDATES.node, ports: [bareNode.port], pids: bareNode.pids, calls: bare };
  return [
    // Node's own limit is the same for every path.
    ...(name === "health" ? [node] : []),
    { name: CANDIDATES.next, ports: [bareNext.port], pids: bareNext.pids, calls: bare },
    { name: CANDIDATES.proxiedNext, ports: [bareNext.port], pids: bareNext.pids, calls: proxied },
    { name: CANDIDATES.one, ports: [one.port], pids: one.pids, calls: onPostgres },
    // Unique queries bypass the response cache. Measured on the other process, so that their cache
    // entries don't fill the first one's heap.
    ...(name === "health"
      ? []
      : [
          {
            name: CANDIDATES.uncached,
            ports: [two.port],
            pids: two.pids,
            calls: onPostgres.map(toUncached),
          },
        ]),
    {
      name: CANDIDATES.two,
      ports: [one.port, two.port],
      pids: [...one.pids, ...two.pids],
      calls: onPostgres,
    },
    {
      name: CANDIDATES.embedded,
      ports: [embedded.port],
      pids: embedded.pids,
      calls: buildCalls(stage.onEmbedded, name),
    },
    { name: CANDIDATES.throughNext, ports: [next.port], pids: next.pids, calls: onPostgres },
  ];
}

const toUncached = (call: Call): Call => ({ ...call, path: `${call.path}?anew=${UNIQUE}` });

function buildCalls({ readers }: Cast, name: ReadName): Call[] {
  return readers.map((reader) => ({
    method: "GET",
    path: READS[name](reader),
    headers: name === "health" ? {} : bearer(reader.apiKey),
  }));
}
