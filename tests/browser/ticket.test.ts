import type { BrowserContextOptions, Locator, Page, Route } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { buildBookUrl } from "@/lib/browser/use-book";
import { buildTicketAccountUrl } from "@/lib/browser/use-ticket-account";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readData,
  demoKey,
  listMarkets,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  seedUsers,
  send,
  type SeededUser,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let token: string;
let users: SeededUser[];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 4, "1000");
  product = await startProduct({ dataDir, env: NO_LIMITS });
  token = await anyToken(product.port, demoKey(product));
});

async function visitAs(
  index: number,
  options: BrowserContextOptions = {},
): Promise<Visitor & { user: SeededUser }> {
  const user = users[index];
  if (!user) throw new Error(`there is no user number ${index}`);
  const visitor = await visit(product.port, options);
  await signIn(visitor, user);
  return { ...visitor, user };
}

const listOrders = ({ apiKey }: SeededUser) => allOrders(product.port, apiKey);
const readBalance = async ({ apiKey }: SeededUser) =>
  readData<{ balanceUsdc: number }>(
    await send(product.port, { method: "GET", path: "/v1/account/balance", key: apiKey }),
  ).balanceUsdc;
const notifications = (page: Page) => page.getByRole("region", { name: "Messages" });

/** Opens the review of a market buy and returns its dialog. */
async function reviewBuy(page: Page, amount: string) {
  await page.goto(`/trade?token=${token}`);
  await page.getByLabel("Amount").fill(amount);
  await page.getByRole("button", { name: /^Review: / }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Place order/ }).waitFor();
  return dialog;
}

describe("an order that was pending during a reload", () => {
  it("is found by its key: the ticket shows its outcome, and the top bar its figures", async () => {
    const { page, user } = await visitAs(0);
    const dialog = await reviewBuy(page, "20");
    // The order arrives, but its response is lost.
    let tellArrived = () => {};
    const arrived = new Promise<void>((resolve) => {
      tellArrived = resolve;
    });
    await page.route("**/markets/**", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      tellArrived();
    });
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    await arrived;
    await page.reload();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await notifications(page)
      .getByText(/^Bought .* at /)
      .waitFor();
    const available = page.getByRole("banner").getByText("Available").locator("xpath=..");
    expect((await listOrders(user)).map(({ status }) => status)).toEqual(["filled"]);
    const balance = await readBalance(user);
    // The price decides the fee, so the rest of the $1,000 is not known in advance.
    expect(balance).toBeGreaterThan(978);
    expect(balance).toBeLessThan(981);
    const dollars = `${Math.floor(balance)}|${Math.round(balance)}`;
    await available.getByText(new RegExp(`\\$(${dollars})\\.`)).waitFor();
    expect(await page.getByLabel("Amount").inputValue()).toBe("");

    // Its outcome is known, so it isn't shown again.
    await page.reload();
    await page.getByRole("button", { name: /^Review: / }).waitFor();
    expect(
      await notifications(page)
        .getByText(/Bought|Not confirmed/)
        .count(),
    ).toBe(0);
  });
});

describe("a market that closes", () => {
  it("is reported in an open review without a button to place, and nothing is placed", async () => {
    const { page, user } = await visitAs(1);
    const before = await listOrders(user);
    const dialog = await reviewBuy(page, "10");
    await page.route("**/api/ui/ticket?**", answerClosed);
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    const ticket = page.getByRole("region", { name: /^Order ticket/ });
    await ticket
      .getByText(/^This market isn’t accepting orders\. Your order wasn’t placed\.$/)
      .waitFor();
    await ticket.getByRole("button", { name: /^Review: /, disabled: true }).waitFor();
    expect(await page.getByText(/No one is selling/).count()).toBe(0);
    expect(await listOrders(user)).toEqual(before);
  });
});

describe("a page whose part that sends orders doesn't load", () => {
  it("says so next to the button, and nothing is placed", async () => {
    const { page, user } = await visitAs(1);
    const before = await listOrders(user);
    await page.goto(`/trade?token=${token}`);
    // The page has started once its quick sizes can be pressed.
    await page.getByRole("group", { name: "Quick sizes" }).waitFor();
    await page.route("**/_next/static/chunks/**", (route) => route.abort());
    await page.getByLabel("Amount").fill("10");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Place order/ })
      .click();
    const ticket = page.getByRole("region", { name: /^Order ticket/ });
    await ticket.getByText(/^Part of this page didn’t load, so it did nothing\./).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await listOrders(user)).toEqual(before);
  });
});

/** The ticket's account data after the market has closed. */
async function answerClosed(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.json()) as { data: object };
  await route.fulfill({
    response,
    json: { ...body, data: { ...body.data, marketStatus: "closed" } },
  });
}

