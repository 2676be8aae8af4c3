// Several processes of the service on one Postgres.
import { afterAll, beforeAll } from "vitest";
import {
  cleanUpAfterwards,
  type Environment,
  freshDataDir,
  NO_LIMITS,
  type Product,
  startProduct,
} from "@/tests/support/product/product";
import { startPostgres } from "@/tests/support/database/postgres.mjs";

const START_MS = 90_000;

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-product-tests-with-32-characters",
  NEXTAUTH_SECRET: "session-of-product-tests-with-32-characters",
  CRON_SECRET: "cron-of-product-tests-with-32-characters",
};

export interface Processes {
  readonly servers: Product[];
  /** The environment of each process, also for admin verbs. */
  env: Environment;
  /** Returns the port of a process; the indexes start again after the last one. */
  portOf: (index: number) => number;
  /** Kills a process with SIGKILL. */
  kill: (index: number) => Promise<() => Promise<void>>;
  /** Stops all processes. Returns their exit codes. */
  stopAll: () => Promise<(number | null)[]>;
}

/** Starts so many processes before a file's tests, and stops them and their database afterwards. */
export function useProcesses(count: number): Processes {
  let stopPostgres = async () => {};
  const servers: Product[] = [];
  const processes: Processes = {
    servers,
    env: {},
    portOf: (index) => servers[index % servers.length]?.port ?? 0,
    kill: async (index) => {
      const killed = servers[index];
      if (!killed) throw new Error("there is a process to kill");
      await killed.crash();
      const { dataDir, port } = killed;
      return async () => {
        servers[index] = await startProduct({ dataDir, env: processes.env, port });
      };
    },
    stopAll: async () =>
      (await Promise.all(servers.map((server) => server.stop()))).map(({ code }) => code),
  };
  // Registered first, so that it runs last: the processes must stop before their database.
  afterAll(() => stopPostgres());
  cleanUpAfterwards();
  beforeAll(async () => {
    const postgres = await startPostgres();
    stopPostgres = postgres.stop;
    processes.env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
    for (let index = 0; index < count; index += 1) {
      servers.push(await startProduct({ dataDir: freshDataDir(), env: processes.env }));
    }
  }, START_MS);
  return processes;
}
