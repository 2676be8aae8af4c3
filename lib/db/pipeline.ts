import "server-only";
import type { Writable } from "node:stream";
import type { SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import { Client, type ClientConfig, type Pool, type PoolClient, types } from "pg";
import type { TransactionMode, Tx } from "@/lib/db/database";
import { findErrorCode } from "@/lib/db/errors";
import { compilePlain } from "@/lib/db/plain-statement";
import { withSafeErrors } from "@/lib/db/query-error";
import { repeatFailed } from "@/lib/db/repeat";

/** The most statement texts that a process prepares; it sends all others unnamed. */
const MAX_NAMED = 400;
/**
 * SQLSTATEs of a connection that is replaced: a prepared statement's result type has changed, or it is
 * missing; the server has become a standby, which accepts no writes.
 */
const UNUSABLE = new Set(["0A000", "26000", "25006"]);
/** Instants stay text: drizzle maps them itself. */
const AS_TEXT = new Set<number>([
  types.builtins.TIMESTAMPTZ,
  types.builtins.TIMESTAMP,
  types.builtins.DATE,
  types.builtins.INTERVAL,
]);
const TYPES = {
  getTypeParser: (type: number) =>
    AS_TEXT.has(type) ? (text: string) => text : types.getTypeParser(type, "text"),
};
const dialect = new PgDialect();

/** Names of statements by text; null for a text that ran once, because many never run again. */
const names = new Map<string, string | null>();
let lastName = 0;

type Connected = (error: Error) => void;

interface PipelinedConfig extends ClientConfig {
  /** Whether no statement is prepared, because the pooler in between cannot tell which session has it. */
  isUnnamed?: boolean;
  /** Finds the URL of the server to connect to, if the database has several. */
  findServer?: () => Promise<string>;
}

/**
 * A client in the driver's pipeline mode, which sends each statement without waiting for the one
 * before. It prepares statements that repeat, by giving them a name.
 */
export class PipelinedClient extends Client {
  #isGathering = false;

  constructor({ isUnnamed = false, findServer, ...config }: PipelinedConfig = {}) {
    super({ ...config, pipeline: true });
    if (findServer !== undefined) this.#findServerFirst(findServer);
    const sendQuery = super.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((given: unknown, values: unknown, ...rest: unknown[]) => {
      this.#gather();
      return sendQuery(isUnnamed ? removeName(given) : addName(given, values), values, ...rest);
    }) as Client["query"];
  }

  /** Makes `connect` look for the server. The servers differ in their addresses only. */
  #findServerFirst(findServer: () => Promise<string>): void {
    const connectTo = super.connect.bind(this) as (callback: Connected) => void;
    const connect = (callback: Connected) => {
      const found = ({ host, port }: Client) => {
        Object.assign(this, { host, port });
        connectTo(callback);
      };
      findServer().then((url) => found(new Client(url)), callback);
    };
    // The pool connects with a callback.
    this.connect = connect as Client["connect"];
  }

  /**
   * Holds statements back until no more code runs without waiting, so that those of one trip are one
   * write. A resting order makes 3 writes instead of 9, and writing was a third of its CPU time.
   */
  #gather(): void {
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    if (this.#isGathering) return;
    this.#isGathering = true;
    stream.cork();
    // A tick that a microtask queues comes after all microtasks.
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#isGathering = false;
        stream.uncork();
      });
    });
  }
}

const removeName = (config: unknown): unknown =>
  typeof config === "object" && config !== null && "name" in config
    ? { ...config, name: undefined }
    : config;

function addName(config: unknown, values: unknown): unknown {
  const isQuery = typeof config === "object" && config !== null && "text" in config;
  if (!isQuery || "submit" in config || !Array.isArray(values) || values.length === 0) {
    return config;
  }
  const name = findName(String(config.text));
  return name === null ? config : { ...config, name };
}

function findName(text: string): string | null {
  const known = names.get(text);
  if (known) return known;
  if (known === undefined && names.size >= MAX_NAMED) return null;
  const name = known === null ? `ante_${(lastName += 1)}` : null;
  names.set(text, name);
  return name;
}

