import type { BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  demoKey,
  newKey,
  NO_LIMITS,
  type Order,
  preparedDataDir,
  type Product,
  readData,
  seedUsers,
  type SeededUser,
  send,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let token: string;
const users: SeededUser[] = [];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users.push(...(await seedUsers({ DATA_DIR: dataDir }, 16, "1000")));
  // The market stands still, so that a change costs what its question said.
  const env = { ...NO_LIMITS, PAPER_CLOCK: new Date().toISOString() };
  product = await startProduct({ dataDir, env });
  token = await anyToken(product.port, demoKey(product));
});

/** Opens the orders of a new user with one open order: 40 shares at 3¢. */
async function openOrders(options: BrowserContextOptions) {
  const user = users.pop();
  if (!user) throw new Error("there is no user left");
  const body = {
    tokenId: token,
    action: "BUY",
    orderType: "limit",
    price: 0.03,
    shares: 40,
    idempotencyKey: newKey(),
  };
  const sent = { method: "POST", path: "/v1/orders", key: user.apiKey, body } as const;
  const { orderId } = readData<{ orderId: string }>(await send(product.port, sent));
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  await visitor.page.goto("/orders");
  return { ...visitor, user, orderId };
}

const listAll = ({ apiKey }: SeededUser) => allOrders(product.port, apiKey);
const listOpen = async (user: SeededUser) =>
  (await listAll(user)).filter(({ status }) => status === "open");
const editLink = (page: Page, orderId: string) =>
  page.locator(`a[aria-expanded][href="/orders/${orderId}/edit"]`).filter({ visible: true });
const editForm = (page: Page) => page.getByRole("form", { name: /^Edit Buy / });
const isFocused = (page: Page, orderId: string) =>
  editLink(page, orderId).evaluate((link) => link === document.activeElement);

/** The orders and the ledger, which a question leaves as they are. */
const readAccount = async (user: SeededUser) => ({
  orders: await listAll(user),
  ledger: readData(
    await send(product.port, { method: "GET", path: "/v1/activity?limit=100", key: user.apiKey }),
  ),
});

/** Types a price and saves. */
async function save(page: Page, price: string, button: string): Promise<void> {
  await editForm(page).getByLabel("Price (¢)").fill(price);
  await editForm(page).getByRole("button", { name: button }).click();
}

/** Waits for the question and returns the cost that it names. */
async function readQuestion(page: Page): Promise<string> {
  const question = editForm(page).getByRole("alert");
  await question.getByText("The changed order fills immediately").waitFor();
  const text = await question.innerText();
  expect(text).toMatch(/Fills now: 40 shares at about [\d.]+¢\./);
  expect(text).toMatch(/Fee \$\d+\.\d\d\./);
  return /You pay (\$[\d.]+)\./.exec(text)?.[1] ?? "";
}

describe.each([
  ["on a desktop", DESKTOP],
  ["on a phone", PHONE],
])("an order that is edited in its row %s", (_, options) => {
  it("leaves the form with Esc, and is replaced with Enter, by one order", async () => {
    const { page, user, orderId, complaints } = await openOrders(options);
    await editLink(page, orderId).click();
    const field = editForm(page).getByLabel("Price (¢)");
    await field.waitFor();
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await sidewaysScroll(page)).toBe(0);
    await field.fill("2");
    await field.press("Escape");
    await editForm(page).waitFor({ state: "detached" });
    expect(await isFocused(page, orderId)).toBe(true);
    expect(await listOpen(user)).toMatchObject([{ id: orderId, price: 0.03 }]);

    await editLink(page, orderId).press("Enter");
    await field.waitFor();
    await field.fill("2");
    await field.press("Enter");
    await page
      .getByText(/^Order changed: buy 40.* at 2(\.0+)?¢\./)
      .first()
      .waitFor();
    await editForm(page).waitFor({ state: "detached" });
    const open = await listOpen(user);
    expect(open).toMatchObject([{ price: 0.02, shares: 40 }]);
    const newId = open[0]?.id ?? "";
    expect(newId).not.toBe(orderId);
    await expect.poll(() => isFocused(page, newId)).toBe(true);
    expect(await editLink(page, orderId).count()).toBe(0);
    expect((await listAll(user)).map(({ status }) => status).toSorted()).toEqual([
      "canceled",
      "open",
    ]);
    expect(complaints).toEqual([]);
  });
});

