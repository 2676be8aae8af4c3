import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { closeBrowserAfterwards, signIn, visit } from "@/tests/support/browser/browser";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readData,
  demoKey,
  expectCleanBooks,
  listMarkets,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readDemo,
  seedUsers,
  type SeededUser,
  send,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let token: string;
/** Returns the market of a token. */
let slug: string;
let users: SeededUser[];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 3, "1000");
  product = await startProduct({ dataDir, env: NO_LIMITS });
  token = await anyToken(product.port, demoKey(product));
  slug = await readSlug(token);
});

function user(index: number): SeededUser {
  const found = users[index];
  if (!found) throw new Error(`there is no user number ${index}`);
  return found;
}

async function readSlug(tokenId: string): Promise<string> {
  const markets = await listMarkets(product.port, demoKey(product), 100);
  const found = markets.find(({ outcomes }) => outcomes.some((one) => one.tokenId === tokenId));
  const path = `/v1/markets/${found?.id}`;
  return readData<{ slug: string }>(
    await send(product.port, { method: "GET", path, key: demoKey(product) }),
  ).slug;
}

const listOrders = ({ apiKey }: SeededUser) => allOrders(product.port, apiKey);
const notifications = (page: Page) => page.getByRole("region", { name: "Messages" });
const callKey = (key: string) => send(product.port, { method: "GET", path: "/v1/key", key });

async function fillMarketBuy(page: Page, amount: string): Promise<void> {
  await page.goto(`/trade?token=${token}`);
  await page.getByLabel("Amount").fill(amount);
}

/** Opens the review of the order in the ticket and returns its dialog. */
async function review(page: Page) {
  await page.getByRole("button", { name: /^Review: / }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Place order/ }).waitFor();
  return dialog;
}

