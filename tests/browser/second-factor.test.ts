// A user adds a passkey with Chromium's virtual authenticator and signs in with it, and sets up an
// authenticator app without JavaScript.
import { TOTP } from "otpauth";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  cutTexts,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import { finishAppSetup, startAppSetup } from "@/tests/support/browser/second-factor";
import { freePort } from "@/tests/support/database/postgres.mjs";
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
let users: SeededUser[];
let baseURL: string;
beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 3, "1000");
  const port = await freePort();
  // Browsers offer passkeys for names only, not for 127.0.0.1.
  baseURL = `http://localhost:${port}`;
  product = await startProduct({
    dataDir,
    port,
    env: { ...NO_LIMITS, NEXTAUTH_URL: baseURL, WEBHOOK_ALLOW_PRIVATE: "1" },
  });
});

function user(index: number): SeededUser {
  const found = users[index];
  if (!found) throw new Error(`there is no user number ${index}`);
  return found;
}

async function expectSound(page: Page): Promise<void> {
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  expect(await sidewaysScroll(page), page.url()).toBe(0);
  expect(await cutTexts(page), page.url()).toEqual([]);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Fills in the sign-in form. */
async function enterPassword(page: Page, { email, password }: SeededUser): Promise<void> {
  await page.goto("/sign-in?next=%2Forders");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await press(page, "Sign in");
}

/** Gives the page an authenticator that confirms every request. */
async function addAuthenticator({ context, page }: Visitor): Promise<void> {
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describe.each([
  ["a desktop", DESKTOP, 0],
  ["a phone", PHONE, 1],
])("on %s", (_, size, index) => {
  it("a passkey is added, confirms a sign-in and a change, and is removed", async () => {
    const visitor = await visit(product.port, { ...size, baseURL });
    const { page } = visitor;
    await addAuthenticator(visitor);
    await enterPassword(page, user(index));
    await page.waitForURL("**/orders");
    await page.goto("/settings?section=security");
    await page.getByText("You have no second factor.").waitFor();
    await expectSound(page);

    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.getByLabel("Name").fill("My laptop");
    await page.getByLabel("Your Ante password").fill(user(index).password);
    await expectSound(page);
    await press(page, "Add passkey");
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    expect(await page.getByRole("main").locator("ul li").count()).toBe(10);
    await expectSound(page);
    await page.getByRole("link", { name: "I’ve saved these codes" }).click();
    await page.getByText("Passkey “My laptop”").waitFor();
    await page.getByText("10 of 10 recovery codes left").waitFor();
    await page.getByText("The passkey was added.").waitFor();
    await expectSound(page);

    await visitor.context.clearCookies();
    await enterPassword(page, user(index));
    await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
    await expectSound(page);
    // The password alone opens nothing.
    await page.goto("/settings?section=security");
    await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in/factor");
    // The passkey is the main button and has the focus.
    await expect.poll(() => page.locator(":focus").textContent()).toContain("Use a passkey");
    await press(page, "Sign in with a code");
    const problem = page.getByRole("status").filter({ hasText: "Confirm with your second factor" });
    await problem.waitFor();
    await expect.poll(() => page.locator(":focus").textContent()).toContain("Use a passkey");
    await page.getByLabel("Recovery code").fill("0000-0000-0000-0000");
    await press(page, "Sign in with a code");
    await page.getByText("That code is wrong or was used already.").waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("name")).toBe("code");
    await expectSound(page);
    await press(page, "Use a passkey");
    await page.getByText("Passkey “My laptop”").waitFor();

    const { page: numeric } = await visit(product.port, size);
    await enterPassword(numeric, user(index));
    await numeric.getByRole("link", { name: baseURL, exact: true }).waitFor();
    expect(await numeric.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
    expect(await numeric.getByRole("button", { name: "Sign in", exact: true }).count()).toBe(1);

    await page.getByRole("link", { name: "Remove the passkey “My laptop”" }).click();
    await page.getByText("This is your only second factor.").waitFor();
    await expectSound(page);
    await press(page, "Remove");
    await page.getByText("You have no second factor.").waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

it("a page at a numeric address leads to localhost for passkeys, and asks for no password", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const visitor = await visit(product.port, { ...PHONE, javaScriptEnabled });
    const { page } = visitor;
    await signIn(visitor, user(0));
    await page.goto("/settings/security/passkey");
    await page.getByRole("link", { name: baseURL, exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Add passkey" }).count()).toBe(0);
    expect(await page.getByLabel("Your Ante password").count()).toBe(0);
    await page.goto("/settings?section=security");
    await page.getByRole("link", { name: baseURL, exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Add a passkey" }).count()).toBe(0);
  }
});

it("without JavaScript, a passkey has no form", async () => {
  const visitor = await visit(product.port, { ...PHONE, baseURL, javaScriptEnabled: false });
  await signIn(visitor, user(0));
  await visitor.page.goto("/settings/security/passkey");
  // Playwright finds no text of a noscript element.
  const readMain = () => visitor.page.locator("main").innerText();
  await expect.poll(readMain).toContain("Passkeys need JavaScript.");
  expect(await visitor.page.getByRole("button", { name: "Add passkey" }).isVisible()).toBe(false);
});

it("the focus follows the steps of the setup and of a sign-in", async () => {
  const visitor = await visit(product.port, { ...DESKTOP, baseURL });
  const { page } = visitor;
  const focused = page.locator(":focus");
  await signIn(visitor, user(1));
  const secret = await startAppSetup(page, user(1).password);
  await expect.poll(() => focused.getAttribute("aria-label")).toBe("Connect the app");
  await finishAppSetup(page, TOTP.generate({ secret }));
  await expect.poll(() => focused.textContent()).toBe("Your recovery codes");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("ante-recovery-codes.txt");
  await expectSound(page);
  await page.getByRole("link", { name: "I’ve saved these codes" }).click();
  await expect.poll(() => focused.textContent()).toBe("Settings");

  await visitor.context.clearCookies();
  await page.goto("/sign-in");
  await expect.poll(() => focused.getAttribute("name")).toBe("email");
  await enterPassword(page, user(1));
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  await expect.poll(() => focused.getAttribute("name")).toBe("code");
});

it("an authenticator app is set up, and confirms a sign-in and a change, without JavaScript", async () => {
  const trader = user(2);
  const visitor = await visit(product.port, { ...PHONE, baseURL, javaScriptEnabled: false });
  const { page } = visitor;
  await signIn(visitor, trader);
  await page.goto("/settings?section=security");
  await page.getByRole("link", { name: "Set up an app" }).click();
  await page.waitForURL("**/settings/security/app");
  const secret = await startAppSetup(page, trader.password);
  expect(await sidewaysScroll(page)).toBe(0);
  await finishAppSetup(page, "000000");
  await page.getByText("That code doesn’t match.").waitFor();
  await finishAppSetup(page, TOTP.generate({ secret }));
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.getByRole("main").locator("ul li").allTextContents();
  expect(codes).toHaveLength(10);

  await visitor.context.clearCookies();
  await enterPassword(page, trader);
  await page.getByLabel("Code from your authenticator app").fill(codes[0] ?? "");
  await press(page, "Sign in");
  await page.waitForURL("**/orders");

  await page.goto("/settings?section=security");
  await page.getByText("9 of 10 recovery codes left").waitFor();
  // The sign-in proved the factor a moment ago, so the form asks for nothing more.
  await page.getByRole("link", { name: "New codes" }).click();
  expect(await page.getByLabel("Code from your authenticator app").count()).toBe(0);
  await press(page, "Create new codes");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
});
