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
  listMarkets,
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
const FETCHED_FIRST = "/api/ui/summary";

let product: Product;
let user: SeededUser;
let visitor: Visitor;
let tokenId = "";
let slug = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  [tokenId = ""] = await tradableTokens(product.port, user.apiKey);
  const { port } = product;
  const market = (await listMarkets(port, user.apiKey, 100)).find(({ outcomes }) =>
    outcomes.some((outcome) => outcome.tokenId === tokenId),
  );
  const path = `/v1/markets/${market?.id}`;
  ({ slug } = readData<{ slug: string }>(
    await send(port, { method: "GET", path, key: user.apiKey }),
  ));
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

async function place(order: object): Promise<void> {
  const body = { tokenId, action: "BUY", ...order, idempotencyKey: newKey() };
  readData(
    await send(product.port, { method: "POST", path: "/v1/orders", key: user.apiKey, body }),
  );
}

const placeResting = () => place({ orderType: "limit", price: 0.01, shares: 120 });
const countRows = (page: Page) => page.locator("main table tbody tr").count();

/** Opens a page in a tab whose clock stands still, so that nothing refreshes by itself. */
async function openStill(path: string): Promise<Page> {
  const page = await visitor.page.context().newPage();
  await page.clock.install();
  // One tab of a browser reads the stream, and all fetch what it may have missed.
  let isFollowing = false;
  page.on("response", (response) => (isFollowing ||= response.url().endsWith(FETCHED_FIRST)));
  await page.goto(`http://127.0.0.1:${product.port}${path}`);
  await expect.poll(async () => (await page.clock.runFor(STEP_MS), isFollowing)).toBe(true);
  return page;
}

/** Lets less time pass on the page than its refresh needs, until it shows what is expected. */
async function expectBeforePoll(
  page: Page,
  isShown: (page: Page) => Promise<boolean>,
): Promise<void> {
  let passed = 0;
  await expect
    .poll(async () => {
      if (passed < BEFORE_POLL_MS) await page.clock.runFor(STEP_MS);
      passed += STEP_MS;
      return isShown(page);
    })
    .toBe(true);
}

const hasRows = (count: number) => async (page: Page) => (await countRows(page)) === count;

it("an order of a program appears in two tabs before either refreshes by itself", async () => {
  await placeResting();
  const tabs = [await openStill("/orders"), await openStill("/orders")];
  for (const tab of tabs) await expectBeforePoll(tab, hasRows(1));
  await placeResting();
  for (const tab of tabs) await expectBeforePoll(tab, hasRows(2));
  for (const tab of tabs) await tab.close();
});

it("a fill of a program appears on pages that the server renders, before they refresh", async () => {
  const market = await openStill(`/markets/${slug}?tab=yours`);
  const statement = await openStill("/activity");
  const hasTrade = async (page: Page) =>
    (await page.getByRole("table", { name: "Your trades" }).count()) === 1;
  const hasStatedTrade = async (page: Page) =>
    (await page.getByRole("row", { name: /Bought/ }).count()) > 0;
  expect([await hasTrade(market), await hasStatedTrade(statement)]).toEqual([false, false]);
  await place({ orderType: "market", amount: 5 });
  await expectBeforePoll(market, hasTrade);
  await expectBeforePoll(statement, hasStatedTrade);
  for (const page of [market, statement]) await page.close();
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
