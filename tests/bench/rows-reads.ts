// Reads, against the limits of the platform: bare servers that answer the same bytes.
import { type Call, UNIQUE } from "@/tests/bench/load/scenario";
import {
  type Candidate,
  interleave,
  type Measured,
  QUICK,
  reportAll,
  type Target,
  timesAsMany,
} from "@/tests/bench/measure";
import { bearer } from "@/tests/bench/orders";
import { type Cast, READ_NAMES, type ReadName, READS, type Stage } from "@/tests/bench/stage";

export const CANDIDATES = {
  node: "bare node:http",
  next: "bare Next",
  one: "Postgres, 1 process",
  anew: "Postgres, nothing kept",
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

const atLeast = (times: number): Target => ({
  text: `≥ ${times} × bare Next`,
  isMet: (own, base) => (timesAsMany(own, base) ?? 0) >= times,
});

const fastRead: Target = {
  text: "≥ 4 × bare Next, p99 ≤ its p99 / 5",
  isMet: (own, base) => (timesAsMany(own, base) ?? 0) >= 4 && isWithinFifth(own, base),
};

function isWithinFifth({ p99 }: Measured, base: Measured | undefined): boolean {
  return p99 !== null && typeof base?.p99 === "number" && p99 <= base.p99 / 5;
}

const HEALTH_TARGETS = { [CANDIDATES.one]: atLeast(20) };
const READ_TARGETS = {
  [CANDIDATES.one]: fastRead,
  [CANDIDATES.embedded]: atLeast(1.2),
  [CANDIDATES.throughNext]: atLeast(0.5),
};

export async function measureReads(stage: Stage): Promise<void> {
  for (const name of READ_NAMES) {
    const measured = await interleave(candidatesOf(stage, name), QUICK);
    const targets = name === "health" ? HEALTH_TARGETS : READ_TARGETS;
    reportAll(TITLES[name], measured, CANDIDATES.next, targets);
  }
}

function candidatesOf(stage: Stage, name: ReadName): Candidate[] {
  const { one, two, next, embedded, bareNode, bareNext } = stage;
  const bare: Call[] = [{ method: "GET", path: `/${name}` }];
  const onPostgres = callsOf(stage.onPostgres, name);
  const node = { name: CANDIDATES.node, ports: [bareNode.port], pids: bareNode.pids, calls: bare };
  return [
    // What Node itself can do is the same for every path.
    ...(name === "health" ? [node] : []),
    { name: CANDIDATES.next, ports: [bareNext.port], pids: bareNext.pids, calls: bare },
    { name: CANDIDATES.one, ports: [one.port], pids: one.pids, calls: onPostgres },
    // An answer is kept for the whole of a path and its query. By the other process: what it keeps of
    // queries that nobody repeats would be on the first one's heap.
    ...(name === "health"
      ? []
      : [
          { name: CANDIDATES.anew, ports: [two.port], pids: two.pids, calls: onPostgres.map(anew) },
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
      calls: callsOf(stage.onEmbedded, name),
    },
    { name: CANDIDATES.throughNext, ports: [next.port], pids: next.pids, calls: onPostgres },
  ];
}

const anew = (call: Call): Call => ({ ...call, path: `${call.path}?anew=${UNIQUE}` });

function callsOf({ readers }: Cast, name: ReadName): Call[] {
  return readers.map((reader) => ({
    method: "GET",
    path: READS[name](reader),
    headers: name === "health" ? {} : bearer(reader.apiKey),
  }));
}
