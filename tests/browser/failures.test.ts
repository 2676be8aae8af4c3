import type { Page, Request } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { startPostgres } from "@/tests/support/database/postgres.mjs";
import {
  cleanUpAfterwards,
  type Environment,
  freshDataDir,
  NO_LIMITS,
  type Product,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-the-failures-with-32-characters",
  NEXTAUTH_SECRET: "session-of-the-failures-with-32-characters",
  CRON_SECRET: "cron-secret-of-the-failures-with-32-characters",
};
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const PATHS = ["/", "/orders", "/activity", "/wallet", "/keys", "/settings", "/status", "/markets"];
const HEADING = "This page didn’t load.";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let product: Product;
let user: SeededUser;

// Registered first, so that it runs last: the server stops before its database.
afterAll(() => postgres.stop());
cleanUpAfterwards();
closeBrowserAfterwards();

beforeAll(async () => {
  postgres = await startPostgres();
  const env: Environment = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
  [user] = (await seedUsers(env, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir: freshDataDir(), env: { ...env, LOG_LEVEL: "fatal" } });
});

async function visitSignedIn(options: Parameters<typeof visit>[1]): Promise<Visitor> {
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  return visitor;
}

/** Runs `work` during a database outage, and waits until the service is healthy again. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  await postgres.halt();
  try {
    await work();
  } finally {
    await postgres.resume();
  }
  await until("the service is well again", async () => {
    const { status } = await send(product.port, { method: "GET", path: "/health" });
    return status === 200;
  });
}

/** The browser's console message for a request that fails on purpose. */
const isOwnLine = (text: string) => text.startsWith("Failed to load resource");

it("every page explains a database outage, is accessible and logs no error", async () => {
  const visitors = [
    await visitSignedIn({ colorScheme: "light" }),
    await visitSignedIn({ ...PHONE, colorScheme: "dark" }),
  ];
  await withoutDatabase(async () => {
    for (const { page, complaints } of visitors) {
      for (const path of PATHS) {
        const answer = await page.goto(path);
        expect(answer?.status(), path).toBe(503);
        expect(await page.title()).toBe("This page didn’t load · Ante");
        await page.getByRole("heading", { level: 1, name: HEADING }).waitFor();
      }
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(complaints.filter((text) => !isOwnLine(text))).toEqual([]);
    }
  });
  for (const { page } of visitors) {
    await page.getByRole("link", { name: "Retry" }).click();
    await page.getByRole("heading", { level: 1, name: "Markets" }).waitFor();
  }
});

it("explains the outage without JavaScript, and Retry loads the page", async () => {
  const { page } = await visitSignedIn({ javaScriptEnabled: false });
  await withoutDatabase(async () => {
    await page.goto("/activity?kind=trade");
    await page.getByRole("heading", { level: 1, name: HEADING }).waitFor();
  });
  await page.getByRole("link", { name: "Retry" }).click();
  await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  expect(page.url()).toContain("/activity?kind=trade");
});

it("keeps the shell when a page fails after a click on a link, and Retry works without a reload", async () => {
  const { page } = await visitSignedIn({});
  await page.goto("/");
  const rail = page.getByRole("navigation", { name: "Main" }).first();
  await page.evaluate(() => document.body.setAttribute("data-kept", ""));
  await withoutDatabase(async () => {
    await rail.getByRole("link", { name: "Wallet" }).click();
    await page.getByRole("heading", { level: 1, name: HEADING }).waitFor();
    expect(await rail.isVisible()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
  expect(await page.locator("body[data-kept]").count()).toBe(1);
});

/** Returns whether a request asks for a page again. The page's own retries ask only for its data. */
function isRefresh(request: Request, path: string): boolean {
  const headers = request.headers();
  const isPrefetch = "next-router-prefetch" in headers;
  return headers["rsc"] === "1" && !isPrefetch && new URL(request.url()).pathname === path;
}

/** Returns whether the page's figures show in color that they are up or down. */
const hasDirectionColors = (page: Page) =>
  page.getByRole("main").evaluate((main) => {
    const style = getComputedStyle(main);
    return style.getPropertyValue("--up") !== style.getPropertyValue("--text-2");
  });

it("an open page says once that the service is gone, and is live again when it is back", async () => {
  const { page, context, complaints } = await visitSignedIn({});
  const sign = page.getByRole("status").filter({ hasText: "isn’t responding" });
  for (const path of ["/", "/orders"]) {
    await page.goto(path);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    await context.route("**/api/ui/**", (route) => route.abort());
    await sign.waitFor();
    expect(await sign.count()).toBe(1);
    expect(await page.getByText("Not updating", { exact: true }).count()).toBe(1);
    expect(await hasDirectionColors(page)).toBe(false);
    expect(await accessibilityProblems(page)).toEqual([]);
    // While the service is gone: once it is back, the page may notice first and take the button away.
    const refreshed = page.waitForRequest((request) => isRefresh(request, path));
    await page.getByRole("button", { name: "Retry now" }).click();
    await refreshed;
    await context.unroute("**/api/ui/**");
    await sign.waitFor({ state: "detached" });
    expect(await hasDirectionColors(page)).toBe(true);
  }
  await context.setOffline(true);
  await page.getByRole("status").filter({ hasText: "You’re offline." }).waitFor();
  await context.setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  expect(complaints.filter((text) => !isOwnLine(text))).toEqual([]);
});

it("a ticket can't be sent while the service is gone, and can be when it is back", async () => {
  const { page, context } = await visitSignedIn({});
  await page.goto("/markets");
  await page.locator('main a[href^="/markets/"]').first().click();
  await page.getByLabel("Amount").fill("5");
  const submit = page.locator("aside button[type=submit]");
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await context.route("**/api/ui/**", (route) => route.abort());
  await page.getByText("You can’t place orders until the connection is back.").waitFor();
  // The note stays in view, and doesn't cover the ticket that follows the page.
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const note = await page.locator("[data-outdated]").boundingBox();
  const ticket = await page.locator("#ticket").boundingBox();
  expect(note?.y).toBe(56);
  expect(ticket?.y).toBeGreaterThanOrEqual((note?.y ?? NaN) + (note?.height ?? NaN));
  expect(await submit.isEnabled()).toBe(false);
  await context.unroute("**/api/ui/**");
  await expect.poll(() => submit.isEnabled()).toBe(true);
});
