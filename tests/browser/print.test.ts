// Pages on paper, which shows the times of events, not how long ago they were.
import { expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import { DASHBOARD_PAGES, DESKTOP, open, usePages, visitAs } from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

const RELATIVE = /just now|\d (?:min|h|d) ago|in \d+ (?:min|h|d)\b/;

it("every page shows absolute times on paper", async () => {
  const { page } = await visitAs("trader", DESKTOP);
  const readText = () => page.locator("body").innerText();
  const found: string[] = [];
  for (const path of DASHBOARD_PAGES) {
    await page.emulateMedia({ media: "screen" });
    await open(page, path);
    if (path === "/orders") await expect.poll(readText).toMatch(RELATIVE);
    await page.emulateMedia({ media: "print" });
    const [relative] = RELATIVE.exec(await readText()) ?? [];
    if (relative !== undefined) found.push(`${path}: ${relative}`);
  }
  expect(found).toEqual([]);
});
