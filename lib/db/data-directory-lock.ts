import "server-only";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A process that listens on a socket in the data directory. */
interface Process {
  pid: number;
  /** Null if the process does not respond. */
  host: string | null;
  /** False while it is still looking for other processes. */
  isHolder: boolean;
}

/** `lock.PID.RANDOM`: a name is never used twice, so a dead socket can be removed at any time. */
const SOCKET_NAME = /^lock\.(\d+)\.[\da-f]{16}$/;
/** The smallest limit of any system for a unix socket's path, without the terminating byte. */
const MAX_PATH_BYTES = 103;
/** A process that accepts a connection and sends nothing for this long is stopped or busy. */
const SILENCE_MS = 2_000;
/** Two processes that start together agree well before this. A refusal comes within five seconds. */
const DECIDE_WITHIN_MS = 3_000;
const RETRY_MS = 20;

/** Thrown when another running process has the data directory open. */
export class DataDirectoryLockedError extends Error {
  override readonly name = "DataDirectoryLockedError";
}

/**
 * Locks the data directory for this process, because two processes on one embedded database lose
 * committed rows without an error. The lock is a listening unix socket in the directory. Unlike a
 * process id, it works across all containers of one kernel, and it ends with its process.
 *
 * A process that wants the lock listens first, then looks for others that listen. It holds the lock
 * once it finds none. If two find each other, the one with the lesser name continues.
 *
 * @returns a function that releases the lock.
 * @throws DataDirectoryLockedError if another process holds the lock.
 */
export async function lockDataDirectory(directory: string): Promise<() => void> {
  const deadline = performance.now() + DECIDE_WITHIN_MS;
  for (;;) {
    const candidate = await Candidate.listen(directory);
    try {
      const other = await candidate.findOther(deadline);
      if (other === null) return candidate.hold();
      if (other.isHolder || performance.now() > deadline) throw lockedError(directory, other);
    } catch (error) {
      candidate.end();
      throw error;
    }
    candidate.end();
    await wait(RETRY_MS);
  }
}

class Candidate {
  #isHolder = false;

  private constructor(
    private readonly directory: string,
    private readonly folder: number,
    private readonly name: string,
    private readonly server: Server,
  ) {
    server.on("connection", (socket) => {
      socket.on("error", () => socket.destroy());
      const self: Process = { pid: process.pid, host: hostname(), isHolder: this.#isHolder };
      socket.end(JSON.stringify(self));
    });
  }

  static async listen(directory: string): Promise<Candidate> {
    const folder = openSync(directory, "r");
    const name = `lock.${process.pid}.${randomBytes(8).toString("hex")}`;
    const server = createServer();
    server.unref();
    const candidate = new Candidate(directory, folder, name, server);
    try {
      await listenAt(server, candidate.toSocketPath(`${name}.new`), directory);
      chmodSync(join(directory, `${name}.new`), 0o600);
      // The socket gets its name once it listens: a named socket without a listener belongs to a dead process.
      renameSync(join(directory, `${name}.new`), join(directory, name));
      return candidate;
    } catch (error) {
      candidate.end();
      throw error;
    }
  }

  /** Finds a process that keeps this one from the lock; null if there is none. */
  async findOther(deadline: number): Promise<Process | null> {
    for (;;) {
      const names = readdirSync(this.directory).filter(
        (name) => name !== this.name && SOCKET_NAME.test(name),
      );
      const asked = await Promise.all(
        names.map(async (name) => ({ name, at: await this.ask(name) })),
      );
      const running = asked.flatMap(({ name, at }) => (at === null ? [] : [{ name, ...at }]));
      const [first] = running;
      if (!first) return null;
      const holder = running.find(({ isHolder }) => isHolder);
      if (holder || performance.now() > deadline) return holder ?? first;
      const lesser = running.find(({ name }) => name < this.name);
      if (lesser) return lesser;
      // The others find this one and withdraw, except one that looked earlier and holds the lock now.
      await wait(RETRY_MS);
    }
  }

  hold(): () => void {
    assertNoOldVersion(this.directory);
    this.#isHolder = true;
    writeHolderFile(this.directory);
    return () => {
      rmSync(holderFile(this.directory), { force: true });
      this.end();
    };
  }

  end(): void {
    rmSync(join(this.directory, this.name), { force: true });
    rmSync(join(this.directory, `${this.name}.new`), { force: true });
    this.server.close();
    closeSync(this.folder);
  }

  /** Asks which process listens on a socket. Null if it has ended; then the socket is removed. */
  private ask(name: string): Promise<Process | null> {
    const pid = Number(SOCKET_NAME.exec(name)?.[1]);
    return new Promise((resolve) => {
      let text = "";
      let isSilent = false;
      const socket = connect(this.toSocketPath(name));
      socket.setEncoding("utf8");
      socket.setTimeout(SILENCE_MS, () => {
        isSilent = true;
        socket.destroy();
      });
      socket.on("data", (chunk: string) => (text += chunk));
      socket.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") rmSync(join(this.directory, name), { force: true });
        if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(null);
      });
      // A process that hung up may be ending. It counts as looking, so it is asked again.
      socket.on("close", () => resolve(parse(text) ?? { pid, host: null, isHolder: isSilent }));
    });
  }

  /** Returns a socket's path; if it is too long for the system, through the open folder's descriptor. */
  private toSocketPath(name: string): string {
    const direct = join(this.directory, name);
    if (Buffer.byteLength(direct) <= MAX_PATH_BYTES) return direct;
    const short = `/proc/self/fd/${this.folder}`;
    if (existsSync(short)) return join(short, name);
    throw new Error(
      `the path of ${this.directory} is too long to lock it; choose a shorter DATA_DIR`,
    );
  }
}

