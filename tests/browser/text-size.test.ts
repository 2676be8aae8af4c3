// The text size of the browser's settings. All pages have sizes in rem, breakpoints too.
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { closeBrowserAfterwards, cutTexts, sidewaysScroll } from "@/tests/support/browser/browser";
import {
  DASHBOARD_PAGES,
  DESKTOP,
  open,
  OPEN_PAGES,
  PHONE,
  usePages,
  visitAs,
} from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

const LARGE = 20;

const readFontSize = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).fontSize);

it("text grows with the browser's setting", async () => {
  const sizes: string[][] = [];
  for (const textSize of [16, LARGE]) {
    const { page } = await visitAs("trader", { ...DESKTOP, textSize });
    await open(page, "/markets");
    sizes.push(await Promise.all(["body", "h1", "th"].map((part) => readFontSize(page, part))));
  }
  expect(sizes).toEqual([
    ["14px", "20px", "12px"],
    ["17.5px", "25px", "15px"],
  ]);
});

it.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
] as const)("no %s page scrolls sideways or cuts large text", async (_name, size) => {
  const { page } = await visitAs("trader", { ...size, textSize: LARGE });
  const found: string[] = [];
  for (const path of [...DASHBOARD_PAGES, ...OPEN_PAGES]) {
    await open(page, path);
    const scroll = await sidewaysScroll(page);
    if (scroll > 0) found.push(`${path}: ${scroll} px`);
    for (const text of await cutTexts(page)) found.push(`${path}: ${text}`);
    for (const text of await clippedTexts(page)) found.push(`${path}: clipped ${text}`);
  }
  expect(found).toEqual([]);
});

it("large times of every length fit into the list of markets", async () => {
  const { page } = await visitAs("trader", { ...DESKTOP, textSize: LARGE });
  await page.clock.install();
  await open(page, "/markets");
  const widths = () =>
    page
      .locator("section:has(> h2#results)")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  // The first to close, so that all others are still open.
  const closings = await page
    .locator("main tbody td time")
    .evaluateAll((all) => all.map((time) => time.getAttribute("datetime") ?? ""));
  const [closing = ""] = closings.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const readText = () =>
    page.locator(`main tbody td time[datetime="${closing}"]`).first().innerText();
  // A market within its last minute, and one that closed while its page was open.
  for (const [secondsLeft, text] of [
    [30, /^<1 min/],
    [-30, /\d\d:\d\d/],
  ] as const) {
    await page.clock.setFixedTime(Date.parse(closing) - secondsLeft * 1000);
    await page.clock.runFor(6_000);
    await expect.poll(readText).toMatch(text);
    expect(await widths()).toBe(0);
  }
});

it("fields on a phone have at least 16 px, also with small text, so that iOS doesn't zoom", async () => {
  const { page } = await visitAs("trader", { ...PHONE, textSize: 12 });
  await open(page, "/markets");
  const fields = page.locator("input.control, select.control");
  const sizes = await fields.evaluateAll((all) =>
    all.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
});

/** Returns texts of buttons, and of links that look like them, that are higher than their box. */
function clippedTexts(page: Page): Promise<string[]> {
  return page.locator("main a, main button").evaluateAll((all) =>
    all
      .filter((element) => /flex|grid/.test(getComputedStyle(element).display))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 2)
      .map((element) => (element.textContent ?? "").slice(0, 60)),
  );
}
