// Pages that stay open while the service hangs or is gone: they say so soon and once, and keep the page.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { afterEach, beforeAll, expect, it } from "vitest";
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
  until,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

/** Three seconds, and the longest pause between two beats. Nothing refreshes by itself within it. */
const LOUD_AFTER_MS = 4_000;
const STEP_MS = 100;
const FETCHED_FIRST = "/api/ui/summary";

let product: Product;
let visitor: Visitor;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  const [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: NO_LIMITS });
  visitor = await visit(product.port);
  await signIn(visitor, user);
});

// A stopped process would not end after the tests.
afterEach(() => void product.kill("SIGCONT"));

/** Stops the server's process and waits until all its threads have stopped. */
async function hang(): Promise<void> {
  product.kill("SIGSTOP");
  await until("the process stands still", async () => {
    const { stdout } = await promisify(execFile)("ps", ["-o", "state=", "-p", String(product.pid)]);
    return stdout.trim().startsWith("T");
  });
}

/** Opens a page whose clock stands still, and waits until it follows the account's events. */
async function openStill(path: string): Promise<Page> {
  const page = await visitor.context.newPage();
  await page.clock.install();
  let isFollowing = false;
  page.on("response", (response) => (isFollowing ||= response.url().endsWith(FETCHED_FIRST)));
  await page.goto(path);
  await expect.poll(async () => (await page.clock.runFor(STEP_MS), isFollowing)).toBe(true);
  return page;
}

const findSign = (page: Page) => page.getByRole("status").filter({ hasText: "isn't responding" });
const findLive = (page: Page) => page.getByText("Live", { exact: true });

it.each(["/", "/orders", "/markets"])("%s says soon that the service hangs", async (path) => {
  const tabs = [await openStill(path), await openStill(path)];
  await hang();
  for (const tab of tabs) {
    expect(await findLive(tab).count()).toBe(1);
    await tab.clock.runFor(LOUD_AFTER_MS);
    await findSign(tab).waitFor();
  }
  product.kill("SIGCONT");
  for (const tab of tabs) {
    await expect.poll(async () => (await tab.clock.runFor(STEP_MS), findLive(tab).count())).toBe(1);
    await tab.close();
  }
});

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
  await page.getByText("Ante isn't responding. This page stays until it does.").waitFor();
  expect(await findSign(page).count()).toBe(1);
  expect(page.url()).toBe(url);
  expect(await page.getByLabel("Amount").inputValue()).toBe("5");
  product = await startProduct({ dataDir, env: NO_LIMITS, port });
  await findLive(page).waitFor({ state: "attached" });
  expect(page.url()).toBe(url);
  await orders.click();
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
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
