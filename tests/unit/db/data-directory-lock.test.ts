import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DataDirectoryLockedError, lockDataDirectory } from "@/lib/db/data-directory-lock";
import {
  buildTaker,
  canUnshare,
  CONTAINER,
  startTaker,
  type Taker,
} from "@/tests/unit/db/data-directory-lock-process";

const ROOT = mkdtempSync(join(tmpdir(), "ante-lock-"));
const IS_LINUX = process.platform === "linux";
const HOLDER_FILES = ["lock", expect.stringMatching(/^lock\.\d+\.[\da-f]{16}$/)];

beforeAll(() => buildTaker(ROOT));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));
const takers: Taker[] = [];
afterEach(async () => {
  await Promise.all(takers.splice(0).map((taker) => taker.kill("SIGKILL")));
});

const newDirectory = () => mkdtempSync(join(ROOT, "data-"));

async function start(directory: string, namespaces: readonly string[] = []): Promise<Taker> {
  const taker = await startTaker(ROOT, directory, namespaces);
  takers.push(taker);
  return taker;
}

/** Starts a process that takes the lock, and kills it. */
async function leaveStaleLock(directory: string): Promise<void> {
  const holder = await start(directory);
  expect(await holder.take()).toEqual({ won: true });
  await holder.kill("SIGKILL");
  expect(readdirSync(directory)).toEqual(HOLDER_FILES);
}

describe("the lock of a data directory", () => {
  it("rejects a second process with the first one's id and leaves no files of it", async () => {
    const directory = newDirectory();
    const [holder, second] = [await start(directory), await start(directory)];
    expect(await holder.take()).toEqual({ won: true });
    const refused = await second.take();
    expect(refused).toMatchObject({ won: false, name: "DataDirectoryLockedError" });
    expect(refused.message).toContain(`process ${holder.pid} of ${hostname()};`);
    expect(refused.message).toContain(directory);
    expect(readdirSync(directory)).toEqual(HOLDER_FILES);
  });

  it("rejects the same process a second time", async () => {
    const directory = newDirectory();
    const unlock = await lockDataDirectory(directory);
    await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryLockedError);
    await expect(lockDataDirectory(directory)).rejects.toThrow(`process ${process.pid} of`);
    unlock();
  });

  it("is free after its release and leaves no files", async () => {
    const directory = newDirectory();
    const [holder, second] = [await start(directory), await start(directory)];
    await holder.take();
    await holder.release();
    expect(readdirSync(directory)).toEqual([]);
    expect(await second.take()).toEqual({ won: true });
  });

  it("does not lock another directory", async () => {
    const unlock = await Promise.all([newDirectory(), newDirectory()].map(lockDataDirectory));
    expect(unlock).toHaveLength(2);
    for (const release of unlock) release();
  });

  it("is readable by its owner only", async () => {
    const directory = newDirectory();
    const unlock = await lockDataDirectory(directory);
    for (const name of readdirSync(directory)) {
      expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
    }
    unlock();
  });

  it.skipIf(!IS_LINUX)(
    "works in a directory with a path too long for a socket (needs /proc)",
    async () => {
      const directory = join(newDirectory(), "x".repeat(100), "y".repeat(200));
      mkdirSync(directory, { recursive: true });
      const [holder, second] = [await start(directory), await start(directory)];
      expect(await holder.take()).toEqual({ won: true });
      expect((await second.take()).message).toContain(`process ${holder.pid} of`);
      await holder.kill("SIGKILL");
      expect(await second.take()).toEqual({ won: true });
      await second.release();
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it("rejects within 5 s with the holder's id while the holder is stopped", async () => {
    const directory = newDirectory();
    const [holder, second] = [await start(directory), await start(directory)];
    await holder.take();
    await holder.kill("SIGSTOP");
    const times: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const startedAt = performance.now();
      const { won, message } = await second.take();
      times.push(performance.now() - startedAt);
      expect(won).toBe(false);
      expect(message).toContain(`process ${holder.pid}, which does not answer;`);
    }
    // The fastest attempt, because other load on the machine only adds time.
    expect(Math.min(...times)).toBeLessThan(5_000);
  });
});

