import type { TestProject } from "vitest/node";
import { startPgbouncer } from "./pgbouncer.mjs";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The same server through PgBouncer in transaction mode; missing in the other projects. */
    pooledUrl?: string;
  }
}

/** Starts a Postgres server and PgBouncer for the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const pooler = await startPgbouncer(server.url);
  project.provide("postgresUrl", server.url);
  project.provide("pooledUrl", pooler.url);
  return async () => {
    await pooler.stop();
    await server.stop();
  };
}
