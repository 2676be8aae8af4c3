import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as downloadOrders } from "@/app/api/ui/orders.csv/route";
import { GET as openStream } from "@/app/api/ui/stream/route";
import { GET as readSummary } from "@/app/api/ui/summary/route";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { getDatabase, getDb, openPostgres, useDatabase } from "@/lib/db/client";
import { liveWallets } from "@/lib/db/schema/accounts";
import { booksChecks } from "@/lib/db/schema/audit";
import { reconciliations, remoteOrders } from "@/lib/db/schema/remote-orders";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { runDueCheck } from "@/lib/ops/books-watch";
import { getRequestCounts } from "@/lib/ops/request-metrics";
import { NO_FAULTS } from "@/lib/sandbox/switches";
import { startSession } from "@/lib/auth/start-session";
import { findLastBooksCheck, readCheckedDays } from "@/lib/ops/books-check";
import { callApi } from "@/tests/support/api/call-api";
import { loadMarkets, MINUTE_MS, orderFor, useExchange } from "@/tests/support/api/exchange";
import { sendRaw } from "@/tests/support/api/routes";
import { insertLiveOrder, createOwner, storeWallet } from "@/tests/support/live/wallets";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const ask = (path: string) =>
  sendRaw(path, { headers: { authorization: `Bearer ${env().CRON_SECRET}` } });

/** Parses a scrape by the name and labels of each line. Throws on an invalid line. */
async function scrape(): Promise<Map<string, number>> {
  const answer = await ask("/api/ops/metrics");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const samples = new Map<string, number>();
  for (const line of (await answer.text()).trimEnd().split("\n")) {
    if (line === "" || /^# (HELP|TYPE) ante_[a-z_]+ .+$/.test(line)) continue;
    const found = /^(ante_[a-z_]+(?:\{[a-z0-9]+="[^"]*"(?:,[a-z0-9]+="[^"]*")*\})?) (\S+)$/.exec(
      line,
    );
    if (!found) throw new Error(`not a line of the format: ${line}`);
    const [, name = "", value] = found;
    expect(samples.has(name), name).toBe(false);
    samples.set(name, Number(value));
    expect(Number(value), line).toBeGreaterThanOrEqual(0);
  }
  return samples;
}

