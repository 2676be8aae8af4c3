import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DataDirectoryLockedError, lockDataDirectory } from "@/lib/db/lock";
import { buildTaker, startTaker, type Taker } from "@/tests/unit/db/lock-process";

const ROOT = mkdtempSync(join(tmpdir(), "ante-lock-"));
const HAS_PROC = existsSync("/proc/self/stat");

beforeAll(() => buildTaker(ROOT));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));
const takers: Taker[] = [];
afterEach(async () => {
  await Promise.all(takers.splice(0).map((taker) => taker.kill("SIGKILL")));
});

const newDirectory = () => mkdtempSync(join(ROOT, "data-"));

async function start(directory: string, how?: Parameters<typeof startTaker>[2]): Promise<Taker> {
  const taker = await startTaker(ROOT, directory, how);
  takers.push(taker);
  return taker;
}

/** The lock that a process leaves when it is killed. */
async function leaveStaleLock(directory: string): Promise<number> {
  const holder = await start(directory);
  expect(await holder.take()).toEqual({ won: true });
  await holder.kill("SIGKILL");
  expect(readdirSync(directory)).toEqual(["lock"]);
  return holder.pid;
}

describe("the lock of a data directory", () => {
  it("is refused to a second process, which names the first and leaves nothing", async () => {
    const directory = newDirectory();
    const [holder, second] = [await start(directory), await start(directory)];
    expect(await holder.take()).toEqual({ won: true });
    const refused = await second.take();
    expect(refused).toMatchObject({ won: false, name: "DataDirectoryLockedError" });
    expect(refused.message).toContain(`process ${holder.pid};`);
    expect(refused.message).toContain(directory);
    expect(readdirSync(directory)).toEqual(["lock"]);
  });

  it("is refused to the same process a second time", () => {
    const directory = newDirectory();
    const unlock = lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryLockedError);
    expect(() => lockDataDirectory(directory)).toThrow(`process ${process.pid};`);
    unlock();
  });

  it("is free again once it is given back, and nothing is left of it", async () => {
    const directory = newDirectory();
    const [holder, second] = [await start(directory), await start(directory)];
    await holder.take();
    await holder.release();
    expect(readdirSync(directory)).toEqual([]);
    expect(await second.take()).toEqual({ won: true });
  });

  it("of one directory does not lock another", () => {
    const unlock = [newDirectory(), newDirectory()].map(lockDataDirectory);
    expect(unlock).toHaveLength(2);
    for (const release of unlock) release();
  });

  it("can be read by its owner alone", () => {
    const directory = newDirectory();
    const unlock = lockDataDirectory(directory);
    expect(statSync(join(directory, "lock")).mode & 0o777).toBe(0o600);
    unlock();
  });
});

describe("a stale lock", () => {
  it("of a killed process is taken over, and then holds", async () => {
    const directory = newDirectory();
    await leaveStaleLock(directory);
    const [heir, late] = [await start(directory), await start(directory)];
    expect(await heir.take()).toEqual({ won: true });
    expect((await late.take()).message).toContain(`process ${heir.pid};`);
    expect(readdirSync(directory)).toEqual(["lock"]);
  });

  it.skipIf(!HAS_PROC)(
    "whose process id was given to another process is taken over (needs /proc)",
    () => {
      const directory = newDirectory();
      const lock = { pid: process.pid, startedAt: "1" };
      writeFileSync(join(directory, "lock"), JSON.stringify(lock));
      const unlock = lockDataDirectory(directory);
      expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryLockedError);
      unlock();
    },
  );

  it.each(["", "not json", "null", "[]", '{"pid":"x"}'])(
    "that names nobody is taken over: %j",
    (content) => {
      const directory = newDirectory();
      writeFileSync(join(directory, "lock"), content);
      lockDataDirectory(directory)();
      expect(readdirSync(directory)).toEqual([]);
    },
  );
});

describe("of takers at once", () => {
  const [TAKERS, ROUNDS] = [5, 15];

  it.each(["free", "stale"])("exactly one gets a %s lock, and the others name it", async (kind) => {
    const directory = newDirectory();
    const lock = join(directory, "lock");
    await leaveStaleLock(directory);
    const stale = readFileSync(lock);
    rmSync(lock);
    const all = await Promise.all(Array.from({ length: TAKERS }, () => start(directory)));
    for (let round = 0; round < ROUNDS; round += 1) {
      if (kind === "stale") writeFileSync(lock, stale);
      const at = Date.now() + 15;
      const outcomes = await Promise.all(all.map((taker) => taker.take(at)));
      const winners = all.filter((_taker, index) => outcomes[index]?.won);
      expect(winners).toHaveLength(1);
      const named = outcomes.filter(({ won }) => !won).map(({ message = "" }) => message);
      expect(named).toHaveLength(TAKERS - 1);
      for (const message of named) expect(message).toContain(`process ${winners[0]?.pid};`);
      await winners[0]?.release();
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  it.each([
    ["was overtaken while it removed a stale lock", false],
    ["had its turn when the stale lock was gone", true],
  ])("one that %s does not remove the new one", async (_name, isLate) => {
    const directory = newDirectory();
    await leaveStaleLock(directory);
    const pauseAt = join(ROOT, `go-on-${Date.now()}`);
    const [slow, quick] = [await start(directory, { pauseAt, isLate }), await start(directory)];
    const slowOutcome = slow.take();
    await slow.pausedOrDone();
    const quickOutcome = quick.take();
    // Should the quick one wait for the slow one, that is as good: then the slow one goes on first.
    await Promise.race([quickOutcome, wait(2_000)]);
    writeFileSync(pauseAt, "");
    const outcomes = await Promise.all([slowOutcome, quickOutcome]);
    rmSync(pauseAt);
    expect(outcomes.filter(({ won }) => won)).toHaveLength(1);
  });
});
