import { beforeAll, describe, expect, it } from "vitest";
import { GET as downloadOrders } from "@/app/api/ui/orders.csv/route";
import { GET as readOpenOrders } from "@/app/api/ui/open-orders/route";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { cancelChosenOrders } from "@/lib/orders/cancel-order";
import { endSession } from "@/lib/auth/manage-sessions";
import { startSession } from "@/lib/auth/start-session";
import { place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";
import { EXPORT_COLUMNS } from "@/lib/orders/export-orders";

const clock = useExchange();

const BROWSER = { address: "127.0.0.1", userAgent: "test" };

let user: TestUser;
let orderId: string;

beforeAll(async () => {
  user = await makeUser();
  const { taxed, free } = await loadMarkets(user.apiKey);
  const market = orderFor(taxed, { orderType: "market", shares: 20 });
  ({ orderId } = await place(user.apiKey, market));
  await place(user.apiKey, orderFor(free));
});

async function signedIn(userId: string, path: string): Promise<Request> {
  const { cookie } = await startSession(userId, BROWSER);
  return new Request(`http://127.0.0.1:3000${path}`, {
    headers: { cookie: `${sessionCookieName()}=${cookie}` },
  });
}

describe("the CSV export of closed orders", () => {
  it("has a head and the account's own orders, and is not cached", async () => {
    const answer = await downloadOrders(await signedIn(user.userId, "/api/ui/orders.csv"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    const lines = (await answer.text()).split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(EXPORT_COLUMNS.join(","));
    expect(lines[1]).toContain(orderId);
  });

  it("ends with the options of each order, time in force, expiry and post only, and what replaced it", async () => {
    const trader = await makeUser();
    const { free } = await loadMarkets(trader.apiKey);
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const gtd = { timeInForce: "GTD", expiresAt, postOnly: true };
    const { orderId: resting } = await place(trader.apiKey, orderFor(free, gtd));
    await cancelChosenOrders(trader.principal, [resting]);
    await place(trader.apiKey, orderFor(free, { orderType: "market", amount: 5 }));
    const answer = await downloadOrders(await signedIn(trader.userId, "/api/ui/orders.csv"));
    const [head, ...rows] = (await answer.text()).trimEnd().split("\r\n");
    expect(head).toMatch(/,fee,time_in_force,expires_at,post_only,replaced_by$/);
    const listOptions = (type: string) =>
      rows
        .find((row) => row.includes(`,${type},`))
        ?.split(",")
        .slice(-4);
    expect(listOptions("limit")).toEqual(["GTD", expiresAt, "true", ""]);
    expect(listOptions("market")).toEqual(["FAK", "", "false", ""]);
  });

  it("has only its head if nothing matches, and for another user", async () => {
    const other = await makeUser();
    const none = await downloadOrders(
      await signedIn(user.userId, "/api/ui/orders.csv?status=expired"),
    );
    const others = await downloadOrders(await signedIn(other.userId, "/api/ui/orders.csv"));
    for (const answer of [none, others]) {
      expect(await answer.text()).toBe(`${EXPORT_COLUMNS.join(",")}\r\n`);
    }
  });
});

describe("downloads that need a session", () => {
  it.each([
    ["the file of orders", downloadOrders],
    ["the open orders", readOpenOrders],
  ])("%s: rejects a missing session, an API key and an ended session", async (_, read) => {
    const plain = new Request("http://127.0.0.1:3000/api/ui/x");
    const withKey = new Request("http://127.0.0.1:3000/api/ui/x", {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    const { cookie, sessionId } = await startSession(user.userId, BROWSER);
    await endSession(user.userId, sessionId);
    const ended = new Request("http://127.0.0.1:3000/api/ui/x", {
      headers: { cookie: `${sessionCookieName()}=${cookie}` },
    });
    for (const request of [plain, withKey, ended]) {
      const answer = await read(request);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: "SESSION_ENDED" } });
    }
  });
});
