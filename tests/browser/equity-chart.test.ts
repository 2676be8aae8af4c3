import type { BrowserContextOptions, Page } from "playwright";
import { expect, it } from "vitest";
import { accessibilityProblems, closeBrowserAfterwards } from "@/tests/support/browser/browser";
import { DESKTOP, open, PHONE, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

/** Opens the portfolio of the demo account, which has weeks of trades. */
async function openDemo(options: BrowserContextOptions): Promise<Page> {
  const { page } = await visitAs("guest", options);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Try the demo account" }).click();
  await page.getByRole("heading", { level: 1, name: "Portfolio" }).waitFor();
  await open(page, "/?range=all");
  return page;
}

const chart = (page: Page) => page.getByRole("slider", { name: "Portfolio value over time" });

/** Moves the chart's cursor with the keyboard to a point with trades. Returns its text. */
async function moveToTrades(page: Page): Promise<string> {
  await chart(page).focus();
  const read = async () => (await chart(page).getAttribute("aria-valuetext")) ?? "";
  // The page listens to keys once it is hydrated.
  await expect
    .poll(async () => {
      await page.keyboard.press("Home");
      return chart(page).getAttribute("aria-valuenow");
    })
    .toBe("0");
  const last = Number(await chart(page).getAttribute("aria-valuemax"));
  for (let point = 0; point < last && !(await read()).includes(" at "); point += 1) {
    await page.keyboard.press("ArrowRight");
  }
  return read();
}

it("the value's chart names the trades of a point for arrow keys, pointer and screen reader", async () => {
  const page = await openDemo(DESKTOP);
  const text = await moveToTrades(page);
  expect(text).toMatch(/^\$[\d,.]+ · .+ · \d+ fills?: (Bought|Sold) [\d,.]+ .+ at [\d.]+¢, .+/);
  const title = /¢, ([^;]+)/.exec(text)?.[1] ?? "";
  await chart(page).getByText(title).first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  const place = Number(await chart(page).getAttribute("aria-valuenow"));
  const last = Number(await chart(page).getAttribute("aria-valuemax"));
  await page.keyboard.press("Escape");
  await chart(page).getByText(title).first().waitFor({ state: "detached" });
  const box = await chart(page).boundingBox();
  if (!box) throw new Error("the chart is on the page");
  await page.mouse.move(box.x + (box.width * (place + 0.5)) / last, box.y + box.height / 2);
  await chart(page).getByText(title).first().waitFor();
  await page.mouse.move(0, 0);
  await chart(page).getByText(title).first().waitFor({ state: "detached" });
});

it("hidden values hide the amounts and shares of the readout, also for a screen reader", async () => {
  const page = await openDemo(PHONE);
  const shown = await moveToTrades(page);
  expect(shown).toMatch(/^\$[\d,.]+ · .+: (Bought|Sold) [\d,.]+ /);
  await page.keyboard.press("h");
  // A market's title may contain a dollar sign, and prices stay: only the account's own figures are hidden.
  const hidden = shown
    .replace(/^\$[\d,.]+/, "Value hidden")
    .replaceAll(/(Bought|Sold) [\d,.]+ /g, "$1 ");
  await expect.poll(() => chart(page).getAttribute("aria-valuetext")).toBe(hidden);
  expect(await chart(page).locator(".masked-value").first().isVisible()).toBe(false);
  expect(await chart(page).getByLabel("hidden").first().isVisible()).toBe(true);
});

it("the table beside the chart counts the fills without JavaScript", async () => {
  const page = await openDemo({ ...DESKTOP, javaScriptEnabled: false });
  await page.getByText("Show as table").click();
  const table = page.getByRole("table", { name: "Portfolio value over time" });
  const fills = await table.getByRole("row").locator("td:nth-child(3)").allInnerTexts();
  expect(fills.length).toBeGreaterThan(5);
  expect(fills.reduce((sum, count) => sum + Number(count), 0)).toBeGreaterThan(20);
});

it("the figures under the chart have their place on a phone before the rest of the page arrives", async () => {
  const page = await openDemo({ ...PHONE, javaScriptEnabled: false });
  const figures = page.getByRole("region", { name: "Account figures" });
  const { y } = (await figures.boundingBox()) ?? {};
  let hidden = "";
  await page.route("**/?range=all", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const end = html.indexOf("</section>", html.indexOf('id="account-figures"'));
    hidden = html.slice(end);
    await route.fulfill({ response, body: html.slice(0, end) });
  });
  await open(page, "/?range=all");
  expect(hidden).toContain("Claim all");
  expect(await figures.boundingBox()).toMatchObject({ y });
});
