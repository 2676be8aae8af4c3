import { eq, sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { approveOrder, declineOrder, endWithoutApproval } from "@/lib/approvals/decide-order";
import { endLateApprovals } from "@/lib/approvals/end-approvals";
import type { Session } from "@/lib/auth/session";
import { getDb } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { APPROVAL_MS } from "@/lib/domain/approvals";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { describeKey } from "@/lib/limits/describe-key";
import { freeze } from "@/lib/limits/freeze";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { resumeApprovedOrders } from "@/lib/orders/live/place-approved-order";
import { usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readOrderEvents } from "@/tests/support/exchange/ledger";
import { reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";
import {
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { nextAddress, openSession, PASSWORD } from "@/tests/support/second-factor/factors";

const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();
afterEach(async () => {
  venue.fault = () => null;
  expect((await verifyBooks()).problems).toEqual([]);
});

interface Owner extends LiveUser {
  session: Session;
}

/** Makes a user whose live key needs an approval for everything. */
async function makeOwner(): Promise<Owner> {
  const user = await makeLiveUser();
  const subject = { scope: "account", mode: "live" } as const;
  await setLimits({ userId: user.userId, subject, limits: { approvalAbove: usdc(0n) } });
  const session = await openSession(user.userId);
  return { ...user, session: { ...session, principal: { ...session.principal, mode: "live" } } };
}

const approve = ({ session }: Owner, id: string) =>
  approveOrder(session, id, { address: nextAddress(), password: PASSWORD });

async function readRow(orderId: string) {
  const db = await getDb();
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const sent = await db.select().from(remoteOrders).where(eq(remoteOrders.orderId, orderId));
  return { ...order, sent };
}

const BLOCKED = { status: 403, headers: { "content-type": "text/html" } };

it("a live order above approvalAbove is recorded with its hold and not sent", async () => {
  const owner = await makeOwner();
  const placed = await send(owner, RESTING, "asked");
  expect(placed).toMatchObject({ status: 200 });
  const row = await readRow(placed.orderId ?? "");
  expect(row).toMatchObject({ status: "pending_approval", sent: [] });
  expect(row.held).toBeGreaterThan(0n);
  expect(await send(owner, RESTING, "asked")).toEqual(placed);
  expect((await readRow(placed.orderId ?? "")).sent).toEqual([]);
});

it("a live order above approvalAbove is refused while 100 others of the account wait", async () => {
  const owner = await makeOwner();
  const { orderId } = await send(owner, RESTING, "first");
  const db = await getDb();
  const copies = sql`${orders.id} like ${`${orderId}-%`}`;
  await db.execute(sql`insert into orders select (jsonb_populate_record(placed, jsonb_build_object(
      'id', placed.id || '-' || copy, 'sequence', -copy, 'held_micro', 0))).*
    from orders as placed cross join generate_series(1, 98) as copy where id = ${orderId}`);
  const hundredth = await send(owner, RESTING, "hundredth");
  expect((await readRow(hundredth.orderId ?? "")).status).toBe("pending_approval");
  const refused = await send(owner, RESTING, "too many");
  expect(refused).toMatchObject({ status: 400, code: "RISK_LIMIT_EXCEEDED" });
  await db.delete(orders).where(copies);
  const waiting = await db.select().from(orders).where(eq(orders.userId, owner.userId));
  expect(waiting.filter(({ held }) => held > 0n)).toHaveLength(2);
});

it("a live order that waits is reserved in the limits, until it ends", async () => {
  const owner = await makeOwner();
  const { userId } = owner;
  const subject = { scope: "account", mode: "live" } as const;
  const limits = { approvalAbove: usdc(0n), total: usdc(100_000_000n), maxOpenOrders: 5 };
  await setLimits({ userId, subject, limits });
  const { orderId } = await send(owner, RESTING, "reserved");
  const { held } = await readRow(orderId ?? "");
  const { total, maxOpenOrders } = (await describeKey(owner.live)).limits;
  expect(total?.reserved).toBe(held);
  expect(maxOpenOrders?.used).toBe(1);
  await declineOrder(owner.session, orderId ?? "");
  expect((await describeKey(owner.live)).limits.total?.reserved).toBe(0n);
});

it("a decline or an expiry after the approval of a live order changes nothing", async () => {
  const owner = await makeOwner();
  const { orderId } = await send(owner, RESTING, "decided");
  await approve(owner, orderId ?? "");
  const row = await readRow(orderId ?? "");
  expect(row.status).toBe("open");
  const late = [{ id: orderId ?? "", marketId: row.marketId ?? "" }];
  const account = { userId: owner.userId, mode: "live" } as const;
  for (const reason of ["declined", "approval_expired"] as const) {
    expect(await endWithoutApproval(account, late, reason)).toBe(0);
  }
  expect(await readRow(orderId ?? "")).toEqual(row);
});

it("a freeze ends the wait of a live order, and its history says why", async () => {
  const owner = await makeOwner();
  const { orderId } = await send(owner, RESTING, "frozen while it waits");
  const subject = { scope: "account", mode: "live" } as const;
  await freeze({ userId: owner.userId, subject, reason: "Test." });
  expect(await readRow(orderId ?? "")).toMatchObject({ status: "canceled", held: 0n, sent: [] });
  const events = await readOrderEvents(orderId ?? "");
  expect(events).toEqual(["received", "approval_requested", "canceled:frozen"]);
});

it("an approved live order is sent once, and its key keeps the first response", async () => {
  const owner = await makeOwner();
  const placed = await send(owner, MARKET_BUY, "approved");
  const orderId = placed.orderId ?? "";
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => approve(owner, orderId)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await reconcileUntilSettled(owner);
  const row = await readRow(orderId);
  expect(row.status).toBe("filled");
  expect(row.sent).toHaveLength(1);
  expect(await send(owner, MARKET_BUY, "approved")).toEqual(placed);
  expect(await readOrderEvents(orderId)).toEqual(
    expect.arrayContaining(["approval_requested", "approved", "submitted", "filled"]),
  );
  await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

it("an approved live order whose answer is lost is placed once", async () => {
  const owner = await makeOwner();
  const { orderId = "" } = await send(owner, MARKET_BUY, "lost");
  let posts = 0;
  venue.fault = ({ method, path }) => {
    if (method !== "POST" || path !== "/clob/order") return null;
    posts += 1;
    return posts === 1 ? async (_, { drop }) => drop() : null;
  };
  await approve(owner, orderId ?? "");
  await reconcileUntilSettled(owner);
  const row = await readRow(orderId ?? "");
  expect(row.status).toBe("filled");
  expect(row.sent).toHaveLength(1);
});

/** Approves an order in a process that dies after the commit, before the order is sent. */
async function approveAndDie(owner: Owner, orderId: string): Promise<void> {
  // A firewall keeps the order from the venue, and Ante doesn't post it again by itself.
  venue.fault = ({ method, path }) =>
    method === "POST" && path === "/clob/order"
      ? (_, { send: answer }) => answer(new Response("<html>blocked</html>", BLOCKED))
      : null;
  await approve(owner, orderId);
  venue.fault = () => null;
  // The lease is over, and not released.
  const db = await getDb();
  await db.update(orders).set({ status: "submitting" }).where(eq(orders.id, orderId));
  await db
    .update(remoteOrders)
    .set({ postingUntil: new Date(Date.now() - 1_000), isAmbiguous: false })
    .where(eq(remoteOrders.orderId, orderId));
}

async function setAge(orderId: string, ms: number): Promise<void> {
  const db = await getDb();
  const createdAt = new Date(Date.now() - ms);
  await db.update(orders).set({ createdAt }).where(eq(orders.id, orderId));
}

it("an approved live order whose process died before it was sent is sent by the job", async () => {
  const owner = await makeOwner();
  const { orderId = "" } = await send(owner, MARKET_BUY, "died");
  await setAge(orderId ?? "", APPROVAL_MS - 60_000);
  await approveAndDie(owner, orderId ?? "");
  await resumeApprovedOrders();
  await reconcileUntilSettled(owner);
  const row = await readRow(orderId ?? "");
  expect(row.status).toBe("filled");
  expect(row.sent).toHaveLength(1);
});

it("an approved live order whose process died is not sent by the job after a freeze", async () => {
  const owner = await makeOwner();
  const { orderId = "" } = await send(owner, MARKET_BUY, "frozen");
  await approveAndDie(owner, orderId ?? "");
  const subject = { scope: "account", mode: "live" } as const;
  await freeze({ userId: owner.userId, subject, reason: "Test." });
  let posts = 0;
  venue.fault = ({ method, path }) => {
    if (method === "POST" && path === "/clob/order") posts += 1;
    return null;
  };
  await resumeApprovedOrders();
  expect(posts).toBe(0);
  await reconcileUntilSettled(owner);
  expect(await readRow(orderId ?? "")).toMatchObject({ status: "abandoned", held: 0n });
});

it("a live order that waits ends by a cancel, a decline or its deadline, and releases its hold", async () => {
  const owner = await makeOwner();
  const ids = [];
  for (const key of ["one", "all", "declined", "late"]) {
    const { orderId = "" } = await send(owner, RESTING, key);
    ids.push(orderId ?? "");
  }
  const [one = "", all = "", declined = "", late = ""] = ids;
  await declineOrder(owner.session, declined);
  expect(await readRow(declined)).toMatchObject({ status: "canceled", held: 0n, sent: [] });
  expect(await cancelOrder(owner.live, one)).toMatchObject({ status: "canceled" });
  await setAge(late, APPROVAL_MS);
  expect(await endLateApprovals()).toBe(1);
  expect(await readRow(late)).toMatchObject({ status: "expired", held: 0n, sent: [] });
  const { canceled } = await cancelOrders(owner.live);
  expect(canceled).toEqual([all]);
  expect(await readRow(all)).toMatchObject({ status: "canceled", held: 0n, sent: [] });
});
