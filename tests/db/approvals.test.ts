import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { approveOrder, declineOrder, endWithoutApproval } from "@/lib/approvals/decide-order";
import { endLateApprovals } from "@/lib/approvals/end-approvals";
import { findWaiting } from "@/lib/approvals/read-waiting";
import { resetAccount } from "@/lib/accounts/reset-account";
import type { Session } from "@/lib/auth/session";
import { getDb, selectRows } from "@/lib/db/client";
import { writeLimitRule } from "@/lib/db/queries/limit-rules";
import { auditEvents } from "@/lib/db/schema/audit";
import { orders } from "@/lib/db/schema/trading";
import { APPROVAL_MS } from "@/lib/domain/approvals";
import { FACTOR_FRESH_MS } from "@/lib/domain/second-factor";
import type { Limits } from "@/lib/domain/limits";
import { listEvents } from "@/lib/events/list-events";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { describeKey } from "@/lib/limits/describe-key";
import { freeze } from "@/lib/limits/freeze";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { placeOrder } from "@/lib/orders/place-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { notional, ONE, price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  orderRow,
  readCashBalance,
  readFills,
  readOrderEvents,
} from "@/tests/support/exchange/ledger";
import {
  createBody,
  findPriceInside,
  freshMarket,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  nextAddress,
  openSession,
  PASSWORD,
  setUpApp,
} from "@/tests/support/second-factor/factors";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const ONE_DOLLAR = usdc(1_000_000n);
const SIZE = shares(10_000_000n);

interface Owner extends TestUser {
  session: Session;
}

/** Makes a user whose key needs approvals. */
async function makeOwner(limits: Limits = { approvalAbove: ONE_DOLLAR }): Promise<Owner> {
  const user = await makeUser();
  const { userId, keyId } = user.principal;
  await setLimits({ userId, subject: { scope: "key", keyId }, limits });
  return { ...user, session: await openSession(userId) };
}

/** Returns a buy for more than a dollar that rests between the house's quotes. */
function restingBuy(index = 0) {
  const market = freshMarket();
  return {
    market,
    action: "BUY",
    outcome: 0,
    limit: findPriceInside(market)(index),
    size: SIZE,
  } as const;
}

/** Returns a market buy for more than a dollar, and what it can pay for a share. */
const marketBuy = () => ({ market: freshMarket(), action: "BUY", outcome: 0, size: SIZE }) as const;

const prove = () => ({ address: nextAddress(), password: PASSWORD });
const approve = ({ session }: Owner, id: string) => approveOrder(session, id, prove());

/** The state of everything that an order can change. */
async function readState(owner: TestUser, orderId: string) {
  const [row, cash, events] = await Promise.all([
    orderRow(orderId),
    readCashBalance(owner),
    readOrderEvents(orderId),
  ]);
  return { status: row.status, held: row.held, cash, events };
}

/** Writes what an approval commits, without the match that follows it. */
async function makeDue(orderId: string): Promise<void> {
  const db = await getDb();
  await db
    .update(orders)
    .set({ status: "delayed", matchAfter: new Date(clock.now) })
    .where(eq(orders.id, orderId));
}

const countOrders = async () => {
  const rows = await selectRows<{ total: number }>(
    await getDb(),
    sql`select count(*)::integer as total from orders`,
  );
  return rows[0]?.total;
};