describe("a new user", () => {
  it("signs up, buys, sees the position, rests a limit order, cancels it, and signs out", async () => {
    const { page, complaints } = await visit(product.port);
    await page.goto("/");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.waitForURL("**/sign-up**");
    await page.getByLabel("Email").fill("newcomer@example.test");
    await page.getByLabel("Password", { exact: true }).fill("a sentence nobody guesses");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "Portfolio" }).waitFor();
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    const popular = page.getByRole("region", { name: "Popular now" });
    expect(await popular.getByRole("listitem").count()).toBe(3);

    await fillMarketBuy(page, "25");
    const buying = await review(page);
    await buying.getByRole("button", { name: /^Place order/ }).click();
    await notifications(page)
      .getByText(/^Bought .* at /)
      .waitFor();

    await page.goto("/");
    const positions = page.getByRole("table", { name: "Positions" });
    expect(await positions.getByRole("row").count()).toBeGreaterThanOrEqual(2);
    expect(await page.getByRole("heading", { name: "Get started" }).count()).toBe(0);
    await positions.getByRole("link", { name: /^Sell / }).focus();
    await positions.getByRole("link", { name: /^Buy / }).waitFor();

    await page.goto(`/trade?token=${token}&type=limit`);
    await page.getByLabel("Limit price").fill("5");
    await page.getByLabel("Shares").fill("40");
    const resting = await review(page);
    await resting.getByRole("button", { name: /^Place order/ }).click();
    await notifications(page)
      .getByText(/^Limit order open/)
      .waitFor();

    await page.goto("/orders");
    await page.getByRole("button", { name: /^Cancel Buy / }).click();
    await page.getByText(/No open orders/).waitFor();

    await page.goto(`/trade?token=${token}&type=limit`);
    await page.getByLabel("Limit price").fill("5");
    await page.getByLabel("Shares").fill("40");
    const again = await review(page);
    await again.getByRole("button", { name: /^Place order/ }).click();
    const open = notifications(page).getByText(/^Limit order open/);
    await open.waitFor();
    await notifications(page).getByRole("button", { name: "Cancel" }).click();
    await notifications(page).getByText("Canceled: buy 40 ").waitFor();
    // It replaces the toast of the open order.
    expect(await notifications(page).getByRole("status").count()).toBe(1);

    await page.getByLabel("Account menu").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.goto("/orders");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("tries the demo account with one click", async () => {
    const { page } = await visit(product.port);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Try the demo account" }).click();
    await page.getByRole("heading", { level: 1, name: "Portfolio" }).waitFor();
    const { email, password, apiKey } = readDemo(product.dataDir);
    const html = await page.content();
    for (const secret of [password, apiKey]) expect(html).not.toContain(secret);
    expect(html).toContain(email);
  });

  it("sees the demo account's order history at 1440 px without scrolling sideways", async () => {
    const { page } = await visit(product.port);
    await page.goto("/orders?tab=history");
    await page.getByRole("button", { name: "Try the demo account" }).click();
    const table = page.getByRole("region", { name: "Closed orders" });
    await table.waitFor();
    expect(await table.getByText("Rejected", { exact: true }).count()).toBeGreaterThan(0);
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    );
    const market = await table.locator("tbody tr > :nth-child(2)").first().boundingBox();
    expect(market?.width).toBeGreaterThan(280);
  });

  it("is rejected with a wrong password, keeps the typed email and doesn't learn which one was wrong", async () => {
    const { page } = await visit(product.port);
    await page.goto("/sign-in?next=/wallet");
    await page.getByLabel("Email").fill(user(0).email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Email or password is incorrect.").waitFor();
    await expect.poll(() => focused(page)).toBe("password");
    expect(await page.getByLabel("Email").inputValue()).toBe(user(0).email);
    await page.getByLabel("Password", { exact: true }).fill(user(0).password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/wallet");
  });
});

describe("sign-in", () => {
  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
  ])("never redirects to another site: %j", async (next) => {
    const { page } = await visit(product.port, { javaScriptEnabled: false });
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByRole("button", { name: "Try the demo account" }).click();
    await page.getByRole("heading", { level: 1, name: "Portfolio" }).waitFor();
    expect(new URL(page.url()).origin).toBe(`http://127.0.0.1:${product.port}`);
  });

  it("redirects to the requested page", async () => {
    const { page } = await visit(product.port);
    await page.goto("/orders?tab=history");
    await page.getByRole("button", { name: "Try the demo account" }).click();
    await page.waitForURL("**/orders?tab=history");
    // Next fetches the page behind a redirect from its own origin, so it must know that origin.
    expect(product.output()).not.toContain("redirect response");
  });
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

describe("a form in error", () => {
  it("focuses the field, with one message and no bubble of the browser", async () => {
    const { page } = await visit(product.port);
    await page.goto("/sign-up");
    const [email, password] = [
      page.getByLabel("Email"),
      page.getByLabel("Password", { exact: true }),
    ];
    await email.fill("name@ex");
    await password.fill("a longer phrase");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter an email address, like name@example.com.").waitFor();
    expect(await focused(page)).toBe("email");
    expect(await email.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("form").evaluate((form: HTMLFormElement) => form.noValidate)).toBe(
      true,
    );
    // Only the server knows which passwords are common and which emails have an account.
    await email.fill(user(0).email);
    await password.fill("passwordpassword");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("This password is too common.").waitFor();
    await expect.poll(() => focused(page)).toBe("password");
    await password.fill("a longer phrase");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("An account with this email already exists.").waitFor();
    await expect.poll(() => focused(page)).toBe("email");
  });

  it("is refused by the same rule without JavaScript", async () => {
    const { page } = await visit(product.port, { javaScriptEnabled: false });
    await page.goto("/sign-up");
    await page.getByLabel("Email").fill("name@ex");
    await page.getByLabel("Password", { exact: true }).fill("a longer phrase");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter an email address, like name@example.com.").waitFor();
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter your email address.").waitFor();
  });
});

const readThemeColors = (page: Page) =>
  page
    .locator('meta[name="theme-color"]')
    .evaluateAll((metas) => metas.map((meta) => meta.getAttribute("content")));

it("the color of the browser's bars follows the chosen theme", async () => {
  const visitor = await visit(product.port);
  await signIn(visitor, user(2));
  const { page } = visitor;
  await page.goto("/settings?section=display");
  const [light, dark] = await readThemeColors(page);
  expect(light).not.toBe(dark);
  const choice = page.getByRole("radio", { name: "Dark" });
  await choice.check();
  const form = page.locator("form").filter({ has: choice });
  await form.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => readThemeColors(page)).toEqual([dark, dark]);
  await page.reload();
  expect(await readThemeColors(page)).toEqual([dark, dark]);
});

