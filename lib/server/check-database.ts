import "server-only";
import { Client } from "pg";
import { findWritable, listServers } from "@/lib/db/servers";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";

/** A larger difference between this host's clock and the database's causes a warning. */
const MAX_CLOCK_DIFFERENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 5_000;

interface DatabaseFacts {
  pid: number;
  synchronous_commit: string;
  synchronous_standby_names: string;
  fsync: string;
  at_ms: string;
}

const FACTS_QUERY = `select pg_backend_pid() as pid,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('synchronous_standby_names') as synchronous_standby_names,
  current_setting('fsync') as fsync,
  extract(epoch from clock_timestamp()) * 1000 as at_ms`;

const MIXED =
  "a pooler in front of the database sends one connection's statements to several sessions: " +
  "set DATABASE_POOLER=transaction";

let warnings: readonly string[] = [];

/** Returns the warnings of the last check, for the banner. */
export const getDatabaseWarnings = (): readonly string[] => warnings;

/** Checks the Postgres server of DATABASE_URL, and logs settings that weaken the service's guarantees. */
export async function checkDatabase(): Promise<void> {
  const { DATABASE_URL, DATABASE_POOLER: pooler, VENUES } = env();
  if (DATABASE_URL === undefined) return;
  try {
    warnings = await inspectDatabase(DATABASE_URL, {
      isLive: VENUES.includes("polymarket"),
      pooler,
    });
  } catch (error) {
    log.warn("database settings check failed", errorFields(error));
  }
  for (const warning of warnings) log.warn(warning);
}

/** Lists the settings of a Postgres server that weaken the service's guarantees, one sentence each. */
export async function inspectDatabase(
  url: string,
  { isLive, pooler }: { isLive: boolean; pooler?: "transaction" | undefined },
): Promise<string[]> {
  const server = await findWritable(listServers(url));
  const [first, second] = [newClient(server), newClient(server)];
  try {
    await first.connect();
    const askedAt = Date.now();
    const facts = await readFacts(first);
    const respondedAt = Date.now();
    await second.connect();
    const found = checkDurability(facts, isLive);
    const clock = checkClock(Number(facts.at_ms), { askedAt, respondedAt });
    if (clock !== null) found.push(clock);
    if (pooler === undefined && (await mixesConnections(first, second))) found.push(MIXED);
    return found;
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}

/**
 * Returns whether a pooler shares server sessions between connections. It does so between
 * transactions, so the second connection keeps a transaction open meanwhile.
 */
async function mixesConnections(first: Client, second: Client): Promise<boolean> {
  const before = await readFacts(first);
  await second.query("begin");
  try {
    const other = await readFacts(second);
    if (other.pid === before.pid) return true;
    return (await readFacts(first)).pid !== before.pid;
  } finally {
    await second.query("rollback");
  }
}

function checkDurability(facts: DatabaseFacts, isLive: boolean): string[] {
  const found: string[] = [];
  const { fsync, synchronous_commit: commit, synchronous_standby_names: standbys } = facts;
  if (fsync === "off") found.push("fsync is off in the database: a crash of its host destroys it");
  if (commit === "off") {
    found.push(
      "synchronous_commit is off in the database: a crash loses orders that were confirmed with 200",
    );
  }
  if (isLive && (standbys === "" || commit === "off" || commit === "local")) {
    found.push(
      "no synchronous standby confirms the database's commits: a failover loses the newest orders, " +
        "which are then open at the venue without a record here",
    );
  }
  return found;
}

/** Warns if the clocks differ by more than the round trip explains. */
function checkClock(
  at: number,
  { askedAt, respondedAt }: { askedAt: number; respondedAt: number },
): string | null {
  const aheadMs = Math.max(at - respondedAt, 0) || Math.min(at - askedAt, 0);
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  const direction = aheadMs > 0 ? "behind" : "ahead of";
  return `the clock of this host is ${seconds} s ${direction} the database's: synchronize both`;
}

async function readFacts(client: Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(FACTS_QUERY);
  const [facts] = rows;
  if (!facts) throw new Error("the database returned no settings");
  return facts;
}

function newClient(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // A lost connection fails the running query, which reports it.
  client.on("error", () => undefined);
  return client;
}