describe("an order above approvalAbove", () => {
  it("is recorded with its hold and its key, and waits", async () => {
    const owner = await makeOwner();
    const order = { ...restingBuy(), key: "asked" };
    const before = await readCashBalance(owner);
    const preview = await previewOrder(owner.principal, createBody(order));
    expect(preview).toMatchObject({ refusal: null, needsApproval: true });
    const { answer, orderId } = await placeOrder(owner.principal, createBody(order));
    expect(answer.status).toBe(200);
    const { data } = JSON.parse(answer.body) as { data: Record<string, string> };
    expect(data).toMatchObject({ orderId, status: "pending_approval" });
    expect(data["approvalUrl"]).toMatch(new RegExp(`/approvals/${orderId}$`));
    const { cash, ...state } = await readState(owner, orderId);
    expect(state).toMatchObject({
      status: "pending_approval",
      held: preview.holdUsdc,
      events: ["received", "approval_requested"],
    });
    expect(before.available - cash.available).toBe(preview.holdUsdc);
    await tick();
    expect((await orderRow(orderId)).status).toBe("pending_approval");
  });

  it("is in the list of open orders and counted there as waiting", async () => {
    const owner = await makeOwner();
    const small = { ...restingBuy(), limit: price(20_000n) };
    await placeOrder(owner.principal, createBody({ ...small, key: "small" }));
    await placeOrder(owner.principal, createBody({ ...restingBuy(1), key: "large" }));
    const { orders: listed, totals, markets } = await getOpenOrdersView(owner.principal, {});
    expect(listed.map(({ status }) => status)).toEqual(["pending_approval", "open"]);
    expect(totals).toMatchObject({ count: 2, waiting: 1 });
    expect(markets.map((each) => each.totals.waiting).toSorted()).toEqual([0, 1]);
  });

  it("is not placed by a repeated request, before or after its approval", async () => {
    const owner = await makeOwner();
    const order = { ...restingBuy(), key: "repeated" };
    const first = await placeOrder(owner.principal, createBody(order));
    const again = await placeOrder(owner.principal, createBody(order));
    expect(again).toMatchObject({ answer: first.answer, orderId: first.orderId, isReplay: true });
    expect((await orderRow(first.orderId)).status).toBe("pending_approval");
    await approve(owner, first.orderId);
    expect((await orderRow(first.orderId)).status).toBe("open");
    const late = await placeOrder(owner.principal, createBody(order));
    expect(late).toMatchObject({ answer: first.answer, orderId: first.orderId, isReplay: true });
    expect(await readOrderEvents(first.orderId)).toEqual([
      "received",
      "approval_requested",
      "approved",
      "opened",
    ]);
  });

  it("waits at one micro-dollar above the amount, and not at the amount", async () => {
    const { limit, ...order } = restingBuy();
    const cost = notional(SIZE, limit, "up");
    const exact = await makeOwner({ approvalAbove: cost });
    expect(await place(exact, { ...order, limit })).toMatchObject({ status: "open" });
    const below = await makeOwner({ approvalAbove: usdc(cost - 1n) });
    expect(await place(below, { ...order, limit })).toMatchObject({ status: "pending_approval" });
  });

  it("waits if a simulated delay lets it cost more than it would at once", async () => {
    const { limit, ...order } = restingBuy();
    // It rests without a fee now. Once it is matched later, all of it can pay one.
    const owner = await makeOwner({ approvalAbove: notional(SIZE, limit, "up") });
    const placed = await place(owner, { ...order, limit }, "delayed");
    expect(placed).toMatchObject({ status: "pending_approval" });
  });

  it("is placed at once by its owner in the dashboard", async () => {
    const owner = await makeOwner();
    const { userId } = owner;
    const account = { scope: "account", mode: "paper" } as const;
    await setLimits({ userId, subject: account, limits: { approvalAbove: ONE_DOLLAR } });
    const { answer } = await placeOrder(owner.session.principal, createBody(restingBuy()));
    expect(answer.body).toContain('"status":"open"');
  });

  it("counts as reserved and open against the limits, and gives it back when it is canceled", async () => {
    const owner = await makeOwner({
      approvalAbove: ONE_DOLLAR,
      total: usdc(1_000_000_000n),
      maxOpenOrders: 1,
    });
    const { orderId } = await place(owner, marketBuy());
    const { held } = await orderRow(orderId);
    const { limits } = await describeKey(owner.principal);
    expect(limits.total?.reserved).toBe(held);
    expect(limits.maxOpenOrders).toMatchObject({ used: 1, remaining: 0 });
    expect(await place(owner, restingBuy())).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
    await cancelOrder(owner.principal, orderId);
    expect((await describeKey(owner.principal)).limits.total?.reserved).toBe(0n);
    expect(await orderRow(orderId)).toMatchObject({ status: "canceled", held: 0n });
  });

  it("is refused while 100 others of the account wait", async () => {
    const owner = await makeOwner({ approvalAbove: usdc(0n) });
    const order = { ...restingBuy(), size: shares(5_000_000n) };
    for (let index = 0; index < 100; index += 1) {
      expect(await place(owner, order)).toMatchObject({ status: "pending_approval" });
    }
    const total = await countOrders();
    const preview = await previewOrder(owner.principal, createBody(order));
    const refused = await place(owner, order);
    expect(refused).toMatchObject({ status: null, code: "RISK_LIMIT_EXCEEDED" });
    expect(preview.refusal).toEqual({ code: refused.code, message: refused.message });
    // The refusal is recorded, and nothing else.
    expect(await countOrders()).toBe((total ?? 0) + 1);
    const { canceled } = await cancelOrders(owner.principal);
    expect(canceled).toHaveLength(100);
  });
});

