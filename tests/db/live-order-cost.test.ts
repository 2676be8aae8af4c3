import { sql, TransactionRollbackError } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDatabase, getDb, selectRows, useDatabase, withTransaction } from "@/lib/db/client";
import { insertClaim } from "@/lib/db/queries/idempotency";
import type { Tx } from "@/lib/db/database";
import {
  deleteLiveWallet,
  lockUser,
  putLiveWallet,
  selectLiveWallet,
} from "@/lib/db/queries/live-wallets";
import { selectRemoteOrder } from "@/lib/db/queries/remote-orders";
import { SIGNATURE_TYPE } from "@/lib/polymarket/order-hash";
import { proxyWalletOf } from "@/lib/polymarket/wallets";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { recordSighting } from "@/lib/services/remote-orders/look";
import { hurry } from "@/lib/services/remote-orders/reconcile";
import type { Sighting } from "@/lib/services/remote-orders/sighting";
import { shares } from "@/lib/units";
import { hashIdempotencyKey } from "@/lib/services/orders/idempotency";
import { openAgain, useFreshDatabase } from "@/tests/support/database";
import { type LiveUser, makeLiveUser, RESTING, send, useLiveVenue } from "@/tests/support/live";
import { compare, disagreements } from "@/tests/support/live-truth";

const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();
const isServer = process.env["TEST_DATABASE"] === "postgres";

/** What the venue was asked since the test began, apart from what it tells anybody. */
let asked: string[];
beforeEach(() => {
  asked = [];
  venue.fault = ({ method, path }) => {
    const isOwn = /^\/clob\/(order|data)/.test(path);
    if (isOwn) asked.push(`${method} ${path.replace(/0x[0-9a-f]+/, "id")}`);
    return null;
  };
});

const eventsOf = async (orderId: string) => {
  const rows = await selectRows<{ type: string }>(
    await getDb(),
    sql`select type from order_events where order_id = ${orderId} order by id`,
  );
  return rows.map(({ type }) => type);
};

it("an order that rests costs the venue one request, and its cancel two", async () => {
  const user = await makeLiveUser();
  const { orderId } = await send(user, RESTING, "key");
  expect(asked).toEqual(["POST /clob/order"]);
  // Nobody posts it any more.
  const placed = await selectRemoteOrder(await getDb(), orderId ?? "");
  expect(placed?.remote.postingUntil).toEqual(new Date(0));
  asked = [];
  await cancelOrder(user.live, orderId ?? "");
  expect(asked).toEqual(["DELETE /clob/order", "GET /clob/data/order/id"]);
  expect(await eventsOf(orderId ?? "")).toEqual([
    "received",
    "submitted",
    "opened",
    "cancel_requested",
    "canceled",
  ]);
  expect(await disagreements(user)).toEqual([]);
});

it("a look at orders that rest as they did writes none of them", async () => {
  const user = await makeLiveUser();
  for (const key of ["one", "two", "three"]) await send(user, RESTING, key);
  const versions = async () =>
    selectRows<{ id: string; version: string; locked: string }>(
      await getDb(),
      sql`select orders.id, orders.xmin::text as version, orders.xmax::text as locked
        from orders join remote_orders on remote_orders.order_id = orders.id
        where orders.user_id = ${user.userId} order by orders.id`,
    );
  await hurry(user.userId);
  const before = await versions();
  expect(before).toHaveLength(3);
  asked = [];
  await hurry(user.userId);
  expect(asked.toSorted()).toEqual(["GET /clob/data/orders", "GET /clob/data/trades"]);
  expect(await versions()).toEqual(before);
});