it("an order that leaves the list before its change is answered keeps its form until then", async () => {
  const { page, user, orderId } = await openOrders(DESKTOP);
  await page.route("**/orders", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const isListed = page.waitForResponse(/\/api\/ui\/open-orders/);
    const response = await route.fetch();
    await isListed;
    return route.fulfill({ response });
  });
  await editLink(page, orderId).click();
  await save(page, "2", "Save changes");
  await page
    .getByText(/^Order changed: buy 40.* at 2(\.0+)?¢\./)
    .first()
    .waitFor();
  expect(await listOpen(user)).toMatchObject([{ price: 0.02, shares: 40 }]);
});

it("an order that is canceled elsewhere takes its form with it, and nothing can be saved", async () => {
  const { page, user, orderId } = await openOrders(DESKTOP);
  await editLink(page, orderId).click();
  await editForm(page).getByLabel("Price (¢)").waitFor();
  await send(product.port, { method: "DELETE", path: `/v1/orders/${orderId}`, key: user.apiKey });
  await page
    .getByText("This order isn’t in the list anymore. Nothing was changed.")
    .filter({ visible: true })
    .waitFor();
  expect(await editForm(page).count()).toBe(0);
  await page.getByRole("button", { name: "Close" }).click();
  await editLink(page, orderId).waitFor({ state: "detached" });
  expect((await listAll(user)).map(({ status }) => status)).toEqual(["canceled"]);
});

describe.each([
  ["on a desktop", DESKTOP],
  ["on a phone", PHONE],
])("a mistake in the form of an order's row %s", (_, options) => {
  it("is named while typing, gets the focus after Save, moves no column and changes nothing", async () => {
    const { page, user, orderId } = await openOrders(options);
    await editLink(page, orderId).click();
    const field = editForm(page).getByLabel("Price (¢)");
    const columns = editForm(page).locator("label, p > span:first-child");
    const readLefts = () =>
      columns.evaluateAll((all) =>
        all
          .filter((label) => label.textContent !== "Open value")
          .map((label) => label.getBoundingClientRect().left),
      );
    await field.waitFor();
    const lefts = await readLefts();
    expect(lefts).toHaveLength(3);
    await field.fill("98");
    await editForm(page)
      .getByText(/^Fills immediately/)
      .waitFor();
    expect(await editForm(page).getByText("Open value").count()).toBe(0);

    await field.fill("120");
    const problem = editForm(page).getByText(/^Price must be between [\d.]+¢ and 99[\d.]*¢\.$/);
    await problem.waitFor();
    const describedBy = await field.getAttribute("aria-describedby");
    expect([await field.getAttribute("aria-invalid"), await problem.getAttribute("id")]).toEqual([
      "true",
      describedBy,
    ]);
    expect(await readLefts()).toEqual(lefts);
    expect(await sidewaysScroll(page)).toBe(0);
    await editForm(page).getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await problem.count()).toBe(1);
    expect(await listAll(user)).toMatchObject([{ id: orderId, status: "open", price: 0.03 }]);

    await editForm(page)
      .getByRole("button", { name: /^Decrease price/ })
      .click();
    await problem.waitFor({ state: "detached" });
    expect(await field.getAttribute("aria-invalid")).toBeNull();
  });
});

it("a refusal of an edited order goes with its terms, and with the next save", async () => {
  const { page, user, orderId } = await openOrders(PHONE);
  await editLink(page, orderId).click();
  const price = editForm(page).locator("p", { hasText: "Best offer now" });
  const { height = Infinity } = (await price.boundingBox()) ?? {};
  // Two lines of text, not as tall as a field below its label.
  expect(height).toBeLessThan(60);

  const field = editForm(page).getByLabel("Shares", { exact: true });
  const button = editForm(page).getByRole("button", { name: /^Sav/ });
  const refusal = editForm(page).getByText("The order wasn’t changed.");
  await field.fill("900000");
  await button.click();
  await refusal.waitFor();
  await field.fill("90");
  await refusal.waitFor({ state: "detached" });

  await field.fill("900000");
  await refusal.waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/orders", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await button.click();
  await refusal.waitFor({ state: "detached" });
  expect(await button.getAttribute("aria-busy")).toBe("true");
  release();
  await refusal.waitFor();
  expect(await listAll(user)).toMatchObject([{ id: orderId, status: "open", shares: 40 }]);
});

