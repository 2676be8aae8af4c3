import { afterEach, expect, it, onTestFinished } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { readCash } from "@/lib/ledger/read-balances";
import { requireAccount } from "@/lib/accounts/require-account";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { toUserId } from "@/lib/sandbox/accounts";
import { changeSwitches } from "@/lib/sandbox/switches";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  makeLiveUser,
  type LiveUser,
  MARKET_BUY,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import {
  compareOrders,
  findDisagreements,
  reconcileUntilSettled,
} from "@/tests/support/live/compare-with-venue";

await useLiveVenue();
useFreshDatabase();
afterEach(() => changeSwitches({ settlement: "normal", phase: "open" }));

/** Cash that is owned here and at the venue. */
async function readMoney(user: LiveUser) {
  const db = await getDb();
  const here = await requireAccount(db, { userId: user.userId, mode: "live" });
  const there = await requireAccount(db, { userId: toUserId(user.funder), mode: "paper" });
  return {
    here: (await readCash(db, here)).owned,
    there: (await readCash(db, there)).owned,
  };
}

async function readOrder(user: LiveUser) {
  await reconcileNow(user.userId);
  const [found] = await compareOrders(user);
  return found?.ours;
}

it("an order whose trade fails to settle at the venue is reversed, and both sides agree", async () => {
  const user = await makeLiveUser();
  await reconcileUntilSettled(user);
  const before = await readMoney(user);
  let aheadMs = 0;
  onTestFinished(setClock(() => Date.now() + aheadMs));
  await changeSwitches({ settlement: "failed-settlement" });
  expect(await send(user, MARKET_BUY, "key")).toMatchObject({ status: 200 });
  const matched = await readOrder(user);
  expect(matched?.filled).toBeGreaterThan(0n);
  aheadMs = 10_000;
  await expect
    .poll(() => readOrder(user), { timeout: 20_000 })
    .toMatchObject({ status: "canceled", filled: 0n, held: 0n });
  expect(await readMoney(user)).toEqual(before);
  expect(await findDisagreements(user)).toEqual([]);
});

it.each(["retried-settlement", "late-hash"] as const)(
  "an order whose trade settles with the fault %s is filled once, and both sides agree",
  async (settlement) => {
    const user = await makeLiveUser();
    let aheadMs = 0;
    onTestFinished(setClock(() => Date.now() + aheadMs));
    await changeSwitches({ settlement });
    expect(await send(user, MARKET_BUY, "key")).toMatchObject({ status: 200 });
    for (const later of [3_000, 7_000, 20_000]) {
      aheadMs = later;
      await reconcileUntilSettled(user);
      await reconcileNow(user.userId);
    }
    expect((await compareOrders(user)).map(({ ours }) => ours?.status)).toEqual(["filled"]);
    expect(await findDisagreements(user)).toEqual([]);
  },
);

it.each(["restarting", "cancel-only", "disabled"] as const)(
  "an order sent while the venue is %s is placed once when it is repeated afterwards",
  async (phase) => {
    const user = await makeLiveUser();
    await changeSwitches({ phase });
    expect((await send(user, MARKET_BUY, "key")).status).not.toBe(200);
    await changeSwitches({ phase: "open" });
    expect(await send(user, MARKET_BUY, "key")).toMatchObject({ status: 200 });
    await reconcileUntilSettled(user);
    expect(await compareOrders(user)).toHaveLength(1);
    expect(await findDisagreements(user)).toEqual([]);
  },
);
