import type { CDPSession, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  type Visitor,
} from "@/tests/support/browser/browser";
import { DESKTOP, NARROWEST, open, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await visitAs("trader", DESKTOP);
  ({ page } = visitor);
});

const dialog = () => page.getByRole("dialog", { name: "Command menu" });
const field = () => dialog().getByRole("combobox", { name: "Page, action or market" });
const options = () => dialog().getByRole("listbox", { name: "Commands" }).getByRole("option");
const selected = () => dialog().getByRole("option", { selected: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name });

/** Opens the menu with the keyboard, once the page listens to it. */
async function openMenu(): Promise<void> {
  await expect
    .poll(async () => {
      if (!(await dialog().isVisible())) await page.keyboard.press("Control+k");
      return dialog().isVisible();
    })
    .toBe(true);
  await field().waitFor();
}

/** Presses a key with the browser's protocol, which keeps the order of the calls. */
async function press(
  keys: CDPSession,
  key: { key: string; code: string; windowsVirtualKeyCode: number; text?: string },
): Promise<void> {
  await Promise.all([
    keys.send("Input.dispatchKeyEvent", { type: "keyDown", ...key }),
    keys.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }),
  ]);
}

/** Counts the open orders and those of the history. */
async function countOrders(): Promise<number[]> {
  const counts: number[] = [];
  for (const path of ["/orders", "/orders?tab=history"]) {
    await open(page, path);
    counts.push(await page.locator("main tbody tr").count());
  }
  return counts;
}