describe("an approval", () => {
  it("fills a market order at the worst price that it had when it was placed", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, marketBuy());
    const asked = await orderRow(orderId);
    expect(asked.price).not.toBeNull();
    await approve(owner, orderId);
    const row = await orderRow(orderId);
    expect(row).toMatchObject({ status: "filled", filledShares: SIZE, held: 0n });
    for (const fill of await readFills(orderId))
      expect(fill.price).toBeLessThanOrEqual(asked.price ?? 0n);
  });

  it("is told before what the shares that stay open reserve, and reserves it", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    const waiting = await findWaiting(owner.principal, orderId);
    expect(waiting?.preview).toMatchObject({ filledShares: 0n, restingShares: SIZE, total: 0n });
    await approve(owner, orderId);
    expect(await orderRow(orderId)).toMatchObject({
      status: "open",
      held: waiting?.preview?.reserved,
    });
    const market = await place(owner, marketBuy());
    const taker = await findWaiting(owner.principal, market.orderId);
    expect(taker?.preview).toMatchObject({ restingShares: 0n, reserved: 0n });
  });

  it("puts an order behind those that were on the book while it waited", async () => {
    const owner = await makeOwner();
    const rival = await makeUser();
    const order = restingBuy();
    const { orderId } = await place(owner, order);
    const { orderId: rivalId } = await place(rival, order);
    await approve(owner, orderId);
    expect((await orderRow(orderId)).sequence).toBeGreaterThan((await orderRow(rivalId)).sequence);
  });

  it("is refused a second time, also of 10 at once, and the order is placed once", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, marketBuy());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => approve(owner, orderId)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const state = await readState(owner, orderId);
    await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await readState(owner, orderId)).toEqual(state);
    expect(state.events.filter((type) => type === "approved")).toHaveLength(1);
    const audit = await (await getDb()).select().from(auditEvents);
    const approvals = audit.filter(({ kind }) => kind === "order_approved");
    expect(approvals.filter(({ detail }) => detail?.order === orderId)).toMatchObject([
      { userId: owner.userId, sessionId: owner.session.id },
    ]);
  });

  it("of another user is answered like an unknown order, and changes nothing", async () => {
    const owner = await makeOwner();
    const stranger = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    const state = await readState(owner, orderId);
    await expect(approve(stranger, orderId)).rejects.toMatchObject({ code: "ORDER_NOT_FOUND" });
    await expect(declineOrder(stranger.session, orderId)).rejects.toMatchObject({
      code: "ORDER_NOT_FOUND",
    });
    expect(await readState(owner, orderId)).toEqual(state);
  });

  it("needs the password without a second factor, and changes nothing without it", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    const state = await readState(owner, orderId);
    const wrong = { address: nextAddress(), password: "not the password" };
    await expect(approveOrder(owner.session, orderId, wrong)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect(await readState(owner, orderId)).toEqual(state);
  });

  it("needs a second factor that was proved in the last 5 minutes, if there is one", async () => {
    const owner = await makeOwner();
    const { app } = await setUpApp(owner.session, clock.now);
    const { orderId } = await place(owner, restingBuy());
    clock.advance(FACTOR_FRESH_MS);
    const state = await readState(owner, orderId);
    for (const proof of [{}, { password: PASSWORD }, { code: "000000" }]) {
      const attempt = approveOrder(owner.session, orderId, { address: nextAddress(), ...proof });
      await expect(attempt).rejects.toMatchObject({
        code: "code" in proof ? "VALIDATION_ERROR" : "SECOND_FACTOR_REQUIRED",
      });
      expect(await readState(owner, orderId)).toEqual(state);
    }
    const proof = { address: nextAddress(), code: app.codeAt(clock.now) };
    await approveOrder(owner.session, orderId, proof);
    expect((await orderRow(orderId)).status).toBe("open");
  });

  it("comes too late after 15 minutes, also before the order is ended", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    const state = await readState(owner, orderId);
    clock.advance(APPROVAL_MS - 1);
    expect(await endLateApprovals()).toBe(0);
    clock.advance(1);
    await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await readState(owner, orderId)).toEqual(state);
    expect(await endLateApprovals()).toBe(1);
    expect(await readState(owner, orderId)).toMatchObject({ status: "expired", held: 0n });
    expect(await endLateApprovals()).toBe(0);
  });

  it("comes too late if the 15 minutes end while the owner proves who they are", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    const state = await readState(owner, orderId);
    const deadline = clock.now + APPROVAL_MS;
    const slow = {
      address: nextAddress(),
      get password() {
        clock.set(deadline);
        return PASSWORD;
      },
    };
    await expect(approveOrder(owner.session, orderId, slow)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The 15 minutes to approve this order are over.",
    });
    expect(await readState(owner, orderId)).toEqual(state);
  });

  it("is refused while the key is frozen, and the freeze ends the wait", async () => {
    const owner = await makeOwner();
    const { userId, keyId } = owner.principal;
    const { orderId } = await place(owner, restingBuy());
    await freeze({ userId, subject: { scope: "key", keyId }, reason: "Test." });
    expect(await readState(owner, orderId)).toMatchObject({ status: "canceled", held: 0n });
    await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it.each(["key", "account", "user"] as const)(
    "is refused after a freeze of the %s that has not ended the wait yet",
    async (scope) => {
      const owner = await makeOwner();
      const { userId, keyId } = owner.principal;
      const { orderId } = await place(owner, restingBuy());
      const at = new Date(clock.now);
      const subject = { key: keyId ?? "", account: "paper", user: "" }[scope];
      const frozen = { limits: {}, frozenAt: at, frozenReason: "Test.", updatedAt: at };
      // What a freeze commits before it cancels.
      await writeLimitRule(await getDb(), { userId, scope, subject, ...frozen });
      const state = await readState(owner, orderId);
      await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "TRADING_FROZEN" });
      expect(await readState(owner, orderId)).toEqual(state);
    },
  );

  it("is refused while the order would not be accepted, and the order waits on", async () => {
    const owner = await makeOwner();
    const order = restingBuy();
    const body = { ...createBody(order), postOnly: true };
    const { orderId } = await placeOrder(owner.principal, body);
    const state = await readState(owner, orderId);
    // An offer at its price has arrived since, so it would not be post-only.
    const rival = await makeUser();
    const offer = { ...order, outcome: 1, limit: price(ONE - order.limit) } as const;
    const { orderId: offerId } = await place(rival, offer);
    await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "ORDER_REJECTED" });
    expect(await readState(owner, orderId)).toEqual(state);
    await cancelOrder(rival.principal, offerId);
    await approve(owner, orderId);
    expect((await orderRow(orderId)).status).toBe("open");
  });
});

