import "server-only";
import { Client } from "pg";

/** How long one server may take to say whether it accepts writes. */
const PROBE_TIMEOUT_MS = 2_000;
const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*,[^@/?#]*)((?:[/?#].*)?)$/;

/**
 * Splits the URL of a database into one for each of its hosts: `postgres://ante@a,b:5433/ante` names two
 * servers. The driver understands one host only: https://github.com/brianc/node-postgres/issues/1470
 */
export function listServers(url: string): string[] {
  const [, start, hosts, rest] = SEVERAL_HOSTS.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => `${start}${host}${rest}`);
}

/**
 * Makes a function that finds the server which accepts writes. It asks all of them together and prefers the
 * one that it found last, then the one that is named first. Concurrent calls share one search.
 */
export function makeServerFinder(servers: readonly string[]): () => Promise<string> {
  let [last = ""] = servers;
  let search: Promise<string> | null = null;
  const find = async () => {
    const inOrder = [last, ...servers.filter((server) => server !== last)];
    last = await findWritable(inOrder);
    return last;
  };
  return () => {
    search ??= find().finally(() => {
      search = null;
    });
    return search;
  };
}

/**
 * Finds the first server that accepts writes; a single one is not asked.
 *
 * @throws the last server's error if none does.
 */
export async function findWritable(servers: readonly string[]): Promise<string> {
  const [only] = servers;
  if (only !== undefined && servers.length === 1) return only;
  const probes = servers.map((server) => probe(server));
  for (const answered of probes) answered.catch(() => undefined);
  let failure: unknown;
  for (const [index, answered] of probes.entries()) {
    try {
      await answered;
      return servers[index] ?? "";
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function probe(server: string): Promise<void> {
  const client = new Client({
    connectionString: server,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  // A lost connection fails the running query, which reports it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>(
      "show transaction_read_only",
    );
    if (rows[0]?.transaction_read_only === "off") return;
    throw Object.assign(new Error("the database server accepts no writes"), { code: "25006" });
  } finally {
    client.end().catch(() => undefined);
  }
}
