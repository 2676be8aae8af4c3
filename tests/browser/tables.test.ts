// Tables, as keyboards and screen readers meet them.
import { expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import { DESKTOP, open, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

it("a table is a tab stop only while it is wider than its place", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/orders?tab=history");
  const table = page.getByRole("region", { name: "Closed orders" });
  await expect.poll(() => table.getAttribute("tabindex")).toBe(null);
  await page.setViewportSize({ width: 800, height: 900 });
  await expect.poll(() => table.getAttribute("tabindex")).toBe("0");
  await page.setViewportSize(DESKTOP.viewport);
  await expect.poll(() => table.getAttribute("tabindex")).toBe(null);
});

it("without JavaScript a table always is a tab stop", async () => {
  const { page } = await visitAs("trader", { ...DESKTOP, javaScriptEnabled: false });
  await open(page, "/orders?tab=history");
  const table = page.getByRole("region", { name: "Closed orders" });
  expect(await table.getAttribute("tabindex")).toBe("0");
});

it.each([
  ["/", "Positions"],
  ["/orders", "Open orders"],
  ["/orders?tab=history", "Closed orders"],
  ["/markets", "Markets"],
  ["/keys", "Active keys"],
  ["/activity", "Activity"],
  ["/developers/events", "Events"],
])("on %s each row of %s has one header, its name", async (path, name) => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, path);
  const headers = page.getByRole("table", { name }).locator("tbody").getByRole("rowheader");
  const names = await headers.allInnerTexts();
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((text) => text.trim() === "")).toEqual([]);
});

it.each(["/", "/?tab=closed", "/markets"])("the list on %s has a heading", async (path) => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, path);
  expect(await page.locator("main").getByRole("heading", { level: 2 }).count()).toBeGreaterThan(0);
});

it("a position's row actions leave its P&L free", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/");
  const row = page
    .getByRole("table", { name: "Positions", exact: true })
    .locator("tbody tr")
    .first();
  await row.hover();
  const actions = await row.locator(".row-actions").boundingBox();
  const profit = await row.getByRole("cell").nth(3).boundingBox();
  if (!actions || !profit) throw new Error("the row has no actions or no P&L");
  expect(actions.x).toBeGreaterThanOrEqual(profit.x + profit.width);
});

it.each([1024, 1280])("the statement fits into a window of %d px", async (width) => {
  const { page } = await visitAs("trader", { viewport: { width, height: 800 } });
  await open(page, "/activity");
  const table = page.getByRole("region", { name: "Activity" });
  expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
});

it.each([1024, 1280, 1366])("a window of %d px shows a position's shares whole", async (width) => {
  const { page } = await visitAs("trader", { viewport: { width, height: 800 } });
  await open(page, "/markets/{market}");
  const shares = page.getByRole("region", { name: "Your position" }).locator(".truncate").first();
  expect(await shares.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});