describe("an approval after the market's fee has doubled", () => {
  /** Runs with a buy that waits and would fill at its limit, after its market's fee has doubled. */
  async function withDoubledFee(
    check: (waiting: { owner: Owner; market: PaperMarket; orderId: string }) => Promise<void>,
  ) {
    const owner = await makeOwner();
    const { market, limit, size } = restingBuy();
    const offer = { market, action: "BUY", outcome: 1, limit: price(ONE - limit), size } as const;
    await place(await makeUser(), offer);
    const { orderId } = await place(owner, { ...offer, outcome: 0, limit });
    const { feeRate } = market;
    Object.assign(market, { feeRate: feeRate * 2n });
    try {
      await check({ owner, market, orderId });
    } finally {
      Object.assign(market, { feeRate });
    }
  }

  it("is refused, because the order can cost more than it reserved", async () => {
    await withDoubledFee(async ({ owner, orderId }) => {
      const state = await readState(owner, orderId);
      await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "ORDER_REJECTED" });
      expect(await readState(owner, orderId)).toEqual(state);
    });
  });

  it("that came before it ends in a cancel, and the market goes on", async () => {
    await withDoubledFee(async ({ market, orderId }) => {
      await makeDue(orderId);
      await tick();
      expect(await orderRow(orderId)).toMatchObject({ status: "canceled", held: 0n });
      const limit = findPriceInside(market)(1);
      const next = { market, action: "BUY", outcome: 0, limit, size: SIZE } as const;
      expect(await place(await makeUser(), next)).toMatchObject({ code: null });
    });
  });
});

