import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/auth/principal";
import { findSession } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { getDb } from "@/lib/db/client";
import type { Operation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { createKey } from "@/lib/auth/create-key";
import { startSession } from "@/lib/auth/start-session";
import { switchMode } from "@/lib/accounts/switch-mode";
import { callApi } from "@/tests/support/api/call-api";
import { place } from "@/tests/support/api/client";
import { expectError, expectUnchanged } from "@/tests/support/api/state";
import { callDoor, listEndpoints } from "@/tests/support/authorization/call-endpoint";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findLiveMarket,
  type LiveUser,
  LONG_TIMEOUTS,
  makeLiveUser,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";
import { makeUser } from "@/tests/support/users";

useSandboxRelayer(await useLiveVenue(LONG_TIMEOUTS));
useFreshDatabase();

/** Data that is only in the paper account, and only in the live account, of one user. */
interface Side {
  apiKey: string;
  orderId: string;
  transactionId: string;
  cookie: string;
}

let user: LiveUser;
let paper: Side;
let live: Side;
let tokenId = "";
let marketId = "";

const REST = { action: "BUY", orderType: "limit" } as const;

beforeAll(async () => {
  user = await makeLiveUser();
  const market = await findLiveMarket();
  marketId = market.id;
  tokenId = market.outcomes[0].tokenId;
  const { apiKey } = await createKey(await getDb(), {
    userId: user.userId,
    name: "live",
    mode: "live",
    scopes: SCOPES,
    expiresAt: null,
  });
  const paperOrder = { ...REST, tokenId, price: 0.1, shares: 7 };
  const { orderId } = await place(user.apiKey, paperOrder);
  const sent = await callApi("POST", "/v1/orders", {
    key: apiKey,
    body: { ...REST, tokenId, price: 0.1, shares: 9 },
  });
  expect(sent.status, sent.text).toBe(200);
  const liveOrderId = (JSON.parse(sent.text) as { data: { orderId: string } }).data.orderId;
  const browser = { address: "127.0.0.1", userAgent: "test" };
  const [first, second] = [
    await startSession(user.userId, browser),
    await startSession(user.userId, browser),
  ];
  const switching = await findSession(second.cookie);
  if (!switching) throw new Error("the session has begun");
  await switchMode(switching, "live", { address: "127.0.0.1", password: PASSWORD });
  const transactionIds = [await split(user.apiKey), await split(apiKey)] as const;
  const [transactionId, liveTransactionId] = transactionIds;
  paper = { apiKey: user.apiKey, orderId, transactionId, cookie: first.cookie };
  live = { apiKey, orderId: liveOrderId, transactionId: liveTransactionId, cookie: second.cookie };
});

async function split(key: string): Promise<string> {
  const body = { marketId, shares: 2 };
  const done = await callApi("POST", "/v1/positions/split", { key, body });
  expect(done.status, done.text).toBe(200);
  return (JSON.parse(done.text) as { data: { id: string } }).data.id;
}

const PASSWORD = "correct horse battery staple";

const READS = Object.entries<Operation>(OPERATIONS)
  .map(([id, spec]) => ({ id: id as OperationId, ...spec }))
  .filter(({ access, method }) => access === "read" && method === "GET");

const fillPath = (path: string, { orderId, transactionId }: Side) =>
  path
    .replace("{orderId}", orderId)
    .replace("{transactionId}", transactionId)
    .replace("{marketId}", marketId);

describe.each([
  ["a live key", "paper account", () => ({ asks: live, other: paper })],
  ["a paper key", "live account", () => ({ asks: paper, other: live })],
] as const)("%s", (_key, _account, sides) => {
  it.each(READS)(`$method $path shows nothing of the ${_account}`, async ({ path }) => {
    const { asks, other } = sides();
    const answer = await callApi("GET", fillPath(path, asks), { key: asks.apiKey });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).not.toContain(other.orderId);
    expect(answer.text).not.toContain(other.transactionId);
    if (/\/orders/.test(path)) expect(answer.text).toContain(asks.orderId);
    if (/\/transactions/.test(path)) expect(answer.text).toContain(asks.transactionId);
  });

  it(`finds no order of the ${_account}, and cancels none`, async () => {
    const { asks, other } = sides();
    const unknown = "ord_00000000000000000000000000";
    for (const method of ["GET", "DELETE"]) {
      await expectUnchanged(async () => {
        const theirs = await callApi(method, `/v1/orders/${other.orderId}`, { key: asks.apiKey });
        const missing = await callApi(method, `/v1/orders/${unknown}`, { key: asks.apiKey });
        expectError(theirs, { code: "ORDER_NOT_FOUND" });
        expect(theirs.text).toBe(missing.text);
      });
    }
  });

  it.each(listEndpoints("session").filter(({ path }) => !/\/(stream|events)$/.test(path)))(
    `$name in a browser of the same mode shows nothing of the ${_account}`,
    async (endpoint) => {
      const { asks, other } = sides();
      const headers = { cookie: `${sessionCookieName()}=${asks.cookie}` };
      const callFor = (orderId: string) => {
        const query = /\/ui\/(book|ticket|own-market)$/.test(endpoint.path)
          ? `?market=${marketId}&token=${tokenId}`
          : /\/ui\/(order|edit)$/.test(endpoint.path)
            ? `?id=${orderId}`
            : "";
        return callDoor(endpoint, { headers, query }, { orderId, marketId });
      };
      const answer = await callFor(asks.orderId);
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain(other.orderId);
      if (!/\[orderId\]|\/ui\/(order|edit)$/.test(endpoint.path)) return;
      expect((await callFor(other.orderId)).status).toBe(404);
    },
  );

  it.each(_account === "live account" ? [] : ["unavailable", "lost-answer", "made-up", ""])(
    "rejects X-Rehearse %j, and places and cancels nothing",
    async (kind) => {
      const { asks } = sides();
      const orders = async () => (await callApi("GET", "/v1/orders", { key: asks.apiKey })).text;
      const before = await orders();
      const given = { key: asks.apiKey, headers: { "x-rehearse": kind } };
      const body = { ...REST, tokenId, price: 0.1, shares: 8 };
      for (const answer of [
        await callApi("POST", "/v1/orders", { ...given, body }),
        await callApi("DELETE", `/v1/orders/${asks.orderId}`, given),
        await callApi("DELETE", "/v1/orders", given),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
      }
      expect(await orders()).toBe(before);
    },
  );

  it(`cancels all of its own orders and none of the ${_account}`, async () => {
    const { asks, other } = sides();
    const again = { ...REST, tokenId, price: 0.1, shares: 6 };
    await callApi("POST", "/v1/orders", { key: asks.apiKey, body: again });
    const answer = await callApi("DELETE", "/v1/orders", { key: asks.apiKey });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).not.toContain(other.orderId);
    const record = await callApi("GET", `/v1/orders/${other.orderId}`, { key: other.apiKey });
    // The first account's order was already canceled with its own key.
    const isFirst = asks === live;
    expect(record.body).toMatchObject({ data: { status: isFirst ? "open" : "canceled" } });
  });
});

it("a user can't switch the mode of another user's session", async () => {
  const stranger = await makeUser();
  const session = await findSession(live.cookie);
  expect(session?.principal.mode).toBe("live");
  const forged = {
    id: session?.id ?? "",
    email: "",
    principal: stranger.principal,
    isLimited: false,
  };
  await switchMode(forged, "paper", { address: "127.0.0.1" });
  expect((await findSession(live.cookie))?.principal.mode).toBe("live");
});

describe("a live key of a user without a live wallet", () => {
  it.each(READS.filter(({ path }) => /balance|positions/.test(path)))(
    "$method $path returns WALLET_NOT_FOUND",
    async ({ path }) => {
      const poor = await makeUser();
      const { apiKey } = await createKey(await getDb(), {
        userId: poor.userId,
        name: "live",
        mode: "live",
        scopes: SCOPES,
        expiresAt: null,
      });
      await expectUnchanged(async () => {
        expectError(await callApi("GET", path, { key: apiKey }), { code: "WALLET_NOT_FOUND" });
      });
    },
  );
});
