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
const STREAM = "/api/ui/events";
const FIGURES = "/api/ui/summary";

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
async function openStill(
  path: string,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<Page> {
  const page = await visitor.page.context().newPage();
  await prepare(page);
  await page.clock.install();
  // One tab of a browser reads the stream. The others fetch what they may have missed.
  let isFollowing = false;
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    isFollowing ||= pathname === STREAM || pathname === FIGURES;
  });
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

it("a page shows what happened after it was rendered and before it followed the events", async () => {
  const page = await openStill("/orders", async (opened) => {
    await opened.route(`**${STREAM}?*`, async (route) => {
      await placeResting();
      await route.continue();
    });
  });
  await expectBeforePoll(page, hasRows(3));
  await page.close();
});

it("a page whose account has not changed reads its figures once, from the server's render", async () => {
  const reads: string[] = [];
  const page = await openStill("/orders", async (opened) => {
    opened.on("request", (request) => reads.push(new URL(request.url()).pathname));
    // Without the time of the figures, the stream doesn't tell what happened in the tests above.
    await opened.route(`**${STREAM}?*`, (route) =>
      route.continue({ url: route.request().url().replace(/\?.*/, "") }),
    );
  });
  await page.clock.runFor(BEFORE_POLL_MS);
  await placeResting();
  await expectBeforePoll(page, hasRows(4));
  expect(reads.filter((path) => path === STREAM)).toHaveLength(1);
  expect(reads.filter((path) => path === FIGURES)).toHaveLength(1);
  await page.close();
});

it("a page catches up with what happened while the server restarted", async () => {
  const page = await visitor.page.context().newPage();
  await page.goto(`http://127.0.0.1:${product.port}/orders`);
  await expect.poll(() => countRows(page)).toBe(4);
  const { port, dataDir } = product;
  await product.crash();
  product = await startProduct({ dataDir, env: NO_LIMITS, port });
  await placeResting();
  await expect.poll(() => countRows(page)).toBe(5);
  await page.close();
});