describe("a decline", () => {
  it("ends the wait and releases the hold, once", async () => {
    const owner = await makeOwner();
    const before = await readCashBalance(owner);
    const { orderId } = await place(owner, restingBuy());
    await declineOrder(owner.session, orderId);
    expect(await readState(owner, orderId)).toMatchObject({
      status: "canceled",
      held: 0n,
      cash: before,
      events: ["received", "approval_requested", "canceled:declined"],
    });
    await expect(declineOrder(owner.session, orderId)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await expect(approve(owner, orderId)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("after an approval is refused, and the order stays open", async () => {
    const owner = await makeOwner();
    const { orderId } = await place(owner, restingBuy());
    await approve(owner, orderId);
    const state = await readState(owner, orderId);
    await expect(declineOrder(owner.session, orderId)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect(await readState(owner, orderId)).toEqual(state);
  });
});

it("a decline or an expiry that an approval overtook changes nothing", async () => {
  const owner = await makeOwner();
  const { orderId } = await place(owner, restingBuy());
  await approve(owner, orderId);
  const state = await readState(owner, orderId);
  const { marketId } = await orderRow(orderId);
  const account = { userId: owner.userId, mode: "paper" } as const;
  for (const reason of ["declined", "approval_expired"] as const) {
    expect(await endWithoutApproval(account, [{ id: orderId, marketId }], reason)).toBe(0);
  }
  expect(await readState(owner, orderId)).toEqual(state);
});

it("a reset of the account ends the wait", async () => {
  const owner = await makeOwner();
  const { orderId } = await place(owner, restingBuy());
  await resetAccount(owner.principal, usdc(50_000_000n));
  expect(await orderRow(orderId)).toMatchObject({ status: "canceled", held: 0n });
});

it("an approved order whose process died before it matched is matched by the ticker", async () => {
  const owner = await makeOwner();
  const { orderId } = await place(owner, marketBuy());
  await makeDue(orderId);
  await tick();
  await tick();
  expect((await orderRow(orderId)).status).toBe("filled");
  expect(await readFills(orderId)).not.toHaveLength(0);
});

it("the account's log tells of the request and of the approval", async () => {
  const owner = await makeOwner();
  const { orderId } = await place(owner, restingBuy());
  await approve(owner, orderId);
  const { events } = await listEvents(owner.principal, {});
  const types = events.map(({ type }) => type);
  expect(types).toContain("order.approval_requested");
  expect(types).toContain("order.approved");
  expect(types.indexOf("order.approval_requested")).toBeLessThan(types.indexOf("order.opened"));
});
