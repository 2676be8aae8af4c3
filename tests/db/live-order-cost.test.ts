import { sql, TransactionRollbackError } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { setClock } from "@/lib/clock";
import {
  getDatabase,
  getDb,
  selectRows,
  useDatabase,
  withStatement,
  withTransaction,
} from "@/lib/db/client";
import { insertClaim, selectClaim } from "@/lib/db/queries/idempotency";
import type { Tx } from "@/lib/db/database";
import {
  deleteLiveWallet,
  lockUser,
  putLiveWallet,
  selectLiveWallet,
} from "@/lib/db/queries/live-wallets";
import {
  lockRemoteOrder,
  selectFinalTradeIds,
  selectRemoteOrder,
} from "@/lib/db/queries/remote-orders";
import { requestCancels } from "@/lib/db/queries/remote-cancels";
import { bestPrice } from "@/lib/domain/matching";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { deriveProxyWallet } from "@/lib/polymarket/protocol/wallets";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { withGeneratedKey } from "@/lib/orders/idempotency/generated-key";
import { placeOrder } from "@/lib/orders/place-order";
import { cancelRemoteOrder } from "@/lib/orders/live/cancel-remote-orders";
import { recordOrderReport, type OrderReport } from "@/lib/orders/live/apply-report";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { price, shares } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { openAgain, useFreshDatabase } from "@/tests/support/database/fresh-database";
import { sendEmptyPage } from "@/tests/support/live/faults";
import {
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import {
  compareOrders,
  findDisagreements,
  reconcileUntilSettled,
} from "@/tests/support/live/compare-with-venue";

vi.mock("@/lib/db/queries/remote-orders", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/db/queries/remote-orders")>();
  return {
    ...original,
    selectRemoteOrder: vi.fn(original.selectRemoteOrder),
    lockRemoteOrder: vi.fn(original.lockRemoteOrder),
  };
});
vi.mock("@/lib/db/queries/idempotency", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/db/queries/idempotency")>();
  return { ...original, selectClaim: vi.fn(original.selectClaim) };
});

const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();
const isServer = process.env["TEST_DATABASE"] === "postgres";

/** The requests to the venue since the test started, without public market data. */
let asked: string[];
beforeEach(() => {
  asked = [];
  venue.fault = ({ method, path }) => {
    const isOwn = /^\/clob\/(order|data)/.test(path);
    if (isOwn) asked.push(`${method} ${path.replace(/0x[0-9a-f]+/, "id")}`);
    return null;
  };
});

const readEvents = async (orderId: string) => {
  const rows = await selectRows<{ type: string }>(
    await getDb(),
    sql`select type from order_events where order_id = ${orderId} order by id`,
  );
  return rows.map(({ type }) => type);
};

it("an open order takes one request to the venue, and its cancel two", async () => {
  const user = await makeLiveUser();
  const { orderId } = await send(user, RESTING, "key");
  expect(asked).toEqual(["POST /clob/order"]);
  // No request posts it any more.
  const placed = await selectRemoteOrder(await getDb(), orderId ?? "");
  expect(placed?.remote.postingUntil).toEqual(new Date(0));
  asked = [];
  vi.mocked(selectRemoteOrder).mockClear();
  vi.mocked(lockRemoteOrder).mockClear();
  await cancelOrder(user.live, orderId ?? "");
  expect(asked).toEqual(["DELETE /clob/order", "GET /clob/data/order/id"]);
  // The order is read once, and its new state is recorded without a lock.
  expect(selectRemoteOrder).toHaveBeenCalledOnce();
  expect(lockRemoteOrder).not.toHaveBeenCalled();
  expect(await readEvents(orderId ?? "")).toEqual([
    "received",
    "submitted",
    "opened",
    "cancel_requested",
    "canceled",
  ]);
  expect(await findDisagreements(user)).toEqual([]);
});