describe("a limit order with an expiry and post only", () => {
  /** In Berlin time, the zone of the visitor's browser. */
  const EXPIRES = "2099-11-24T12:00";
  const EXPIRES_AT = "2099-11-24T11:00:00.000Z";
  const OPTIONS = { type: "limit", timeInForce: "GTD", expiresAt: EXPIRES_AT, postOnly: true };

  it("is placed with both options after errors were shown at their fields", async () => {
    const { page, user, complaints } = await visitAs(2);
    await page.goto(`/trade?token=${token}&type=limit`);
    await page.getByLabel("Limit price").fill("99");
    await page.getByLabel("Shares").fill("40");
    await page.getByLabel("Post only").check();
    await page.getByLabel("Expires").selectOption("Custom");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByText("Choose a date and time.").waitFor();
    await page.getByRole("button", { name: "1 day" }).click();
    await page.getByText("This order would fill immediately.").first().waitFor();
    await page.getByLabel("Limit price").fill("5");
    await page.getByLabel("Date and time (Berlin time)").fill("2020-01-01T00:00");
    await page.getByLabel("Shares").focus();
    await page.getByText("Choose a time in the future.").waitFor();
    await page.getByLabel("Date and time (Berlin time)").fill(EXPIRES);
    await page.getByRole("button", { name: /^Review: / }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Expires 24 Nov 2099, 12:00 · Post only").waitFor();
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    await notifications(page)
      .getByText(/^Limit order open: .* Expires 24 Nov 2099, 12:00\. Post only\./)
      .waitFor();
    expect(await listOrders(user)).toMatchObject([{ status: "open", ...OPTIONS }]);
    await page.goto("/orders");
    const row = page.getByRole("table", { name: "Open orders" }).getByRole("row").nth(1);
    await row.getByText("Until 24 Nov 2099, 12:00").waitFor();
    await row.getByText("Post only").waitFor();
    expect(complaints).toEqual([]);
  });

  it("is placed with both options without JavaScript: ticket, errors, review and receipt", async () => {
    // Without JavaScript the server doesn't know the browser's zone, and times are in UTC.
    const { page, user } = await visitAs(2, { javaScriptEnabled: false });
    await page.goto(`/trade?token=${token}&type=limit`);
    await page.getByLabel("Limit price").fill("5");
    await page.getByLabel("Shares").fill("40");
    await page.getByLabel("Post only").check();
    await page.getByLabel("Expires").selectOption("Custom");
    await page.getByLabel("Date and time (UTC)").fill("2020-01-01T00:00");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByText("Choose a time in the future.").first().waitFor();
    expect(await page.getByLabel("Post only").isChecked()).toBe(true);
    await page.getByLabel("Date and time (UTC)").fill("2099-11-24T11:00");
    await page.getByRole("button", { name: "Review order" }).click();
    await page.getByText("Expires 24 Nov 2099, 11:00 · Post only").waitFor();
    const address = page.url();
    await page.getByRole("button", { name: /^Place order/ }).click();
    await page.waitForURL("**/orders/receipt/**");
    expect(await page.locator("main").textContent()).toContain("Expires24 Nov 2099, 11:00");
    const receipt = page.url();
    await page.goto(address);
    expect(page.url()).toBe(receipt);
    const orders = await listOrders(user);
    expect(orders).toHaveLength(2);
    expect(orders[0]).toMatchObject({ status: "open", ...OPTIONS });
  });
});

/** Answers the reads of the last check with what they find now. The page waits at most 10 s for them. */
async function readAhead(page: Page): Promise<void> {
  const markets = await listMarkets(product.port, demoKey(product), 100);
  const market = markets.find(({ outcomes }) => outcomes.some(({ tokenId }) => tokenId === token));
  const first = market?.outcomes[0];
  if (!market || !first) throw new Error("the token is one of a listed market");
  const target = { marketId: market.id, tokenId: first.tokenId };
  for (const url of [buildBookUrl(target), buildTicketAccountUrl(market.id)]) {
    const response = await page.context().request.get(url);
    expect(response.status()).toBe(200);
    const isSame = ({ pathname, search }: URL) => `${pathname}${search}` === url;
    await page.route(isSame, (route) => route.fulfill({ response }));
  }
}

describe("the ticket of a trader", () => {
  const place = ({ apiKey }: SeededUser, body: object) =>
    send(product.port, { method: "POST", path: "/v1/orders", key: apiKey, body });
  const getTicket = (page: Page) => page.getByRole("region", { name: /^Order ticket/ });

  it("shows a fill in its button, with the new balance, and places with one press if asked to", async () => {
    const { page, user, complaints } = await visitAs(3);
    const dialog = await reviewBuy(page, "20");
    await dialog.getByRole("button", { name: /^Place order · \$2\d\.\d\d$/ }).click();
    const ticket = getTicket(page);
    await ticket.getByRole("button", { name: /^Bought [\d.,]+ .+ at [\d.]+¢$/ }).waitFor();
    await notifications(page)
      .getByText(/^Bought .* at /)
      .waitFor();
    // The figures don't follow after the toast: they are on the page with it.
    const available = Math.round((await readBalance(user)) * 100) / 100;
    expect(await ticket.getByText(/^Available/).textContent()).toContain(available.toFixed(2));

    await ticket.getByRole("link", { name: "Shares", exact: true }).click();
    await ticket.getByRole("checkbox", { name: "Review before placing" }).uncheck();
    await ticket.getByText("Orders are placed without a review.").waitFor();
    await ticket.getByRole("textbox", { name: "Shares" }).fill("10");
    await ticket.getByRole("button", { name: /^Buy .* · \$/ }).click();
    await ticket.getByRole("button", { name: /^Bought 10 / }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    const [last] = await listOrders(user);
    expect(last).toMatchObject({ type: "market", shares: 10, amount: null, status: "filled" });

    await page.reload();
    const review = page.getByRole("checkbox", { name: "Review before placing" });
    await review.waitFor();
    expect(await review.isChecked()).toBe(false);
    await review.check();
    expect(complaints).toEqual([]);
  });

  it("takes the first click on Max after too large an amount, though the error moves the page", async () => {
    const { page } = await visitAs(3);
    await page.goto(`/trade?token=${token}`);
    const ticket = getTicket(page);
    const amount = ticket.getByLabel("Amount");
    const max = ticket.getByRole("button", { name: "Max" });
    await expect.poll(() => max.isEnabled()).toBe(true);
    await amount.fill("25000");
    await max.click();
    await expect.poll(async () => Number(await amount.inputValue())).toBeLessThan(1000);
    expect(await ticket.getByText(/This order needs/).count()).toBe(0);
    await amount.fill("25000");
    await amount.press("Tab");
    await ticket.getByText(/This order needs/).waitFor();
  });

  /** Opens a limit buy that nothing fills, so that its maximum stays the same while the market moves. */
  async function openSlider(): Promise<{ ticket: Locator; slider: Locator }> {
    const { page } = await visitAs(3);
    await page.goto(`/trade?token=${token}&type=limit`);
    const ticket = getTicket(page);
    await ticket.getByLabel("Limit price").fill("1");
    const slider = ticket.getByRole("slider", { name: "Percentage of the largest buy" });
    await expect.poll(() => slider.isEnabled()).toBe(true);
    return { ticket, slider };
  }

  it("is sized by the keyboard with its slider, up to all of the cash and back to nothing", async () => {
    const { ticket, slider } = await openSlider();
    await slider.press("End");
    await ticket.getByRole("button", { name: /^Review: Buy .* · \$[\d,]+\.\d\d$/ }).waitFor();
    const shares = ticket.getByLabel("Shares");
    expect(Number(await shares.inputValue())).toBeGreaterThan(80_000);
    expect(await slider.getAttribute("aria-valuetext")).toBe("100% of the largest buy");
    await slider.press("Home");
    expect(await shares.inputValue()).toBe("");
  });

  it("is sized percent by percent with the slider's arrow keys, from both ends", async () => {
    const { slider } = await openSlider();
    const readPercent = () =>
      slider.getAttribute("aria-valuetext").then((text) => parseInt(text ?? ""));
    await slider.press("Home");
    for (const percent of [1, 2, 3, 4]) {
      await slider.press("ArrowRight");
      await expect.poll(readPercent).toBe(percent);
    }
    await slider.press("End");
    for (const percent of [99, 98, 97]) {
      await slider.press("ArrowLeft");
      await expect.poll(readPercent).toBe(percent);
    }
  });

  it.each([true, false])(
    "offers to sell the other outcome's shares instead of a buy (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const { page, user } = await visitAs(1, { javaScriptEnabled });
      const order = { tokenId: token, action: "BUY", orderType: "market", shares: 10 };
      readData(await place(user, { ...order, idempotencyKey: newKey() }));
      const shares = javaScriptEnabled ? 10 : 20;
      await page.goto(`/trade?token=${token}`);
      const ticket = getTicket(page);
      const [held, other] = await ticket.getByRole("group", { name: "Outcome" }).locator("a").all();
      const name = await held?.locator("span").first().innerText();
      const hint = ticket.getByText(/^You hold .*Selling them/);
      expect(await hint.count()).toBe(0);
      await other?.click();
      await expect
        .poll(() => hint.innerText())
        .toBe(
          `You hold ${shares} ${name}. Selling them has the same effect and frees the money now.`,
        );
      await hint.getByRole("link", { name: "Selling them" }).click();
      await ticket.getByRole("button", { name: `Review: Sell ${name}` }).waitFor();
      if (javaScriptEnabled) {
        const focused = page.locator(":focus");
        await expect.poll(() => focused.getAttribute("aria-keyshortcuts")).toBe("y");
      }
      expect(await hint.count()).toBe(0);
    },
  );

  it("masks the account's figures in its errors and warnings while values are hidden", async () => {
    const { page } = await visitAs(3);
    await page.goto(`/trade?token=${token}`);
    const ticket = getTicket(page);
    await page.getByRole("button", { name: "Hide values" }).click();
    await ticket.getByLabel("Amount").fill("5000");
    await ticket.getByLabel("Amount").blur();
    const error = page.locator("#ticket-amount-error");
    await error.waitFor();
    expect(await error.innerText()).toMatch(
      /^You have •••• available\. This order needs up to ••••\.\s*Use max$/,
    );
    // Screen readers read this tree.
    expect(await error.ariaSnapshot()).not.toMatch(/\$\d/);
    await ticket.getByLabel("Amount").fill("0.5");
    await ticket.getByLabel("Amount").blur();
    await error.getByText(/^Minimum market buy is \$\d/).waitFor();
  });

  it("moves the focus to the size if the cash was spent during the review", async () => {
    const { page, user } = await visitAs(3);
    const dialog = await reviewBuy(page, "300");
    const spent = {
      tokenId: token,
      action: "BUY",
      orderType: "limit",
      price: 0.01,
      shares: 90_000,
    };
    expect((await place(user, spent)).status).toBe(200);
    const before = await listOrders(user);
    await readAhead(page);
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    // Says which refusal it was if it is another one.
    const refusal = getTicket(page).getByText(/wasn’t placed/);
    await refusal.waitFor();
    expect(await refusal.textContent()).toMatch(
      /This order needs up to .* Your order wasn’t placed\.$/,
    );
    const amount = getTicket(page).getByLabel("Amount");
    await expect
      .poll(() => amount.evaluate((field) => field === document.activeElement))
      .toBe(true);
    expect(await listOrders(user)).toEqual(before);
  });
});

describe("a link to a filled-in ticket", () => {
  it("opens the ticket on its market's page with every field", async () => {
    const { page, complaints } = await visitAs(1);
    const fields = "side=sell&type=limit&cents=93&shares=7&expiry=time&expires=2099-11-24T12:00";
    await page.goto(`/trade?token=${token}&${fields}&postOnly=true`);
    await page.waitForURL(/\/markets\/[^?]+\?token=.*#ticket$/);
    const ticket = page.getByRole("region", { name: /^Order ticket/ });
    const sell = ticket.getByRole("link", { name: "Sell", exact: true });
    expect(await sell.getAttribute("aria-current")).toBe("true");
    expect(await ticket.getByLabel("Limit price").inputValue()).toBe("93");
    expect(await ticket.getByLabel("Shares").inputValue()).toBe("7");
    expect(await ticket.getByLabel(/^Date and time/).inputValue()).toBe("2099-11-24T12:00");
    expect(await ticket.getByLabel("Post only").isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("leads to the market picker if its token is unknown", async () => {
    const { page } = await visitAs(1);
    await page.goto("/trade?token=1");
    await page.getByText("We can’t find this market.").waitFor();
    await page.getByLabel("Search markets by name or event").fill("nothing-is-called-this");
    await page.getByText(/No markets match/).waitFor();
  });
});

describe("the book beside the ticket", () => {
  it("switches to the ticket's outcome, and the ticket to the book's", async () => {
    const { page, complaints } = await visitAs(1);
    await page.goto(`/trade?token=${token}`);
    await page.getByLabel("Amount").fill("10");
    const address = page.url();
    const ticket = page.getByRole("group", { name: "Outcome" }).getByRole("link");
    const switches = page.getByRole("navigation", { name: "Outcome" }).getByRole("link");
    const names = await switches.allTextContents();
    for (const index of [1, 0]) {
      await ticket.nth(index).click();
      await page.getByRole("region", { name: `Order book of ${names[index]}` }).waitFor();
      expect(page.url()).toBe(address);
    }
    await switches.nth(1).click();
    await page.getByRole("region", { name: `Order book of ${names[1]}` }).waitFor();
    await expect.poll(() => ticket.nth(1).getAttribute("aria-current")).toBe("true");
    await page.waitForURL((url) => url.href !== address);
    await expect.poll(() => page.getByLabel("Amount").inputValue()).toBe("10");
    expect(complaints).toEqual([]);
  });
});