describe("an ended session", () => {
  it("says that the order wasn't sent, and the sign-in brings the draft back", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(2));
    const { page, context } = visitor;
    const before = await listOrders(user(2));
    await fillMarketBuy(page, "12");
    const dialog = await review(page);
    // Reads wait until the button is pressed, so that none of them leaves the page before.
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await page.route("**/api/ui/**", async (route) => {
      await ended;
      await route.continue();
    });
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    await context.clearCookies({ name: /session-token/ });
    end();
    await page.getByText("Your session has ended.").waitFor();
    await page.getByText("Your order or change wasn’t sent.").waitFor();
    await page.getByLabel("Email").fill(user(2).email);
    await page.getByLabel("Password", { exact: true }).fill(user(2).password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Order book" }).waitFor();
    await expect.poll(() => page.getByLabel("Amount").inputValue()).toBe("12");
    expect(await listOrders(user(2))).toEqual(before);
  });

  it("says so without JavaScript after a form, and only that it ended after a link", async () => {
    const visitor = await visit(product.port, { javaScriptEnabled: false });
    await signIn(visitor, user(2));
    const { page, context } = visitor;
    await page.goto("/settings");
    await context.clearCookies({ name: /session-token/ });
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Your order or change wasn’t sent.").waitFor();
    await context.addCookies([
      { name: "next-auth.session-token", value: "ended", url: `http://127.0.0.1:${product.port}` },
    ]);
    await page.goto("/orders");
    await page.getByText("Sign in to continue where you left off.").waitFor();
    expect(await page.getByText("wasn’t sent").count()).toBe(0);
  });
});

describe("a slow page", () => {
  it("shows progress and marks the old page as busy until it opens", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(2));
    const { page } = visitor;
    await page.goto("/markets");
    let open = () => undefined as void;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route("**/wallet?**", async (route) => {
      await opened;
      await route.continue();
    });
    await page.getByRole("navigation", { name: "Main" }).first().getByText("Wallet").click();
    await page.locator(".progress-bar").waitFor();
    expect(await page.locator("main[aria-busy=true]").count()).toBe(1);
    open();
    await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
    await page.locator(".progress-bar").waitFor({ state: "detached" });
    expect(await page.locator("main[aria-busy]").count()).toBe(0);
  });
});

describe("a slow form", () => {
  it("shows progress and marks the page as busy until its action has run", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(2));
    const { page } = visitor;
    await page.goto("/settings");
    let run = () => undefined as void;
    const isRun = new Promise<void>((resolve) => {
      run = resolve;
    });
    await page.route("**/settings", async (route) => {
      if (route.request().method() === "POST") await isRun;
      await route.continue();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Saving…" }).waitFor();
    await page.locator(".progress-bar").waitFor();
    expect(await page.locator("main[aria-busy=true]").count()).toBe(1);
    run();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.locator(".progress-bar").waitFor({ state: "detached" });
    expect(await page.locator("main[aria-busy]").count()).toBe(0);
  });
});

