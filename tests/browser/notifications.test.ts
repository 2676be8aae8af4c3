import { beforeAll, expect, it } from "vitest";
import { closeBrowserAfterwards, signIn, visit } from "@/tests/support/browser/browser";
import {
  anyToken,
  cleanUpAfterwards,
  newKey,
  NO_LIMITS,
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
let users: SeededUser[];

beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 2, "1000");
  product = await startProduct({ dataDir, env: NO_LIMITS });
});

function user(index: number): SeededUser {
  const found = users[index];
  if (!found) throw new Error(`there is no user number ${index}`);
  return found;
}

/** Buys with the API. Returns the order's id. */
async function buy({ apiKey }: SeededUser): Promise<string> {
  const { port } = product;
  const tokenId = await anyToken(port, apiKey);
  const body = { tokenId, action: "BUY", orderType: "market", amount: 5, idempotencyKey: newKey() };
  const placed = await send(port, { method: "POST", path: "/v1/orders", key: apiKey, body });
  expect(placed.status).toBe(200);
  return String(readData(placed)["orderId"]);
}

it("a fill by the API counts on the bell at once, and seeing it in the menu reads it", async () => {
  const visitor = await visit(product.port);
  await signIn(visitor, user(0));
  const { page, complaints } = visitor;
  await page.goto("/settings");
  const bell = page.locator("summary", { hasText: "Notifications" }).first();
  await bell.waitFor();
  expect(await bell.innerText()).not.toContain("unread");
  const orderId = await buy(user(0));
  await bell.getByText("1 unread").waitFor();
  await bell.click();
  const item = page.getByRole("link", { name: /^New: Bought/ });
  await item.waitFor();
  await expect.poll(() => bell.innerText()).not.toContain("unread");
  await item.click();
  await page.waitForURL(`**/orders/${orderId}`);
  await page.reload();
  await bell.waitFor();
  expect(await bell.innerText()).not.toContain("unread");
  expect(complaints).toEqual([]);
});

it("without JavaScript the page lists them and marks all as read", async () => {
  const visitor = await visit(product.port, { javaScriptEnabled: false });
  await signIn(visitor, user(1));
  const { page } = visitor;
  const orderId = await buy(user(1));
  await page.goto("/settings");
  await page.locator("summary", { hasText: "Notifications" }).first().click();
  await page.getByRole("link", { name: "All notifications" }).click();
  const item = page.getByRole("link", { name: /^New: Bought/ });
  expect(await item.getAttribute("href")).toBe(`/orders/${orderId}`);
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.getByRole("link", { name: /^Bought/ }).waitFor();
  expect(await item.count()).toBe(0);
  expect(await page.getByRole("button", { name: "Mark all as read" }).count()).toBe(0);
});

it("the phone's menu leads to the notifications with their number", async () => {
  const visitor = await visit(product.port, { viewport: { width: 390, height: 844 } });
  await signIn(visitor, user(1));
  const { page } = visitor;
  await page.goto("/settings");
  await buy(user(1));
  await page.locator("summary", { hasText: "More" }).click();
  await page.getByRole("link", { name: "Notifications 1 unread" }).click();
  await page.getByRole("heading", { level: 1, name: "Notifications" }).waitFor();
});
