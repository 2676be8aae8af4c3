// A program's order waits for its owner, who approves or declines it in the dashboard.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
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

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user, other] = (await seedUsers({ DATA_DIR: dataDir }, 2, "1000")) as [SeededUser, SeededUser];
  // The operator's limit of users without limits of their own.
  const env = { ...NO_LIMITS, DEFAULT_LIMITS: JSON.stringify({ approvalAbove: "2" }) };
  product = await startProduct({ dataDir, env });
  [tokenId = ""] = await tradableTokens(product.port, user.apiKey);
  visitor = await visit(product.port, DESKTOP);
  await signIn(visitor, user);
  ({ page } = visitor);
});

/** Asks for a buy that can cost $3.60. */
async function ask(): Promise<{ orderId: string; approvalUrl: string }> {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.03, shares: 120 };
  const body = { ...order, idempotencyKey: newKey() };
  const answer = await send(product.port, {
    method: "POST",
    path: "/v1/orders",
    key: user.apiKey,
    body,
  });
  expect(answer.status).toBe(200);
  const placed = readData<{ orderId: string; status: string; approvalUrl: string }>(answer);
  expect(placed.status).toBe("pending_approval");
  return placed;
}

async function readStatus(orderId: string): Promise<unknown> {
  const path = `/v1/orders/${orderId}`;
  return readData(await send(product.port, { method: "GET", path, key: user.apiKey }))["status"];
}

async function expectSound(): Promise<void> {
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  expect(await sidewaysScroll(page), page.url()).toBe(0);
}

const click = (name: string | RegExp) => page.getByRole("button", { name }).click();
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

it("an order that waits is announced on an open page, and approved with the password", async () => {
  await page.goto("/approvals");
  await shows("No orders are waiting");
  await expectSound();
  const { orderId, approvalUrl } = await ask();
  await shows("1 order waits for your approval");
  await page.getByRole("link", { name: "Approvals, 1 waiting" }).waitFor();
  await expectSound();
  await page.getByRole("link", { name: /^Review the order in/ }).click();
  await page.waitForURL(new RegExp(`${new URL(approvalUrl).pathname}$`));
  await shows("Waits for approval");
  await page.getByRole("row", { name: /Cost with fee At most \$3\.\d\d/ }).waitFor();
  await expectSound();
  await click("Approve and buy");
  await shows("Enter your password.");
  await page.getByLabel("Your Ante password", { exact: true }).fill("not it, sorry");
  await click("Approve and buy");
  await shows("The current password is incorrect.");
  expect(await readStatus(orderId)).toBe("pending_approval");
  await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
  await click("Approve and buy");
  await page.waitForURL(new RegExp(`/orders/${orderId}$`));
  expect(await readStatus(orderId)).toBe("open");
  await page.goto(new URL(approvalUrl).pathname);
  await shows("This order doesn’t wait for approval");
  await expectSound();
  expect(await page.getByText("waits for your approval").count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});

it("a market order that waits is listed as one, and isn't on its market's chart", async () => {
  const order = { tokenId, action: "BUY", orderType: "market", amount: 20 };
  const body = { ...order, idempotencyKey: newKey() };
  const options = { method: "POST", path: "/v1/orders", key: user.apiKey, body };
  const { orderId, status } = readData<{ orderId: string; status: string }>(
    await send(product.port, options),
  );
  expect(status).toBe("pending_approval");
  await page.goto("/orders");
  const row = page.getByRole("row", { name: /Market at [\d.]+¢ or better/ });
  expect(await row.innerText()).toMatch(/0 shares\s+of \$20\.00/);
  await shows(/^Total of \d+ open orders, 1 waiting for approval: /);
  await expectSound();
  await row.locator("a[aria-haspopup=dialog]").click();
  const drawer = page.getByRole("dialog", { name: "Order" });
  const market = drawer.getByRole("link", { name: "Open market" });
  await page.goto((await market.getAttribute("href")) ?? "");
  const own = page.getByRole("region", { name: "Your activity" });
  await own.getByRole("row", { name: /Waits for approval/ }).waitFor();
  await expectSound();
  expect(await page.locator("svg text", { hasText: "Buy 0" }).count()).toBe(0);
  await send(product.port, { method: "DELETE", path: `/v1/orders/${orderId}`, key: user.apiKey });
  expect(await readStatus(orderId)).toBe("canceled");
});

it("the link of another user's order leads nowhere", async () => {
  const { orderId, approvalUrl } = await ask();
  const stranger = await visit(product.port, DESKTOP);
  await signIn(stranger, other);
  const answer = await stranger.page.goto(new URL(approvalUrl).pathname);
  expect(answer?.status()).toBe(404);
  expect(await readStatus(orderId)).toBe("pending_approval");
});

it("an order is approved and another one declined on a phone without JavaScript", async () => {
  const plain = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
  await signIn(plain, user);
  ({ page } = plain);
  const approved = await ask();
  await page.goto(new URL(approved.approvalUrl).pathname);
  await page.getByLabel("Your Ante password", { exact: true }).fill(user.password);
  await click("Approve and buy");
  await page.waitForURL(new RegExp(`/orders/${approved.orderId}$`));
  expect(await readStatus(approved.orderId)).toBe("open");
  const declined = await ask();
  await page.goto("/approvals");
  expect(await sidewaysScroll(page)).toBe(0);
  await page.goto(new URL(declined.approvalUrl).pathname);
  expect(await sidewaysScroll(page)).toBe(0);
  const decline = await page.getByRole("button", { name: "Decline" }).boundingBox();
  expect((decline?.y ?? Infinity) + (decline?.height ?? 0)).toBeLessThan(PHONE.viewport.height);
  await click("Decline");
  await page.waitForURL(new RegExp(`/orders/${declined.orderId}$`));
  await shows("because it was declined");
  expect(await readStatus(declined.orderId)).toBe("canceled");
});
