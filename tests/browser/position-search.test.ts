import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type VisitOptions,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  cleanUpAfterwards,
  NO_LIMITS,
  type Product,
  readDemo,
  startPrepared,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
beforeAll(async () => {
  product = await startPrepared({ env: NO_LIMITS });
});

/** Opens the portfolio of the demo account, which has some 20 positions. */
async function openPortfolio(options: VisitOptions): Promise<Page> {
  const visitor = await visit(product.port, options);
  await signIn(visitor, readDemo(product.dataDir));
  await visitor.page.goto("/");
  return visitor.page;
}

const findSearch = (page: Page) =>
  page.getByRole("searchbox", { name: "Find a position" }).filter({ visible: true });

const readTitles = (page: Page) =>
  page.getByRole("list", { name: "Positions", exact: true }).getByRole("link").allInnerTexts();

it("a phone's first screen has the wins in one row and four open positions", async () => {
  const page = await openPortfolio(PHONE);
  const wins = page.getByRole("region", { name: "Wins to claim" });
  await wins.getByRole("button", { name: "Claim all" }).waitFor();
  const tabs = await page.locator("nav[aria-label='Main']:visible").boundingBox();
  const rows = page.getByRole("list", { name: "Positions", exact: true }).getByRole("listitem");
  const fourth = await rows.nth(3).boundingBox();
  expect((fourth?.y ?? NaN) + (fourth?.height ?? NaN)).toBeLessThanOrEqual(tabs?.y ?? NaN);

  const claims = wins.getByRole("list", { name: "Wins" }).getByRole("button", { name: /^Claim/ });
  expect(await claims.count()).toBe(0);
  await wins.locator("summary").click();
  await expect.poll(() => claims.count()).toBe(3);
});

it.each([
  ["with", true],
  ["without", false],
])("a phone sorts and finds positions behind one icon, %s JavaScript", async (_, isOn) => {
  const page = await openPortfolio({ ...PHONE, javaScriptEnabled: isOn });
  const search = findSearch(page);
  expect(await search.count()).toBe(0);
  await page.locator("summary", { hasText: "Find or sort positions" }).click();
  const sorts = page.getByRole("navigation", { name: "Sort positions" });
  await sorts.getByRole("link", { name: "Market" }).click();
  await page.waitForURL("**/?sort=market");
  await sorts.getByRole("link", { name: "Market ascending" }).click();
  await page.waitForURL("**/?sort=market&dir=desc");
  await sorts.getByRole("link", { name: "Market descending" }).waitFor();
  const all = await readTitles(page);
  await search.fill("ice cup");
  await search.press("Enter");
  await page.waitForURL("**/?sort=market&dir=desc&q=ice+cup");
  const found = await readTitles(page);
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(all.filter((text) => /ice cup/i.test(text)));
  expect(found.length).toBeLessThan(all.length);
});

it.each([
  ["typed", true],
  ["submitted without JavaScript", false],
])("a search that is %s keeps the order of the list", async (_, isOn) => {
  const page = await openPortfolio({ ...DESKTOP, javaScriptEnabled: isOn });
  const table = page.getByRole("table", { name: "Positions", exact: true });
  await table.getByRole("link", { name: "Shares", exact: true }).click();
  await page.waitForURL("**/?sort=shares");
  const search = findSearch(page);
  await search.focus();
  if (isOn) await page.keyboard.type("ice cup");
  else await search.fill("ice cup");
  if (!isOn) await search.press("Enter");
  await page.waitForURL("**/?sort=shares&q=ice+cup");
  expect(await table.getByRole("columnheader", { name: "Shares" }).getAttribute("aria-sort")).toBe(
    "descending",
  );
  const titles = await table.locator("tbody").getByRole("link").allInnerTexts();
  expect(titles.some((title) => /ice cup/i.test(title))).toBe(true);
});

it.each([
  ["on a desktop", DESKTOP],
  ["on a phone", PHONE],
])("the field %s filters while the user types, and keeps the focus and the text", async (_, on) => {
  const page = await openPortfolio(on);
  const summary = page.locator("summary", { hasText: "Find or sort positions" });
  if (await summary.isVisible()) await summary.click();
  const search = findSearch(page);
  await search.focus();
  await page.keyboard.type("ice");
  await page.waitForURL("**/?q=ice");
  await page.keyboard.type(" cup");
  await page.waitForURL("**/?q=ice+cup");
  const isFocused = () => search.evaluate((field) => field === document.activeElement);
  expect(await isFocused()).toBe(true);
  expect(await search.inputValue()).toBe("ice cup");
  await search.press("ControlOrMeta+A");
  await search.press("Delete");
  await page.waitForURL("**/?q=");
  expect(await isFocused()).toBe(true);
});
