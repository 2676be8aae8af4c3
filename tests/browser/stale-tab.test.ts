// Two tabs of one browser: one still shows paper money after the other switched to live.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { createOwner } from "@/tests/support/live/wallets";
import {
  allOrders,
  cleanUpAfterwards,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  runAdmin,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";
import { sandboxMarkets } from "@/tests/support/sandbox/client";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let user: SeededUser;
let visitor: Visitor;
let liveKey = "";
let tokenId = "";

beforeAll(async () => {
  const venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  const dataDir = preparedDataDir();
  const env = {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    VENUES: "paper,polymarket",
    // Both accounts have the same markets.
    MARKET_DATA: "polymarket",
    ALLOW_EMBEDDED_DB_FOR_LIVE: "1",
    CLOB_API_URL: `${sandbox}/clob`,
    GAMMA_API_URL: `${sandbox}/gamma`,
    DATA_API_URL: `${sandbox}/data`,
  };
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  liveKey = await giveLiveWallet(env);
  product = await startProduct({ dataDir, env });
  const [market] = await sandboxMarkets(`${sandbox}/clob`);
  tokenId = market?.tokens[0]?.token_id ?? "";
  await placeResting(user.apiKey);
  await placeResting(liveKey);
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

async function giveLiveWallet(env: Record<string, string> & { DATA_DIR: string }): Promise<string> {
  const { privateKey, funders } = createOwner();
  const file = join(env.DATA_DIR, "key.txt");
  writeFileSync(file, privateKey);
  const wallet = ["--private-key-file", file, "--funder", funders[3], "--signature-type", "3"];
  const imported = await runAdmin(["wallet:import", "--user", user.userId, ...wallet], env);
  expect(imported.code, imported.output).toBe(0);
  const options = ["--user", user.userId, "--name", "live", "--scopes", "read,trade,cancel"];
  const made = await runAdmin(["keys:create", ...options, "--mode", "live", "--json"], env);
  return /ante_live_[0-9A-Za-z]{46}/.exec(made.stdout)?.[0] ?? "";
}

async function placeResting(key: string): Promise<void> {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.05, shares: 20 };
  const body = { ...order, idempotencyKey: newKey() };
  const sent = { method: "POST", path: "/v1/orders", key, body };
  // The first read of the venue can take longer than the timeout.
  await until("the order is placed", async () => (await send(product.port, sent)).status === 200);
}

const statuses = async (key: string) =>
  (await allOrders(product.port, key)).map(({ status }) => status);

it("a tab that shows paper money can't place or cancel live orders, can't create live keys, and doesn't switch the mode back", async () => {
  const { page: ticket, context } = visitor;
  const [cancel, menu, other, keys, wallet] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ];
  await ticket.goto(`/trade?token=${tokenId}&type=limit`);
  await ticket.getByLabel("Limit price").fill("5");
  await ticket.getByLabel("Shares").fill("40");
  await ticket.getByRole("button", { name: /^Review: / }).click();
  await cancel.goto("/orders/cancel");
  await keys.goto("/keys/new");
  await keys.getByLabel("Name").fill("from a stale tab");
  await wallet.goto("/wallet");
  await wallet.getByLabel("Amount (dollars)").fill("77");
  for (const page of [menu, other]) {
    await page.goto("/");
    await page.getByLabel("Account menu").click();
  }
  await other.getByRole("button", { name: "Trade with real money" }).click();
  await other.getByLabel("Your Ante password").fill(user.password);
  await other.getByRole("main").getByRole("button", { name: "Trade with real money" }).click();
  await expect.poll(() => other.title()).toContain("LIVE");

  const dialog = ticket.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Place order/ }).click();
  await ticket.getByText("switched this browser to real money in another tab").first().waitFor();
  await cancel.getByRole("button", { name: "Cancel 1 order" }).click();
  await cancel.getByText("switched this browser to the other account in another tab").waitFor();
  await keys.getByRole("button", { name: "Create key" }).click();
  await keys.getByText("switched this browser to real money in another tab").waitFor();
  await other.goto("/keys");
  await other.getByRole("heading", { name: "API keys" }).first().waitFor();
  expect(await other.getByText("from a stale tab").count()).toBe(0);
  await wallet.getByRole("button", { name: "Add funds" }).click();
  await wallet.getByText("switched this browser to real money in another tab").waitFor();
  await menu.getByRole("button", { name: "Trade with real money" }).click();
  await menu.waitForURL(`http://127.0.0.1:${product.port}/`);
  await menu.reload();
  expect(await menu.title()).toContain("LIVE");

  expect(await statuses(liveKey)).toEqual(["open"]);
  expect(await statuses(user.apiKey)).toEqual(["open"]);
});
