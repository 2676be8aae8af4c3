import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sql } from "drizzle-orm";
import { setClock } from "@/lib/clock";
import { getDb, selectRows, withStatement, withTransaction } from "@/lib/db/client";
import { databaseTime } from "@/lib/db/database-time";
import { leaseBooksCheck, updateBooksCheck } from "@/lib/db/queries/ops";
import { leaseReconciliation, updateReconciliation } from "@/lib/db/queries/remote-orders";
import { selectSandboxKey } from "@/lib/db/queries/sandbox-keys";
import { booksChecks } from "@/lib/db/schema/audit";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { renewHeartbeat, sweepHeartbeats } from "@/lib/sandbox/heartbeat";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeSandboxWallet } from "@/tests/support/sandbox/wallet";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;

/** Moves the clock of this process only. The database keeps its own. */
function shiftProcessClock(byMs: number): () => void {
  return setClock(() => Date.now() + byMs, { movesDatabase: false });
}

const leaseAccount = (userId: string) =>
  withStatement((db) => leaseReconciliation(db, userId, { leaseMs: LEASE_MS, isDue: false }));
const leaseBooks = () => withTransaction((tx) => leaseBooksCheck(tx, LEASE_MS));

describe.each([
  ["an hour ahead", HOUR_MS],
  ["an hour behind", -HOUR_MS],
])("a process whose clock is %s of the database's", (_name, byMs) => {
  let restore = () => {};
  beforeEach(() => {
    restore = shiftProcessClock(byMs);
  });
  afterEach(() => restore());

  it("does not reconcile an account that another process leased, and its own lease expires in time", async () => {
    const { userId } = await makeUser();
    restore();
    expect(await leaseAccount(userId)).not.toBeNull();
    restore = shiftProcessClock(byMs);
    expect(await leaseAccount(userId)).toBeNull();

    const db = await getDb();
    await updateReconciliation(db, userId, 0, { failures: 0 });
    expect(await leaseAccount(userId)).not.toBeNull();
    const row = await db.select().from(reconciliations);
    const [lease] = row.filter((each) => each.userId === userId);
    expect(Math.abs((lease?.leasedUntil.getTime() ?? 0) - Date.now() - LEASE_MS)).toBeLessThan(
      LEASE_MS / 2,
    );
  });

  it("does not repeat a books check that another process leased", async () => {
    await (await getDb()).delete(booksChecks);
    restore();
    expect(await leaseBooks()).not.toBeNull();
    restore = shiftProcessClock(byMs);
    expect(await leaseBooks()).toBeNull();
    await withTransaction((tx) => updateBooksCheck(tx, 0));
    expect(await leaseBooks()).not.toBeNull();
  });

  it("does not cancel orders of a sandbox client that sends heartbeats to another process", async () => {
    restore();
    const { caller } = await makeSandboxWallet();
    const { heartbeat_id: id } = await renewHeartbeat(caller, JSON.stringify({ heartbeat_id: "" }));
    restore = shiftProcessClock(byMs);
    await sweepHeartbeats();
    const key = await selectSandboxKey(await getDb(), caller.apiKey);
    expect(key?.heartbeatId).toBe(id);
  });
});

it("no stored instant of the database is in its future", async () => {
  const stored = sql`(${databaseTime()})::timestamptz(3)`;
  const later = await selectRows(
    await getDb(),
    sql`select each from generate_series(1, 50000) as each where ${stored} > clock_timestamp()`,
  );
  expect(later).toEqual([]);
});

it("setClock moves the database's time too", async () => {
  const { userId } = await makeUser();
  expect(await leaseAccount(userId)).not.toBeNull();
  onTestFinished(setClock(() => Date.now() + 2 * LEASE_MS));
  expect(await leaseAccount(userId)).not.toBeNull();
});
