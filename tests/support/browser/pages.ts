// All pages in a browser, on a service with an account with trades and an empty one.
import type { Page } from "playwright";
import { beforeAll, expect } from "vitest";
import { parseKey } from "@/lib/auth/api-key";
import { DOCS_PAGES } from "@/components/docs/pages";
import {
  accessibilityProblems,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
  type VisitOptions,
} from "@/tests/support/browser/browser";
import { setUpApp } from "@/tests/support/browser/second-factor";
import {
  readData,
  readDemo,
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
} from "@/tests/support/product/product";

export const OPEN_PAGES: readonly string[] = [
  "/sign-in",
  "/sign-up",
  ...DOCS_PAGES.map(({ href }) => href),
  "/docs/search?q=cancel",
  "/nowhere",
];
export const DASHBOARD_PAGES = [
  "/",
  "/?tab=closed",
  "/orders",
  "/orders?tab=history",
  "/orders/{order}",
  "/orders/{open}/edit",
  "/trade",
  "/trade?q=nothing-is-called-this",
  "/markets",
  "/markets?view=cards",
  "/markets?q=nothing-is-called-this",
  "/markets/{market}",
  "/activity",
  "/activity?exact=1",
  "/activity?print=1",
  "/activity/proof",
  "/wallet",
  "/wallet/live",
  "/keys",
  "/keys/new?template=agent",
  "/keys/{key}",
  "/keys/{key}/limits",
  "/approvals",
  "/developers/events",
  "/developers/events?type=order.filled&order=none",
  "/developers/webhooks",
  "/developers/webhooks/new",
  "/notifications",
  "/settings",
  "/settings?section=limits",
  "/settings?section=display",
  "/settings?section=region",
  "/settings?section=notifications",
  "/settings?section=account",
  "/settings?section=sessions",
  "/settings?section=security",
  "/settings/security/passkey",
  "/settings/security/app",
  "/settings/security/codes",
  "/status",
];
/** The pages of a new user: all except those of an order or of a key of the other user. */
export const EMPTY_PAGES = DASHBOARD_PAGES.filter((path) => !/^\/(?:orders|keys)\/\{/.test(path));

/** The pages that ask a user with a second factor for it, or show it. */
export const FACTOR_PAGES = [
  "/settings?section=security",
  "/settings/security/passkey",
  "/settings/security/app",
  "/settings/security/codes",
  "/settings/security/remove?factor=app",
];
/** The page of a sign-in that has yet to prove its second factor. */
export const WAITING_PAGES = ["/sign-in/factor"];

export const DESKTOP = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
export const NARROWEST = { viewport: { width: 320, height: 700 }, hasTouch: true };

let product: Product;
let trader: SeededUser;
let newcomer: SeededUser;
let guarded: SeededUser;
/** Parameterized pages, with an example. */
const examples = { order: "", open: "", market: "", key: "" };

/** Starts the service with both accounts before a file's tests. */
export function usePages(): void {
  beforeAll(async () => {
    const dataDir = preparedDataDir();
    const users = await seedUsers({ DATA_DIR: dataDir }, 3, "10000");
    const [first, second, third] = users;
    if (!first || !second || !third) throw new Error("three users were asked for");
    [trader, newcomer, guarded] = [first, second, third];
    product = await startProduct({ dataDir, env: NO_LIMITS });
    await tradeALittle();
  });
}

/** Creates a few positions, an open order, a canceled one and a rejected one. */
async function tradeALittle(): Promise<void> {
  const { port } = product;
  const key = trader.apiKey;
  examples.key = parseKey(key)?.id ?? "";
  const tokens = (await tradableTokens(port, key)).slice(0, 3);
  const place = async (body: object) =>
    send(port, {
      method: "POST",
      path: "/v1/orders",
      key,
      body: { ...body, idempotencyKey: newKey() },
    });
  let traded = "";
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
    examples.open = examples.order;
    examples.order = String(readData(resting)["orderId"]);
    traded = tokenId;
  }
  const canceled = await send(port, {
    method: "DELETE",
    path: `/v1/orders/${examples.order}`,
    key,
  });
  expect(canceled.status).toBe(200);
  await place({ tokenId: traded, action: "SELL", orderType: "market", shares: 99_999 });
  const markets = await listMarkets(port, key, 100);
  const market = markets.find(({ outcomes }) => outcomes.some(({ tokenId }) => tokenId === traded));
  const { slug } = readData<{ slug: string }>(
    await send(port, { method: "GET", path: `/v1/markets/${market?.id}`, key }),
  );
  examples.market = slug;
}

/** Returns the URL of a page, with an example for parameters. */
export const fillPath = (template: string): string =>
  template.replace(
    /\{(order|open|market|key)\}/,
    (_, name: keyof typeof examples) => examples[name],
  );

/**
 * Opens the service as one of its visitors: signed in, signed in with a second factor that was not
 * proven, or after the password of a sign-in that waits for the second factor.
 */
export async function visitAs(
  who: "trader" | "demo" | "newcomer" | "guarded" | "waiting" | "guest",
  options: VisitOptions,
): Promise<Visitor> {
  const cookies = who === "guarded" || who === "waiting" ? await openGuardedSession() : [];
  const visitor = await visit(product.port, options);
  if (who === "guarded") await visitor.context.addCookies(cookies);
  else if (who === "demo") await signIn(visitor, readDemo(product.dataDir));
  else if (who !== "guest") await signIn(visitor, { trader, newcomer, waiting: guarded }[who]);
  return visitor;
}

let guardedCookies: ReturnType<typeof signInBeforeFactor> | null = null;

/** Returns the cookies of a session that has a second factor and never proved it. */
function openGuardedSession(): ReturnType<typeof signInBeforeFactor> {
  guardedCookies ??= signInBeforeFactor();
  return guardedCookies;
}

/** Opens a session, then adds the user's first factor in another one. */
async function signInBeforeFactor() {
  const stale = await visit(product.port);
  await signIn(stale, guarded);
  const other = await visit(product.port, { javaScriptEnabled: false });
  await signIn(other, guarded);
  await setUpApp(other.page, guarded.password);
  return stale.context.cookies();
}

/** Opens a page and waits for its heading, because streams keep the network busy. */
export async function open(page: Page, template: string): Promise<void> {
  await page.goto(fillPath(template), { waitUntil: "load" });
  await page.locator("h1").first().waitFor({ state: "attached" });
}

/** Returns the problems of each page by path. One visitor opens all of them. */
export async function walk(
  visitor: Visitor,
  paths: readonly string[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await open(visitor.page, path);
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

/** The browser itself reports a 404. */
const isOwn404 = (path: string, text: string) => path === "/nowhere" && text.includes("404");
