import { beforeAll, describe, expect, it } from "vitest";
import { foundPages } from "@/tests/support/authorization/table";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readData,
  listMarkets,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readDemo,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
} from "@/tests/support/product/product";
import { PlainBrowser, type Seen } from "@/tests/support/product/plain-browser";
import { exchange } from "@/tests/support/product/raw-http";

cleanUpAfterwards();

const NEXT = "node_modules/next/dist/bin/next";
const HERE = "https://ante.test";
const EVIL = "https://evil.test";

let node: Product;
/** The same service as other hosts run it, with an https origin. */
let next: Product;
let user: SeededUser;
let other: SeededUser;
const examples: Record<string, string> = { group: "orders" };

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [first, second] = await seedUsers({ DATA_DIR: dataDir }, 2, "1000");
  if (!first || !second) throw new Error("two users were asked for");
  [user, other] = [first, second];
  node = await startProduct({ dataDir, env: NO_LIMITS });
  await layExamples();
  next = await startProduct({
    dataDir: preparedDataDir(),
    env: { ...NO_LIMITS, NEXTAUTH_URL: HERE },
    args: (port) => [NEXT, "start", "--port", String(port), "--hostname", "127.0.0.1"],
  });
});

async function layExamples(): Promise<void> {
  const { port } = node;
  const key = user.apiKey;
  const tokenId = await anyToken(port, key);
  const idempotencyKey = newKey();
  const body = { tokenId, action: "BUY", orderType: "limit", price: 0.05, shares: 10 };
  await send(port, { method: "POST", path: "/v1/orders", key, body: { ...body, idempotencyKey } });
  const [order] = await allOrders(port, key);
  const [market] = await listMarkets(port, key, 1);
  const path = `/v1/markets/${market?.id}`;
  const { slug } = readData<{ slug: string }>(await send(port, { method: "GET", path, key }));
  const self = readData(await send(port, { method: "GET", path: "/v1/key", key }));
  Object.assign(examples, { orderId: order?.id, slug, key: idempotencyKey, keyId: self["id"] });
  expect(Object.values(examples).every((value) => typeof value === "string")).toBe(true);
}

const fillPath = (url: string) =>
  url.replaceAll(/\[(\w+)\]/g, (_, name: string) => examples[name] ?? "x");
const PAGES = foundPages().map(({ url }) => url);

async function signedIn(product = node, who: { email: string; password: string } = user) {
  const browser = new PlainBrowser(product.port);
  expect(await browser.signIn(who)).toBe(200);
  return browser;
}

