import type { ChildProcess } from "node:child_process";

export interface PostgresServer {
  /** Of the database `postgres`. */
  url: string;
  port: number;
  /** The folder of its files. */
  data: string;
  pid: number;
  stop: () => Promise<void>;
  /** Ends the server, in good order or at once, and keeps its files. */
  halt: (signal?: "SIGINT" | "SIGQUIT" | "SIGKILL") => Promise<void>;
  /** Starts it again on the same files and port. */
  resume: () => Promise<void>;
}

/** How the programs of a server run. */
interface Programs {
  programs: string;
  options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv; cwd: string };
}

export interface StartOptions {
  isDurable?: boolean;
  port?: number;
  create?: (data: string, programs: Programs) => Promise<void>;
}

export function startPostgres(options?: StartOptions): Promise<PostgresServer>;
export function freePort(): Promise<number>;
/** Waits until the server responds; throws if its process ends. */
export function waitUntilReady(url: string, server: ChildProcess): Promise<void>;
export const NOBODY: number;