/** Runs `work` with a database that doesn't respond. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const original = await getDatabase();
  const broken = openPostgres("postgres://ante@127.0.0.1:1/none");
  useDatabase(broken);
  try {
    await work();
  } finally {
    useDatabase(original);
    await broken.close();
  }
}

describe("readiness", () => {
  it("is reported while the database responds", async () => {
    const answer = await ask("/api/ops/ready");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ ready: true, database: "answers", reason: null });
  });

  it("returns 503 with the reason if the database doesn't respond", async () => {
    await withoutDatabase(async () => {
      const answer = await ask("/api/ops/ready");
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        ready: false,
        database: "does not answer",
        books: "not known",
        reason: expect.stringContaining("database is not responding"),
      });
    });
  });
});

describe("the switches of the sandbox", () => {
  const change = (body: unknown, secret = env().CRON_SECRET) =>
    sendRaw("/api/ops/sandbox", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const read = async () => (await ask("/api/ops/sandbox")).json();

  it("are changed one by one and read by the operator", async () => {
    const changed = await change({ phase: "cancel-only" });
    expect(changed.status).toBe(200);
    const state = { ...NO_FAULTS, phase: "cancel-only", changedAt: clock.now() };
    expect(await changed.json()).toEqual(state);
    expect(await read()).toEqual(state);
    await change({ phase: "open" });
  });

  it.each([{}, { phase: "closed" }, { phase: "open", other: 1 }, [], { isGeoblocked: "yes" }])(
    "are not changed by %j, which is refused",
    async (body) => {
      const before = await read();
      const refused = await change(body);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
      expect(await read()).toEqual(before);
    },
  );

  it("are not changed without the operator's secret", async () => {
    const before = await read();
    expect((await change({ phase: "disabled" }, "guess")).status).toBe(401);
    expect(await read()).toEqual(before);
  });
});

describe("metrics", () => {
  beforeEach(() => {
    getRequestCounts().registry.resetMetrics();
  });

  it("count responses by route, caller and status, with durations", async () => {
    const { free } = await loadMarkets(user.apiKey);
    getRequestCounts().registry.resetMetrics();
    const post = (body: unknown) => callApi("POST", "/v1/orders", { key: user.apiKey, body });
    await post(orderFor(free));
    await post(orderFor(free));
    await post({});
    await callApi("GET", "/v1/orders/ord_x", { key: user.apiKey });
    await callApi("GET", "/v1/orders/ord_y", { key: user.apiKey });
    await callApi("GET", "/v1/orders/ord_z");
    const samples = await scrape();
    const count = (method: string, route: string, caller: string, status: number) =>
      samples.get(
        `ante_requests_total{method="${method}",route="${route}",caller="${caller}",status="${status}"}`,
      );
    expect(count("POST", "/v1/orders", "key", 200)).toBe(2);
    expect(count("POST", "/v1/orders", "key", 400)).toBe(1);
    expect(count("GET", "/v1/orders/{orderId}", "key", 404)).toBe(2);
    expect(count("GET", "/v1/orders/{orderId}", "refused", 401)).toBe(1);
    const series = `method="POST",route="/v1/orders",caller="key"`;
    const buckets = [...samples]
      .filter(
        ([name]) =>
          /^ante_request_seconds_bucket\{le="[^"]+",/.test(name) && name.endsWith(`,${series}}`),
      )
      .map(([, value]) => value);
    expect(buckets).toHaveLength(13);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBe(3);
    expect(samples.get(`ante_request_seconds_count{${series}}`)).toBe(3);
    expect(samples.get(`ante_request_seconds_sum{${series}}`)).toBeGreaterThan(0);
  });

  it("count reads, downloads and streams of the dashboard by path without parameters", async () => {
    getRequestCounts().registry.resetMetrics();
    const { cookie } = await startSession(user.userId, { address: "127.0.0.1", userAgent: "test" });
    const createRequest = (path: string, headers: Record<string, string>) =>
      new Request(`http://127.0.0.1:3000${path}`, { headers });
    const signedIn = { cookie: `${sessionCookieName()}=${cookie}` };
    await readSummary(createRequest("/api/ui/summary", signedIn));
    await readSummary(createRequest("/api/ui/summary", {}));
    await readSummary(createRequest("/api/ui/%73ummary", signedIn));
    await (await downloadOrders(createRequest("/api/ui/orders.csv", signedIn))).body?.cancel();
    await openStream(createRequest("/api/ui/stream", {}));
    const counted = (await getRequestCounts().responses.get()).values.map(({ labels, value }) => [
      `${labels.route} ${labels.caller} ${labels.status}`,
      value,
    ]);
    expect(Object.fromEntries(counted)).toEqual({
      "/api/ui/summary session 200": 1,
      "/api/ui/summary refused 401": 1,
      "other session 200": 1,
      "/api/ui/orders.csv session 200": 1,
      "/api/ui/stream refused 401": 1,
    });
  });

  it("have a constant number of lines after thousands of unknown requests", async () => {
    for (let index = 0; index < 2_000; index += 1) {
      const path = `/v1/${index}/${"x".repeat(index % 50)}`;
      await callApi(index % 2 === 0 ? "GET" : "DELETE", path, { key: user.apiKey });
      await callApi("GET", `/v1/orders/${index}`, { key: "wrong" });
    }
    const names = [...(await scrape()).keys()];
    const countLines = (name: string) => names.filter((line) => line.startsWith(`${name}{`)).length;
    expect(countLines("ante_requests_total")).toBeLessThanOrEqual(3);
    expect(countLines("ante_request_seconds_count")).toBeLessThanOrEqual(3);
  });

  it("report open orders, orders with unknown outcome, and their age", async () => {
    const before = await scrape();
    expect(before.get("ante_orders_unknown")).toBe(0);
    const { address, funders, privateKey } = createOwner();
    const { userId } = user;
    await storeWallet({ userId, address, funderAddress: funders[3], signatureType: 3 }, privateKey);
    await insertLiveOrder(user.userId, "unknown");
    const db = await getDb();
    const [order] = await db
      .execute(sql`select id from orders where status = 'unknown'`)
      .then((result) => (result as unknown as { rows: { id: string }[] }).rows);
    await db.insert(remoteOrders).values({
      orderId: order?.id ?? "",
      userId: user.userId,
      venueOrderId: "0x1",
      body: "{}",
      orderType: "GTC",
      keyHash: "x",
      postingUntil: new Date(clock.now()),
      createdAt: new Date(clock.now()),
    });
    await db.insert(reconciliations).values({
      userId: user.userId,
      leasedUntil: new Date(clock.now()),
      tradesUntil: new Date(0),
      succeededAt: new Date(clock.now()),
      failures: 3,
    });
    clock.advance(MINUTE_MS);
    const after = await scrape();
    expect(after.get("ante_orders_unknown")).toBe(1);
    expect(after.get("ante_orders_unknown_oldest_seconds")).toBe(60);
    expect(after.get(`ante_orders_unfinished{mode="live",status="unknown"}`)).toBe(1);
    expect(after.get(`ante_orders_unfinished{mode="paper",status="open"}`)).toBe(2);
    expect(after.get("ante_reconciler_accounts")).toBe(1);
    expect(after.get("ante_reconciler_failing_accounts")).toBe(1);
    expect(after.get("ante_reconciler_failures_in_a_row")).toBe(3);
    expect(after.get("ante_reconciler_lag_seconds")).toBe(60);
    await db.delete(remoteOrders);
    await db.delete(reconciliations);
    await db.delete(liveWallets);
    await db.execute(sql`delete from orders where status = 'unknown'`);
  });

  it("report a database outage, and the process's own metrics", async () => {
    await withoutDatabase(async () => {
      const samples = await scrape();
      expect(samples.get("ante_database_up")).toBe(0);
      expect(samples.get("ante_memory_bytes")).toBeGreaterThan(1_000_000);
      expect(samples.has("ante_orders_unknown")).toBe(false);
    });
    expect((await scrape()).get("ante_database_up")).toBe(1);
  });

  it("report the delay of timers, and contain no name, id or secret", async () => {
    await scrape();
    const late = performance.now() + 150;
    await new Promise((resolve) => setTimeout(resolve, 30));
    while (performance.now() < late) {
      // Blocks all other requests.
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
    const answer = await ask("/api/ops/metrics");
    const text = await answer.text();
    const max = Number(/ante_event_loop_delay_seconds\{quantile="max"\} (\S+)/.exec(text)?.[1]);
    expect(max).toBeGreaterThan(0.05);
    for (const secret of [user.userId, user.email, user.address, user.principal.keyId]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe("the continuous check of the books", () => {
  const alarms = () => vi.spyOn(log, "error");
  const falsify = async (by: number) =>
    (await getDb()).execute(sql`update ledger_accounts set balance_micro = balance_micro + ${by}
      where user_id = ${user.userId} and kind = 'available' and asset = 'usdc'`);
  beforeEach(async () => {
    await (await getDb()).delete(booksChecks);
  });
  afterEach(() => vi.restoreAllMocks());

  it("is made by one of several concurrent processes, and again when it is due", async () => {
    const looks = await Promise.all(Array.from({ length: 8 }, () => runDueCheck()));
    expect(looks.filter(Boolean)).toHaveLength(1);
    expect(await runDueCheck()).toBe(false);
    clock.advance(11 * MINUTE_MS);
    expect(await runDueCheck()).toBe(true);
    expect(await findLastBooksCheck()).toMatchObject({ at: new Date(clock.now()), problems: 0 });
  });

  it("counts the checks of each day, and those that found mismatches", async () => {
    expect(await readCheckedDays()).toEqual([]);
    expect(await runDueCheck()).toBe(true);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    expect(await readCheckedDays()).toEqual([{ day, checks: 1, failed: 0 }]);
    // Not due, so it isn't counted.
    expect(await runDueCheck()).toBe(false);
    clock.advance(24 * 60 * MINUTE_MS);
    await falsify(1);
    expect(await runDueCheck()).toBe(true);
    await falsify(-1);
    const next = new Date(clock.now()).toISOString().slice(0, 10);
    expect(await readCheckedDays()).toEqual([
      { day, checks: 1, failed: 0 },
      { day: next, checks: 1, failed: 1 },
    ]);
  });

  it("is taken over from a process that died during the check", async () => {
    await (await getDb()).insert(booksChecks).values({
      id: 1,
      leasedUntil: new Date(clock.now() + 5 * MINUTE_MS),
      checkedAt: null,
      problems: 0,
      transfers: 0,
      accounts: 0,
      orders: 0,
      durationMs: 0,
    });
    expect(await runDueCheck()).toBe(false);
    expect(await findLastBooksCheck()).toBeNull();
    clock.advance(5 * MINUTE_MS);
    expect(await runDueCheck()).toBe(true);
  });

  it("raises no alarm while the books match", async () => {
    const error = alarms();
    await runDueCheck();
    expect(error).not.toHaveBeenCalled();
    const samples = await scrape();
    expect(samples.get("ante_books_disagreements")).toBe(0);
    expect(samples.get("ante_books_check_age_seconds")).toBe(0);
    const ready = await (await ask("/api/ops/ready")).json();
    expect(ready).toMatchObject({ ready: true, books: "agree" });
  });

  it("raises LEDGER_DISAGREES for one surplus micro-dollar until it is corrected", async () => {
    const error = alarms();
    await falsify(1);
    expect(await runDueCheck()).toBe(true);
    expect(error).toHaveBeenCalledWith(
      "LEDGER_DISAGREES",
      expect.objectContaining({ error: expect.stringContaining("its transfers add up to") }),
    );
    expect((await scrape()).get("ante_books_disagreements")).toBeGreaterThan(0);
    expect((await findLastBooksCheck())?.problems).toBeGreaterThan(0);
    const ready = await (await ask("/api/ops/ready")).json();
    expect(ready).toMatchObject({ ready: true, books: "disagree" });
    await falsify(-1);
    clock.advance(11 * MINUTE_MS);
    error.mockClear();
    expect(await runDueCheck()).toBe(true);
    expect(error).not.toHaveBeenCalled();
    expect((await findLastBooksCheck())?.problems).toBe(0);
  });

  it("skips a large embedded database, because the check would block requests", async () => {
    await runDueCheck();
    const db = await getDb();
    await db.update(booksChecks).set({ transfers: 1_000_000 }).where(eq(booksChecks.id, 1));
    clock.advance(11 * MINUTE_MS);
    const isEmbedded = (await getDatabase()).kind === "embedded";
    expect(await runDueCheck()).toBe(!isEmbedded);
  });
});
