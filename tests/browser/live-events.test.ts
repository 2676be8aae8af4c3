// Pages that show an account follow its events, in every tab and after a restart of the server.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import {
  cleanUpAfterwards,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readData,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

/** Less than the interval at which the open orders refresh by themselves. */
const BEFORE_POLL_MS = 3_000;
const STEP_MS = 100;
const FETCHED_FIRST = "/api/ui/open-orders";

let product: Product;
let user: SeededUser;
let visitor: Visitor;
let tokenId = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  [tokenId = ""] = await tradableTokens(product.port, user.apiKey);
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

async function placeResting(): Promise<void> {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 120 };
  const body = { ...order, idempotencyKey: newKey() };
  readData(
    await send(product.port, { method: "POST", path: "/v1/orders", key: user.apiKey, body }),
  );
}

const countRows = (page: Page) => page.locator("main table tbody tr").count();

/** Opens the open orders in a tab whose clock stands still, so that nothing refreshes by itself. */
async function openOrders(): Promise<Page> {
  const page = await visitor.page.context().newPage();
  await page.clock.install();
  // One tab of a browser reads the stream, and all fetch what it may have missed.
  let isFollowing = false;
  page.on("response", (response) => (isFollowing ||= response.url().endsWith(FETCHED_FIRST)));
  await page.goto(`http://127.0.0.1:${product.port}/orders`);
  await expect.poll(async () => (await page.clock.runFor(STEP_MS), isFollowing)).toBe(true);
  return page;
}

/** Lets less time pass on the page than its refresh needs, until it shows the orders. */
async function expectRowsBeforePoll(page: Page, count: number): Promise<void> {
  let passed = 0;
  await expect
    .poll(async () => {
      if (passed < BEFORE_POLL_MS) await page.clock.runFor(STEP_MS);
      passed += STEP_MS;
      return countRows(page);
    })
    .toBe(count);
}

it("an order of a program appears in two tabs before either refreshes by itself", async () => {
  await placeResting();
  const tabs = [await openOrders(), await openOrders()];
  for (const tab of tabs) await expectRowsBeforePoll(tab, 1);
  await placeResting();
  for (const tab of tabs) await expectRowsBeforePoll(tab, 2);
  for (const tab of tabs) await tab.close();
});

it("a page catches up with what happened while the server restarted", async () => {
  const page = await visitor.page.context().newPage();
  await page.goto(`http://127.0.0.1:${product.port}/orders`);
  await expect.poll(() => countRows(page)).toBe(2);
  const { port, dataDir } = product;
  await product.crash();
  product = await startProduct({ dataDir, env: NO_LIMITS, port });
  await placeResting();
  await expect.poll(() => countRows(page)).toBe(3);
  await page.close();
});