it("of two that know an order as it was one changes it, and the other sees that", async () => {
  const user = await makeLiveUser();
  const { orderId } = await send(user, RESTING, "key");
  const sent = await selectRemoteOrder(await getDb(), orderId ?? "");
  const [placed] = await compare(user);
  expect(sent?.known).not.toBeNull();
  expect(sent?.order.held).toBe(100_000n);
  const subject = { orderId: orderId ?? "", known: sent?.known ?? null };
  const canceled: Sighting = {
    order: {
      venueOrderId: placed?.venueOrderId ?? "",
      status: "canceled",
      matchedShares: shares(0n),
      tradeIds: [],
    },
    trades: [],
    cancel: "canceled",
  };
  const seen = await Promise.all([
    recordSighting(subject, canceled),
    recordSighting(subject, canceled),
    recordSighting(subject, canceled),
  ]);
  // What is known is old by now.
  seen.push(await recordSighting(subject, canceled));
  expect(seen.map(({ status, held }) => [status, held])).toEqual(seen.map(() => ["canceled", 0n]));
  const events = await eventsOf(orderId ?? "");
  expect(events.filter((type) => type === "canceled")).toHaveLength(1);
  const releases = await selectRows(
    await getDb(),
    sql`select id from ledger_transfers where order_id = ${orderId} and id like '%:release:canceled/%'`,
  );
  expect(releases).toHaveLength(1);
});

describe.runIf(isServer)("a wallet that leaves while an order is signed (server only)", () => {
  /** What a request with that order comes to when the wallet leaves before it is written. */
  async function placeWhile(leave: (tx: Tx, user: LiveUser) => Promise<void>) {
    const user = await makeLiveUser();
    await send(user, RESTING, "first");
    const { orderId } = await send(user, RESTING, "second");
    await cancelOrder(user.live, orderId ?? "");
    asked = [];
    const placing = await withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      const outcome = send(user, RESTING, "late");
      // Within a transaction the server would show the same moment again and again.
      const waiters = async () => {
        const found = await selectRows(
          await getDb(),
          sql`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and query like '%idempotency_keys%'`,
        );
        return found.length;
      };
      await expect.poll(waiters, { timeout: 10_000 }).toBe(1);
      await leave(tx, user);
      return { outcome };
    });
    expect(await placing.outcome).toMatchObject({ code: "WALLET_NOT_FOUND", orderId: null });
    expect(asked).toEqual([]);
    const claims = await selectRows(
      await getDb(),
      sql`select order_id from idempotency_keys where user_id = ${user.userId}`,
    );
    expect(claims).toHaveLength(2);
    return user;
  }

  it("by being removed: nothing is written", async () => {
    const user = await placeWhile((tx, { userId }) => deleteLiveWallet(tx, userId));
    expect(await compare(user)).toHaveLength(2);
  });

  it("for another one of its owner: nothing is written with the former one's funder", async () => {
    await placeWhile(async (tx, { userId }) => {
      const row = await selectLiveWallet(tx, userId);
      if (!row) throw new Error("a live user has a wallet");
      const funderAddress = proxyWalletOf(row.address);
      await putLiveWallet(tx, { ...row, funderAddress, signatureType: SIGNATURE_TYPE.proxy });
    });
  });

  it("for another one: nothing is written with the former one's signature", async () => {
    const other = await makeLiveUser();
    await placeWhile(async (tx, { userId }) => {
      const row = await selectLiveWallet(tx, other.userId);
      if (!row) throw new Error("a live user has a wallet");
      await deleteLiveWallet(tx, other.userId);
      await putLiveWallet(tx, { ...row, userId });
    });
  });
});

it.runIf(isServer)(
  "while another request holds its key for longer than the wait, nothing is written or sent (server only)",
  async () => {
    const user = await makeLiveUser();
    await send(user, RESTING, "before");
    const original = await getDatabase();
    const hasty = await openAgain({ lock_timeout: "300" });
    asked = [];
    try {
      await original.db.transaction(async (tx) => {
        await insertClaim(tx, {
          userId: user.userId,
          keyHash: hashIdempotencyKey("held"),
          fingerprint: "of the other request",
          fields: {},
          orderId: "ord_of_the_other_request",
          createdAt: new Date(),
        });
        useDatabase(hasty);
        expect(await send(user, RESTING, "held")).toMatchObject({
          status: 502,
          code: "ORDER_IN_PROGRESS",
        });
        tx.rollback();
      });
    } catch (error) {
      if (!(error instanceof TransactionRollbackError)) throw error;
    } finally {
      useDatabase(original);
      await hasty.close();
    }
    expect(asked).toEqual([]);
    expect(await compare(user)).toHaveLength(1);
    expect(await send(user, RESTING, "held")).toMatchObject({ status: 200 });
  },
);
