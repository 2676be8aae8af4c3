// A user sets up an authenticator app in the browser.
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright";

/** Begins the setup with the user's password. Returns the secret that the page shows for the app. */
export async function startAppSetup(page: Page, password: string): Promise<Secret> {
  await page.goto("/settings/security/app");
  await page.getByLabel("Your Ante password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const key = (await page.locator("p.font-mono").textContent()) ?? "";
  return Secret.fromBase32(key.replaceAll(" ", ""));
}

/** Finishes the setup with a code. The page then shows the recovery codes if the code is right. */
export async function finishAppSetup(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Turn on" }).click();
}

/** Sets up an app, and waits for the recovery codes. */
export async function setUpApp(page: Page, password: string): Promise<void> {
  const secret = await startAppSetup(page, password);
  await finishAppSetup(page, TOTP.generate({ secret }));
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
}