describe.each([
  ["in its row on a desktop", DESKTOP, true],
  ["in its row on a phone", PHONE, true],
  ["without JavaScript", DESKTOP, false],
])("a change %s that fills immediately", (_, options, hasScript) => {
  it("shows the market's price, and asks for each price before it changes anything", async () => {
    const { page, user, orderId, complaints } = await openOrders({
      ...options,
      javaScriptEnabled: hasScript,
    });
    await editLink(page, orderId).click();
    await editForm(page)
      .getByText(/^Best offer now/)
      .waitFor();
    const before = await readAccount(user);

    await save(page, "98", "Save changes");
    expect(await readQuestion(page)).not.toBe("");
    expect(await readAccount(user)).toEqual(before);

    // Without JavaScript, the button stays, but it confirms only the terms that were asked.
    await save(page, "97", hasScript ? "Save changes" : "Change anyway");
    await expect.poll(() => editForm(page).getByLabel("Price (¢)").inputValue()).toBe("97");
    const cost = await readQuestion(page);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await readAccount(user)).toEqual(before);

    await editForm(page).getByRole("button", { name: "Change anyway" }).click();
    const report = page.getByText(/^Order changed\. Bought 40.* shares of .+ at [\d.]+¢\./).first();
    await report.waitFor();
    expect(await report.innerText()).not.toContain("97");
    const orders = await listAll(user);
    expect(orders.map(({ status }) => status).toSorted()).toEqual(["canceled", "filled"]);
    const newId = orders.find(({ status }) => status === "filled")?.id ?? "";
    const { price, fills } = readData<Order>(
      await send(product.port, { method: "GET", path: `/v1/orders/${newId}`, key: user.apiKey }),
    );
    expect(price).toBe(0.97);
    const paid = fills.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
    expect(Math.abs(Number(cost.slice(1)) - paid)).toBeLessThan(0.011);
    expect(complaints).toEqual([]);
  });
});

describe("an order that is edited without JavaScript", () => {
  const WITHOUT = { ...DESKTOP, javaScriptEnabled: false };

  it("is replaced by one order, and the page shows what became of it", async () => {
    const { page, user, orderId } = await openOrders(WITHOUT);
    await editLink(page, orderId).click();
    await page.getByRole("heading", { level: 1, name: "Edit order" }).waitFor();
    await editForm(page).getByLabel("Price (¢)").fill("2");
    await editForm(page).getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/^Order changed: buy 40.* at 2(\.0+)?¢\./).waitFor();
    expect(await listOpen(user)).toMatchObject([{ price: 0.02, shares: 40 }]);
    await page.reload();
    await page.getByText(/^Order changed: buy 40.* at 2(\.0+)?¢\./).waitFor();
    expect(await listAll(user)).toHaveLength(2);

    await page.goto(`/orders/${orderId}`);
    const [newOrder] = await listOpen(user);
    const main = page.getByRole("main");
    const getBackLink = (name: string) => main.getByRole("link", { name }).getAttribute("href");
    expect(await getBackLink("Order history")).toBe("/orders?tab=history");
    const link = page
      .getByText(/^You edited this order/)
      .getByRole("link", { name: /^buy 40 .+ at 2(\.0+)?¢$/ });
    expect(await link.getAttribute("href")).toBe(`/orders/${newOrder?.id}`);
    const history = main.getByRole("listitem").filter({ hasText: "Replaced" });
    expect(await page.getByText("Replaced", { exact: true }).count()).toBe(2);
    expect(await history.getByRole("link").getAttribute("href")).toBe(`/orders/${newOrder?.id}`);

    await page.goto("/orders?tab=history");
    const row = page.getByRole("row").filter({ hasText: "Replaced" });
    await row.getByRole("link", { name: "New order" }).click();
    const old = page
      .getByText(/^This order replaces/)
      .getByRole("link", { name: /^buy 40 .+ at 3(\.0+)?¢$/ });
    expect(await old.getAttribute("href")).toBe(`/orders/${orderId}`);
    expect(await getBackLink("Open orders")).toBe("/orders");
    const received = page.getByRole("listitem").filter({ hasText: "Received in place of" });
    expect(await received.getByRole("link").getAttribute("href")).toBe(`/orders/${orderId}`);
  });

  it("keeps the change of the first page, and a second page says that its own wasn't saved", async () => {
    const { page, user, orderId } = await openOrders(WITHOUT);
    const second = await page.context().newPage();
    for (const each of [page, second]) await each.goto(`/orders/${orderId}/edit`);
    await save(page, "2", "Save changes");
    await page.getByText(/^Order changed: buy 40.* at 2(\.0+)?¢\./).waitFor();
    await save(second, "1", "Save changes");
    await second.getByText(/^Your change wasn’t saved/).waitFor();
    expect(await listOpen(user)).toMatchObject([{ price: 0.02, shares: 40 }]);
    expect(await listAll(user)).toHaveLength(2);
  });

  it("keeps the typed terms and names the field of a mistake, and nothing changes", async () => {
    const { page, user, orderId } = await openOrders(WITHOUT);
    await editLink(page, orderId).click();
    const field = editForm(page).getByLabel("Price (¢)");
    await field.fill("120");
    await editForm(page).getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/^Price must be between [\d.]+¢ and 99[\d.]*¢\.$/).waitFor();
    expect([await field.inputValue(), await field.getAttribute("aria-invalid")]).toEqual([
      "120",
      "true",
    ]);
    expect(await listAll(user)).toMatchObject([{ id: orderId, status: "open", price: 0.03 }]);
  });
});