/** A transaction with the statements that were sent but not awaited. */
interface OpenTransaction {
  client: PoolClient;
  unawaited: Promise<unknown>[];
}

const open = new WeakMap<Tx, OpenTransaction>();
/** One query builder per connection, so that prepared queries are built once. */
const builders = new WeakMap<PoolClient, Tx>();

/** How the transactions of a pool begin. */
export interface Beginning {
  mode?: TransactionMode | undefined;
  /** A statement without rows or values, which is sent with BEGIN. */
  first?: string | undefined;
}

/**
 * Runs `work` in a transaction of one connection. BEGIN travels with the first statement, and COMMIT
 * with the deferred ones.
 */
export async function runTransaction<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  { mode, first }: Beginning = {},
): Promise<T> {
  const client = await pool.connect();
  const tx = builders.get(client) ?? (drizzle(client) as unknown as Tx);
  builders.set(client, tx);
  const transaction: OpenTransaction = { client, unawaited: [] };
  open.set(tx, transaction);
  let failure: unknown = null;
  try {
    send(transaction, client.query(toBegin(mode)));
    if (first !== undefined) send(transaction, client.query(first));
    const result = await work(tx);
    const commit = client.query("commit");
    await withSafeErrors(() => Promise.all([...transaction.unawaited, commit]));
    if ((await commit).command === "ROLLBACK") {
      throw new Error("the transaction had failed and was not committed");
    }
    return result;
  } catch (error) {
    // Statements after a failed one only report that the transaction is aborted.
    failure = (await findFailure(transaction)) ?? error;
    await client.query("rollback").catch((lost: unknown) => (failure ??= lost));
    throw failure;
  } finally {
    open.delete(tx);
    client.release(UNUSABLE.has(findErrorCode(failure) ?? ""));
  }
}

/**
 * Wraps a pool so that each single statement is a transaction that begins with `first`. Everything is
 * sent in one trip, and repeated after a deadlock or a serialization failure.
 */
export function makeBeginning(pool: Pool, first: string): Pick<Pool, "query"> {
  const attempt = async (given: unknown[]) => {
    const client = await pool.connect();
    try {
      const sent = ["begin", first].map((text) => client.query(text));
      const result = client.query(...(given as [string]));
      const settled = await Promise.allSettled([result, ...sent, client.query("commit")]);
      for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
      return await result;
    } finally {
      client.release();
    }
  };
  const queryAlone = (...given: unknown[]) => repeatFailed(() => attempt(given));
  return { query: queryAlone as Pool["query"] };
}

/**
 * Runs statements of a transaction in one round trip and returns the rows of each. Each statement
 * sees the changes of those before it, and what other transactions committed before it started.
 */
export async function runBatch(tx: Tx, statements: readonly SQL[]): Promise<unknown[][]> {
  const transaction = open.get(tx);
  if (transaction) {
    const sent = statements.map((statement) => query(transaction.client, statement));
    return withSafeErrors(async () => (await Promise.all(sent)).map(({ rows }) => rows));
  }
  const found: unknown[][] = [];
  for (const statement of statements) {
    found.push(((await tx.execute(statement)) as unknown as { rows: unknown[] }).rows);
  }
  return found;
}

/** Sends a statement without waiting for it. If it fails, so does the transaction. */
export async function deferStatement(tx: Tx, statement: SQL): Promise<void> {
  const transaction = open.get(tx);
  if (transaction) send(transaction, query(transaction.client, statement));
  else await tx.execute(statement);
}

function toBegin(mode: TransactionMode | undefined): string {
  return mode ? `begin isolation level ${mode.isolationLevel} ${mode.accessMode}` : "begin";
}

function query(client: PoolClient, statement: SQL) {
  const { sql: text, params: values } = compilePlain(statement) ?? dialect.sqlToQuery(statement);
  return client.query({ text, types: TYPES }, values);
}

function send({ unawaited }: OpenTransaction, result: Promise<unknown>): void {
  unawaited.push(result);
  // The commit reports the failure.
  result.catch(() => undefined);
}

async function findFailure({ unawaited }: OpenTransaction): Promise<unknown> {
  try {
    await withSafeErrors(() => Promise.all(unawaited));
    return null;
  } catch (error) {
    return error;
  }
}