it("a key that the request generated is not looked up, and its repetition is", async () => {
  const user = await makeLiveUser();
  const { outcomes } = await findLiveMarket();
  const order: PlaceOrderBody = { ...RESTING, tokenId: outcomes[0].tokenId };
  vi.mocked(selectClaim).mockClear();
  const first = await withGeneratedKey(order, (keyed, isKeyNew) =>
    placeOrder(user.live, keyed, { isKeyNew }),
  );
  expect(selectClaim).not.toHaveBeenCalled();
  const { data } = JSON.parse(first.answer.body) as { data: { idempotencyKey: string } };
  const again = await placeOrder(user.live, { ...order, ...data });
  expect(selectClaim).toHaveBeenCalledOnce();
  expect(again).toEqual({ ...first, isReplay: true });
  expect(asked).toEqual(["POST /clob/order"]);
});

it("old rules of a market are requested together with the market", async () => {
  const user = await makeLiveUser();
  await send(user, RESTING, "first");
  onTestFinished(setClock(() => Date.now() + 31_000));
  let answerMarket: () => void = () => {};
  const areRulesAsked = new Promise<void>((resolve) => {
    answerMarket = resolve;
  });
  const former = venue.calls.length;
  venue.fault = ({ path }) => {
    if (path.startsWith("/clob/clob-markets/")) answerMarket();
    if (path !== "/gamma/markets") return null;
    // If the rules were requested after the market, this would end in a timeout.
    return async (handle, { send: answer }) => {
      await areRulesAsked;
      await answer(await handle());
    };
  };
  expect(await send(user, RESTING, "second")).toMatchObject({ status: 200 });
  const paths = venue.calls.slice(former).map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith("/clob/clob-markets/"))).toHaveLength(1);
});

it("an order that another request cancels after it was read keeps that request", async () => {
  const user = await makeLiveUser();
  const { orderId = null } = await send(user, RESTING, "key");
  const id = orderId ?? "";
  const read = await selectRemoteOrder(await getDb(), id);
  const other = { userId: user.userId, keyId: null, at: new Date(Date.now() - 5_000) };
  await withStatement((db) => requestCancels(db, other, { orderIds: [id] }));
  const { status } = await cancelRemoteOrder(remoteVenue(), user.live, id, read);
  expect(status).toBe("canceled");
  const stored = await selectRemoteOrder(await getDb(), id);
  expect(stored?.remote).toMatchObject({ cancelRequestedAt: other.at, cancelKeyId: null });
  const events = await readEvents(id);
  expect(events.slice(3)).toEqual(["cancel_requested", "canceled"]);
  expect(await findDisagreements(user)).toEqual([]);
});

it("a poll does not write unchanged open orders", async () => {
  const user = await makeLiveUser();
  for (const key of ["one", "two", "three"]) await send(user, RESTING, key);
  const versions = async () =>
    selectRows<{ id: string; version: string; locked: string }>(
      await getDb(),
      sql`select orders.id, orders.xmin::text as version, orders.xmax::text as locked
        from orders join remote_orders on remote_orders.order_id = orders.id
        where orders.user_id = ${user.userId} order by orders.id`,
    );
  await reconcileNow(user.userId);
  const before = await versions();
  expect(before).toHaveLength(3);
  asked = [];
  await reconcileNow(user.userId);
  expect(asked.toSorted()).toEqual(["GET /clob/data/orders", "GET /clob/data/trades"]);
  expect(await versions()).toEqual(before);
});

