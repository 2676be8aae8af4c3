// The pages while the venue with the prices doesn't respond.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import {
  cleanUpAfterwards,
  readData,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";
import { sandboxMarkets } from "@/tests/support/sandbox/client";

cleanUpAfterwards();
closeBrowserAfterwards();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const OUTAGE_TEXT = "The exchange isn’t responding.";

let venue: Product;
let product: Product;
let user: SeededUser;
const paths = { market: "" };

beforeAll(async () => {
  venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  const env = {
    ...NO_LIMITS,
    LOG_LEVEL: "fatal",
    MARKET_DATA: "polymarket",
    CLOB_API_URL: `${sandbox}/clob`,
    GAMMA_API_URL: `${sandbox}/gamma`,
    DATA_API_URL: `${sandbox}/data`,
  };
  product = await startProduct({ dataDir, env });
  const [market] = await sandboxMarkets(`${sandbox}/clob`);
  const tokenId = market?.tokens[0]?.token_id ?? "";
  const api = (method: string, path: string, body?: object) =>
    send(product.port, { method, path, key: user.apiKey, ...(body && { body }) });
  const order = { tokenId, action: "BUY", orderType: "market", amount: 20 };
  const body = { ...order, idempotencyKey: newKey() };
  // The first read of the venue can take longer than the timeout.
  await until(
    "the order is placed",
    async () => (await api("POST", "/v1/orders", body)).status === 200,
  );
  const found = await api("GET", `/v1/markets/${market?.condition_id}`);
  paths.market = `/markets/${readData<{ slug: string }>(found).slug}`;
});

async function visitSignedIn(options: Parameters<typeof visit>[1]): Promise<Visitor> {
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  return visitor;
}

/**
 * Opens a page until it shows current data. On a busy machine the venue can respond after the page's
 * timeout, which is an outage for that page.
 */
async function openCurrent(page: Page, path: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(path);
        await page.locator("h1").first().waitFor({ state: "attached" });
        return page.getByText(OUTAGE_TEXT).count();
      },
      { message: path },
    )
    .toBe(0);
}

/** The browser's console message for expected 502 responses. */
const isOwnLine = (text: string) => text.startsWith("Failed to load resource");

it("every page stays up during a venue outage, shows the age of its data, and recovers without a reload", async () => {
  const visitors = [
    await visitSignedIn({ colorScheme: "light" }),
    await visitSignedIn({ ...PHONE, colorScheme: "dark" }),
  ];
  const pages = ["/", "/markets", paths.market, "/trade"];
  for (const { page } of visitors) {
    for (const path of pages) await openCurrent(page, path);
  }
  const { port, dataDir } = venue;
  await venue.crash();
  for (const { page, complaints } of visitors) {
    for (const path of pages) {
      // Cached data counts as fresh for a few seconds.
      await expect
        .poll(
          async () => {
            const answer = await page.goto(path);
            expect(answer?.status(), path).toBe(200);
            return page.getByText(`${OUTAGE_TEXT} Showing data from`).count();
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(0);
      expect(await page.getByText("didn’t load").count(), path).toBe(0);
      expect(await accessibilityProblems(page), path).toEqual([]);
      expect(await sidewaysScroll(page), path).toBe(0);
    }
    expect(complaints.filter((text) => !isOwnLine(text))).toEqual([]);
    await page.goto("/");
    await page.evaluate(() => document.body.setAttribute("data-kept", ""));
  }
  venue = await startProduct({ dataDir, port, env: NO_LIMITS });
  for (const { page } of visitors) {
    await page.getByText(OUTAGE_TEXT).first().waitFor({ state: "detached", timeout: 60_000 });
    expect(await page.locator("body[data-kept]").count()).toBe(1);
  }
});

it("every page shows the venue outage without JavaScript, and Retry loads the page", async () => {
  const { page } = await visitSignedIn({ javaScriptEnabled: false });
  const { port, dataDir } = venue;
  await venue.crash();
  await expect
    .poll(
      async () => {
        await page.goto("/markets");
        return page.getByText(OUTAGE_TEXT).count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  venue = await startProduct({ dataDir, port, env: NO_LIMITS });
  await page.getByRole("link", { name: "Retry now" }).click();
  await page.getByRole("heading", { level: 1, name: "Markets" }).waitFor();
  expect(page.url()).toContain("/markets");
});
