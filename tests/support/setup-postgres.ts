import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A real server; each test file makes a database of its own in it. */
    postgresUrl: string;
  }
}

/** Starts a real Postgres server for the tests that run on one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.stop;
}
