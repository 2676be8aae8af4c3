import type { OutgoingHttpHeaders } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS, PAGES } from "@/tests/support/authorization/table";
import { HEADER_TRICKS } from "@/tests/support/authorization/header-tricks";
import {
  type Answer,
  anyToken,
  cleanUpAfterwards,
  readData,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  send,
  startPrepared,
  until,
} from "@/tests/support/product/product";
import { createForm, postForm, signIn } from "@/tests/support/product/session";
import { useReceiver } from "@/tests/support/webhooks/receiver";

cleanUpAfterwards();
const receiver = useReceiver();

let product: Product;
let user: SeededUser;
let stranger: SeededUser;
/** The session cookies of both users. */
let mine = "";
let theirs = "";
let cronSecret = "";
const ids: Record<string, string> = {};

const ask = (method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: unknown) =>
  send(product.port, { method, path, headers, ...(body === undefined ? {} : { body }) });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [first, second] = await seedUsers({ DATA_DIR: dataDir }, 2, "1000");
  if (!first || !second) throw new Error("no users were seeded");
  [user, stranger] = [first, second];
  product = await startPrepared({ dataDir, env: { ...NO_LIMITS, WEBHOOK_ALLOW_PRIVATE: "1" } });
  const { port } = product;
  const secrets = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as {
    CRON_SECRET: string;
  };
  cronSecret = secrets.CRON_SECRET;
  mine = await signIn(port, user);
  theirs = await signIn(port, stranger);
  const body = {
    tokenId: await anyToken(port, user.apiKey),
    action: "BUY",
    orderType: "limit",
    price: 0.1,
    shares: 10,
    idempotencyKey: "an-order-of-the-owner",
  };
  const placed = await send(port, { method: "POST", path: "/v1/orders", key: user.apiKey, body });
  ids["orderId"] = String(readData(placed)["orderId"]);
  ids["requestId"] = await waitForLog(String(placed.headers["x-request-id"]));
  ids["positionId"] = body.tokenId;
  const record = await readRecord();
  ids["marketId"] = String(record["marketId"]);
  ids["key"] = body.idempotencyKey;
  ids["keyId"] = user.apiKey.slice("ante_paper_".length, "ante_paper_".length + 8);
  const market = await ask("GET", `/v1/markets/${ids["marketId"]}`, bearer(user.apiKey));
  ids["slug"] = String(readData(market)["slug"]);
  await addWebhook();
});

afterAll(async () => {
  expect((await readRecord())["status"]).toBe("open");
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});

/** Adds an endpoint of the user with a delivery. */
async function addWebhook(): Promise<void> {
  const body = { url: receiver.url, types: ["deposit.created", "order.opened"] };
  const added = await ask("POST", "/v1/webhooks", bearer(user.apiKey), body);
  ids["webhookId"] = String(readData(added)["id"]);
  const path = `/v1/webhooks/${ids["webhookId"]}`;
  await ask("POST", `${path}/replay`, bearer(user.apiKey));
  ids["deliveryId"] = await until("a delivery", async () => {
    const answer = await ask("GET", `${path}/deliveries`, bearer(user.apiKey));
    return readData<{ deliveries: { id: string }[] }>(answer).deliveries[0]?.id;
  });
}

/** The log is written after the response. */
function waitForLog(requestId: string): Promise<string> {
  return until("a request in the log", async () => {
    const page = await ask("GET", `/keys/requests/${requestId}`, { cookie: mine });
    return page.status === 200 ? requestId : undefined;
  });
}

async function readRecord(): Promise<Record<string, unknown>> {
  return readData(await ask("GET", `/v1/orders/${ids["orderId"]}`, bearer(user.apiKey)));
}

const realPath = (path: string) =>
  path.replaceAll(/\[(?:\.{3})?(\w+)\]/g, (_, name: string) => ids[name] ?? "x");

const OWN_OBJECT = /\[(orderId|keyId|webhookId|requestId)\]/;

