// The keyboard's place on a page: it isn't lost when a row goes away.
import type { BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { closeBrowserAfterwards, signIn, visit } from "@/tests/support/browser/browser";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  demoKey,
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

const FROZEN = "2026-11-21T12:00:00.000Z";
const HOUR_MS = 3_600_000;
/** After the close of the markets that are traded. */
const LATER = new Date(Date.parse(FROZEN) + 6 * HOUR_MS).toISOString();

let product: Product;
let slug = "";
let tokenId = "";
const users: SeededUser[] = [];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users.push(...(await seedUsers({ DATA_DIR: dataDir }, 8, "1000")));
  product = await startProduct({ dataDir, env: NO_LIMITS });
  tokenId = await anyToken(product.port, demoKey(product));
  const markets = await listMarkets(product.port, demoKey(product), 100);
  const found = markets.find(({ outcomes }) => outcomes.some((each) => each.tokenId === tokenId));
  const sent = { method: "GET", path: `/v1/markets/${found?.id}`, key: demoKey(product) } as const;
  slug = readData<{ slug: string }>(await send(product.port, sent)).slug;
});

/** Opens a page of a new user with open orders at 3¢, 4¢ and 5¢, of which the last is listed first. */
async function openWithOrders(path: string, options: BrowserContextOptions = {}) {
  const user = users.pop();
  if (!user) throw new Error("there is no user left");
  for (const price of [0.03, 0.04, 0.05]) {
    const order = { tokenId, action: "BUY", orderType: "limit", price, shares: 40 };
    const body = { ...order, idempotencyKey: newKey() };
    const sent = { method: "POST", path: "/v1/orders", key: user.apiKey, body } as const;
    readData(await send(product.port, sent));
  }
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  await visitor.page.goto(path);
  return { ...visitor, user };
}

const listOpen = async ({ apiKey }: SeededUser) =>
  (await allOrders(product.port, apiKey))
    .filter(({ status }) => status === "open")
    .map(({ price }) => price);

/** Describes what has the focus: its name or its text. */
const readFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return "nothing";
    return focused.getAttribute("aria-label") ?? focused.textContent;
  });

/** Describes the order whose row has the focus, by its Cancel button. */
const readRow = (page: Page) =>
  page.evaluate(() => {
    const row = document.activeElement?.closest("tr");
    return row?.querySelector("[aria-label^='Cancel ']")?.getAttribute("aria-label") ?? "no row";
  });

const cancelAt = (page: Page, cents: number) =>
  page.getByRole("button", { name: new RegExp(`^Cancel Buy .* at ${cents}(\\.0+)?¢, `) });

