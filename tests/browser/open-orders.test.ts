import { gzipSync } from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  allOrders,
  cleanUpAfterwards,
  demoKey,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  seedUsers,
  type SeededUser,
  send,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let tokens: string[];
const users: SeededUser[] = [];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users.push(...(await seedUsers({ DATA_DIR: dataDir }, 6, "1000")));
  product = await startProduct({ dataDir, env: NO_LIMITS });
  // Each market has two outcomes.
  tokens = (await tradableTokens(product.port, demoKey(product))).filter(
    (__, index) => index % 2 === 0,
  );
});

/** Places a bid that rests, in the market with this number. */
async function placeBid({ apiKey }: SeededUser, market: number, price: number): Promise<void> {
  const body = {
    tokenId: tokens[market],
    action: "BUY",
    orderType: "limit",
    price,
    shares: 40,
    idempotencyKey: newKey(),
  };
  const options = { method: "POST", path: "/v1/orders", key: apiKey, body };
  expect((await send(product.port, options)).status).toBe(200);
}

/** Opens the grouped orders of a new user: two in the first market, one in the second, newest last. */
async function openGrouped(options: BrowserContextOptions) {
  const user = users.pop();
  if (!user) throw new Error("there is no user left");
  for (const [index, price] of [
    [0, 0.02],
    [0, 0.03],
    [1, 0.03],
  ] as const) {
    await placeBid(user, index, price);
  }
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  await visitor.page.goto("/orders");
  const filters = visitor.page.getByRole("button", { name: "Filters" });
  if (await filters.isVisible()) await filters.click();
  await visitor.page.getByRole("link", { name: "Group by market" }).click();
  await visitor.page.waitForURL("**/orders?group=market");
  await cancelLinks(visitor.page).nth(1).waitFor();
  return { ...visitor, user };
}

const cancelLinks = (page: Page) =>
  page.getByRole("link", { name: /^Cancel all orders in / }).filter({ visible: true });

const listOpen = async ({ apiKey }: SeededUser) =>
  (await allOrders(product.port, apiKey)).filter(({ status }) => status === "open");

describe.each([
  ["on a desktop", DESKTOP],
  ["on a phone", PHONE],
])("open orders by market %s", (_, options) => {
  it("are canceled per market after confirmation, and the other market's order stays", async () => {
    const { page, user, complaints } = await openGrouped(options);
    expect(await cancelLinks(page).count()).toBe(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    // The newest order's market comes first.
    const second = cancelLinks(page).nth(1);
    await second.click();
    const dialog = page.getByRole("dialog", { name: "Cancel 2 orders?" });
    await dialog.getByRole("button", { name: "Keep orders" }).click();
    expect(await listOpen(user)).toHaveLength(3);
    await second.click();
    await dialog.getByRole("button", { name: "Cancel 2 orders" }).click();
    await second.waitFor({ state: "detached" });
    expect(await listOpen(user)).toMatchObject([{ price: 0.03 }]);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Open orders");
    expect(complaints).toEqual([]);
  });
});

it("the drawer of an open order edits and cancels it", async () => {
  const { page, user, complaints } = await openGrouped(DESKTOP);
  await page.goto("/orders");
  const details = page.locator("main a[aria-haspopup=dialog]").filter({ visible: true }).first();
  const drawer = page.getByRole("dialog", { name: "Order" });
  await details.click();
  await drawer.getByRole("link", { name: "Edit" }).click();
  await drawer.waitFor({ state: "detached" });
  const form = page.getByRole("form", { name: /^Edit Buy / });
  await form.waitFor();
  await page.getByRole("button", { name: "Keep order" }).click();
  await form.waitFor({ state: "detached" });
  expect(await listOpen(user)).toHaveLength(3);

  await details.click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await drawer.getByRole("button", { name: "Cancel order" }).click();
  await drawer.getByText("Canceled", { exact: true }).first().waitFor();
  expect(await drawer.getByRole("link", { name: "Edit" }).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("drawer-headline");
  expect(await listOpen(user)).toHaveLength(2);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe("Open orders");
  expect(complaints).toEqual([]);
});

it("j and k move over headings and orders, x goes to a row's cancel, and a link ends the grouping", async () => {
  const { page } = await openGrouped(DESKTOP);
  const row = () =>
    page.evaluate(() => {
      const focused = document.activeElement?.closest("tr");
      return [
        focused?.querySelector("th[scope=rowgroup]") ? "heading" : "order",
        focused?.rowIndex,
      ];
    });
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return row();
  };
  await page.locator("h1").click();
  await expect.poll(() => press("k").then(() => press("j"))).not.toContain(undefined);
  for (let step = 0; step < 9; step += 1) await page.keyboard.press("k");
  expect(await row()).toEqual(["heading", 1]);
  expect(await press("j")).toEqual(["order", 2]);
  expect(await press("j")).toEqual(["heading", 3]);
  expect(await press("j")).toEqual(["order", 4]);
  expect(await press("k")).toEqual(["heading", 3]);
  await page.keyboard.press("x");
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  expect(focused).toMatch(/^Cancel all orders in /);
  const chip = page.getByRole("link", { name: "Group by market" });
  expect(await chip.getAttribute("aria-current")).toBe("true");
  await chip.click();
  await page.waitForURL(/\/orders$/);
  await cancelLinks(page).first().waitFor({ state: "detached" });
});

it("the grouping survives a filter and a cancel without JavaScript", async () => {
  const { page, user } = await openGrouped({ ...DESKTOP, javaScriptEnabled: false });
  await page.locator("select[name=side]").selectOption("buy");
  await page.getByRole("button", { name: "Apply" }).filter({ visible: true }).click();
  await page.waitForURL(/group=market/);
  expect(new URL(page.url()).searchParams.get("side")).toBe("buy");
  await cancelLinks(page).nth(1).click();
  await page.getByRole("heading", { level: 1, name: "Cancel 2 orders?" }).waitFor();
  expect(await listOpen(user)).toHaveLength(3);
  await page.getByRole("button", { name: "Cancel 2 orders" }).click();
  await page.getByText("2 orders canceled.").waitFor();
  expect(new URL(page.url()).searchParams.get("group")).toBe("market");
  expect(await cancelLinks(page).count()).toBe(1);
  expect(await listOpen(user)).toHaveLength(1);
});

const PAGE_KB = 60;

it("a page of 100 open orders in many markets has at most 60 kB of HTML, gzipped", async () => {
  const user = users.pop();
  if (!user) throw new Error("there is no user left");
  for (let order = 0; order < 100; order += 1) {
    await placeBid(user, order % tokens.length, 0.01 * (1 + (order % 9)));
  }
  const visitor = await visit(product.port, DESKTOP);
  await signIn(visitor, user);
  const html = await (await visitor.context.request.get("/orders")).text();
  expect(html.match(/<input[^>]* name="order"/g)?.length).toBeGreaterThanOrEqual(100);
  expect(gzipSync(html).length / 1024).toBeLessThanOrEqual(PAGE_KB);
});
