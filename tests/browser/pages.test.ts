import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DOCS_PAGES } from "@/components/docs/pages";
import { closeBrowserAfterwards, cutTexts, sidewaysScroll } from "@/tests/support/browser/browser";
import {
  DASHBOARD_PAGES,
  DESKTOP,
  FACTOR_PAGES,
  NARROWEST,
  OPEN_PAGES,
  open,
  fillPath,
  usePages,
  visitAs,
  WAITING_PAGES,
} from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

it("no page scrolls sideways or cuts a text without an ellipsis at a width of 320 px", async () => {
  const found: string[] = [];
  const docs = DOCS_PAGES.map(({ href }) => href);
  for (const [who, paths] of [
    ["trader", [...DASHBOARD_PAGES, ...docs, "/nowhere"]],
    ["guarded", FACTOR_PAGES],
    ["waiting", WAITING_PAGES],
  ] as const) {
    const visitor = await visitAs(who, NARROWEST);
    for (const path of paths) {
      await open(visitor.page, path);
      const scroll = await sidewaysScroll(visitor.page);
      if (scroll > 0) found.push(`${path}: ${scroll} px`);
      for (const text of await cutTexts(visitor.page)) found.push(`${path}: ${text}`);
    }
  }
  expect(found).toEqual([]);
});

it("without JavaScript no page shows a button that needs it, and each price of a book is a tab stop", async () => {
  const { page } = await visitAs("trader", { ...DESKTOP, javaScriptEnabled: false });
  const found: string[] = [];
  for (const path of [...DASHBOARD_PAGES, ...OPEN_PAGES]) {
    await open(page, path);
    const dead = page.locator("button:not([type=submit]):not([popovertarget]):visible");
    for (const name of await dead.allTextContents()) found.push(`${path}: ${name}`);
    if ((await page.locator(".freshness-dot:visible").count()) > 0) found.push(`${path}: Live`);
  }
  expect(found).toEqual([]);
  await open(page, "/markets/{market}");
  const levels = page.locator("[data-level]");
  expect(await levels.count()).toBeGreaterThan(1);
  expect(
    await levels.evaluateAll(
      (all: HTMLElement[]) => all.filter((each) => each.tabIndex !== 0).length,
    ),
  ).toBe(0);
});

/** Pages of things that don't exist, with their headings. */
const LOST_PAGES = {
  "/orders/ord_none": "Order not found",
  "/orders/ord_none/edit": "Order not found",
  "/keys/key_none": "Key not found",
  "/keys/key_none/rotate": "Key not found",
  "/keys/requests/req_none": "Request not found",
  "/markets/nowhere": "We can’t find this market.",
  "/markets?event=nothing": "We can’t find this event.",
  "/developers/webhooks/wh_none": "Endpoint not found",
  "/approvals/ord_none": "We can’t find that page.",
  "/nowhere": "We can’t find that page.",
};

it.each([
  ["without", false],
  ["with", true],
])(
  "a page of something that doesn't exist says so %s JavaScript, in the dashboard, with status 404",
  async (_, hasJs) => {
    const { page } = await visitAs("trader", { ...DESKTOP, javaScriptEnabled: hasJs });
    for (const [path, heading] of Object.entries(LOST_PAGES)) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      expect(await page.getByRole("main").count(), path).toBe(1);
      expect(await page.locator(".shell").count(), path).toBe(1);
    }
  },
);

it("a contrast theme of the system decides between light and dark, whatever the settings say", async () => {
  const { page } = await visitAs("trader", {
    ...DESKTOP,
    colorScheme: "dark",
    forcedColors: "active",
  });
  await open(page, "/activity/proof");
  const root = page.locator("html");
  const readScheme = () =>
    root.evaluate((html) => getComputedStyle(html).getPropertyValue("color-scheme"));
  await root.evaluate((html) => html.setAttribute("data-theme", "light"));
  expect(await readScheme()).toBe("light dark");
  await page.emulateMedia({ forcedColors: "none" });
  expect(await readScheme()).toBe("light");
});