describe("an order from the browser", () => {
  it("is placed once after repeated clicks, going back and reloading", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(0));
    const { page } = visitor;
    await fillMarketBuy(page, "10");
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /^Place order/ }).dblclick();
    await notifications(page)
      .getByText(/^Bought /)
      .waitFor();
    await page.goto("/");
    await page.goBack();
    await page.waitForURL("**/markets/*");
    await page.reload();
    expect((await listOrders(user(0))).map(({ status }) => status)).toHaveLength(1);
  });

  it("is restored from its draft after a reload: a sell stays a sell", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(0));
    const { page } = visitor;
    await page.goto(`/trade?token=${token}`);
    await page.getByRole("link", { name: "Sell", exact: true }).click();
    await page.getByLabel("Shares").fill("7");
    await page.reload();
    await page.getByRole("button", { name: /^Review: Sell / }).waitFor();
    expect(await page.getByLabel("Shares").inputValue()).toBe("7");
  });

  it("is placed once without JavaScript: ticket, review, receipt, resubmit", async () => {
    const { page } = await visit(product.port, { javaScriptEnabled: false });
    await page.goto(`/trade?token=${token}`);
    await page.getByLabel("Email").fill(user(1).email);
    await page.getByLabel("Password", { exact: true }).fill(user(1).password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Amount").fill("15");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByRole("button", { name: /^Place order/ }).click();
    await page.waitForURL("**/orders/receipt/**");
    await page.getByText("View order").waitFor();
    expect(await page.locator("main").textContent()).toContain("Filled");
    const receipt = page.url();

    await page.reload();
    await page.goBack();
    const again = page.getByRole("button", { name: /^Place order/ });
    if (await again.isVisible()) await again.click();
    await page.waitForURL("**/orders/receipt/**");
    expect(page.url()).toBe(receipt);
    expect(await listOrders(user(1))).toHaveLength(1);
  });

  it("shows and keeps a wrong amount without JavaScript, and places nothing", async () => {
    const visitor = await visit(product.port, { javaScriptEnabled: false });
    await signIn(visitor, user(1));
    const before = await listOrders(user(1));
    const { page } = visitor;
    await page.goto(`/trade?token=${token}`);
    await page.getByLabel("Amount").fill("0.5");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByText("Minimum market buy is $1.00.").first().waitFor();
    expect(await listOrders(user(1))).toEqual(before);
  });
});

