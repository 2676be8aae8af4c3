// An owner makes a key from a template, watches its limits, changes them, and freezes and thaws it.
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { parseKey } from "@/lib/auth/api-key";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  cleanUpAfterwards,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readData,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let user: SeededUser;
let other: SeededUser;
let visitor: Visitor;
let page: Page;
let tokenId = "";
let key = "";
let home = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user, other] = (await seedUsers({ DATA_DIR: dataDir }, 2, "1000")) as [SeededUser, SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  [tokenId = ""] = await tradableTokens(product.port, user.apiKey);
  visitor = await visit(product.port, DESKTOP);
  await signIn(visitor, user);
  ({ page } = visitor);
});

/** Reserves less than four dollars by default: 120 shares at 3¢. */
async function placeResting(apiKey: string, shares = 120) {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.03, shares };
  const body = { ...order, idempotencyKey: newKey() };
  return send(product.port, { method: "POST", path: "/v1/orders", key: apiKey, body });
}

/** A limit's field, whose name ends with its unit: its meter has the same name. */
const field = (name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });
const click = (name: string | RegExp) => page.getByRole("button", { name }).click();
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

async function expectSound(): Promise<void> {
  // The title of a page that is opened with a link comes after its URL.
  await page.waitForFunction(() => document.title !== "");
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  expect(await sidewaysScroll(page), page.url()).toBe(0);
}

