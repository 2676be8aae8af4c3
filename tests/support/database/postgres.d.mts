import type { ChildProcess } from "node:child_process";

export interface PostgresServer {
  /** Of the database `postgres`. */
  url: string;
  pid: number;
  stop: () => Promise<void>;
  /** Ends the server, in good order or at once, and keeps its files. */
  halt: (signal?: "SIGINT" | "SIGQUIT") => Promise<void>;
  /** Starts it again on the same files and port. */
  resume: () => Promise<void>;
}

export function startPostgres(options?: { isDurable?: boolean }): Promise<PostgresServer>;
export function freePort(): Promise<number>;
/** Waits until the server responds; throws if its process ends. */
export function waitUntilReady(url: string, server: ChildProcess): Promise<void>;
export const NOBODY: number;
