// Pages that stay open while the service is gone: they say so once, and links do not replace them.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import {
  cleanUpAfterwards,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let visitor: Visitor;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

const findSign = (page: Page) => page.getByRole("status").filter({ hasText: "isn’t responding" });
const findLive = (page: Page) => page.getByText("Live", { exact: true });

it("a page stays when a link is followed while the service is gone, and says so once", async () => {
  const { page } = visitor;
  await page.goto("/markets");
  await page.locator('main a[href^="/markets/"]').first().click();
  await page.getByLabel("Amount").fill("5");
  await findLive(page).waitFor({ state: "attached" });
  const { port, dataDir } = product;
  await product.crash();
  await findSign(page).waitFor();
  expect(await page.getByText("Resyncing…").count()).toBe(0);
  const url = page.url();
  const orders = page.getByRole("navigation", { name: "Main" }).first().getByRole("link", {
    name: "Orders",
  });
  await orders.click();
  await findSign(page).getByText("“Orders” can’t open, so this page stays.").waitFor();
  expect(await findSign(page).count()).toBe(1);
  expect(page.url()).toBe(url);
  expect(await page.getByLabel("Amount").inputValue()).toBe("5");
  product = await startProduct({ dataDir, env: NO_LIMITS, port });
  await findLive(page).waitFor({ state: "attached" });
  expect(page.url()).toBe(url);
  await orders.click();
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
});

/** Saves the pace of updates on a page of its own, which has no note of an earlier save. */
async function saveUpdates(page: Page, pace: "live" | "paused"): Promise<void> {
  const open = () => page.goto("/settings?section=display");
  await open();
  await page.getByLabel("Live updates").selectOption(pace);
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await open();
  expect(await page.getByLabel("Live updates").inputValue()).toBe(pace);
}

it("a page whose updates are paused says that a link can't open while the browser is offline", async () => {
  const { page, context } = visitor;
  await saveUpdates(page, "paused");
  await page.goto("/");
  await context.setOffline(true);
  await page
    .getByRole("navigation", { name: "Main" })
    .first()
    .getByRole("link", { name: "Status" })
    .click();
  const sign = page.getByRole("status").filter({ hasText: "You’re offline." });
  await sign.getByText("“Status” can’t open, so this page stays.").waitFor();
  // The count of a tab is not a part of its name.
  await page.getByRole("link", { name: /^Open orders/ }).click();
  await sign.getByText("“Open orders” can’t open, so this page stays.").waitFor();
  await context.setOffline(false);
  await sign.waitFor({ state: "detached" });
  await saveUpdates(page, "live");
});

it("a link works while only parts of the page get no response", async () => {
  const { page, context } = visitor;
  await page.goto("/");
  await context.route("**/api/ui/v1/positions", (route) => route.abort());
  await findSign(page).waitFor();
  await page
    .getByRole("navigation", { name: "Main" })
    .first()
    .getByRole("link", { name: "Orders" })
    .click();
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  await context.unroute("**/api/ui/v1/positions");
});