it("at 400 % zoom every page keeps the window's width, and no bar stays in view", async () => {
  const visitor = await visitAs("trader", { viewport: { width: 360, height: 225 } });
  const found: string[] = [];
  for (const path of DASHBOARD_PAGES) {
    await open(visitor.page, path);
    const width = await visitor.page.locator("main").evaluate((main) => main.clientWidth);
    const bars = await visitor.page
      .locator("[data-bar]")
      .evaluateAll((all) => all.map((bar) => getComputedStyle(bar).position));
    expect(bars.length).toBeGreaterThan(1);
    if (width !== 360 || bars.some((position) => position !== "static")) {
      found.push(`${path}: ${width} px, ${bars.join(", ")}`);
    }
  }
  expect(found).toEqual([]);
});

describe("page size", () => {
  const KB = 1024;
  const BUDGETS: [string, number][] = [
    ["/sign-in", 146],
    ["/docs", 146],
    ["/docs/orders", 146],
    ["/", 185],
    ["/orders", 185],
    ["/markets", 185],
    ["/activity", 185],
    ["/keys", 185],
    ["/settings", 185],
    ["/wallet", 185],
    ["/markets/{market}", 205],
    ["/trade", 185],
  ];

  it.each(BUDGETS)("%s loads at most %i kB of JavaScript, gzipped", async (path, budget) => {
    const visitor = await visitAs(OPEN_PAGES.includes(path) ? "guest" : "trader", DESKTOP);
    const { context } = visitor;
    const html = await (await context.request.get(fillPath(path))).text();
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !/nomodule/i.test(tag))
      .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(3);
    let total = 0;
    for (const source of new Set(scripts)) {
      total += gzipSync(await (await context.request.get(source)).body()).length;
    }
    process.stdout.write(`${path}: ${Math.round(total / KB)} kB of JavaScript\n`);
    expect(total / KB).toBeLessThanOrEqual(budget);
  });

  it("every page has at most 60 kB of HTML, gzipped", async () => {
    const trader = await visitAs("trader", DESKTOP);
    const guest = await visitAs("guest", DESKTOP);
    const tooLarge: string[] = [];
    for (const path of [...DASHBOARD_PAGES, ...OPEN_PAGES]) {
      const { context } = OPEN_PAGES.includes(path) ? guest : trader;
      const page = await context.request.get(fillPath(path), { headers: { accept: "text/html" } });
      const html = await page.text();
      expect(html, path).toContain("</html>");
      const kilobytes = gzipSync(html).length / KB;
      if (kilobytes > 60) tooLarge.push(`${path}: ${kilobytes.toFixed(1)} kB`);
    }
    expect(tooLarge).toEqual([]);
  });

  it("style sheets are at most 20 kB, gzipped", async () => {
    const visitor = await visitAs("trader", DESKTOP);
    const styles = new Set<string>();
    for (const path of DASHBOARD_PAGES) {
      const html = await (await visitor.context.request.get(fillPath(path))).text();
      for (const [, href] of html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)) {
        styles.add(href ?? "");
      }
    }
    expect(styles.size).toBeGreaterThan(0);
    let total = 0;
    for (const href of styles) {
      total += gzipSync(await (await visitor.context.request.get(href)).body()).length;
    }
    expect(total / KB).toBeLessThanOrEqual(20);
  });
});

it("no style restyles every element after a change in another part of the page", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/markets/{market}");
  const selectors = await page.evaluate(() => {
    const list = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
        ...("cssRules" in rule ? list(rule.cssRules as CSSRuleList) : []),
      ]);
    return [...document.styleSheets].flatMap((sheet) => list(sheet.cssRules));
  });
  const dependent = selectors.filter((selector) => selector.includes(":has("));
  expect(dependent.length).toBeGreaterThan(0);
  // A star that is not part of an attribute's comparison.
  expect(dependent.filter((selector) => /\*(?!=)/.test(selector))).toEqual([]);
});