const GUARDED_PAGES = Object.keys(PAGES).filter((url) => PAGES[url] === "session");

/** Data that only the user may see. The requested path may appear in the response. */
function expectNothingAbout(answer: Answer, path: string, about: string): void {
  const { orderId = "" } = ids;
  const secrets = [user.userId, user.email, user.address, user.funderAddress];
  for (const secret of path.includes(orderId) ? secrets : [...secrets, orderId]) {
    expect(answer.text, about).not.toContain(secret);
  }
}

function expectSignInPage(answer: Answer, path: string, name: string): void {
  const about = `${path} with ${name}: ${answer.status} ${answer.text.slice(0, 200)}`;
  expectNothingAbout(answer, path, about);
  // Next answers its older kind of prefetch with an empty response before it looks for a page.
  if (answer.status === 200) return expect(answer.text, about).toBe("{}");
  expect([303, 307], about).toContain(answer.status);
  expect(answer.headers.location, about).toMatch(/^\/sign-in(\?(next|ended)=|$)/);
}

describe("a page of the dashboard", () => {
  it.each(GUARDED_PAGES)("%s is shown only with a session", async (url) => {
    const path = realPath(url);
    const own = await ask("GET", path, { cookie: mine });
    expect([200, 307], path).toContain(own.status);
    expect(own.headers.location ?? "", path).not.toContain("/sign-in");
    const attempts: [string, OutgoingHttpHeaders][] = [
      ["nothing", {}],
      ["an API key", bearer(user.apiKey)],
      ["the operator's secret", bearer(cronSecret)],
      ["a forged session", { cookie: "next-auth.session-token=forged" }],
      ["an API key for a session", { cookie: `next-auth.session-token=${user.apiKey}` }],
      ["a session under another name", { cookie: `__Secure-${mine}` }],
      ...HEADER_TRICKS,
      ...HEADER_TRICKS.map(([name, headers]): [string, OutgoingHttpHeaders] => [
        `${name}, and a forged session`,
        { ...headers, cookie: "next-auth.session-token=forged" },
      ]),
    ];
    for (const [name, headers] of attempts) {
      const answer = await ask("GET", path, headers);
      if (headers["rsc"] === undefined) expectSignInPage(answer, path, name);
      else expectNothingAbout(answer, path, name);
    }
  });

  it("returns 404 for another user's object", async () => {
    for (const url of GUARDED_PAGES.filter((page) => OWN_OBJECT.test(page))) {
      const answer = await ask("GET", realPath(url), { cookie: theirs });
      expectNothingAbout(answer, realPath(url), url);
      expect(answer.status, url).toBe(404);
    }
    for (const url of GUARDED_PAGES.filter((page) => !OWN_OBJECT.test(page))) {
      const answer = await ask("GET", realPath(url), { cookie: theirs });
      expectNothingAbout(answer, url, url);
      expect(answer.text, url).not.toContain(ids["keyId"]);
    }
  });
});

