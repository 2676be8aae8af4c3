import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DemoFile, readDemoFile } from "@/lib/auth/demo-file";
import type { Principal } from "@/lib/auth/principal";
import { listRequests } from "@/lib/api/middleware/request-log";
import { listKeys } from "@/lib/auth/list-keys";
import { now, setClock } from "@/lib/clock";
import { closeDatabase, getDb, selectRows, useDatabase } from "@/lib/db/client";
import { loadPaperSeed } from "@/lib/db/paper-seed";
import { ensureDemoAccount } from "@/lib/demo/ensure-demo-account";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import { startTotpSetup } from "@/lib/auth/second-factor/set-up-totp";
import { pushSubscriptions } from "@/lib/db/schema/push";
import { totpSecrets } from "@/lib/db/schema/second-factor";
import { GUARDED_ACTIONS, type GuardedAction } from "@/lib/domain/second-factor";
import { assert } from "@/lib/errors";
import { tick } from "@/lib/exchange/ticker";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { listMarkets } from "@/lib/markets/list-markets";
import { listWatched } from "@/lib/markets/watchlist";
import { listOrders } from "@/lib/orders/list-orders";
import { getEquityCurve } from "@/lib/portfolio/get-equity-curve";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { getSummary } from "@/lib/portfolio/get-summary";
import { turnOnPush } from "@/lib/push/manage-push";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { openEmbedded } from "@/tests/support/database/fresh-database";
import { makeBrowser } from "@/tests/support/push/browser";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
vi.mock("@/lib/exchange/ticker", { spy: true });
restoreEnv();
const folders: string[] = [];
afterEach(async () => {
  await closeDatabase();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ALL = { limit: 1_000 };

/** Starts with a new embedded database. Returns who owns the demo account. */
async function start(seed: string, clock?: string): Promise<Principal> {
  changes.DATA_DIR = mkdtempSync(join(tmpdir(), "ante-demo-"));
  folders.push(changes.DATA_DIR);
  changes.PAPER_SEED = seed;
  changes.PAPER_CLOCK = clock;
  const database = await openEmbedded();
  useDatabase(database);
  await loadPaperSeed(database);
  await ensureDemoAccount();
  const demo = readDemoFile(DemoFile);
  assert(demo, "the first start writes the demo file");
  return { userId: demo.userId, mode: "paper", keyId: null, scopes: [] };
}

/** Describes orders without what is drawn at random. */
async function describeOrders(principal: Principal) {
  const { orders } = await listOrders(principal, ALL);
  return orders.map(({ tokenId, action, type, status, price, filledShares, fee, createdAt }) => {
    return { tokenId, action, type, status, price, filledShares, fee, createdAt };
  });
}

describe.runIf(process.env["TEST_DATABASE"] === "embedded")("the demo account", () => {
  it.each([
    ["tests", undefined],
    ["a", undefined],
    ["another seed", undefined],
    ["4", undefined],
    // At these instants, an order that no account can pay would cost less than 10,000 dollars, and only
    // few offers are small enough to be taken whole.
    ["probe-20", "2026-12-01T02:00:00Z"],
    ["probe-1", "2026-11-25T07:18:00Z"],
    // No price that a position could have waited for came up before it.
    ["a", "2026-11-25T11:03:00Z"],
    // An order that should fill in part finds enough shares after all.
    ["4", "2026-11-25T12:55:00Z"],
  ])("has a trader's history with seed %s and clock %s", async (seed, clock) => {
    const principal = await start(seed, clock);
    expect((await verifyBooksAndLogs()).problems).toEqual([]);

    const { positions } = await getPortfolio(principal);
    expect(positions.filter(({ redeemable }) => !redeemable).length).toBeGreaterThanOrEqual(18);
    const settled = positions.filter(({ redeemable }) => redeemable);
    expect(settled.filter(({ value }) => value > 0n).length).toBeGreaterThanOrEqual(2);
    expect(settled.some(({ value }) => value === 0n)).toBe(true);
    const { availableUsdc, portfolioValue, netDeposits } = await getSummary(principal);
    expect(netDeposits).toBe(10_000_000_000n);
    expect(availableUsdc).toBeGreaterThanOrEqual(5_000_000_000n);
    expect(Number(portfolioValue) / 1e6).toBeGreaterThan(9_000);
    expect(Number(portfolioValue) / 1e6).toBeLessThan(11_000);

    const orders = await describeOrders(principal);
    const times = orders.map(({ createdAt }) => createdAt.getTime());
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(35 * DAY_MS);
    const kinds = new Set(orders.map(({ action, type, status }) => `${action} ${type} ${status}`));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        "BUY market filled",
        "SELL market filled",
        "BUY limit filled",
        "BUY limit canceled",
        "BUY limit rejected",
        "BUY limit open",
        "SELL limit open",
      ]),
    );
    const isPartial = ({ status, filledShares }: (typeof orders)[number]) =>
      status === "canceled" && filledShares > 0n;
    expect(orders.some(isPartial)).toBe(true);
    expect((await listWatched(principal.userId)).size).toBe(6);

    const { markets } = await listMarkets(principal, { limit: 40 });
    const first = new Set(markets.flatMap(({ outcomes }) => outcomes.map((one) => one.tokenId)));
    expect(orders.filter(({ tokenId, status }) => status === "open" && first.has(tokenId))).toEqual(
      [],
    );
  });

  it("has a request log and a key that was used within the hours before the start", async () => {
    const principal = await start("tests");
    const [key] = (await listKeys(principal.userId)).active;
    assert(key?.lastUsedAt, "the key was used");
    expect(Date.now() - key.lastUsedAt.getTime()).toBeLessThan(2 * HOUR_MS);
    const { requests } = await listRequests(principal, {});
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.every(({ keyId }) => keyId === key.id)).toBe(true);
    expect(requests.some(({ path, status }) => path === "/v1/orders" && status === 200)).toBe(true);
    expect(requests.some(({ errorCode }) => errorCode === "ORDER_NOT_FOUND")).toBe(true);
    for (const { createdAt } of requests) {
      expect(Date.now() - createdAt.getTime()).toBeLessThan(7 * DAY_MS + HOUR_MS);
    }
  });

  it("has events, a statement and a curve with the dates of its trades", async () => {
    const principal = await start("tests");
    const sixWeeks = Date.now() - 42 * DAY_MS;
    const curve = await getEquityCurve(principal, "all");
    expect(Math.abs((curve?.points[0]?.at.getTime() ?? 0) - sixWeeks)).toBeLessThan(DAY_MS);
    const rows = await selectRows<{ at: string; events: number; days: number }>(
      await getDb(),
      sql`select min(created_at)::text as at, count(*)::int as events,
          count(distinct created_at::date)::int as days
        from account_events where user_id = ${principal.userId}`,
    );
    expect(Math.abs(Date.parse(rows[0]?.at ?? "") - sixWeeks)).toBeLessThan(DAY_MS);
    expect(rows[0]?.days).toBeGreaterThan(25);
    const inOrder = await selectRows(
      await getDb(),
      sql`select from (
          select created_at, lag(created_at) over (order by seq) as before
          from account_events where user_id = ${principal.userId}
        ) events where created_at < before`,
    );
    expect(inOrder).toEqual([]);
  });

  it("is created once", async () => {
    const principal = await start("tests");
    const before = await describeOrders(principal);
    await ensureDemoAccount();
    expect(await describeOrders(principal)).toEqual(before);
    expect(readDemoFile(DemoFile)?.userId).toBe(principal.userId);
  });

  it("gets no push notifications, because strangers share it", async () => {
    const principal = await start("tests");
    const browser = makeBrowser("https://push.shop.com/1");
    const session = { id: "ses_1", email: "", principal, isLimited: false };
    await expect(turnOnPush(session, browser, { showsAmounts: true })).rejects.toThrow(
      "everyone who tries the demo shares this account",
    );
    expect(await (await getDb()).select().from(pushSubscriptions)).toEqual([]);
  });

  it("has no second factor, and lets visitors through where they can't lock out others", async () => {
    const principal = await start("tests");
    const session = { id: "ses_1", email: "", principal, isLimited: false };
    const proof = { address: "192.0.2.1", password: readDemoFile(DemoFile)?.password ?? "" };
    const open: readonly GuardedAction[] = [
      "raise_limit",
      "thaw",
      "approve",
      "webhook_secret",
      "webhook_address",
    ];
    for (const action of GUARDED_ACTIONS) {
      const asked = requireFreshFactor(session, action, proof);
      if (open.includes(action)) expect(await asked, action).toBe("shared account");
      else await expect(asked, action).rejects.toThrow("everyone who tries the demo");
    }
    await expect(startTotpSetup(session, proof)).rejects.toThrow("everyone who tries the demo");
    expect(await (await getDb()).select().from(totpSecrets)).toEqual([]);
  });

  it("has a history that ends at a frozen clock, the same one on every installation", async () => {
    const clock = "2026-06-01T12:00:00Z";
    const restoreClock = setClock(() => Date.UTC(2026, 10, 25), { movesDatabase: false });
    try {
      const first = await describeOrders(await start("tests", clock));
      await closeDatabase();
      const second = await describeOrders(await start("tests", clock));
      expect(second).toEqual(first);
      expect(first.length).toBeGreaterThan(50);
      expect((await verifyBooksAndLogs()).problems).toEqual([]);
    } finally {
      restoreClock();
    }
  });

  it("leaves nothing behind when its history fails, and starts with an account without one", async () => {
    vi.mocked(tick).mockRejectedValueOnce(new Error("broken"));
    const principal = await start("tests");
    expect(await describeOrders(principal)).toEqual([]);
    expect((await getSummary(principal)).availableUsdc).toBe(10_000_000_000n);
    expect((await verifyBooksAndLogs()).problems).toEqual([]);
    expect(Math.abs(now() - Date.now())).toBeLessThan(1_000);
  });
});
