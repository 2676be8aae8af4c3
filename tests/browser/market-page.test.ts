// A market's page: it follows the account, fills the ticket, and works by keyboard.
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
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

/** Less than the interval at which the page refreshes the account by itself. */
const BEFORE_POLL_MS = 3_000;
const STEP_MS = 100;
const HOUR_MS = 3_600_000;

let product: Product;
let user: SeededUser;
let visitor: Visitor;
/** An event with several markets that stay open for longer than the tests, of which the first is opened. */
let slug = "";
let tokenId = "";
/** A market of an event with more outcomes than the page shows at once. */
let crowded = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  const markets = await listMarkets(product.port, user.apiKey, 100);
  const details = await Promise.all(markets.map(({ id }) => readMarket(id)));
  const found = details.find(
    ({ eventSlug, closesAt, outcomes }) =>
      Date.parse(closesAt) > Date.now() + HOUR_MS &&
      (outcomes[0]?.price ?? 0) > 0.2 &&
      (outcomes[0]?.price ?? 1) < 0.8 &&
      details.filter((other) => other.eventSlug === eventSlug).length > 2,
  );
  if (!found) throw new Error("no event has three markets");
  slug = found.slug;
  const outcomesOf = (event: string) => details.filter(({ eventSlug }) => eventSlug === event);
  crowded = details.find(({ eventSlug }) => outcomesOf(eventSlug).length > 5)?.slug ?? "";
  tokenId = found.outcomes[0]?.tokenId ?? "";
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

interface MarketWire {
  slug: string;
  eventSlug: string;
  closesAt: string;
  outcomes: { tokenId: string; price: number }[];
}

async function readMarket(id: string): Promise<MarketWire> {
  const path = `/v1/markets/${id}`;
  return readData<MarketWire>(await send(product.port, { method: "GET", path, key: user.apiKey }));
}

async function buy(shares: number, token = tokenId): Promise<void> {
  const order = { tokenId: token, action: "BUY", orderType: "market", shares };
  const body = { ...order, idempotencyKey: newKey() };
  readData(
    await send(product.port, { method: "POST", path: "/v1/orders", key: user.apiKey, body }),
  );
}

const readPosition = (page: Page) => page.getByRole("region", { name: "Your position" });

it("a program's fill is on the open page before the page refreshes by itself", async () => {
  await buy(20);
  const page = await visitor.page.context().newPage();
  await page.clock.install();
  let isFollowing = false;
  page.on("response", (response) => (isFollowing ||= response.url().includes("/own-market?")));
  await page.goto(`http://127.0.0.1:${product.port}/markets/${slug}`);
  await expect.poll(async () => (await page.clock.runFor(STEP_MS), isFollowing)).toBe(true);
  await expect.poll(() => readPosition(page).innerText()).toMatch(/^20 /);
  await buy(15);
  let passed = 0;
  await expect
    .poll(async () => {
      if (passed < BEFORE_POLL_MS) await page.clock.runFor(STEP_MS);
      passed += STEP_MS;
      return readPosition(page).innerText();
    })
    .toMatch(/^35 /);
  const trades = page.getByRole("region", { name: "Your trades" }).locator("tbody tr");
  await expect.poll(() => trades.count()).toBe(2);
  // The server renders the chart, which ends at its last render.
  await expect.poll(() => page.locator("svg title", { hasText: /^Bought 15 / }).count()).toBe(1);
  await page.close();
});

it("all outcomes of an event are on paper", async () => {
  const page = await visitor.page.context().newPage();
  await page.goto(`http://127.0.0.1:${product.port}/markets/${crowded}`);
  await page.emulateMedia({ media: "print" });
  const outcomes = page.getByRole("region", { name: /^Outcomes/ });
  const named = Number((await outcomes.getByRole("heading").innerText()).replace(/\D+/, ""));
  expect(named).toBeGreaterThan(5);
  // Chromium leaves closed details out of the accessibility tree, also on paper.
  const printed = await outcomes
    .locator("li")
    .evaluateAll((all) => all.filter((row) => row.checkVisibility()).length);
  expect(printed).toBe(named);
  await page.close();
});