describe("a key from the template of an AI agent", () => {
  it("is created with small caps, and its home says so in a sentence", async () => {
    await page.goto("/keys/new");
    expect(await field("Per day").isVisible()).toBe(false);
    await page.getByRole("link", { name: /^AI agent/ }).click();
    await page.waitForURL(/template=agent/);
    await expect.poll(() => field("Per day").inputValue()).toBe("50");
    expect(await page.getByLabel("Expires after").inputValue()).toBe("30");
    await expectSound();
    await page.getByLabel("Name").fill("agent");
    await field("Per day").fill("a lot");
    await click("Create key");
    await shows("Enter dollars, such as 50 or 12.50.");
    await field("Per day").fill("50");
    await click("Create key");
    key = await page.getByLabel("API key", { exact: true }).inputValue();
    await page.getByRole("heading", { level: 1, name: "Your new key “agent”" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Templates" }).isVisible()).toBe(false);
    expect(await page.getByRole("heading", { name: "Create API key" }).isVisible()).toBe(false);
    const command = page.getByLabel("command", { exact: true });
    expect(await command.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0);
    await page.getByLabel("I’ve saved this key").check();
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByRole("row", { name: /agent.*Limited/ }).waitFor();
    await page.getByRole("link", { name: "agent", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "agent" }).waitFor();
    home = new URL(page.url()).pathname;
    await shows(
      "May buy up to $25 an order and $50 a day. Buys nothing above $10 without your approval. At most 5 open orders.",
    );
    await expectSound();
  });

  it("moves its meters with an order through the API, without a reload", async () => {
    const perDay = page.getByRole("meter", { name: "Per day" });
    expect(await perDay.getAttribute("aria-valuenow")).toBe("0");
    await shows("No orders yet");
    expect((await placeResting(key)).status).toBe(200);
    await expect.poll(() => perDay.getAttribute("aria-valuenow")).toBe("7");
    await shows(/\$46\.40.* left of .*\$50\.00/);
    await page.getByRole("table", { name: "Newest orders" }).getByText("Open").waitFor();
    await expectSound();
  });

  it("has a page for each request, with the body and the response of an order", async () => {
    const placed = await placeResting(key);
    const { orderId } = readData<{ orderId: string }>(placed);
    const refused = await send(product.port, { method: "GET", path: "/v1/orders/ord_none", key });
    expect([placed.status, refused.status]).toEqual([200, 404]);
    const limited = await placeResting(key, 1000);
    const unknown = await send(product.port, { method: "GET", path: "/v1/orders?state=all", key });
    expect([limited.status, unknown.status]).toEqual([400, 400]);
    // The log is written within a second, and the page follows it.
    await page.goto("/keys?tab=requests");
    await page.getByRole("link", { name: "GET /v1/orders/ord_none" }).click();
    await page.getByRole("heading", { level: 1, name: /ord_none.*404/ }).waitFor();
    await shows("Send it again?");
    await expectSound();
    await page.getByRole("link", { name: "All requests" }).click();
    await page.getByRole("link", { name: "GET /v1/orders", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /orders.*400/ }).waitFor();
    await shows("Query not stored");
    await shows(/state/);
    await page.getByRole("link", { name: "All requests" }).click();
    await page
      .getByRole("row", { name: /POST.*400/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("note").getByText("This order can cost").waitFor();
    const cut = await page
      .getByRole("region", { name: "response" })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(cut).toBe(0);
    await expectSound();
    await page.getByRole("link", { name: "All requests" }).click();
    await page
      .getByRole("row", { name: /POST.*200/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /POST \/v1\/orders.*200/ }).waitFor();
    await page.getByRole("link", { name: orderId }).waitFor();
    expect(await page.getByRole("region", { name: "body" }).innerText()).toContain(
      "idempotencyKey",
    );
    const response = await page.getByRole("region", { name: "response" }).innerText();
    expect(JSON.parse(response)).toEqual(JSON.parse(placed.text));
    await expectSound();
    await page.setViewportSize(PHONE.viewport);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.setViewportSize(DESKTOP.viewport);
    const stranger = await visit(product.port, DESKTOP);
    await signIn(stranger, other);
    await stranger.page.goto(page.url());
    await stranger.page.getByRole("heading", { name: "Request not found" }).waitFor();
    await send(product.port, { method: "DELETE", path: `/v1/orders/${orderId}`, key });
    await page.goto(home);
  });

  it("is lowered at once, and raised after the password", async () => {
    await page.getByRole("link", { name: "Change limits" }).click();
    await field("Per day").fill("40");
    await click("Save limits");
    await shows("Limits saved.");
    await shows("May buy up to $25 an order and $40 a day.");
    await page.getByRole("link", { name: "Change limits" }).click();
    await field("Per day").fill("45");
    await page.getByText("More limits").click();
    await page.getByLabel("Allowed markets").fill("politics");
    await click("Save limits");
    await shows(/“politics” needs category:/);
    await page.getByLabel("Allowed markets").fill("");
    expect(await page.getByLabel("Your Ante password", { exact: true }).count()).toBe(0);
    await click("Save limits");
    await shows("Confirm that you want to raise or remove the limit “Per day”.");
    await expectSound();
    await page.getByLabel("Your Ante password", { exact: true }).fill("not it, sorry");
    await click("Save limits");
    await shows("The current password is incorrect.");
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Save limits");
    await shows("May buy up to $25 an order and $45 a day.");
  });

  it("is frozen with a notice on every page, refuses orders, and is thawed", async () => {
    expect((await placeResting(key)).status).toBe(200);
    await page.getByLabel("Reason (optional)").fill("It bought too much");
    await click("Freeze this key");
    await shows("The key is frozen. 2 orders canceled.");
    await shows(/^Frozen since .* It bought too much\./);
    await expectSound();
    const refused = await placeResting(key);
    expect([refused.status, refused.text.includes("TRADING_FROZEN")]).toEqual([400, true]);
    const described = await send(product.port, { method: "GET", path: "/v1/key", key });
    expect(readData(described)["frozen"]).toMatchObject({ scope: "key" });
    for (const path of ["/", "/orders", "/markets", "/settings", "/keys"]) {
      await page.goto(path);
      await shows("The API key “agent” is frozen");
    }
    await page.getByRole("row", { name: /agent.*Frozen/ }).waitFor();
    await page.getByRole("link", { name: "Thaw" }).click();
    await page.waitForURL(new RegExp(`${home}#freeze-key$`));
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Thaw this key");
    await shows("is thawed and can trade again");
    expect(await page.getByText("The API key “agent” is frozen").count()).toBe(0);
    expect((await placeResting(key)).status).toBe(200);
  });

  it("is not shown to another user", async () => {
    const stranger = await visit(product.port, DESKTOP);
    await signIn(stranger, other);
    await stranger.page.goto(home);
    await stranger.page.getByRole("heading", { name: "Key not found" }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

describe("a replaced key", () => {
  it("fits the table with its state, and shares the notice of a freeze with its successor", async () => {
    await page.goto(home);
    await page.getByRole("link", { name: "Rotate", exact: true }).click();
    await click("Rotate key");
    await page.getByLabel("I’ve saved this key").check();
    await page.getByRole("link", { name: "Done" }).click();
    const table = page.getByRole("region", { name: "Active keys" });
    await table.getByText("Rotated, expiring").waitFor();
    const hidden = await table.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    );
    expect(hidden).toBe(0);
    await page.goto(home);
    await click("Freeze this key");
    await shows(/^Frozen since/);
    await page.goto("/keys");
    await shows("The API keys “agent” and “agent (old)” are frozen");
    await page.goto(home);
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Thaw this key");
    await shows("is thawed and can trade again");
  });
});

describe("an account", () => {
  it("that is frozen has a ticket that says so and offers no review", async () => {
    await page.goto("/settings?section=limits");
    await click("Freeze this account");
    await shows(/^Frozen since/);
    await expectSound();
    await page.goto(`/trade?token=${tokenId}`);
    const ticket = page.getByRole("region", { name: /^Order ticket/ });
    await ticket.getByText("Trading is frozen. Thaw it to place orders.").waitFor();
    await ticket.getByLabel("Amount").fill("5");
    expect(await ticket.getByRole("button", { name: /^Review/ }).isDisabled()).toBe(true);
    await expectSound();
    await page.goto(`/trade/review?token=${tokenId}&side=buy&type=market&unit=amount&amount=5`);
    await shows("Trading is frozen. Thaw it to place orders.");
    expect(await page.getByRole("button", { name: /^(Place|Review) order/ }).count()).toBe(0);
    await page.goto("/settings?section=limits");
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Thaw this account");
    await shows("is thawed and can trade again");
  });

  it("with a limit refuses an order of the ticket in dollars", async () => {
    await field("Per order").fill("4");
    await click("Save limits");
    await shows("Limits saved.");
    await page.goto(`/trade?token=${tokenId}`);
    await page.getByLabel("Amount").fill("5");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByRole("button", { name: /^Place order/ }).click();
    await shows(/This order can cost \$5\.\d\d.*The limit “Per order” of this account is \$4\.00/);
    await shows(/Your order wasn.t placed\./);
  });
});

describe("without JavaScript, on a phone", () => {
  it("a key is made from a template, limited, frozen and thawed", async () => {
    const plain = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
    await signIn(plain, user);
    ({ page } = plain);
    await page.goto("/keys/new");
    await page.getByRole("link", { name: /^Bot/ }).click();
    await page.getByLabel("Name").fill("plain bot");
    await click("Create key");
    const made = await page.getByLabel("API key", { exact: true }).inputValue();
    await page.reload();
    await shows("“plain bot” was created before");
    expect(await page.getByRole("link", { name: "plain bot", exact: true }).count()).toBe(1);
    await page.goto("/keys");
    await page.getByRole("link", { name: "plain bot", exact: true }).click();
    await shows("May buy up to $100 an order and $500 a day. At most 20 open orders.");
    await page.getByRole("link", { name: "Change limits" }).click();
    await field("Per day").fill("600");
    await page.getByText("More limits").click();
    await page.getByRole("group", { name: "The key can’t" }).getByLabel("Sell").check();
    await click("Save limits");
    await shows("Confirm that you want to raise or remove the limit “Per day”.");
    expect(await field("Per day").inputValue()).toBe("600");
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Save limits");
    await shows("May buy up to $100 an order and $600 a day. Can’t sell.");
    await click("Freeze this key");
    await shows("The key is frozen. No orders were open.");
    await shows(/^Frozen since/);
    expect((await placeResting(made)).text).toContain("TRADING_FROZEN");
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
    await click("Thaw this key");
    await shows("is thawed and can trade again");
    expect((await placeResting(made)).text).not.toContain("TRADING_FROZEN");
  });

  it("the home of a key leads to its closed orders, which can be those of another key", async () => {
    const { apiKey } = user;
    const { orderId } = readData<{ orderId: string }>(await placeResting(apiKey));
    await send(product.port, { method: "DELETE", path: `/v1/orders/${orderId}`, key: apiKey });
    await page.goto(`/keys/${parseKey(apiKey)?.id}`);
    await page.getByRole("link", { name: "Closed orders" }).click();
    await shows(/^Closed orders of “/);
    const filter = page.getByRole("search").getByLabel("Key");
    expect(await filter.inputValue()).toBe(parseKey(apiKey)?.id);
    const order = page.locator(`a[href="/orders/${orderId}"]`);
    expect(await order.count()).toBeGreaterThan(0);
    const option = filter.getByRole("option", { name: /^plain bot/ });
    const bot = (await option.getAttribute("value")) ?? "";
    await filter.selectOption(bot);
    await click("Apply");
    await page.waitForURL((url) => url.searchParams.get("key") === bot);
    expect(await order.count()).toBe(0);
  });

  it("a rotated key is shown once, and the page then says what replaced the old one", async () => {
    for (const end of [/^In 24 hours/, /^Now/]) {
      await page.goto("/keys");
      await page.getByRole("link", { name: "plain bot", exact: true }).first().click();
      await page.getByRole("link", { name: "Rotate", exact: true }).click();
      await page.getByRole("radio", { name: end }).check();
      await click("Rotate key");
      const rotated = await page.getByLabel("API key", { exact: true }).inputValue();
      const me = await send(product.port, { method: "GET", path: "/v1/key", key: rotated });
      expect(readData(me)["id"]).toBe(parseKey(rotated)?.id);
      expect(await sidewaysScroll(page)).toBe(0);
      // A link, because a reload would send the form again.
      await page.goto(page.url());
      await page.getByRole("heading", { name: "“plain bot” was rotated" }).waitFor();
      expect(await page.getByLabel("API key", { exact: true }).count()).toBe(0);
    }
  });
});
