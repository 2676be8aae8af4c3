import { expect, it } from "vitest";
import type { Page } from "playwright";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import { DESKTOP, open, PHONE, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

const EXACTLY = { exact: true } as const;

/** Parses a shown amount to cents. */
const parseCents = (text: string) => Number(text.replace("\u2212", "-").replace(/[$,.+\s]/g, ""));

/** Parses a shown amount with all its decimals. */
const parseExact = (text: string) => Number(text.replace("\u2212", "-").replace(/[$,+\s]/g, ""));

/** Reads the amounts of the proof's rows by name, in cents and exact. */
async function readProof(page: Page): Promise<Map<string, { cents: number; exact: number }>> {
  const rows = await page.locator("table.proof tbody tr").all();
  const read = rows.map(async (row) => {
    const name = await row.getByRole("link").innerText();
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
  expect(flows.reduce((sum, name) => sum + get(name), 0)).toBe(get("Cash"));
  expect(get("Cash") + get("Positions")).toBe(get("Portfolio value"));
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