describe("an endpoint", () => {
  const GUARDED = (["key", "session", "operator", "wallet"] as const).flatMap((door) =>
    ENDPOINTS[door].map((name) => {
      const [method = "", path = ""] = name.split(" ");
      return { door, name, method, path };
    }),
  );
  const createBody = (method: string) => (method === "POST" ? {} : undefined);

  it.each(GUARDED)("$name rejects every other credential", async ({ door, method, path }) => {
    const credentials: Record<string, OutgoingHttpHeaders> = {
      nothing: {},
      garbage: bearer("x"),
      key: bearer(user.apiKey),
      session: { cookie: mine },
      operator: bearer(cronSecret),
    };
    // Other tests call routes that accept a key.
    delete credentials[door];
    for (const [name, headers] of Object.entries(credentials)) {
      const answer = await ask(method, realPath(path), headers, createBody(method));
      expect(answer.status, `${name}: ${answer.text.slice(0, 200)}`).toBe(401);
    }
    for (const [name, headers] of HEADER_TRICKS) {
      const answer = await ask(method, realPath(path), headers, createBody(method));
      // Next itself answers its internal headers: with an empty object or a redirect.
      const isNothing = answer.text === "{}" || (answer.status === 307 && answer.text === "");
      if (!isNothing) expect(answer.status, `${name}: ${answer.text.slice(0, 200)}`).toBe(401);
    }
  });

  it.each(GUARDED)("$name rejects other spellings of its path", async ({ method, path }) => {
    const real = realPath(path);
    const spellings = [
      real.toUpperCase(),
      real.replace("/api", "/API"),
      real.replace("/api", "/api/api"),
      real.replace("/api", "//api"),
      real.replace("/api/", "/api%2f"),
      real.replace("/api/", "/%61pi/"),
      real.replace("/api/", "/x/..%2fapi/"),
      `/_next/data/x${real}.json`,
      `/_next/image?url=${encodeURIComponent(real)}&w=64&q=75`,
    ];
    const headers = { cookie: mine, ...bearer(user.apiKey) };
    for (const spelling of spellings) {
      const answer = await ask(method, spelling, headers, createBody(method));
      const about = `${spelling}: ${answer.status} ${answer.text.slice(0, 200)}`;
      expectNothingAbout(answer, spelling, about);
      expect(answer.status, about).toBeGreaterThanOrEqual(300);
    }
  });

  it.each(ENDPOINTS.operator)("%s accepts the operator's secret", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    const answer = await ask(method, path, bearer(cronSecret));
    expect(answer.status).not.toBe(401);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});

describe("a server action", () => {
  it.each([
    ["/settings?section=sessions", "Sign out everywhere else"],
    ["/orders", "cancel"],
    ["/wallet", "amount"],
    ["/keys/new", "lifetime"],
  ])("of %s does nothing for a browser that is not signed in", async (path, mark) => {
    // A second session, for signing out everywhere else.
    await signIn(product.port, user);
    const page = await ask("GET", path, { cookie: mine });
    const form = createForm(page.text, mark);
    const before = await readState();
    for (const headers of [
      {},
      bearer(user.apiKey),
      { cookie: "next-auth.session-token=forged" },
      { cookie: "next-auth.session-token=forged", "x-middleware-subrequest": "proxy:proxy:proxy" },
    ]) {
      expectSignInPage(await postForm(product.port, { path, form, headers }), path, "a form");
    }
    expect(await readState()).toBe(before);
  });

  it("does not find an order or key of another user", async () => {
    const page = await ask("GET", `/orders/${ids["orderId"]}`, { cookie: mine });
    const form = createForm(page.text, ids["orderId"] ?? "");
    const before = await readState();
    const headers = { cookie: theirs };
    const path = `/orders/${ids["orderId"]}`;
    const answer = await postForm(product.port, { path, form, headers });
    expect(answer.headers.location ?? "").not.toContain("canceled=1");
    const rename = await ask("GET", `/keys/${ids["keyId"]}/rename`, { cookie: mine });
    const keyForm = { ...createForm(rename.text, "name"), name: "taken over" };
    await postForm(product.port, { path: `/keys/${ids["keyId"]}/rename`, form: keyForm, headers });
    expect(await readState()).toBe(before);
  });
});

/** The state that another user's action could have changed. */
async function readState(): Promise<string> {
  const read = async (path: string) => (await ask("GET", path, bearer(user.apiKey))).text;
  const [balance, orders, activity] = [
    await read("/v1/account/balance"),
    await read("/v1/orders"),
    await read("/v1/activity"),
  ];
  const key = readData(await ask("GET", "/v1/key", bearer(user.apiKey)))["name"];
  const keys = await ask("GET", "/keys", { cookie: mine });
  return JSON.stringify([balance, orders, activity, key, keys.status]);
}