describe.each([
  ["pid", CONTAINER],
  ["pid and network", [...CONTAINER, "--net"]],
])("between containers, which have %s namespaces of their own", (_name, flags) => {
  it.skipIf(!canUnshare(flags))(
    "the lock is rejected, and taken over from a killed holder (needs the right to unshare)",
    async () => {
      const directory = newDirectory();
      const [holder, second] = [await start(directory, flags), await start(directory, flags)];
      // Process ids don't help here, because each process has id 1 in its namespace.
      expect([holder.pid, second.pid]).toEqual([1, 1]);
      expect(await holder.take()).toEqual({ won: true });
      const outside = await start(directory);
      for (const other of [second, outside]) {
        expect(await other.take()).toMatchObject({
          won: false,
          message: expect.stringContaining(`process 1 of ${hostname()};`) as string,
        });
      }
      await holder.kill("SIGKILL");
      expect(await second.take()).toEqual({ won: true });
      expect((await outside.take()).won).toBe(false);
    },
  );
});

describe("a stale lock", () => {
  it("of a killed process is taken over and then rejects others", async () => {
    const directory = newDirectory();
    await leaveStaleLock(directory);
    const [heir, late] = [await start(directory), await start(directory)];
    expect(await heir.take()).toEqual({ won: true });
    expect((await late.take()).message).toContain(`process ${heir.pid} of`);
    expect(readdirSync(directory)).toEqual(HOLDER_FILES);
  });
});

describe("the lock file of an old version", () => {
  it.skipIf(!IS_LINUX)(
    "rejects this version only while its process runs (needs /proc)",
    async () => {
      const directory = newDirectory();
      const other = await start(directory);
      const stat = readFileSync(`/proc/${other.pid}/stat`, "utf8");
      const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
      const write = (holder: object) =>
        writeFileSync(join(directory, "lock"), JSON.stringify(holder));
      write({ pid: other.pid, startedAt });
      await expect(lockDataDirectory(directory)).rejects.toThrow(`process ${other.pid} of`);
      expect(readdirSync(directory)).toEqual(["lock"]);
      // Another process has its id now.
      write({ pid: other.pid, startedAt: "1" });
      (await lockDataDirectory(directory))();
      write({ pid: other.pid, startedAt });
      await other.kill("SIGKILL");
      (await lockDataDirectory(directory))();
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it.each(["", "not json", "null", "[]", '{"pid":"x"}'])(
    "that does not name a process is taken over: %j",
    async (content) => {
      const directory = newDirectory();
      writeFileSync(join(directory, "lock"), content);
      (await lockDataDirectory(directory))();
      expect(readdirSync(directory)).toEqual([]);
    },
  );
});

describe("concurrent lock attempts", () => {
  const [TAKERS, ROUNDS] = [5, 15];

  it.each(["free", "stale"])(
    "give a %s lock to exactly one process, and the others name it",
    async (kind) => {
      const directory = newDirectory();
      const all = await Promise.all(Array.from({ length: TAKERS }, () => start(directory)));
      for (let round = 0; round < ROUNDS; round += 1) {
        if (kind === "stale") await leaveStaleLock(directory);
        const at = Date.now() + 15;
        const outcomes = await Promise.all(all.map((taker) => taker.take(at)));
        const winners = all.filter((_taker, index) => outcomes[index]?.won);
        expect(winners).toHaveLength(1);
        const named = outcomes.filter(({ won }) => !won).map(({ message = "" }) => message);
        expect(named).toHaveLength(TAKERS - 1);
        for (const message of named) expect(message).toContain(`process ${winners[0]?.pid} of`);
        await winners[0]?.release();
        expect(readdirSync(directory)).toEqual([]);
      }
    },
  );
});
