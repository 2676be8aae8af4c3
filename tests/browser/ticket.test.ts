import type { Page, Route } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { closeBrowserAfterwards, signIn, visit, type Visitor } from "@/tests/support/browser";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  demoKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  seedUsers,
  type SeededUser,
  startProduct,
} from "@/tests/support/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let token: string;
let users: SeededUser[];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 2, "1000");
  product = await startProduct({ dataDir, env: NO_LIMITS });
  token = await anyToken(product.port, demoKey(product));
});

async function visitAs(index: number): Promise<Visitor & { user: SeededUser }> {
  const user = users[index];
  if (!user) throw new Error(`there is no user number ${index}`);
  const visitor = await visit(product.port);
  await signIn(visitor, user);
  return { ...visitor, user };
}

const ordersOf = ({ apiKey }: SeededUser) => allOrders(product.port, apiKey);
const notifications = (page: Page) => page.getByRole("region", { name: "Notifications" });

/** Opens the review of a market buy and returns its dialog. */
async function reviewBuy(page: Page, amount: string) {
  await page.goto(`/trade?token=${token}`);
  await page.getByLabel("Amount").fill(amount);
  await page.getByRole("button", { name: /^Review: / }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Place order/ }).waitFor();
  return dialog;
}

describe("an order that was on its way when its page was loaded anew", () => {
  it("is found by its key: the ticket tells what became of it, and the bar has its figures", async () => {
    const { page, user } = await visitAs(0);
    const dialog = await reviewBuy(page, "20");
    // The order arrives, its answer does not.
    let tellArrived = () => {};
    const arrived = new Promise<void>((resolve) => {
      tellArrived = resolve;
    });
    await page.route("**/trade?**", async (route) => {
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
    await available.getByText(/\$9(79|80)\./).waitFor();
    expect(await page.getByLabel("Amount").inputValue()).toBe("");
    expect((await ordersOf(user)).map(({ status }) => status)).toEqual(["filled"]);

    // Its fate is known: it is not told again.
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
  it("under an open review is named there, with no button to place, and nothing is placed", async () => {
    const { page, user } = await visitAs(1);
    const before = await ordersOf(user);
    const dialog = await reviewBuy(page, "10");
    await page.route("**/api/ui/ticket?**", answerClosed);
    await dialog.getByRole("button", { name: /^Place order/ }).click();
    const ticket = page.getByRole("region", { name: /^Order ticket/ });
    await ticket.getByText(/^This market isn't accepting orders\. Nothing was placed\.$/).waitFor();
    await ticket.getByRole("button", { name: /^Review: /, disabled: true }).waitFor();
    expect(await page.getByText(/No one is selling/).count()).toBe(0);
    expect(await ordersOf(user)).toEqual(before);
  });
});

/** The ticket's own read, as it is once the market has closed. */
async function answerClosed(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.json()) as { data: object };
  await route.fulfill({
    response,
    json: { ...body, data: { ...body.data, marketStatus: "closed" } },
  });
}

describe("the book beside the ticket", () => {
  it("turns to the outcome that the ticket is for, and the ticket to the book's", async () => {
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