describe("the page that edits an order", () => {
  /** Reads a line of the account: the figures now, and after the change. */
  const readLine = async (page: Page, label: string) =>
    (
      await editForm(page)
        .locator("div", { has: page.getByText(label, { exact: true }) })
        .last()
        .locator("dd")
        .innerText()
    ).split(" → ");
  const readCash = async ({ apiKey }: SeededUser) => {
    const body = { tokenId: token, action: "BUY", orderType: "limit", price: 0.01, shares: 5 };
    const sent = { method: "POST", path: "/v1/orders/preview", key: apiKey, body } as const;
    const { availableUsdc } = readData<{ availableUsdc: number }>(await send(product.port, sent));
    return `$${availableUsdc.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  };

  it.each([
    ["rests", "2", "60", "$1.20", /^\$1\.20 once filled$/],
    ["fills immediately", "98", "40", "$0.00", /^\$\d+\.\d\d incl\. \$\d+\.\d\d fee$/],
  ])(
    "shows what a change that %s costs, and the cash that is available after it",
    async (_, price, size, reserved, cost) => {
      const { page, user, orderId, complaints } = await openOrders(DESKTOP);
      await page.goto(`/orders/${orderId}/edit`);
      const before = await readCash(user);
      expect(await readLine(page, "Cash available")).toEqual([before]);
      expect(await readLine(page, "Reserved by this order")).toEqual(["$1.20"]);

      await editForm(page).getByLabel("Shares", { exact: true }).fill(size);
      await editForm(page).getByLabel("Price (¢)").fill(price);
      await expect
        .poll(() => readLine(page, "Reserved by this order"))
        .toEqual(["$1.20", reserved]);
      expect(await readLine(page, "You pay")).toEqual([expect.stringMatching(cost)]);
      const [now, after] = await readLine(page, "Cash available");
      expect(now).toBe(before);
      await editForm(page).getByRole("button", { name: "Save changes" }).click();
      if (reserved === "$0.00")
        await editForm(page).getByRole("button", { name: "Change anyway" }).click();
      await page.getByText(/^Order changed/).waitFor();
      expect(await readCash(user)).toBe(after);
      expect(complaints).toEqual([]);
    },
  );

  it("says without JavaScript how much the order reserves and what is available", async () => {
    const { page, user, orderId } = await openOrders({ ...PHONE, javaScriptEnabled: false });
    await page.goto(`/orders/${orderId}/edit`);
    expect(await readLine(page, "Reserved by this order")).toEqual(["$1.20"]);
    expect(await readLine(page, "Cash available")).toEqual([await readCash(user)]);
    for (const label of ["Best bid now", "Best offer now"])
      expect(await readLine(page, label)).toEqual([expect.stringMatching(/^[\d.]+¢$/)]);
    expect(await readLine(page, "Filled")).toEqual(["0 of 40"]);
    expect(await readLine(page, "Open")).toEqual(["40"]);
    expect(await sidewaysScroll(page)).toBe(0);
  });
});
