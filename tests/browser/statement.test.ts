import { expect, it } from "vitest";
import type { Page } from "playwright";
import { closeBrowserAfterwards, sidewaysScroll } from "@/tests/support/browser/browser";
import { DESKTOP, NARROWEST, open, PHONE, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

const EXACTLY = { exact: true } as const;

/** Parses a shown amount to cents. */
const parseCents = (text: string) =>
  Number(
    text
      .replace("\u2212", "-")
      .replace("—", "0")
      .replace(/[$,.+\s]/g, ""),
  );

/** Parses a shown amount with all its decimals. */
const parseExact = (text: string) => Number(text.replace("\u2212", "-").replace(/[$,+\s]/g, ""));

/** Reads the amounts of the proof's rows by name, in cents and exact. */
async function readProof(page: Page): Promise<Map<string, { cents: number; exact: number }>> {
  const rows = await page.locator("table.proof tbody tr").all();
  const read = rows.map(async (row) => {
    const name = await row.getByRole("rowheader").locator("a, span").first().innerText();
    const cents = parseCents(await row.locator("td").nth(1).innerText());
    return [
      name,
      { cents, exact: parseExact(await row.locator("td").nth(2).innerText()) },
    ] as const;
  });
  return new Map(await Promise.all(read));
}

it("the ledger proof adds up to the cent, and each bar leads to its lines, without JavaScript", async () => {
  const { page } = await visitAs("trader", { ...DESKTOP, javaScriptEnabled: false });
  await open(page, "/activity/proof");
  const proof = await readProof(page);
  const flows = ["Deposits", "Bought", "Sold", "Fees", "Payouts"];
  const get = (name: string) => proof.get(name)?.cents ?? Number.NaN;
  // A rounding has a row only where a cent is left.
  const rounding = (name: string) => proof.get(`${name} rounding`)?.cents ?? 0;
  const cash = flows.reduce((sum, name) => sum + get(name), rounding("Cash"));
  expect(cash).toBe(get("Cash"));
  expect(cash + get("Positions") + rounding("Value")).toBe(get("Portfolio value"));
  const heading = await page.locator("h1").innerText();
  expect(parseCents(heading.replace("Every cent of", ""))).toBe(get("Portfolio value"));
  for (const [name, label] of [
    ["Deposits", "Before fees"],
    ["Bought", "Before fees"],
    ["Fees", "Fees"],
  ] as const) {
    await open(page, "/activity/proof");
    await page.getByRole("link", { name, ...EXACTLY }).click();
    await page.waitForURL("**/activity?type=*");
    const figure = page.locator("main dl > div").filter({ has: page.getByText(label, EXACTLY) });
    const shown = parseExact(await figure.locator("dd").innerText());
    expect(Math.abs(shown), name).toBe(Math.abs(proof.get(name)?.exact ?? Number.NaN));
  }
});

/** Reads the decimals of all amounts of a page, as the numbers of their digits. */
async function readDecimals(page: Page): Promise<number[]> {
  const text = await page.getByRole("table", { name: "Activity" }).innerText();
  const summary = await page.locator("main dl").first().innerText();
  const found = `${summary} ${text}`.match(/(?<=\$[\d,]*\.)\d+/g) ?? [];
  return [...new Set(found.map(({ length }) => length))];
}

it("the statement is in cents, and with six decimals behind a link, also when filtered and printed, without JavaScript", async () => {
  const { page } = await visitAs("trader", { ...DESKTOP, javaScriptEnabled: false });
  await open(page, "/activity");
  expect(await readDecimals(page)).toEqual([2]);
  await page.getByRole("link", { name: "Exact amounts", ...EXACTLY }).click();
  await page.waitForURL("**/activity?exact=1");
  expect(await readDecimals(page)).toEqual([6]);
  await page.getByRole("link", { name: "Buys", ...EXACTLY }).click();
  await page.waitForURL("**/activity?type=buy&exact=1");
  expect(await readDecimals(page)).toEqual([6]);
  await page.getByRole("link", { name: "Statement", ...EXACTLY }).click();
  await page.waitForURL("**/activity?type=buy&exact=1&print=1");
  expect(await readDecimals(page)).toEqual([6]);
  await page.getByRole("link", { name: "Amounts in cents", ...EXACTLY }).click();
  await page.waitForURL("**/activity?type=buy&print=1");
  expect(await readDecimals(page)).toEqual([2]);
});

it("each balance of the statement is the one before plus the amount and its rounding", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/activity");
  const table = page.getByRole("table", { name: "Activity" });
  const columns = await table.getByRole("columnheader").allInnerTexts();
  const lines = await table
    .locator("tbody tr")
    .filter({ has: page.locator("td time") })
    .all();
  expect(lines.length).toBeGreaterThan(2);
  const read = lines.map(async (line) => {
    const cells = await line.locator("th, td").allInnerTexts();
    const get = (name: string) => parseCents(cells[columns.indexOf(name)] ?? "");
    // Without a rounded line, the table has no column for it.
    const rounding = columns.includes("Rounding") ? get("Rounding") : 0;
    return { amount: get("Amount"), rounding, balance: get("Balance") };
  });
  const shown = (await Promise.all(read)).toReversed();
  for (const [place, { amount, rounding, balance }] of shown.entries()) {
    const before = shown[place - 1];
    if (before) expect(before.balance + amount + rounding).toBe(balance);
  }
});

