// Paper orders that rest, that fill and that are canceled.
import type { Call } from "@/bench/load/scenario";
import {
  CONNECTIONS,
  type Measured,
  measureRound,
  type Pace,
  QUICK,
  reportAll,
  type Round,
  summarize,
  type Target,
} from "@/bench/measure";
import {
  buildCancels,
  buildMarketable,
  buildPlacements,
  buildResting,
  measureCancels,
  ORDER_ID,
} from "@/bench/orders";
import { CANDIDATES } from "@/bench/rows-reads";
import type { Cast, Stage } from "@/bench/stage";

const USERS = 200;
const WARM_UP: Pace = { rounds: 1, connections: CONNECTIONS, seconds: 0.5 };

const durable: Target = {
  text: "≥ 500/s, p99 ≤ 40 ms",
  isMet: ({ perSecond, p99 }) => (perSecond ?? 0) >= 500 && (p99 ?? Infinity) <= 40,
};
const onEmbedded: Target = { text: "≥ 100/s", isMet: ({ perSecond }) => (perSecond ?? 0) >= 100 };
const TARGETS = { [CANDIDATES.one]: durable, [CANDIDATES.embedded]: onEmbedded };

interface Venue {
  name: string;
  ports: readonly number[];
  pids: readonly number[];
  resting: readonly Call[];
  marketable: readonly Call[];
}

const KINDS = ["resting order", "cancel", "marketable order"] as const;

export async function measureOrders(stage: Stage): Promise<void> {
  const venues = listTargets(stage);
  const rounds = new Map(KINDS.map((kind) => [kind, new Map<string, Round[]>()]));
  for (const venue of venues) await runRound(venue, WARM_UP);
  for (let round = 0; round < QUICK.rounds; round += 1) {
    for (const venue of venues) {
      const measured = await runRound(venue, QUICK);
      for (const kind of KINDS) append(rounds.get(kind), venue.name, measured[kind]);
    }
  }
  for (const [kind, byVenue] of rounds) {
    const measured = new Map<string, Measured>();
    for (const [name, list] of byVenue) measured.set(name, summarize(list));
    reportAll(kind, measured, CANDIDATES.one, kind === "cancel" ? {} : TARGETS);
  }
}

/** Places resting orders, cancels them, then places marketable orders. */
async function runRound(
  { name, ports, pids, ...calls }: Venue,
  pace: Pace,
): Promise<Record<(typeof KINDS)[number], Round>> {
  const candidate = { name, ports, pids };
  const placed = await measureRound(
    { ...candidate, calls: calls.resting, collect: ORDER_ID },
    pace,
  );
  const cancels = buildCancels(calls.resting, placed.collected);
  const canceled = await measureCancels(candidate, cancels);
  const filled = await measureRound({ ...candidate, calls: calls.marketable }, pace);
  return { "resting order": placed, cancel: canceled, "marketable order": filled };
}

function append(rounds: Map<string, Round[]> | undefined, name: string, round: Round): void {
  rounds?.set(name, [...(rounds.get(name) ?? []), round]);
}

function listTargets({ one, two, next, embedded, ...casts }: Stage): Venue[] {
  const orders = buildCalls(casts.onPostgres);
  return [
    { name: CANDIDATES.one, ports: [one.port], pids: one.pids, ...orders },
    {
      name: CANDIDATES.two,
      ports: [one.port, two.port],
      pids: [...one.pids, ...two.pids],
      ...orders,
    },
    {
      name: CANDIDATES.embedded,
      ports: [embedded.port],
      pids: embedded.pids,
      ...buildCalls(casts.onEmbedded),
    },
    { name: CANDIDATES.throughNext, ports: [next.port], pids: next.pids, ...orders },
  ];
}

function buildCalls({ traders, tokens }: Cast): Pick<Venue, "resting" | "marketable"> {
  const users = traders.slice(0, USERS);
  return {
    resting: buildPlacements(users, tokens, (token) => buildResting(token)),
    marketable: buildPlacements(users, tokens, buildMarketable),
  };
}
