// Paper orders that rest, that fill and that are canceled, compared with pgbench.
import type { CpuReader } from "@/bench/costs";
import type { Call } from "@/bench/load/scenario";
import {
  choosePace,
  type Measured,
  measureRound,
  type Pace,
  ROUNDS,
  type Round,
  summarize,
} from "@/bench/measure";
import {
  buildCancels,
  buildMarketable,
  buildPlacements,
  buildResting,
  measureCancels,
  ORDER_ID,
} from "@/bench/orders";
import { findPgbench, PGBENCH, preparePgbench } from "@/bench/pgbench";
import { reportMissing } from "@/bench/results";
import type { Allowance } from "@/bench/schedule";
import { type Cast, CANDIDATES, type Stage } from "@/bench/stage";
import { makeAll, makeAtLeast, makeCpuAtMost, reportAll, type Target } from "@/bench/targets";

const USERS = 100;

/** An order writes several times what pgbench's transaction writes. */
const TARGETS: Record<string, Target> = {
  [CANDIDATES.one]: makeAll(makeAtLeast(0.2), makeCpuAtMost(3)),
  [CANDIDATES.embedded]: makeAtLeast(0.5),
};
/** The embedded database writes to no disk at a commit, so it has another anchor. */
const OTHER_ANCHORS = { [CANDIDATES.embedded]: CANDIDATES.one };

interface Venue {
  name: string;
  ports: readonly number[];
  readCpu: CpuReader;
  resting: readonly Call[];
  marketable: readonly Call[];
}

const KINDS = ["resting order", "cancel", "marketable order"] as const;
type Kinds = Record<(typeof KINDS)[number], Round>;

export async function measureOrders(stage: Stage, allowance: Allowance): Promise<void> {
  const program = findPgbench();
  if (!program) reportMissing("resting order", PGBENCH, "pgbench is not installed");
  const measurePgbench = program && (await preparePgbench(stage.site, program));
  const venues = listVenues(stage);
  const pace = choosePace(allowance, 2 * venues.length + 1);
  const rounds = new Map<string, Kinds[]>(venues.map(({ name }) => [name, []]));
  const anchors: Round[] = [];
  for (const venue of venues) await runRound(venue, pace);
  for (let round = 0; round < ROUNDS && allowance.allows(round); round += 1) {
    if (measurePgbench) anchors.push(await measurePgbench(pace.seconds));
    for (const venue of venues) rounds.get(venue.name)?.push(await runRound(venue, pace));
  }
  for (const kind of KINDS) {
    const measured = new Map<string, Measured>();
    if (anchors.length > 0) measured.set(PGBENCH, summarize(anchors));
    for (const [name, list] of rounds)
      measured.set(name, summarize(list.map((each) => each[kind])));
    const targets = kind === "resting order" ? TARGETS : {};
    reportAll(kind, measured, PGBENCH, targets, OTHER_ANCHORS);
  }
}

/** Places resting orders, cancels them, then places marketable orders. */
async function runRound({ name, ports, readCpu, ...calls }: Venue, pace: Pace): Promise<Kinds> {
  const candidate = { name, ports, readCpu };
  const placed = await measureRound(
    { ...candidate, calls: calls.resting, collect: ORDER_ID },
    pace,
  );
  const cancels = buildCancels(calls.resting, placed.collected);
  const canceled = await measureCancels(candidate, cancels);
  const filled = await measureRound({ ...candidate, calls: calls.marketable }, pace);
  return { "resting order": placed, cancel: canceled, "marketable order": filled };
}

function listVenues({ site, one, two, next, embedded, ...casts }: Stage): Venue[] {
  const orders = buildCalls(casts.onPostgres);
  return [
    { name: CANDIDATES.one, ports: [one.port], readCpu: one.readCpu, ...orders },
    {
      name: CANDIDATES.two,
      ports: [one.port, two.port],
      readCpu: site.readCpuOf([one, two]),
      ...orders,
    },
    {
      name: CANDIDATES.embedded,
      ports: [embedded.port],
      readCpu: embedded.readCpu,
      ...buildCalls(casts.onEmbedded),
    },
    { name: CANDIDATES.throughNext, ports: [next.port], readCpu: next.readCpu, ...orders },
  ];
}

function buildCalls({ traders, tokens }: Cast): Pick<Venue, "resting" | "marketable"> {
  const users = traders.slice(0, USERS);
  return {
    resting: buildPlacements(users, tokens, (token) => buildResting(token)),
    marketable: buildPlacements(users, tokens, buildMarketable),
  };
}