it("the statement's filters apply at once and take one row on a phone", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/activity");
  const filters = page.getByRole("navigation", { name: "Filter activity" });
  expect((await filters.boundingBox())?.height).toBeLessThan(60);
  await filters.getByRole("link", { name: "Deposits" }).click();
  await page.waitForURL("**/activity?type=deposit");
  await page.getByText("Paper deposit").filter({ visible: true }).first().waitFor();
  await filters.getByRole("button", { name: "Filter" }).click();
  const panel = page.getByRole("dialog", { name: "Filter activity" });
  await panel.getByLabel("From").fill("2020-01-01");
  await panel.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/type=deposit.*from=2020-01-01/);
  await filters.getByRole("link", { name: "Remove filter" }).click();
  await page.waitForURL(/\/activity\?type=deposit$/);
});

it.each(["/activity", "/wallet"])("%s shows whole market titles on a phone", async (path) => {
  const { page } = await visitAs("trader", NARROWEST);
  await open(page, path);
  const lines = page.getByRole("main").locator("li").filter({ visible: true, hasText: "?" });
  expect(await lines.count()).toBeGreaterThan(2);
  const cut = await lines.locator("span").evaluateAll((all) =>
    all
      .filter((each) => getComputedStyle(each).overflow === "hidden" && each.clientWidth > 1)
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map(({ textContent }) => textContent),
  );
  // The last words, such as a date, tell the markets of a series apart.
  expect(cut).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("the wallet's month leads from its first balance to the cash, and its newest lines to their orders", async () => {
  const { page } = await visitAs("trader", PHONE);
  await open(page, "/wallet");
  const card = page.locator("section", {
    has: page.getByRole("heading", { name: "Recent activity" }),
  });
  const read = async (name: string) => {
    const figure = card.locator("dl > div").filter({ has: page.getByText(name, EXACTLY) });
    return (await figure.count()) === 0 ? 0 : parseCents(await figure.locator("dd").innerText());
  };
  const [received, paid] = [await read("Money in"), await read("Money out")];
  expect(received).toBe(1_000_000);
  expect(paid).toBeLessThan(0);
  const closing = (await read("Opening balance")) + received + paid + (await read("Rounding"));
  expect(closing).toBe(await read("Closing balance"));
  const cash = page.locator("section", {
    has: page.getByRole("heading", { name: "Cash", ...EXACTLY }),
  });
  expect(parseCents(await cash.locator("p").first().innerText())).toBe(closing);
  expect(await card.getByRole("listitem").count()).toBeGreaterThan(2);
  // Some lines are older than a day, so an age in the others would mix two forms.
  for (const time of await card.locator("li time").allInnerTexts())
    expect(time).toMatch(/^\d{1,2} [A-Z][a-z]{2}, \d{1,2}:\d{2}/);
  await card
    .getByRole("link", { name: /^Bought / })
    .first()
    .click();
  await page.waitForURL(/\/orders\/ord_/);
});

it("the printed statement has its head and table, and nothing of the shell", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  await open(page, "/activity?print=1");
  await page.emulateMedia({ media: "print" });
  const isShown = (name: string) => page.getByText(name, EXACTLY).first().isVisible();
  expect(await isShown("Ante account statement")).toBe(true);
  expect(await isShown("Closing balance")).toBe(true);
  expect(await page.getByRole("table", { name: "Activity" }).isVisible()).toBe(true);
  expect(await page.getByRole("navigation").filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
  expect(await page.locator("header[data-bar]").isVisible()).toBe(false);
});

it("the statement explains its roundings only where it has one", async () => {
  const { page } = await visitAs("newcomer", { ...DESKTOP, javaScriptEnabled: false });
  await open(page, "/activity");
  await page.getByText("Each amount is rounded to the nearest cent").waitFor();
  expect(await page.getByRole("columnheader", { name: "Rounding" }).count()).toBe(0);
  expect(await page.getByText("Rounding is the cent").count()).toBe(0);
});
