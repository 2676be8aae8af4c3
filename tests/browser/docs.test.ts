// The documentation in a browser without JavaScript.
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { listGroups } from "@/app/docs/_lib/reference";
import { DOCS_PAGES } from "@/components/docs/pages";
import { closeBrowserAfterwards, signIn, visit } from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  cleanUpAfterwards,
  preparedDataDir,
  type Product,
  type SeededUser,
  seedUsers,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();

let product: Product;
let user: SeededUser;

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "0")) as [SeededUser];
  product = await startProduct({ dataDir });
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

it("the start begins with a first trade, and its contents are in the order of the page", async () => {
  const { page } = await visit(product.port, { javaScriptEnabled: false });
  await page.goto("/docs");
  const listed = await page
    .getByRole("navigation", { name: "Documentation" })
    .locator('a[href^="#"]')
    .allTextContents();
  expect(listed[0]).toBe("First trade");
  expect(
    await page
      .locator("main article > section > div > h2, main article > section > h2")
      .allTextContents(),
  ).toEqual(listed);
});

it("the header and the footer lead a signed-in visitor to the dashboard, others to sign in", async () => {
  const stranger = await visit(product.port, { javaScriptEnabled: false });
  await stranger.page.goto("/docs");
  const listEntrances = (page: Page) =>
    page.getByRole("link", { name: /^(Sign in|Open dashboard|Dashboard)$/ }).allTextContents();
  expect(await listEntrances(stranger.page)).toEqual(["Sign in", "Sign in"]);
  const visitor = await visit(product.port, { javaScriptEnabled: false });
  await signIn(visitor, user);
  await visitor.page.goto("/docs");
  expect(await listEntrances(visitor.page)).toEqual(["Open dashboard", "Dashboard"]);
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
  const headings = await page.locator("main section[id] h2:visible").allTextContents();
  expect(headings).toEqual(group.operations.map(({ title }) => title));
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

it("a folded operation has a sign that it opens, and from 1,024 px operations are shown whole", async () => {
  const { page } = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
  await page.goto("/docs/orders");
  const summary = page.locator("summary", { hasText: "Cancel an order" }).first();
  expect(await summary.locator("[aria-hidden=true]").isVisible()).toBe(true);
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await page.locator("#cancelOrder").isVisible()).toBe(true);
  expect(await summary.isVisible()).toBe(false);
});

it("the printed page has all operations with their fields and whole samples", async () => {
  const { page } = await visit(product.port, { javaScriptEnabled: false });
  await page.goto("/docs/orders");
  // As wide as the text of an A4 page.
  await page.setViewportSize({ width: 690, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const orders = listGroups().find(({ slug }) => slug === "orders")?.operations ?? [];
  for (const { id, answer } of orders) {
    const section = page.locator(`section#${id}`);
    expect(await section.isVisible(), id).toBe(true);
    const fields = section.getByRole("table", { name: `Response fields of ${id}` });
    expect(await fields.locator("tbody tr:visible").count(), id).toBe(answer.length);
  }
  const cut = await page
    .locator("main pre:visible")
    .evaluateAll((all) => all.filter((pre) => pre.scrollHeight > pre.clientHeight + 1).length);
  expect(cut).toBe(0);
});

it("a language that is chosen in one sample is shown in all, and on the next page", async () => {
  const { page, complaints } = await visit(product.port, DESKTOP);
  await page.goto("/docs/orders");
  const readShown = () => page.locator("fieldset input:checked").evaluateAll(readValues);
  const count = await page.locator("fieldset").count();
  expect(await readShown()).toEqual(Array.from({ length: count }, () => "curl"));
  await page.locator("#cancelOrder label", { hasText: "Python" }).click();
  await expect.poll(readShown).toEqual(Array.from({ length: count }, () => "Python"));
  expect(await page.locator("#placeOrder pre:visible").first().textContent()).toContain(
    "import requests",
  );
  await page.goto("/docs/markets");
  expect(new Set(await readShown())).toEqual(new Set(["Python"]));
  expect(complaints).toEqual([]);
});

it("without JavaScript a sample's tabs change its language, by keyboard too", async () => {
  const { page } = await visit(product.port, { ...DESKTOP, javaScriptEnabled: false });
  await page.goto("/docs/orders");
  const sample = page.locator("#cancelOrder fieldset");
  await sample.locator("label", { hasText: "JavaScript" }).click();
  expect(await sample.locator("pre:visible").textContent()).toContain("await fetch(");
  await page.keyboard.press("ArrowRight");
  expect(await sample.locator("pre:visible").textContent()).toContain("import requests");
});

it.each([1440, 1280, 390])("at %i px no line of a sample is cut", async (width) => {
  const { page } = await visit(product.port, {
    viewport: { width, height: 900 },
    javaScriptEnabled: false,
  });
  const cut: string[] = [];
  for (const { href } of DOCS_PAGES) {
    await page.goto(href);
    await page.locator("main details").evaluateAll((all: HTMLDetailsElement[]) => {
      for (const details of all) details.open = true;
    });
    const labels = await page
      .locator("main pre:visible")
      .evaluateAll((all) =>
        all
          .filter((pre) => pre.scrollWidth > pre.clientWidth)
          .map((pre) => pre.getAttribute("aria-label")),
      );
    for (const label of labels) cut.push(`${href}: ${label}`);
  }
  expect(cut).toEqual([]);
});

it.each([1440, 1280, 390])(
  "at %i px the lines of a first trade break only at spaces",
  async (width) => {
    const { page } = await visit(product.port, {
      viewport: { width, height: 900 },
      javaScriptEnabled: false,
    });
    await page.goto("/docs");
    const samples = page.locator("#first-trade pre");
    expect(await samples.count()).toBe(6);
    expect((await samples.evaluateAll(listBrokenWords)).flat()).toEqual([]);
  },
);

/** Lists the words of samples that are on more than one line. */
const listBrokenWords = (samples: Element[]): string[][] =>
  samples.map((sample) => {
    const places: { letter: string; top: number }[] = [];
    const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const [index, letter] of [...(text.textContent ?? "")].entries()) {
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        places.push({ letter, top: Math.round(range.getBoundingClientRect().top) });
      }
    }
    const isBroken = (index: number) =>
      [places[index - 1], places[index]].every((place) => place && place.letter.trim() !== "") &&
      Math.abs((places[index]?.top ?? 0) - (places[index - 1]?.top ?? 0)) > 4;
    return places.flatMap((_, index) =>
      isBroken(index)
        ? [
            places
              .slice(index - 12, index + 12)
              .map(({ letter }) => letter)
              .join(""),
          ]
        : [],
    );
  });

it("the search finds operations, fields, sections and error codes without JavaScript", async () => {
  const { page } = await visit(product.port, { ...DESKTOP, javaScriptEnabled: false });
  await page.goto("/docs");
  const search = async (words: string) => {
    await page.getByRole("searchbox", { name: "Search the docs" }).first().fill(words);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/docs/search?${new URLSearchParams({ q: words }).toString()}`);
    return page.getByRole("list", { name: "Results" }).getByRole("link").evaluateAll(readHrefs);
  };
  expect((await search("cancel order"))[0]).toBe("/docs/orders#cancelOrder");
  expect(await search("previousSecretEndsAt")).toContain("/docs/webhooks#rotateWebhook");
  expect((await search("partial fills"))[0]).toBe("/docs/order-states#partly-filled");
  const [code] = await search("order_too_small");
  expect(code).toBe("/docs/errors#ORDER_TOO_SMALL");
  await page.getByRole("link", { name: "ORDER_TOO_SMALL" }).first().click();
  await page.waitForURL("**/docs/errors#ORDER_TOO_SMALL");
  await page.goto("/docs/search?q=%3Cb%3Exyzzy");
  expect(await page.getByText("Nothing matches “<b>xyzzy”").isVisible()).toBe(true);
});

const readValues = (all: Element[]) => all.map((one) => (one as HTMLInputElement).value);
const readHrefs = (all: Element[]) => all.map((one) => one.getAttribute("href"));

it("a group that does not exist returns the 404 page", async () => {
  const { page } = await visit(product.port);
  const response = await page.goto("/docs/positions");
  expect(response?.status()).toBe(404);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("find that page");
});