it("a partly filled order is polled and canceled without reading its settled trades again", async () => {
  const user = await makeLiveUser();
  let aheadMs = 0;
  onTestFinished(setClock(() => Date.now() + aheadMs));
  const ask = bestPrice(await remoteVenue().getBook(await findLiveMarket()), "ask");
  const order = { ...RESTING, price: price(ask ?? 0n), shares: shares(5_000_000_000n) };
  const { orderId } = await send(user, order, "key");
  // The venue confirms a trade seconds after its match.
  aheadMs = 10_000;
  const readSettled = async () => {
    await reconcileNow(user.userId);
    return selectFinalTradeIds(await getDb(), orderId ?? "");
  };
  await expect.poll(async () => (await readSettled()).size, { timeout: 20_000 }).toBeGreaterThan(0);
  const settled = await readSettled();
  // Lists without the order and its trades: the poll queries it by its id.
  const read: string[] = [];
  venue.fault = ({ path, search }) => {
    if (path !== "/clob/data/trades") return path === "/clob/data/orders" ? sendEmptyPage : null;
    const id = new URLSearchParams(search).get("id");
    if (id === null) return sendEmptyPage;
    read.push(id);
    return null;
  };
  const former = venue.calls.length;
  await reconcileNow(user.userId);
  const polled = venue.calls.slice(former).map(({ path }) => path);
  expect(polled.filter((path) => path.startsWith("/clob/data/order/"))).toHaveLength(1);
  await cancelOrder(user.live, orderId ?? "");
  expect(read.filter((id) => settled.has(id))).toEqual([]);
  venue.fault = () => null;
  await reconcileUntilSettled(user);
  expect(await findDisagreements(user)).toEqual([]);
});

it("of two changes based on the same version of an order, only the first is written", async () => {
  const user = await makeLiveUser();
  const { orderId } = await send(user, RESTING, "key");
  const sent = await selectRemoteOrder(await getDb(), orderId ?? "");
  const [placed] = await compareOrders(user);
  expect(sent?.known).not.toBeNull();
  expect(sent?.order.held).toBe(100_000n);
  const target = { orderId: orderId ?? "", known: sent?.known ?? null };
  const canceled: OrderReport = {
    order: {
      venueOrderId: placed?.venueOrderId ?? "",
      status: "canceled",
      matchedShares: shares(0n),
      tradeIds: [],
      wallet: null,
      details: null,
    },
    trades: [],
    cancel: "canceled",
  };
  const seen = await Promise.all([
    recordOrderReport(target, canceled),
    recordOrderReport(target, canceled),
    recordOrderReport(target, canceled),
  ]);
  // The known version is now outdated.
  seen.push(await recordOrderReport(target, canceled));
  expect(seen.map(({ status, held }) => [status, held])).toEqual(seen.map(() => ["canceled", 0n]));
  const events = await readEvents(orderId ?? "");
  expect(events.filter((type) => type === "canceled")).toHaveLength(1);
  const releases = await selectRows(
    await getDb(),
    sql`select id from ledger_transfers where order_id = ${orderId} and id like '%:release:canceled/%'`,
  );
  expect(releases).toHaveLength(1);
});

describe.runIf(isServer)("a wallet change while an order is signed (server only)", () => {
  /** Returns the result of placing an order when the wallet changes before the order is recorded. */
  async function placeWhile(change: (tx: Tx, user: LiveUser) => Promise<void>) {
    const user = await makeLiveUser();
    await send(user, RESTING, "first");
    const { orderId } = await send(user, RESTING, "second");
    await cancelOrder(user.live, orderId ?? "");
    asked = [];
    const placing = await withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      const outcome = send(user, RESTING, "late");
      // Within one transaction the server would always return the same time.
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
      await change(tx, user);
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

  it("by its removal: the order is not recorded", async () => {
    const user = await placeWhile((tx, { userId }) => deleteLiveWallet(tx, userId));
    expect(await compareOrders(user)).toHaveLength(2);
  });

  it("to another funder of its owner: the order for the former funder is not recorded", async () => {
    await placeWhile(async (tx, { userId }) => {
      const row = await selectLiveWallet(tx, userId);
      if (!row) throw new Error("a live user has a wallet");
      const funderAddress = deriveProxyWallet(row.address);
      await putLiveWallet(tx, { ...row, funderAddress, signatureType: SIGNATURE_TYPE.proxy });
    });
  });

  it("to another owner: the order signed by the former wallet is not recorded", async () => {
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
        throw new TransactionRollbackError();
      });
    } catch (error) {
      if (!(error instanceof TransactionRollbackError)) throw error;
    } finally {
      useDatabase(original);
      await hasty.close();
    }
    expect(asked).toEqual([]);
    expect(await compareOrders(user)).toHaveLength(1);
    expect(await send(user, RESTING, "held")).toMatchObject({ status: 200 });
  },
);