function listenAt(server: Server, path: string, directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const reason =
        `${directory} cannot be locked (${cause.code}): its file system refuses unix sockets, ` +
        "which keep a second process out of the embedded database. Put DATA_DIR on a local disk " +
        "or a volume of the container engine, or set DATABASE_URL.";
      reject(new Error(reason, { cause }));
    });
    server.listen(path, resolve);
  });
}

function parse(text: string): Process | null {
  try {
    const { pid, host, isHolder } = JSON.parse(text) as Partial<Process>;
    return { pid: Number(pid), host: String(host), isHolder: isHolder !== false };
  } catch {
    return null;
  }
}

function lockedError(directory: string, { pid, host }: Pick<Process, "pid" | "host">): Error {
  const holder =
    host === null ? `process ${pid}, which does not answer` : `process ${pid} of ${host}`;
  return new DataDirectoryLockedError(
    `${directory} is in use by ${holder}; the embedded database serves one process. ` +
      `Stop that process, choose another DATA_DIR, or set DATABASE_URL to share one Postgres.`,
  );
}

/** The file that names the lock's holder. Versions up to 1.0 have no other lock. */
const holderFile = (directory: string) => join(directory, "lock");

function writeHolderFile(directory: string): void {
  const { pid } = process;
  const holder = { pid, startedAt: readStartTime(pid), host: hostname() };
  writeFileSync(holderFile(directory), JSON.stringify(holder), { mode: 0o600 });
}

/** Throws if a process of a version without sockets has the directory open. */
function assertNoOldVersion(directory: string): void {
  if (!existsSync(holderFile(directory))) return;
  try {
    const text = readFileSync(holderFile(directory), "utf8");
    const holder = JSON.parse(text) as { pid: number; startedAt?: string | null; host?: string };
    // A holder with a host had a socket, and no process listens there.
    if (holder.host !== undefined || !isAlive(Number(holder.pid))) return;
    if (readStartTime(holder.pid) !== (holder.startedAt ?? null)) return;
    throw lockedError(directory, { pid: holder.pid, host: hostname() });
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) throw error;
    // The file does not name a process.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Reads when a process started, in kernel ticks: field 22 of /proc/<pid>/stat. Null without /proc. */
function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
