// Pages on paper, which shows the times of events, not how long ago they were.
import { expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import {
  DASHBOARD_PAGES,
  DESKTOP,
  open,
  PHONE,
  usePages,
  visitAs,
} from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

/** The head of each printed page. */
const HEAD = /Ante · \S+, paper money\s+(?:Opened|Printed) \d+ \w+ \d{4}, \d\d:\d\d:\d\d \(/;
const RELATIVE = /just now|\d (?:min|h|d) ago|in \d+ (?:min|h|d)\b/;

it("every page shows whose it is, and absolute times, on paper", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  const readText = () => page.locator("body").innerText();
  const found: string[] = [];
  for (const path of DASHBOARD_PAGES) {
    await page.emulateMedia({ media: "screen" });
    await open(page, path);
    if (path === "/orders") await expect.poll(readText).toMatch(RELATIVE);
    await page.emulateMedia({ media: "print" });
    const text = await readText();
    const [relative] = RELATIVE.exec(text) ?? [];
    if (relative !== undefined) found.push(`${path}: ${relative}`);
    if (!HEAD.test(text)) found.push(`${path}: no head`);
  }
  expect(found).toEqual([]);
});

/** As wide as an A4 page. */
const PAPER = { viewport: { width: 794, height: 1123 } };

it("settings are printed as their values, without the other choices and without secrets", async () => {
  const { page } = await visitAs("trader", PAPER);
  await page.emulateMedia({ media: "print" });
  await open(page, "/settings");
  expect(await page.getByLabel("Default order type").isVisible()).toBe(true);
  expect(await page.getByLabel("Price limit of market orders (cents)").inputValue()).toBe("5");
  expect(await page.getByRole("main").locator("button:visible").count()).toBe(0);
  await open(page, "/settings?section=display");
  const theme = page.getByRole("main").locator("label", { hasText: /^(?:System|Light|Dark)$/ });
  expect(await theme.filter({ visible: true }).allTextContents()).toEqual(["System"]);
  await open(page, "/settings?section=account");
  expect(await page.getByRole("main").locator("label:visible, input:visible").count()).toBe(0);
});

it("the portfolio on paper has whole titles and the parts of its value", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/");
  await page.emulateMedia({ media: "print" });
  const positions = page.getByRole("table", { name: "Positions", exact: true });
  expect(await positions.isVisible()).toBe(true);
  const cut = await positions
    .locator("[title]")
    .evaluateAll((all) => all.filter((title) => title.scrollWidth > title.clientWidth + 1).length);
  expect(cut).toBe(0);
  expect(await positions.locator(".row-actions:visible").count()).toBe(0);
  expect(await page.getByText("Cash available").first().isVisible()).toBe(true);
  expect(await page.getByText(/, paper money$/).isVisible()).toBe(true);
});

it("a page of the activity on paper says which of all lines it has, and the whole statement doesn't", async () => {
  const { page } = await visitAs("demo", PAPER);
  await page.emulateMedia({ media: "print" });
  const which = page.getByText(/^The newest 50 of \d+$/);
  await open(page, "/activity");
  expect(await which.isVisible()).toBe(true);
  await open(page, "/activity?print=1");
  await page.getByText("Ante account statement").waitFor();
  expect(await which.count()).toBe(0);
});

it("the head on paper has the time of the printing", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/");
  const time = page.locator("time", { hasText: /^(?:Opened|Printed)/ });
  const readAt = async () => Date.parse((await time.getAttribute("datetime")) ?? "");
  const opened = await readAt();
  const printedFrom = await page.evaluate(() => Date.now());
  expect(opened).toBeLessThanOrEqual(printedFrom);
  await page.pdf();
  expect(await time.textContent()).toMatch(/^Printed /);
  expect(await readAt()).toBeGreaterThanOrEqual(printedFrom);
});

