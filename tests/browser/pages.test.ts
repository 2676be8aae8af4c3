import { gzipSync } from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser";
import {
  cleanUpAfterwards,
  dataOf,
  listMarkets,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  tradableTokens,
} from "@/tests/support/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let trader: SeededUser;
let newcomer: SeededUser;
/** Pages that show one thing, with an example of it. */
const examples = { order: "", token: "", market: "" };

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const users = await seedUsers({ DATA_DIR: dataDir }, 2, "10000");
  const [first, second] = users;
  if (!first || !second) throw new Error("two users were asked for");
  [trader, newcomer] = [first, second];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  await tradeALittle();
});

/** A few positions, a resting order, a canceled one and a refused one. */
async function tradeALittle(): Promise<void> {
  const { port } = product;
  const key = trader.apiKey;
  const tokens = (await tradableTokens(port, key)).slice(0, 3);
  const place = async (body: object) =>
    send(port, {
      method: "POST",
      path: "/v1/orders",
      key,
      body: { ...body, idempotencyKey: newKey() },
    });
  for (const tokenId of tokens) {
    const bought = await place({ tokenId, action: "BUY", orderType: "market", amount: 50 });
    expect(bought.status).toBe(200);
    const resting = await place({
      tokenId,
      action: "BUY",
      orderType: "limit",
      price: 0.05,
      shares: 40,
    });
    examples.order = String(dataOf(resting)["orderId"]);
    examples.token = tokenId;
  }
  const canceled = await send(port, {
    method: "DELETE",
    path: `/v1/orders/${examples.order}`,
    key,
  });
  expect(canceled.status).toBe(200);
  await place({ tokenId: examples.token, action: "SELL", orderType: "market", shares: 99_999 });
  const markets = await listMarkets(port, key, 100);
  const market = markets.find(({ outcomes }) =>
    outcomes.some(({ tokenId }) => tokenId === examples.token),
  );
  const { slug } = dataOf<{ slug: string }>(
    await send(port, { method: "GET", path: `/v1/markets/${market?.id}`, key }),
  );
  examples.market = slug;
}

const OPEN_PAGES = ["/sign-in", "/sign-up", "/docs", "/docs/errors", "/docs/retries", "/nowhere"];
const DASHBOARD_PAGES = [
  "/",
  "/orders",
  "/orders?tab=history",
  "/orders/{order}",
  "/trade",
  "/trade?token={token}",
  "/markets",
  "/markets?view=cards",
  "/markets?q=nothing-is-called-this",
  "/markets/{market}",
  "/activity",
  "/wallet",
  "/wallet/live",
  "/keys",
  "/settings",
  "/status",
];

const pathOf = (template: string): string =>
  template.replace(/\{(order|token|market)\}/, (_, name: keyof typeof examples) => examples[name]);

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const NARROWEST = { viewport: { width: 320, height: 700 }, hasTouch: true };

async function visitAs(user: SeededUser | null, options: BrowserContextOptions): Promise<Visitor> {
  const visitor = await visit(product.port, options);
  if (user) await signIn(visitor, user);
  return visitor;
}

/** Opens a page and waits until it shows its heading; streams keep the network busy for ever. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "load" });
  await page.locator("h1").first().waitFor({ state: "attached" });
}

/** Everything wrong with each page, by path: one visitor walks through all of them. */
async function walk(visitor: Visitor, paths: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await open(visitor.page, pathOf(path));
    const scroll = await sidewaysScroll(visitor.page);
    const problems = [
      ...(await accessibilityProblems(visitor.page)),
      ...visitor.complaints.splice(0).filter((text) => !isOwn404(path, text)),
      ...(scroll > 0 ? [`scrolls sideways by ${scroll} px`] : []),
    ];
    if (problems.length > 0) found[path] = problems;
  }
  return found;
}

/** A page that is not there is answered with 404, which the browser itself reports. */
const isOwn404 = (path: string, text: string) => path === "/nowhere" && text.includes("404");

describe("every page is accessible, complains of nothing and does not scroll sideways", () => {
  it.each([
    ["an account with trades, light, desktop", () => trader, "light", DESKTOP],
    ["an account with trades, dark, phone", () => trader, "dark", PHONE],
    ["an empty account, dark, desktop", () => newcomer, "dark", DESKTOP],
    ["an empty account, light, phone", () => newcomer, "light", PHONE],
  ] as const)("%s", async (_name, user, colorScheme, size) => {
    const visitor = await visitAs(user(), { ...size, colorScheme });
    const paths =
      user() === trader
        ? DASHBOARD_PAGES
        : DASHBOARD_PAGES.filter((path) => path !== "/orders/{order}");
    expect(await walk(visitor, paths)).toEqual({});
  });

  it.each([
    ["light, desktop", "light", DESKTOP],
    ["dark, phone", "dark", PHONE],
  ] as const)("signed out, %s", async (_name, colorScheme, size) => {
    const visitor = await visitAs(null, { ...size, colorScheme });
    expect(await walk(visitor, OPEN_PAGES)).toEqual({});
  });

  it("at a width of 320 px nothing scrolls sideways", async () => {
    const visitor = await visitAs(trader, NARROWEST);
    const found: string[] = [];
    for (const path of [...DASHBOARD_PAGES, "/docs", "/docs/errors", "/nowhere"]) {
      await open(visitor.page, pathOf(path));
      const scroll = await sidewaysScroll(visitor.page);
      if (scroll > 0) found.push(`${path}: ${scroll} px`);
    }
    expect(found).toEqual([]);
  });
});

describe("what a page makes the browser load", () => {
  const KB = 1024;
  const BUDGETS: [string, number][] = [
    ["/sign-in", 160],
    ["/docs", 160],
    ["/", 185],
    ["/orders", 185],
    ["/markets", 185],
    ["/activity", 185],
    ["/keys", 185],
    ["/settings", 185],
    ["/wallet", 185],
    ["/markets/{market}", 205],
    ["/trade?token={token}", 205],
  ];

  it.each(BUDGETS)("%s: at most %i kB of JavaScript, gzipped", async (path, budget) => {
    const visitor = await visitAs(path === "/sign-in" || path === "/docs" ? null : trader, DESKTOP);
    const { context } = visitor;
    const html = await (await context.request.get(pathOf(path))).text();
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !/nomodule/i.test(tag))
      .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(3);
    let total = 0;
    for (const source of new Set(scripts)) {
      total += gzipSync(await (await context.request.get(source)).body()).length;
    }
    process.stdout.write(`${path}: ${Math.round(total / KB)} kB of JavaScript\n`);
    expect(total / KB).toBeLessThanOrEqual(budget);
  });

  it("the style sheets are at most 20 kB gzipped, and every page at most 60 kB of HTML", async () => {
    const visitor = await visitAs(trader, DESKTOP);
    const styles = new Set<string>();
    for (const path of DASHBOARD_PAGES) {
      const html = await (await visitor.context.request.get(pathOf(path))).text();
      for (const [, href] of html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)) {
        styles.add(href ?? "");
      }
      expect(gzipSync(html).length / KB, path).toBeLessThanOrEqual(60);
    }
    expect(styles.size).toBeGreaterThan(0);
    let total = 0;
    for (const href of styles) {
      total += gzipSync(await (await visitor.context.request.get(href)).body()).length;
    }
    expect(total / KB).toBeLessThanOrEqual(20);
  });
});
