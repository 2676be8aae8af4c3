import { expect, it } from "vitest";
import { shareStatement } from "@/lib/db/share-statement";
import { Scheduler } from "@/tests/simulation/scheduler";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { Random } from "@/tests/support/random";

useFreshDatabase();

const LONG_MS = 60_000;

it("a task at a gate that also reads ends its read before another task runs", async () => {
  const scheduler = new Scheduler(0);
  const statements: (readonly string[])[] = [];
  const find = shareStatement(async (_db, ids: readonly string[]) => {
    statements.push(ids);
    return scheduler.database(async () => ids.map((id, index) => ({ id, position: index + 1 })));
  });
  const found: unknown[] = [];
  const random = new Random(1);
  await scheduler.start({ name: "waits and reads", process: "A" }, async () => {
    await scheduler.gate();
    const waiting = scheduler.gate({ delayMs: LONG_MS });
    found.push(await find("a"));
    await waiting;
  });
  await scheduler.step(random);
  await scheduler.start({ name: "reads", process: "B" }, async () => {
    found.push(await find("b"));
  });
  while (await scheduler.step(random));
  expect(statements).toEqual([["a"], ["b"]]);
  expect(found).toHaveLength(2);
  expect(scheduler.running).toEqual([]);
});