it("an outcome of an event that the account holds is marked, and isn't folded away", async () => {
  const page = await visitor.page.context().newPage();
  await page.goto(`http://127.0.0.1:${product.port}/markets/${crowded}`);
  const outcomes = page.getByRole("region", { name: /^Outcomes/ });
  const folded = outcomes.locator("details li").first();
  const [opened, bought] = await folded
    .locator("a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const token = new URLSearchParams(bought?.split("?")[1]).get("token") ?? "";
  await buy(15, token);
  await page.reload();
  const marked = page
    .locator("section[aria-labelledby=candidates] > ul > li")
    .filter({ has: page.locator(`a[href="${opened}"]`) });
  expect(await marked.innerText()).toContain("You hold 15 Yes");
  await page.close();
});

it("selling all fills the ticket with the shares that no open order sells", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}`);
  await page.getByRole("link", { name: /^Sell all/ }).click();
  await expect.poll(() => page.getByLabel("Shares").inputValue()).toBe("35");
  const total = /^Review: Sell .*\$\d/;
  await page.getByRole("button", { name: total }).waitFor();
});

it("the Buy link of a position leads the keyboard to the ticket", async () => {
  const { page } = visitor;
  await page.goto("/");
  await page.getByRole("link", { name: /^Buy / }).first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/markets\/.*#ticket$/);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("ticket");
});

it("a price of another candidate opens its market and fills the ticket without a new page", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}`);
  await page.evaluate(() => {
    document.body.dataset["mark"] = "same page";
  });
  const rows = page.locator("section[aria-labelledby=candidates] li");
  const other = rows.filter({ hasNot: page.locator("[aria-current]") }).first();
  const name = await other.getByRole("link").first().innerText();
  await other.getByRole("link").nth(2).click();
  await page.waitForURL((url) => !url.pathname.endsWith(slug));
  await expect
    .poll(() => rows.filter({ has: page.locator("[aria-current]") }).innerText())
    .toContain(name);
  await expect
    .poll(() =>
      page.getByRole("group", { name: "Outcome" }).locator("[aria-current=true]").innerText(),
    )
    .toMatch(/^No/);
  expect(await page.evaluate(() => document.body.dataset["mark"])).toBe("same page");
});

it("the first Tab leads to the ticket, and the book is one stop with arrow keys", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}`);
  await page.getByRole("heading", { name: "Order book" }).waitFor();
  await page.keyboard.press("Tab");
  const readFocus = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  expect(await readFocus()).toBe("Skip to ticket");
  const levels = page.locator("[data-level]");
  const stops = page.locator("[data-level][tabindex='0']");
  expect(await levels.count()).toBeGreaterThan(4);
  // Until the arrow keys work, each price is a stop.
  await expect.poll(() => stops.count()).toBe(1);
  await stops.focus();
  const best = await readFocus();
  await page.keyboard.press("ArrowUp");
  expect(await readFocus()).not.toBe(best);
  await expect.poll(() => stops.innerText()).toBe(await readFocus());
  await page.keyboard.press("ArrowDown");
  expect(await readFocus()).toBe(best);
});

it("the first Tab of a narrow page leads to the buy buttons, and none of its controls is behind them", async () => {
  const phone = await visit(product.port, { viewport: { width: 390, height: 844 } });
  await signIn(phone, user);
  const { page } = phone;
  await page.goto(`/markets/${slug}`);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to buy" });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const bar = page.locator("#buy-bar");
  expect(await bar.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  const stops = page.locator("main :is(a, button, summary, [tabindex='0']):visible");
  const limit = (await bar.boundingBox())?.y ?? NaN;
  const hidden: string[] = [];
  for (const stop of await stops.all()) {
    if (await stop.evaluate((element) => element.closest("#buy-bar") !== null)) continue;
    await stop.focus();
    const box = await stop.boundingBox();
    if (box && box.height < 200 && box.y + box.height > limit) hidden.push(await stop.innerText());
  }
  expect(hidden).toEqual([]);
  await page.context().close();
});

it("a window of 1024 px has the ticket beside the chart and the book below it", async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`/markets/${slug}`);
  const readTop = async (id: string) => (await page.locator(`#${id}`).boundingBox())?.y ?? NaN;
  expect(await readTop("ticket")).toBeLessThan(384);
  expect(await readTop("order-book-heading")).toBeGreaterThan((await readTop("ticket")) + 384);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await readTop("order-book-heading")).toBeLessThan((await readTop("ticket")) + 384);
});

it("b and s choose the side and select its size, so that typing replaces it", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}?token=${tokenId}&side=buy&amount=7`);
  await expect
    .poll(async () => {
      await page.keyboard.press("s");
      return page.getByLabel("Shares").count();
    })
    .toBe(1);
  await page.keyboard.type("3");
  expect(await page.getByLabel("Shares").inputValue()).toBe("3");
  await page.getByLabel("Shares").blur();
  await page.keyboard.press("b");
  await page.keyboard.type("15");
  expect(await page.getByLabel("Amount").inputValue()).toBe("15");
});

it("the other chart leaves the periods where they are", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}`);
  const period = page.getByRole("navigation", { name: "Period" });
  const before = await period.boundingBox();
  await page.getByRole("link", { name: "All outcomes" }).click();
  await page.getByRole("heading", { name: "Chances" }).waitFor();
  expect(await period.boundingBox()).toEqual(before);
});

it("a click on a price fills in the limit, and with Shift also the shares up to it", async () => {
  const { page } = visitor;
  await page.goto(`/markets/${slug}`);
  await page
    .locator("[data-level]")
    .nth(2)
    .click({ modifiers: ["Shift"] });
  await page.getByLabel("Limit price").waitFor();
  await expect
    .poll(async () => Number(await page.getByLabel("Shares").inputValue()))
    .toBeGreaterThan(0);
});
