// The documentation in a browser without JavaScript.
import { beforeAll, expect, it } from "vitest";
import { listGroups } from "@/app/docs/_lib/reference";
import { closeBrowserAfterwards, visit } from "@/tests/support/browser/browser";
import { PHONE } from "@/tests/support/browser/pages";
import { cleanUpAfterwards, type Product, startPrepared } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;

beforeAll(async () => {
  product = await startPrepared();
});

it("the start links to every operation, and an old link to one leads to its entry", async () => {
  const { page } = await visit(product.port, { javaScriptEnabled: false });
  await page.goto("/docs");
  for (const { href, operations } of listGroups()) {
    for (const { id } of operations) {
      expect(await page.locator(`#${id} a`).getAttribute("href")).toBe(`${href}#${id}`);
    }
  }
  await page.goto("/docs#cancelOrder");
  await expect.poll(() => page.locator("#cancelOrder:target").count()).toBe(1);
});

it.each(listGroups())("$href has its operations and is marked in the contents", async (group) => {
  const { page } = await visit(product.port, { javaScriptEnabled: false });
  await page.goto(group.href);
  expect(await page.title()).toBe(`${group.name} · Ante docs`);
  expect(await page.locator("h1").allTextContents()).toEqual([group.name]);
  const shown = await page
    .locator("main section[id]")
    .evaluateAll((all) => all.map(({ id }) => id));
  expect(shown).toEqual(group.operations.map(({ id }) => id));
  const contents = page.getByRole("navigation", { name: "Documentation" });
  const marked = await contents.locator("[aria-current=page]").allTextContents();
  expect(marked).toEqual([group.name]);
});

it("an entry opens its operation, also where operations are folded", async () => {
  const { page } = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
  await page.goto("/docs");
  await page.locator("#cancelOrder a").click();
  await page.waitForURL("**/docs/orders#cancelOrder");
  await expect.poll(() => page.locator("#cancelOrder").isVisible()).toBe(true);
  expect(await page.locator("#placeOrder").isVisible()).toBe(false);
});

it("a group that does not exist returns the 404 page", async () => {
  const { page } = await visit(product.port);
  const response = await page.goto("/docs/positions");
  expect(response?.status()).toBe(404);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("find that page");
});