describe("canceling open orders by keyboard", () => {
  it("moves the focus to the next row's details, then to the previous row's, then to the heading", async () => {
    const { page, user, complaints } = await openWithOrders("/orders");
    await cancelAt(page, 5).press("Enter");
    await expect.poll(() => readRow(page)).toMatch(/ at 4(\.0+)?¢/);
    await cancelAt(page, 3).press("Enter");
    await cancelAt(page, 3).waitFor({ state: "detached" });
    await expect.poll(() => readRow(page)).toMatch(/ at 4(\.0+)?¢/);
    await cancelAt(page, 4).press("Enter");
    await page.getByText("No open orders.").waitFor();
    await expect.poll(() => readFocus(page)).toBe("Open orders");
    expect(await listOpen(user)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("cancels one order with the shortcuts for rows, also if Enter is pressed twice", async () => {
    const { page, user } = await openWithOrders("/orders");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    expect(await readFocus(page)).toMatch(/^Cancel Buy .* at 5(\.0+)?¢, /);
    await page.keyboard.press("Enter");
    await expect.poll(() => readRow(page)).toMatch(/ at 4(\.0+)?¢/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Order" }).waitFor();
    expect((await listOpen(user)).toSorted()).toEqual([0.03, 0.04]);
  });

  it.each([true, false])(
    "doesn't start with Enter in an order's checkbox (JavaScript: %s)",
    async (hasJs) => {
      const { page, user } = await openWithOrders("/orders", { javaScriptEnabled: hasJs });
      const posts: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") posts.push(request.url());
      });
      const arrived = hasJs ? null : page.waitForEvent("framenavigated");
      await page.getByRole("checkbox", { name: /at 4(\.0+)?¢/ }).press("Enter");
      await arrived;
      await cancelAt(page, 3).press("Enter");
      // The row goes before the order is canceled.
      await expect.poll(async () => (await listOpen(user)).toSorted()).toEqual([0.04, 0.05]);
      // Without JavaScript, Enter sends the form, which keeps all orders.
      expect(posts).toHaveLength(hasJs ? 1 : 2);
    },
  );

  it("keeps the focus on the button while it runs, and a second press does nothing", async () => {
    const { page, user } = await openWithOrders("/orders");
    let run = () => undefined as void;
    const isRun = new Promise<void>((resolve) => {
      run = resolve;
    });
    const requests: string[] = [];
    await page.route("**/orders", async (route) => {
      if (route.request().method() === "POST") {
        requests.push(route.request().postData() ?? "");
        await isRun;
      }
      await route.continue();
    });
    await cancelAt(page, 5).press("Enter");
    const pending = page.getByRole("button", { name: /^Canceling Buy .* at 5(\.0+)?¢, / });
    await pending.waitFor();
    expect(await readFocus(page)).toMatch(/^Canceling Buy /);
    expect(await pending.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await cancelAt(page, 4).press("Enter");
    run();
    await cancelAt(page, 4).waitFor({ state: "detached" });
    await pending.waitFor({ state: "detached" });
    await expect.poll(() => readRow(page)).toMatch(/ at 3(\.0+)?¢/);
    expect(requests).toHaveLength(2);
    expect(await listOpen(user)).toEqual([0.03]);
  });

  it("keeps the focus on Cancel selected, and moves it to the heading with the last order", async () => {
    const { page, user } = await openWithOrders("/orders");
    const boxes = page.getByRole("checkbox", { name: /^Select Buy / });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "Cancel selected (2)" }).press("Enter");
    await expect.poll(() => boxes.count()).toBe(1);
    expect(await readFocus(page)).toBe("Cancel selected");
    await page.keyboard.press("Enter");
    expect(await listOpen(user)).toEqual([0.03]);

    await boxes.nth(0).check();
    await page.getByRole("button", { name: "Cancel selected (1)" }).press("Enter");
    await page.getByText("No open orders.").waitFor();
    await expect.poll(() => readFocus(page)).toBe("Open orders");
  });

  it("moves the focus to the heading after all orders are canceled", async () => {
    const { page, user } = await openWithOrders("/orders");
    await page.getByRole("link", { name: "Cancel all" }).press("Enter");
    await page.getByRole("button", { name: "Cancel 3 orders" }).press("Enter");
    await page.getByText("No open orders.").waitFor();
    await expect.poll(() => readFocus(page)).toBe("Open orders");
    expect(await listOpen(user)).toEqual([]);
  });

  it("moves the focus from a market's own order to its activity", async () => {
    const { page, user } = await openWithOrders(`/markets/${slug}`);
    const rows = page.getByRole("region", { name: "Your open orders" }).locator("tbody tr");
    for (const left of [2, 1, 0]) {
      await rows.nth(0).getByRole("button", { name: "Cancel" }).press("Enter");
      await expect.poll(() => rows.count()).toBe(left);
      await expect.poll(() => readFocus(page)).toBe("Your activity");
      await page.keyboard.press("Enter");
      expect(await listOpen(user)).toHaveLength(left);
    }
  });
});

describe("redeeming positions by keyboard", () => {
  const [claimers, hedge]: [SeededUser[], string[]] = [[], []];
  let later: Product;

  /** Two users buy both outcomes of two markets, which are then resolved: one of the outcomes wins. */
  beforeAll(async () => {
    const dataDir = preparedDataDir();
    claimers.push(...(await seedUsers({ DATA_DIR: dataDir }, 2, "100")));
    const env = { ...NO_LIMITS, PAPER_CLOCK: FROZEN };
    const before = await startProduct({ dataDir, env });
    const markets = await listMarkets(before.port, claimers[0]?.apiKey ?? "", 100);
    const short = markets.filter(
      ({ closesAt, outcomes }) =>
        Date.parse(closesAt) - Date.parse(FROZEN) < 2 * HOUR_MS &&
        outcomes.every(({ bestAsk }) => bestAsk !== null && bestAsk > 0.05 && bestAsk < 0.95),
    );
    hedge.push(...short.slice(0, 2).flatMap(({ outcomes }) => outcomes.map((one) => one.tokenId)));
    if (hedge.length < 4) throw new Error("no two markets close soon and have sellers of both");
    for (const { apiKey } of claimers) {
      for (const token of hedge) {
        const order = { tokenId: token, action: "BUY", orderType: "market", amount: 10 };
        const body = { ...order, idempotencyKey: newKey() };
        const sent = { method: "POST", path: "/v1/orders", key: apiKey, body } as const;
        readData(await send(before.port, sent));
      }
    }
    await before.stop();
    later = await startProduct({ dataDir, env: { ...NO_LIMITS, PAPER_CLOCK: LATER } });
  });

  async function openPortfolio(index: number): Promise<Page> {
    const user = claimers[index];
    if (!user) throw new Error(`there is no user number ${index}`);
    const visitor = await visit(later.port);
    await signIn(visitor, user);
    await visitor.page.goto("/");
    return visitor.page;
  }

  it("moves the focus to the next position's button, and after the last one to the receipt", async () => {
    const page = await openPortfolio(0);
    const claims = page
      .getByRole("table", { name: "Positions" })
      .getByRole("button", { name: /^Claim / });
    await expect.poll(() => claims.count()).toBe(2);
    await claims.nth(0).press("Enter");
    await expect.poll(() => claims.count()).toBe(1);
    await expect.poll(() => readFocus(page)).toMatch(/^Claim.* \S/);
    await page.keyboard.press("Enter");
    await expect.poll(() => claims.count()).toBe(0);
    await expect.poll(() => readFocus(page)).toMatch(/^(Claimed \$|Portfolio$)/);

    await page.locator("summary", { hasText: "2 settled at" }).press("Enter");
    const closes = page.getByRole("button", { name: /^Close / });
    await closes.nth(0).press("Enter");
    await expect.poll(() => closes.count()).toBe(1);
    await expect.poll(() => readFocus(page)).toMatch(/^Close /);
    await page.keyboard.press("Enter");
    await page.getByText("No open positions.").waitFor();
    await expect.poll(() => readFocus(page)).toMatch(/^(Position closed|Portfolio$)/);
  });

  it("moves the focus to the receipt after all positions are claimed at once", async () => {
    const page = await openPortfolio(1);
    await page.getByRole("button", { name: "Claim all" }).press("Enter");
    await page.getByText(/^Claimed \$[\d.]+.* from 2 positions$/).waitFor();
    await expect.poll(() => readFocus(page)).toMatch(/^(Claimed \$|Portfolio$)/);
  });
});
