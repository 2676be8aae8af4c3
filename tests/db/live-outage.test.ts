import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectReconciliation } from "@/lib/db/queries/remote-orders";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { reconcileAll } from "@/lib/orders/live/reconcile-leases";
import { startReconciler } from "@/lib/orders/live/reconciler";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

const venue = await useLiveVenue({ RECONCILE_TICK_MS: "50" });
useFreshDatabase();

const outage =
  () =>
  async (_: unknown, { drop }: { drop: () => void }) =>
    drop();

const readState = async ({ userId }: LiveUser) => selectReconciliation(await getDb(), userId);

/** Sets the back-off of an account to an hour, like after many failures. */
async function putOff({ userId }: LiveUser): Promise<void> {
  const db = await getDb();
  await db
    .update(reconciliations)
    .set({ failures: 10, leasedUntil: sql`now() + interval '1 hour'` })
    .where(eq(reconciliations.userId, userId));
}

it("the first response after an outage ends the back-off of all accounts", async () => {
  const [waiting, other] = [await makeLiveUser(), await makeLiveUser()];
  for (const user of [waiting, other]) {
    await send(user, RESTING, "resting");
    await reconcileAll([user.userId]);
    expect(await readState(user)).toMatchObject({ failures: 0 });
  }
  await putOff(waiting);
  venue.fault = outage;
  const before = venue.calls.length;
  const stop = startReconciler();
  const probes = () => venue.calls.slice(before).filter(({ path }) => path === "/clob/version");
  await expect.poll(() => probes().length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(await readState(waiting)).toMatchObject({ failures: 10 });
  venue.fault = () => null;
  await expect.poll(() => readState(waiting), { timeout: 60_000 }).toMatchObject({ failures: 0 });
  await expect.poll(() => readState(other), { timeout: 60_000 }).toMatchObject({ failures: 0 });
  await stop();
});

it("an account that fails while the venue responds keeps its back-off", async () => {
  const [broken, other] = [await makeLiveUser(), await makeLiveUser()];
  for (const user of [broken, other]) {
    await send(user, RESTING, "resting");
    await reconcileAll([user.userId]);
  }
  await putOff(broken);
  venue.fault = ({ owner }) => (owner === other.owner.toLowerCase() ? outage() : null);
  const stop = startReconciler();
  await expect
    .poll(async () => (await readState(other))?.failures, { timeout: 60_000 })
    .toBeGreaterThan(1);
  await stop();
  venue.fault = () => null;
  expect(await readState(broken)).toMatchObject({ failures: 10 });
});
