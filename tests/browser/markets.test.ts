import { expect, it } from "vitest";
import type { Page } from "playwright";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import { DESKTOP, open, PHONE, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

const NO_SCRIPT = { javaScriptEnabled: false } as const;
const LEAST_TARGET = 36;
const HALF_A_ROW = 22;

const getSearches = (page: Page) => page.getByRole("searchbox").filter({ visible: true });
const getTitles = (page: Page) => page.locator("main tbody tr th a[title]");

/** Returns the height from the first control of the filters to the end of the last. */
async function measureFilters(page: Page, selector: string) {
  const boxes = await page
    .locator("main")
    .locator(selector)
    .filter({ visible: true })
    .evaluateAll((all) =>
      all.map((each) => {
        const { top, bottom, height } = each.getBoundingClientRect();
        return { top, bottom, height };
      }),
    );
  return {
    count: boxes.length,
    height:
      Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)),
    smallest: Math.min(...boxes.map((box) => box.height)),
  };
}

it.each([
  [
    "/markets",
    160,
    ":is([role=search], nav[aria-label=Category]) :is(input[type=search], select, a)",
  ],
  ["/orders?tab=history", 60, "[role=search] :is(input[type=search], button:not(.sr-only))"],
  ["/activity", 60, "nav[aria-label='Filter activity'] :is(a, button)"],
])("on a phone the filters of %s take at most %i px", async (path, highest, selector) => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, path);
  const { count, height, smallest } = await measureFilters(page, selector);
  expect(count).toBeGreaterThan(1);
  expect(height).toBeLessThanOrEqual(highest);
  expect(smallest).toBeGreaterThanOrEqual(LEAST_TARGET);
});

it("the page of Trade lists each market once, though the account holds, watches and has traded it", async () => {
  const { page } = await visitAs("demo", DESKTOP);
  await open(page, "/trade");
  const lists = page.getByRole("main").getByRole("list");
  expect(await lists.count()).toBeGreaterThan(2);
  const titles = await lists
    .locator("li")
    .evaluateAll((items) => items.map((item) => item.querySelector("a")?.textContent));
  expect(titles.length).toBeGreaterThan(10);
  expect(titles).toEqual([...new Set(titles)]);
});

it("a chosen status applies at once, keeps the search and the focus, and is cleared by a link", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/markets?q=norvale&cat=politics");
  const status = page.locator("main").getByLabel("Status");
  await status.focus();
  await status.selectOption({ label: "Any status" });
  await page.waitForURL(/status=all/);
  const query = new URL(page.url()).searchParams;
  expect([query.get("q"), query.get("cat")]).toEqual(["norvale", "politics"]);
  expect(await status.evaluate((select) => select === document.activeElement)).toBe(true);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.waitForURL((url) => url.search === "?q=norvale");
  await expect.poll(() => status.inputValue()).toBe("");
});

it("without JavaScript the search, the selects and the categories filter the markets", async () => {
  const { page } = await visitAs("trader", { ...PHONE, ...NO_SCRIPT });
  await open(page, "/markets");
  await page.getByLabel("Search markets by name or event").fill("norvale");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=norvale/);
  await page.getByLabel("Sort by").selectOption({ label: "Closing soon" });
  await page.getByRole("button", { name: "Apply" }).filter({ visible: true }).last().click();
  await page.waitForURL(/sort=closing/);
  const categories = page.getByRole("navigation", { name: "Category" });
  await categories.getByRole("link", { name: "Politics" }).click();
  await page.waitForURL(/cat=politics/);
  const query = new URL(page.url()).searchParams;
  expect([query.get("q"), query.get("sort")]).toEqual(["norvale", "closing"]);
  expect(await page.getByLabel("Sort by").inputValue()).toBe("closing");
  expect(await categories.locator("[aria-current]").innerText()).toBe("Politics");
  expect(await getTitles(page).count()).toBeGreaterThan(0);
});

it("the page has one search field on a desktop, which the shortcut focuses", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/orders");
  expect(await page.locator("header").getByRole("searchbox").isVisible()).toBe(true);
  await open(page, "/markets");
  expect(await getSearches(page).count()).toBe(1);
  await expect
    .poll(async () => {
      await page.keyboard.press("/");
      return page.evaluate(() => document.activeElement?.id);
    })
    .toBe("market-search");
});

it.each([1440, 1280, 1024, 800])("titles have room in a window of %i px", async (width) => {
  const { page } = await visitAs("trader", { viewport: { width, height: 900 } });
  await open(page, "/markets");
  const widths = await getTitles(page).evaluateAll((all) =>
    all.map((each) => each.closest("th")?.clientWidth ?? 0),
  );
  expect(widths.length).toBeGreaterThan(10);
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(240);
});

