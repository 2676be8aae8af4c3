import { expect, it } from "vitest";
import { shareStatement } from "@/lib/db/share-statement";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";

useFreshDatabase();

interface Key {
  id: string;
  part: string | null;
}

/** Makes a lookup whose statements end when the test says so, each with its number. */
function makeHeldLookup() {
  const started: { keys: readonly Key[]; end: () => void }[] = [];
  const find = shareStatement(async (_db, keys: readonly Key[]) => {
    const number = started.length + 1;
    await new Promise<void>((resolve) => started.push({ keys, end: resolve }));
    return keys.map((key, index) => ({ ...key, number, position: index + 1 }));
  });
  const waitForStart = async (count: number) => {
    while (started.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { find, started, waitForStart };
}

const KEY: Key = { id: "a", part: null };

it("concurrent calls with equal keys share the row, and other keys get their own", async () => {
  const { find, started, waitForStart } = makeHeldLookup();
  const keys: Key[] = [KEY, { id: "a", part: "null" }, { ...KEY }, { id: "b", part: null }];
  const found = Promise.all(keys.map(find));
  await waitForStart(1);
  started[0]?.end();
  const [first, second, third, fourth] = await found;
  expect(started.map((statement) => statement.keys)).toEqual([[keys[0], keys[1], keys[3]]]);
  expect(third).toBe(first);
  expect([first, second, fourth]).toMatchObject([keys[0], keys[1], keys[3]] as object[]);
});

it("a call after a statement has started gets the row of a later one, also for the same key", async () => {
  const { find, started, waitForStart } = makeHeldLookup();
  const earlier = find(KEY);
  await waitForStart(1);
  const later = find(KEY);
  await waitForStart(2);
  for (const { end } of started) end();
  expect([await earlier, await later]).toMatchObject([{ number: 1 }, { number: 2 }]);
});