describe("on a phone", () => {
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

  it("opens the ticket over the page with the market's bar: fields, review, result and cancel", async () => {
    const visitor = await visit(product.port, PHONE);
    await signIn(visitor, user(2));
    const { page, complaints } = visitor;
    await page.goto(`/markets/${slug}`);
    await page.getByRole("link", { name: /^Buy / }).first().click();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("link", { name: "Limit", exact: true }).click();
    await sheet.getByLabel("Limit price").fill("5");
    await sheet.getByLabel("Shares").fill("40");
    await sheet.getByRole("button", { name: "Close" }).click();
    expect(new URL(page.url()).pathname).toBe(`/markets/${slug}`);

    await page.getByRole("link", { name: /^Buy / }).first().click();
    expect(await sheet.getByLabel("Shares").inputValue()).toBe("40");
    await sheet.getByRole("button", { name: /^Review: / }).click();
    await sheet.getByRole("button", { name: /^Place order/ }).click();
    await sheet.getByText(/^Limit order open/).waitFor();
    await sheet.getByRole("button", { name: "Cancel order" }).click();
    await sheet.getByText("Canceled: buy 40 ").waitFor();
    // The sheet shows the result, so no toast repeats it.
    expect(await page.locator("[data-toast]").allTextContents()).toEqual([]);
    await sheet.getByRole("button", { name: "Done" }).click();
    await sheet.waitFor({ state: "hidden" });
    expect((await listOrders(user(2))).map(({ status }) => status)).toEqual(["canceled"]);
    expect(complaints).toEqual([]);
  });

  it("shows the ticket with the bar without JavaScript", async () => {
    const visitor = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
    await signIn(visitor, user(2));
    const { page } = visitor;
    await page.goto(`/markets/${slug}`);
    await page.getByRole("link", { name: /^Buy / }).first().click();
    await page.waitForURL(/\?token=\d+.*#ticket$/);
    await page.getByLabel("Amount").fill("15");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByRole("button", { name: /^Place order/ }).waitFor();
  });
});

describe("an API key", () => {
  it.each([true, false])(
    "needs a name, as its form says with JavaScript: %s",
    async (hasScript) => {
      const visitor = await visit(product.port, { javaScriptEnabled: hasScript });
      await signIn(visitor, user(2));
      const { page } = visitor;
      const countKeys = async () => {
        await page.goto("/keys");
        return page.locator("main tbody tr").count();
      };
      const before = await countKeys();
      await page.goto("/keys/new");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Give the key a name,").waitFor();
      const name = page.getByRole("textbox", { name: "Name" });
      expect(await name.getAttribute("aria-invalid")).toBe("true");
      expect(await countKeys()).toBe(before);
    },
  );

  it("is created, shown once, works with curl, is revoked and stops working", async () => {
    const visitor = await visit(product.port);
    await signIn(visitor, user(2));
    const { page } = visitor;
    await page.goto("/keys/new");
    await page.getByLabel("Name").fill("my bot");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.getByLabel("API key", { exact: true }).inputValue();
    expect(key).toMatch(/^ante_paper_[0-9A-Za-z]{46}$/);
    expect((await callKey(key)).status).toBe(200);

    await page.getByLabel("I’ve saved this key").check();
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page
      .getByRole("row", { name: /my bot/ })
      .getByRole("link", { name: /^Revoke/ })
      .click();
    await page.getByRole("textbox").last().fill("my bot");
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    const refused = await callKey(key);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("API_KEY_REVOKED");
  });
});

it("claiming pays out resolved positions, one by one and all at once without JavaScript", async () => {
  const dataDir = preparedDataDir();
  const [first, second, third] = await seedUsers({ DATA_DIR: dataDir }, 3, "100");
  if (!first || !second || !third) throw new Error("three users were asked for");
  const frozen = "2026-11-21T12:00:00.000Z";
  const before = await startProduct({ dataDir, env: { ...NO_LIMITS, PAPER_CLOCK: frozen } });
  // Results differ by installation: near the close, an outcome can have no seller.
  const short = (await listMarkets(before.port, first.apiKey, 100)).find(
    ({ closesAt, outcomes }) =>
      Date.parse(closesAt) - Date.parse(frozen) < 30 * 60_000 &&
      outcomes.every(({ bestAsk }) => bestAsk !== null && bestAsk > 0.05 && bestAsk < 0.95),
  );
  if (!short) throw new Error("no market closes within half an hour and has sellers of both");
  // One of the two outcomes wins.
  for (const { apiKey } of [first, second, third]) {
    for (const { tokenId } of short.outcomes) {
      const placed = await send(before.port, {
        method: "POST",
        path: "/v1/orders",
        key: apiKey,
        body: { tokenId, action: "BUY", orderType: "market", amount: 10 },
      });
      expect(placed.status).toBe(200);
    }
  }
  await before.stop();

  const later = new Date(Date.parse(frozen) + 4 * 3_600_000).toISOString();
  const after = await startProduct({ dataDir, env: { ...NO_LIMITS, PAPER_CLOCK: later } });
  const visitor = await visit(after.port);
  await signIn(visitor, first);
  const { page } = visitor;
  await page.goto("/");
  await page.getByText("1 settled at $0.00", { exact: true }).waitFor();
  await page
    .getByRole("table", { name: "Positions" })
    .getByRole("button", { name: /^Claim/ })
    .click();
  await page
    .getByText(/[Cc]laimed/)
    .first()
    .waitFor();
  const lines = await send(after.port, {
    method: "GET",
    path: "/v1/activity",
    key: first.apiKey,
  });
  expect(lines.text).toContain('"kind":"redeem"');

  const other = await visit(after.port, { javaScriptEnabled: false });
  await signIn(other, second);
  await other.page.goto("/");
  // The page has the phone's text too.
  const won = other.page.getByText(/^You won \$[\d.]+.* on 1 market\.$/);
  await won.filter({ visible: true }).waitFor();
  await other.page.getByRole("button", { name: "Claim all" }).click();
  await other.page.getByText(/^Claimed \$[\d.]+.* from 1 position$/).waitFor();
  await other.page.getByText("1 position lost and closed at $0.00.").waitFor();
  await other.page.getByRole("link", { name: /^Closed/ }).click();
  const closed = other.page.getByRole("table", { name: "Closed positions" });
  await closed.waitFor();
  // The head, two positions and their total.
  expect(await closed.getByRole("row").count()).toBe(4);
  await other.page.goto("/");
  expect(await other.page.getByRole("button", { name: "Claim all" }).count()).toBe(0);

  const onMarket = await visit(after.port, { javaScriptEnabled: false });
  await signIn(onMarket, third);
  await onMarket.page.goto(`/markets/${short.slug}`);
  const claim = onMarket.page.getByRole("button", { name: /^Claim \$[\d.]+$/ });
  const [amount = ""] = /\$[\d.]+/.exec(await claim.innerText()) ?? [];
  await claim.click();
  await onMarket.page.getByText(`Claimed ${amount}`).waitFor();
  expect(await claim.count()).toBe(0);
  await after.stop();
  await expectCleanBooks({ DATA_DIR: dataDir });
});