function expectStrictPage({ headers, text }: Seen, path: string): string {
  const policy = headers.get("content-security-policy") ?? "";
  const directives = new Map(
    policy.split("; ").map((one) => [one.split(" ")[0] ?? "", one.split(" ").slice(1)]),
  );
  const nonce = /^'nonce-(.+)'$/.exec(directives.get("script-src")?.[1] ?? "")?.[1] ?? "";
  expect(nonce.length, path).toBeGreaterThan(20);
  expect(directives.get("script-src"), path).toEqual([
    "'self'",
    `'nonce-${nonce}'`,
    "'strict-dynamic'",
  ]);
  for (const name of ["object-src", "base-uri", "frame-ancestors"]) {
    expect(directives.get(name), path).toEqual(["'none'"]);
  }
  for (const name of [
    "default-src",
    "connect-src",
    "font-src",
    "form-action",
    "manifest-src",
    "worker-src",
  ]) {
    expect(directives.get(name), path).toEqual(["'self'"]);
  }
  expect(policy, path).not.toMatch(/unsafe-|https?:|\*/);
  const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  expect(scripts.length, path).toBeGreaterThan(0);
  expect(
    scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
    path,
  ).toEqual([]);
  const styles = [...text.matchAll(/<style\b[^>]*>/g)].map(([tag]) => tag);
  expect(
    styles.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
    path,
  ).toEqual([]);
  const markup = text.replaceAll(/<script\b.*?<\/script>/gs, "");
  expect(markup.match(/<[^>]+ (?:style|on\w+)=/g), path).toBeNull();
  expect(markup.match(/(?:href|src|action)="javascript:/gi), path).toBeNull();
  return nonce;
}

const GENERAL = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const findGeneralHeaders = ({ headers }: Seen) =>
  Object.fromEntries(Object.keys(GENERAL).map((name) => [name, headers.get(name)]));

describe("every page of the product", () => {
  it("allows only its own scripts with a fresh nonce, signed in and signed out", async () => {
    const nonces = new Set<string>();
    let count = 0;
    for (const browser of [new PlainBrowser(node.port), await signedIn()]) {
      for (const path of [...PAGES.map(fillPath), "/nowhere", "/orders/ord_nowhere"]) {
        const page = await browser.ask(path);
        expect([200, 303, 307, 404], path).toContain(page.status);
        expect(findGeneralHeaders(page), path).toEqual(GENERAL);
        if (page.status >= 300 && page.status < 400) continue;
        nonces.add(expectStrictPage(page, path));
        count += 1;
      }
    }
    expect(PAGES.length).toBeGreaterThan(20);
    expect(count).toBeGreaterThan(PAGES.length);
    expect(nonces.size).toBe(count);
  });

  it("sends nosniff, like every file, redirect, refusal, API and sandbox response", async () => {
    const browser = new PlainBrowser(node.port);
    const { text } = await browser.ask("/sign-in");
    const files = [...text.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)];
    const paths = files.map(([, path]) => path ?? "").slice(0, 3);
    expect(paths.length).toBe(3);
    const rest = ["/_next/static/none.js", "/icons/none.svg", "/llms.txt", "/orders"];
    for (const path of [...paths, ...rest, "/api/auth/csrf"]) {
      expect(findGeneralHeaders(await browser.ask(path)), path).toEqual(GENERAL);
    }
    const programs = ["/health", "/v1/key", "/v1/none", "/sandbox/clob/time", "/sandbox/none"];
    for (const path of [...programs, "/nowhere/%ff", "/api/ui/summary"]) {
      const answer = await browser.ask(path);
      expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
    }
  });

  it("sends HSTS only if the public origin is https", async () => {
    const paths = ["/sign-in", "/orders", "/v1/key", "/health", "/sandbox/clob/time", "/nowhere"];
    for (const path of paths) {
      const there = await new PlainBrowser(next.port).ask(path);
      expect(there.headers.get("strict-transport-security"), path).toBe("max-age=31536000");
      const here = await new PlainBrowser(node.port).ask(path);
      expect(here.headers.get("strict-transport-security"), path).toBeNull();
    }
  });

  it("returns the error envelope for methods that pages do not support", async () => {
    for (const method of ["TRACE", "PROPFIND", "PURGE"]) {
      for (const path of ["/", "/sign-in", "/nowhere", "/sandbox/clob/time"]) {
        const request = `${method} ${path} HTTP/1.1\r\nhost: ante.test\r\n\r\n`;
        const { answers } = await exchange(node.port, request);
        expect(answers.map(({ status }) => status)).toEqual([405]);
        expect(answers[0]?.text).toContain("METHOD_NOT_ALLOWED");
        expect(answers[0]?.headers["allow"]).toBe("GET, HEAD, POST");
      }
    }
  });
});

const ATTACKS: Record<string, Record<string, string>> = {
  "another site": { origin: EVIL, "sec-fetch-site": "cross-site" },
  "another site in an old browser": { origin: EVIL },
  "a page with a null origin": { origin: "null" },
  "a page with a null origin and Sec-Fetch-Site": {
    origin: "null",
    "sec-fetch-site": "cross-site",
  },
  "another port of the same host": { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  "a page without an origin": { "sec-fetch-site": "cross-site" },
};

describe("a form that another site posts with the user's cookies", () => {
  it.each(Object.entries(ATTACKS))("changes nothing: %s", async (_name, headers) => {
    const browser = await signedIn();
    const signOut = await browser.readForm("/", /Sign out/);
    const display = await browser.readForm("/settings?section=display", /name="theme"/);
    for (const [path, form] of [
      ["/", signOut],
      ["/settings", display],
    ] as const) {
      const answer = await browser.send(path, form, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    }
    const { "next-auth.csrf-token": token = "" } = Object.fromEntries(browser.cookies);
    const body = new URLSearchParams({ csrfToken: decodeURIComponent(token).split("|")[0] ?? "" });
    const byNextAuth = await browser.ask("/api/auth/signout", { method: "POST", body, headers });
    expect(byNextAuth.status).toBe(400);
    const asAction = { ...headers, "next-action": "0".repeat(42), "content-type": "text/plain" };
    expect((await browser.ask("/", { method: "POST", body: "[]", headers: asAction })).status).toBe(
      400,
    );
    expect((await browser.ask("/orders")).status).toBe(200);
  });

  it("works when it is posted from this site", async () => {
    const browser = await signedIn();
    const origin = `http://127.0.0.1:${node.port}`;
    const form = await browser.readForm("/", /Sign out/);
    const headers = { origin, "sec-fetch-site": "same-origin" };
    expect((await browser.send("/", form, headers)).status).toBe(303);
    expect((await browser.ask("/orders")).status).toBe(303);
  });

  it("is rejected by next-auth's routes without its CSRF token", async () => {
    const browser = await signedIn();
    const body = () => new URLSearchParams({ csrfToken: "0".repeat(64), ...user });
    await browser.ask("/api/auth/signout", { method: "POST", body: body() });
    expect((await browser.ask("/orders")).status).toBe(200);
    const stranger = new PlainBrowser(node.port);
    await stranger.ask("/api/auth/callback/credentials", { method: "POST", body: body() });
    expect(stranger.session).toBeUndefined();
  });

  it("finds no action at a path without a page, on either mount", async () => {
    for (const product of [node, next]) {
      const browser = new PlainBrowser(product.port);
      const form = await browser.readForm("/sign-in", /Try the demo account/);
      for (const path of ["/nowhere", "/icons/none.svg", "/llms.txt", "/_next/image"]) {
        const answer = await browser.send(path, form);
        expect([answer.status, browser.session], path).toEqual([405, undefined]);
      }
      for (const path of [
        "/v1/orders",
        "/api/v1/orders",
        "/sandbox/clob/order",
        "/api/ui/summary",
      ]) {
        const answer = await browser.send(path, form, { "next-action": "0".repeat(42) });
        expect(answer.status, path).toBeGreaterThanOrEqual(400);
        expect(answer.status, path).toBeLessThan(500);
        expect(browser.session, path).toBeUndefined();
      }
    }
  });
});

describe("a session cookie", () => {
  it("is HttpOnly and SameSite, and Secure on https", async () => {
    for (const [product, isSecure] of [
      [node, false],
      [next, true],
    ] as const) {
      const byForm = new PlainBrowser(product.port);
      await byForm.submit("/sign-in", /Try the demo account/);
      const byNextAuth = await signedIn(product, readDemo(product.dataDir));
      for (const browser of [byForm, byNextAuth]) {
        const line = browser.cookieLines.find((one) => one.includes("session-token=")) ?? "";
        const prefix = isSecure ? "__Secure-" : "";
        expect(line.startsWith(`${prefix}next-auth.session-token=`), line).toBe(true);
        expect(line).toMatch(/; HttpOnly/i);
        expect(line).toMatch(/; SameSite=Lax/i);
        expect(line).toMatch(/; Path=\//i);
        expect(line).not.toMatch(/; Domain=/i);
        expect(/; Secure/i.test(line)).toBe(isSecure);
      }
      const csrf = byNextAuth.cookieLines.find((one) => one.includes("csrf-token=")) ?? "";
      expect(csrf.startsWith(isSecure ? "__Host-" : "next-auth."), csrf).toBe(true);
    }
  });

  it("that was planted before the sign-in is replaced by a new one", async () => {
    const attacker = await signedIn(node, other);
    const victim = new PlainBrowser(node.port);
    victim.cookies.set("next-auth.session-token", attacker.session ?? "");
    expect(await victim.signIn(user)).toBe(200);
    expect(victim.session).not.toBe(attacker.session);
    expect((await attacker.ask("/settings?section=account")).text).toContain(other.email);
    expect((await victim.ask("/settings?section=account")).text).toContain(user.email);
  });

  it("is rejected after signing out, here or everywhere else", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const kept = new Map(there.cookies);
    await here.submit("/settings?section=sessions", /Sign out everywhere else/);
    expect((await there.ask("/orders")).headers.get("location")).toContain("/sign-in");
    expect((await here.ask("/orders")).status).toBe(200);
    expect((await there.ask("/api/ui/summary")).status).toBe(401);
    const replayed = new PlainBrowser(node.port);
    for (const [name, value] of kept) replayed.cookies.set(name, value);
    expect((await replayed.ask("/api/ui/v1/orders")).status).toBe(401);
    const mine = here.session ?? "";
    await here.submit("/", /Sign out/);
    here.cookies.set("next-auth.session-token", mine);
    expect((await here.ask("/api/ui/summary")).status).toBe(401);
  });
});

const HIDDEN_FROM_DEMO = [
  "Signed-in browsers",
  "Current password",
  "Sign out everywhere else",
  "Notify this browser",
];

describe("the shared demo account", () => {
  it("shows no sessions and no password form, and rejects their actions", async () => {
    const demo = readDemo(node.dataDir);
    const browser = await signedIn(node, demo);
    const account = await browser.ask("/settings?section=account");
    expect(account.text).toContain("Everyone who tries the demo shares it");
    expect(account.text).toContain("The demo account has no end date.");
    expect(account.text).toContain(`>${demo.email}</strong>`);
    for (const section of ["account", "notifications", "sessions", "security"]) {
      const page = await browser.ask(`/settings?section=${section}`);
      for (const hidden of HIDDEN_FROM_DEMO) expect(page.text).not.toContain(hidden);
    }
    const leaving = await signedIn(node, demo);
    await leaving.submit("/settings?section=account", /Create an account/);
    expect((await leaving.ask("/api/ui/summary")).status).toBe(401);
    const second = await signedIn(node, demo);
    const owner = await signedIn();
    await signedIn();
    const change = await owner.readForm("/settings?section=account", /name="current"/);
    const wanted = { current: demo.password, password: "a sentence that nobody guesses" };
    const refused = await browser.send("/settings", { ...change, ...wanted });
    expect(refused.text).toContain("everyone who tries the demo shares this account");
    const others = await owner.readForm("/settings?section=sessions", /Sign out everywhere else/);
    await browser.send("/settings", others);
    expect((await second.ask("/orders")).status).toBe(200);
    expect(await new PlainBrowser(node.port).signIn(demo)).toBe(200);
  });
});