it("orders are printed as tables, without the phone's list and its icons", async () => {
  const { page } = await visitAs("trader", PHONE);
  for (const [path, name] of [
    ["/orders", "Open orders"],
    ["/orders?tab=history", "Closed orders"],
  ] as const) {
    await page.emulateMedia({ media: "screen" });
    await open(page, path);
    expect(await page.getByRole("list", { name, exact: true }).isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("table", { name, exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole("list", { name, exact: true }).isVisible()).toBe(false);
    expect(await page.locator("main img[loading=lazy]:visible").count()).toBe(0);
  }
});

it("the order history on paper is whole and says which orders it holds", async () => {
  // As wide as an A4 page between its margins.
  const { page } = await visitAs("trader", { viewport: { width: 688, height: 1000 } });
  await page.emulateMedia({ media: "print" });
  const main = page.getByRole("main");
  await open(page, "/orders?tab=history");
  await main.getByText(/^(?:All|The newest) \d+ closed orders$/).waitFor();
  const { table, main: place } = await page.evaluate(() => ({
    table: document.querySelector("main table")?.scrollWidth ?? Infinity,
    main: document.querySelector("main")?.clientWidth ?? 0,
  }));
  expect(table).toBeLessThanOrEqual(place);
  await open(page, "/orders?tab=history&status=filled&from=2026-01-31");
  await main.getByText(/^All \d+ closed orders? · Status: Filled · From: 2026-01-31$/).waitFor();
});

it("an order on paper has whole ids, and its values beside their labels", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/orders/{order}");
  const fields = page.getByRole("main").locator("dl");
  const tokenId = /Token id\s+\d{60,}\s/;
  expect(await fields.last().innerText()).not.toMatch(tokenId);
  await page.emulateMedia({ media: "print" });
  expect(await fields.last().innerText()).toMatch(tokenId);
  const { width = Infinity } = (await fields.first().boundingBox()) ?? {};
  expect(width).toBeLessThan(PAPER.viewport.width / 1.5);
});

it("a market's sections on paper aren't cells of a grid, which a page would have to hold whole", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/markets/{market}");
  await page.emulateMedia({ media: "print" });
  const book = page.getByRole("heading", { name: "Order book" });
  await book.waitFor();
  const displays = await book.evaluate((heading) => {
    const found: string[] = [];
    for (let at = heading.parentElement; at && at.tagName !== "MAIN"; at = at.parentElement)
      found.push(getComputedStyle(at).display);
    return found;
  });
  expect(displays).not.toContain("grid");
  expect(await page.getByRole("heading", { name: "Rules" }).isVisible()).toBe(true);
  expect(await page.getByText("Source", { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole("complementary", { name: "Order ticket" }).isVisible()).toBe(false);
  expect(await page.getByRole("link", { name: /^Sell all/ }).isVisible()).toBe(false);
});

it("a list of markets on paper says which events it has, and what their figures are", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/markets?cat=crypto&sort=closing");
  const text = () =>
    page
      .getByRole("main")
      .getByText(/^\d+ events?/)
      .innerText();
  expect(await text()).toMatch(/^\d+ events?$/);
  await page.emulateMedia({ media: "print" });
  expect(await text()).toMatch(
    /\. Category: crypto\. Status: Open\. Sorted by: Closing soon\. Of each outcome: its chance, /,
  );
});

it("a limit on paper that isn't set has no unit", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/settings?section=limits");
  const unit = page.getByRole("main").getByText("$", { exact: true }).first();
  expect(await unit.isVisible()).toBe(true);
  await page.emulateMedia({ media: "print" });
  expect(await unit.isVisible()).toBe(false);
});

it("an event's row on paper is no taller than its lines", async () => {
  const { page } = await visitAs("trader", PAPER);
  await open(page, "/developers/events");
  await page.emulateMedia({ media: "print" });
  const rows = page.getByRole("table", { name: "Events" }).locator("tbody tr:visible");
  expect(await rows.count()).toBeGreaterThan(5);
  const heights = await rows.evaluateAll((all) =>
    all.map((row) => row.getBoundingClientRect().height),
  );
  expect(Math.max(...heights)).toBeLessThan(64);
});
