import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A real server, on which each test file creates its own database. */
    postgresUrl: string;
  }
}

/** Starts a Postgres server for the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.stop;
}