it("rows have the trail of a week, and their columns stay when the list changes", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/markets");
  const trails = page.locator("main tbody td svg[width='60']").filter({ visible: true });
  expect(await trails.count()).toBeGreaterThan(10);
  const readColumns = () =>
    page.locator("main thead th").evaluateAll((all) => all.map((each) => each.clientWidth));
  const columns = await readColumns();
  await open(page, "/markets?sort=closing");
  expect(await readColumns()).toEqual(columns);
  const cut = await page
    .locator("main tbody td")
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
  expect(cut).toBe(0);
});

it("no title and no outcome is cut in a window of 1440 px", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/markets");
  const cut = await page
    .locator("main tbody :is(th a[title], td:nth-child(2) a > span)")
    .evaluateAll((all) =>
      all
        .filter(
          (each) =>
            each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth,
        )
        .map((each) => each.textContent),
    );
  expect(cut).toEqual([]);
});

it("an outcome on a phone is one row with its chance, its change in a day and both prices", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/markets");
  const event = page
    .locator("main tbody")
    .filter({ has: page.locator("tr:nth-child(2)") })
    .first();
  const row = event.locator("tr").nth(1);
  const centers = await row
    .locator("a, td:nth-child(2) > span")
    .filter({ visible: true })
    .evaluateAll((all) =>
      all.map((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
  expect(centers.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...centers) - Math.min(...centers)).toBeLessThanOrEqual(HALF_A_ROW);
});

it("a result on a phone is in one line with its time, below the title", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/markets?status=resolved");
  const market = page
    .locator("main tbody")
    .filter({ hasNot: page.locator("tr:nth-child(2), td:nth-child(4)") })
    .first();
  const readBox = async (selector: string) => {
    const box = await market.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} isn't visible`);
    return box;
  };
  const title = await readBox("th a[title]");
  const result = await readBox("td:nth-child(2) > span");
  const time = await readBox("td:nth-child(3) time");
  expect(Math.abs(result.y + result.height / 2 - (time.y + time.height / 2))).toBeLessThan(4);
  expect(result.y).toBeGreaterThanOrEqual(title.y + title.height - 4);
  expect(result.x).toBe(title.x);
});

it("a list of results has the result and the close instead of prices, the latest first", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/markets?status=resolved");
  await page.getByText("Resolved:").first().waitFor();
  const heads = page.locator("main thead th").filter({ visible: true });
  expect(await heads.allInnerTexts()).toEqual(["Market", "Outcome", "Result", "Closed"]);
  expect(
    await page
      .locator("main tbody")
      .getByText(/^\d+%$/)
      .count(),
  ).toBe(0);
  const times = await page
    .locator("main tbody time")
    .evaluateAll((all) => all.map((each) => each.getAttribute("datetime") ?? ""));
  expect(times.length).toBeGreaterThan(10);
  expect(times).toEqual(times.toSorted().toReversed());
});

it("the page of a resolved market states the result once", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/markets?status=resolved");
  const single = page.locator("main tbody").filter({ hasNot: page.locator("tr:nth-child(2)") });
  await single.first().locator("th a[title]").click();
  await page.getByRole("note").getByText("Resolved:").waitFor();
  await page.getByRole("region", { name: "Price chart" }).waitFor();
  expect(await page.locator("main").getByText("Resolved:").count()).toBe(1);
});

it.each([
  ["a desktop", DESKTOP],
  ["a phone", PHONE],
])("the page of an event on %s names it, lists its outcomes and leads back", async (_, screen) => {
  const { page } = await visitAs("trader", screen);
  await open(page, "/markets");
  const more = page.getByRole("link", { name: /^\+\d+ more in / }).first();
  const [, count, title = ""] = (await more.textContent())?.match(/^\+(\d+) more in (.+)$/s) ?? [];
  await more.click();
  await page.getByRole("heading", { level: 1, name: title.trim(), exact: true }).waitFor();
  const length = Number(count) + 2;
  await page.getByText(`${length} outcomes`, { exact: true }).waitFor();
  const rows = page.getByRole("region", { name: "Outcomes" }).getByRole("listitem");
  expect(await rows.count()).toBe(length);
  // Each row is named by its own label instead of the event's question.
  const labels = await rows.evaluateAll((all) =>
    all.map((row) => row.querySelector("a")?.innerText ?? ""),
  );
  expect(new Set(labels).size).toBe(length);
  for (const label of labels) expect(label).not.toContain("?");
  await page.getByRole("img", { name: /^Chances over the last month: / }).waitFor();
  await page.getByRole("link", { name: "All markets" }).click();
  await page.getByRole("heading", { level: 1, name: "Markets", exact: true }).waitFor();
});

it("a phone shows the account's trades of a market without a sideways scroll", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/markets/{market}?tab=yours");
  const trades = page.getByRole("region", { name: "Your trades" });
  await trades.waitFor();
  expect(await trades.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
});
