import type { PGlite } from "@electric-sql/pglite";
import { makeEmbeddedDatabase, useDatabase } from "@/lib/db/client";
import { EmbeddedClient } from "@/lib/db/embedded-client";
import { migrateDatabase } from "@/lib/db/migrate";
import { loadPaperSeed } from "@/lib/db/paper-seed";
import type { Scheduler } from "@/tests/simulation/scheduler";

/** The scheduler of database calls; null outside of a run. */
export interface DatabaseGate {
  scheduler: Scheduler | null;
}

/** Opens the service's embedded database with a gate before every statement and transaction. */
export async function openGatedDatabase(gate: DatabaseGate): Promise<() => Promise<void>> {
  const client = await EmbeddedClient.open({});
  const database = makeEmbeddedDatabase(addGate(client, gate), () => {});
  await migrateDatabase(database);
  await loadPaperSeed(database);
  useDatabase(database);
  return () => client.close();
}

function addGate(client: PGlite, gate: DatabaseGate): PGlite {
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    gate.scheduler ? gate.scheduler.database(work) : work();
  const query: PGlite["query"] = (...args) => run(() => client.query(...args));
  const transaction: PGlite["transaction"] = (work) => run(() => client.transaction(work));
  const own: Partial<PGlite> = { query, transaction };
  return new Proxy(client, {
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  });
}