describe("the command menu", () => {
  it("opens with Ctrl K, finds pages as one types and opens the selected one with Enter", async () => {
    await open(page, "/");
    await openMenu();
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type("orde");
    await expect.poll(() => selected().textContent()).toMatch(/^Orders/);
    await page.keyboard.press("Enter");
    await heading("Orders").waitFor();
    expect(await dialog().isVisible()).toBe(false);
  });

  it("moves through the options with the arrow keys, in a circle, with the focus in the field", async () => {
    await open(page, "/");
    await openMenu();
    const names = await options().allTextContents();
    const pressed = async (key: string) => {
      await page.keyboard.press(key);
      const id = await selected().getAttribute("id");
      await expect.poll(() => field().getAttribute("aria-activedescendant")).toBe(id);
      return selected().textContent();
    };
    expect(await selected().textContent()).toBe(names[0]);
    expect(await pressed("ArrowDown")).toBe(names[1]);
    expect(await pressed("ArrowUp")).toBe(names[0]);
    expect(await pressed("ArrowUp")).toBe(names.at(-1));
    expect(await pressed("ArrowDown")).toBe(names[0]);
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it("opens the list of shortcuts, which stays open", async () => {
    await open(page, "/");
    await openMenu();
    await field().fill("keyboard");
    await page.keyboard.press("Enter");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    await dialog().waitFor({ state: "hidden" });
    await list.getByText("Hide or show values").waitFor();
    expect(await list.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
  });

  it("finds markets, selects the first of them, and says so if nothing matches", async () => {
    await open(page, "/markets");
    const row = page.locator("main a[href^='/markets/']").first();
    const title = (await row.textContent()) ?? "";
    await openMenu();
    await field().fill(title);
    await dialog().getByRole("group", { name: "Markets" }).waitFor();
    await expect.poll(() => selected().count()).toBe(1);
    await field().fill("nothing is called this");
    await dialog().getByText("Nothing matches ‘nothing is called this’.").waitFor();
    expect(await options().count()).toBe(0);
  });

  it("leads to the confirmation of an action, which it doesn't perform", async () => {
    const before = await countOrders();
    await open(page, "/");
    await openMenu();
    await field().fill("cancel all");
    await expect.poll(() => selected().textContent()).toBe("Cancel all open orders");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/orders/cancel");
    await page.getByRole("button", { name: /^Cancel \d+ orders?$/ }).waitFor();
    expect(await countOrders()).toEqual(before);

    await openMenu();
    await field().fill("reset paper");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Reset paper account" }).waitFor();
  });

  it("finds a page despite a typo", async () => {
    await open(page, "/");
    await openMenu();
    await field().fill("setings");
    await expect.poll(() => selected().textContent()).toMatch(/^Settings/);
    await page.keyboard.press("Escape");
  });

  it("moves the focus to the heading, also if the chosen page is already shown", async () => {
    await open(page, "/orders");
    await openMenu();
    await field().fill("orders");
    await page.keyboard.press("Enter");
    const hasFocus = (element: Element) => element === document.activeElement;
    await expect.poll(() => heading("Orders").evaluate(hasFocus)).toBe(true);
    await openMenu();
    await field().fill("wallet");
    await page.keyboard.press("Enter");
    await heading("Wallet").waitFor();
    await expect.poll(() => heading("Wallet").evaluate(hasFocus)).toBe(true);
  });

  it("fills in a market's ticket for an order in words, and places nothing", async () => {
    await open(page, "/markets/{market}");
    const title = await page.locator("h1").innerText();
    const path = new URL(page.url()).pathname;
    const before = await countOrders();
    await open(page, "/");
    const typeOrder = async (text: string) => {
      await openMenu();
      await field().fill(text);
      const order = dialog().getByRole("group", { name: "Orders" }).getByRole("option").first();
      await expect.poll(() => order.textContent()).toContain(title);
      return order;
    };
    const ticket = page.locator("#ticket");
    const order = await typeOrder(`buy $50 no ${title}`);
    expect(await order.locator("span").first().textContent()).toBe(`Buy $50 of No · ${title}`);
    expect(await order.locator("span").last().textContent()).toMatch(/^offer \d+(\.\d+)?¢$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${path}?*`);
    await expect.poll(() => ticket.getByLabel("Amount").inputValue()).toBe("50");
    await ticket.getByRole("button", { name: /^Review: buy No/i }).waitFor();
    await expect.poll(() => ticket.evaluate((part) => part === document.activeElement)).toBe(true);

    // On the market's own page, the ticket is filled in place.
    const sell = await typeOrder(`sell 20 shares yes ${title} at 41`);
    expect(await sell.locator("span").first().textContent()).toBe(
      `Sell 20 shares of Yes at 41¢ · ${title}`,
    );
    await page.keyboard.press("Enter");
    await expect.poll(() => ticket.getByLabel("Limit price").inputValue()).toBe("41");
    expect(await ticket.getByLabel("Shares").inputValue()).toBe("20");
    const hasFocus = (part: Element) => part.contains(document.activeElement);
    expect(await ticket.evaluate(hasFocus)).toBe(true);
    expect(await countOrders()).toEqual(before);
    expect(visitor.complaints).toEqual([]);
  });

  it("says what an order in words lacks", async () => {
    await open(page, "/");
    await openMenu();
    for (const [text, hint] of [
      ["buy 50", "Add an amount and a market, such as “buy 50 gulls”."],
      ["buy 0 gulls", "The amount must be more than 0, with at most two decimals."],
      ["sell $50 gulls", "Sells are sized in shares, such as “sell 20 gulls”."],
      ["buy 50 gulls at 140", "The price must be between 0 and 100 cents, such as “at 40”."],
    ] as const) {
      await field().fill(text);
      await dialog().getByRole("status").getByText(hint).waitFor();
    }
    expect(await options().count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("starts empty each time, and returns the focus to its button when it closes", async () => {
    await open(page, "/");
    const button = page.getByRole("button", { name: "Command menu" });
    await button.click();
    await field().fill("orders");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    expect(await field().inputValue()).toBe("");
  });

  it("signs out", async () => {
    const { page: other } = await visitAs("trader", DESKTOP);
    await open(other, "/");
    await expect
      .poll(async () => {
        await other.keyboard.press("Control+k");
        return other.getByRole("dialog", { name: "Command menu" }).isVisible();
      })
      .toBe(true);
    await other.getByRole("option", { name: "Sign out" }).click();
    await other.waitForURL("**/sign-in**");
    await other.context().close();
  });

  it("is accessible, fits a narrow phone and breaks no content security policy", async () => {
    for (const device of [DESKTOP, { ...NARROWEST, colorScheme: "dark" as const }]) {
      visitor = await visitAs("trader", device);
      ({ page } = visitor);
      await open(page, "/");
      await openMenu();
      await field().fill("or");
      await dialog().getByRole("group", { name: "Markets" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(visitor.complaints).toEqual([]);
    }
  });
});

describe("the shortcuts of a page", () => {
  beforeAll(async () => {
    visitor = await visitAs("trader", DESKTOP);
    ({ page } = visitor);
  });

  it("open pages with g and a second key, move between rows, and toggle settings", async () => {
    await open(page, "/");
    await openMenu();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await heading("Markets").waitFor();
    await page.keyboard.press("j");
    const focusedRow = () => page.evaluate(() => document.activeElement?.closest("tr")?.rowIndex);
    const first = await focusedRow();
    expect(first).toBeGreaterThan(0);
    await page.keyboard.press("j");
    expect(await focusedRow()).toBeGreaterThan(first ?? NaN);
    await page.keyboard.press("h");
    await page.locator("html[data-hide-values]").waitFor({ state: "attached" });
    await page.keyboard.press("h");
    await page.locator("html:not([data-hide-values])").waitFor({ state: "attached" });
    await page.keyboard.press("r");
    await page.getByRole("region", { name: "Messages" }).getByText("Refreshed.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Refreshed.").waitFor({ state: "hidden" });
    expect(visitor.complaints).toEqual([]);
  });

  it("work at once after Escape, before the browser has moved the focus", async () => {
    await open(page, "/orders");
    // Playwright's own keyboard may send Escape after a key that was pressed at the same time.
    const keys = await page.context().newCDPSession(page);
    for (let round = 1; round <= 5; round++) {
      await openMenu();
      await Promise.all([
        press(keys, { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 }),
        press(keys, { key: "?", code: "Slash", windowsVirtualKeyCode: 191, text: "?" }),
      ]);
      const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await list.waitFor();
      await page.keyboard.press("Escape");
      await list.waitFor({ state: "hidden" });
    }
  });

  it("list themselves with a question mark, and leave letters to the fields", async () => {
    await open(page, "/orders");
    await openMenu();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    await page.keyboard.type("g m?");
    const typed = await page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    expect(typed).toBe("g m?");
    await heading("Orders").waitFor();
  });
});

describe("the menus of the bars", () => {
  const menu = (name: string) => page.locator("details[data-menu]", { hasText: name }).first();
  const isOpen = (name: string) => menu(name).evaluate((each: HTMLDetailsElement) => each.open);
  async function follow(name: string, link: string): Promise<void> {
    await menu(name).locator("summary").click();
    await menu(name).getByRole("link", { name: link }).click();
    await expect.poll(() => isOpen(name)).toBe(false);
  }

  it("close when a link in them is followed, also one to the page that is shown", async () => {
    visitor = await visitAs("trader", DESKTOP);
    ({ page } = visitor);
    await open(page, "/orders");
    await follow("Sign out", "Settings");
    await heading("Settings").waitFor();
    await follow("Sign out", "Settings");
    await follow("All notifications", "All notifications");
    await heading("Notifications").waitFor();
    await follow("All notifications", "All notifications");
    expect(visitor.complaints).toEqual([]);
  });

  it("close on a phone, too", async () => {
    visitor = await visitAs("trader", NARROWEST);
    ({ page } = visitor);
    await open(page, "/orders");
    await follow("More", "Settings");
    await heading("Settings").waitFor();
    await follow("More", "Settings");
    expect(visitor.complaints).toEqual([]);
  });
});
