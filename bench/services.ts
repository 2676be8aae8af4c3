// The services under test, their databases and their users.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type CpuReader, makeCpuReader } from "@/bench/costs";
import {
  type Environment,
  type Product,
  runAdmin,
  startProduct,
} from "@/tests/support/product/process";
import { type PostgresServer, startPostgres } from "@/tests/support/database/postgres.mjs";

/** Without rate limits and request logs, which would distort the results. */
const QUIET: Environment = {
  RATE_LIMIT_READS_PER_S: "0",
  RATE_LIMIT_WRITES_PER_S: "0",
  LOG_LEVEL: "error",
};
const SEEDS_AT_ONCE = 200;
/** More than any measurement spends. */
const DEPOSIT = "1000000";

export interface Trader {
  userId: string;
  email: string;
  password: string;
  apiKey: string;
}

/** A running service and a reader of its CPU time. */
export interface Service {
  port: number;
  readCpu: CpuReader;
  product: Product;
}

/** The folder, database server and secrets of one run. `close` removes everything. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), "ante-bench-"));
  readonly #secrets: Environment = {
    KEY_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    API_KEY_PEPPER: randomBytes(32).toString("base64url"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    CRON_SECRET: randomBytes(32).toString("base64url"),
  };
  #postgres: PostgresServer | null = null;
  #folders = 0;

  async open(): Promise<void> {
    this.#postgres = await startPostgres({ isDurable: true });
  }

  async close(): Promise<void> {
    await this.#postgres?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  newFolder(): string {
    this.#folders += 1;
    return join(this.folder, `data-${this.#folders}`);
  }

  get postgresPid(): number {
    return this.#postgres?.pid ?? 0;
  }

  /** Makes a reader of these services and Postgres, or only its connections to one database. */
  readCpuOf(services: readonly Pick<Service, "product">[], database?: string): CpuReader {
    const pids = services.map(({ product }) => product.pid);
    const only = database === undefined ? {} : { database };
    return makeCpuReader(pids, { pid: this.postgresPid, ...only });
  }

  buildUrl(database: string): string {
    const url = new URL(this.#postgres?.url ?? "");
    url.pathname = `/${database}`;
    return url.href;
  }

  /** Creates a database, optionally as a copy of `template`. */
  async createDatabase(name: string, template?: string): Promise<void> {
    const from = template === undefined ? "" : ` template ${template}`;
    await this.query("postgres", `create database ${name}${from}`);
  }

  async query(database: string, text: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: this.buildUrl(database) });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  /** Returns the environment of a service on a Postgres database. */
  onPostgres(database: string): Environment {
    return {
      ...QUIET,
      ...this.#secrets,
      DATABASE_URL: this.buildUrl(database),
      DATA_DIR: this.folder,
    };
  }

  /** Returns the environment of a service on its own embedded database. */
  embedded(): Environment {
    return { ...QUIET, DATA_DIR: this.newFolder() };
  }

  async start(env: Environment, args?: (port: number) => readonly string[]): Promise<Service> {
    const dataDir = env["DATA_DIR"] ?? this.folder;
    const product = await startProduct({ dataDir, env, ...(args ? { args } : {}) });
    const isEmbedded = env["DATABASE_URL"] === undefined;
    const readCpu = isEmbedded ? makeCpuReader([product.pid]) : this.readCpuOf([{ product }]);
    return { port: product.port, readCpu, product };
  }
}

/** Returns the arguments of `next start`, which serves the API like Vercel does. */
export const buildNextArguments = (port: number): readonly string[] => [
  "node_modules/next/dist/bin/next",
  "start",
  "--port",
  String(port),
  "--hostname",
  "127.0.0.1",
];

/** Creates users with paper money. No server may have the embedded database open. */
export async function seed(env: Environment, count: number): Promise<Trader[]> {
  const traders: Trader[] = [];
  while (traders.length < count) {
    const users = String(Math.min(SEEDS_AT_ONCE, count - traders.length));
    const document = await admin(env, "seed", { users, deposit: DEPOSIT });
    traders.push(...(document as { users: Trader[] }).users);
  }
  return traders;
}

/** Runs an admin verb and returns the document that it prints. */
export async function admin(
  env: Environment,
  verb: string,
  options: Record<string, string>,
): Promise<unknown> {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, stdout, output } = await runAdmin([verb, ...given, "--json"], env);
  if (code !== 0) throw new Error(`admin ${verb} exited with ${code}:\n${output}`);
  return JSON.parse(stdout);
}
