// A trader turns push notifications on, gets a fill by push, and turns them off. The push service is a
// server of this test, because a browser's own one is on the internet.
import type { Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { DESKTOP, PHONE } from "@/tests/support/browser/pages";
import {
  anyToken,
  cleanUpAfterwards,
  newKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readData,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
} from "@/tests/support/product/product";
import { type FakeBrowser, makeBrowser } from "@/tests/support/push/browser";
import { useReceiver } from "@/tests/support/webhooks/receiver";

cleanUpAfterwards();
closeBrowserAfterwards();
const service = useReceiver();

const SECTION = "/settings?section=notifications";

let product: Product;
let users: SeededUser[];
beforeAll(async () => {
  const dataDir = preparedDataDir();
  users = await seedUsers({ DATA_DIR: dataDir }, 3, "1000");
  product = await startProduct({ dataDir, env: { ...NO_LIMITS, WEBHOOK_ALLOW_PRIVATE: "1" } });
});
beforeEach(() => {
  service.received.length = 0;
  service.respond = () => ({ status: 201 });
});

function user(index: number): SeededUser {
  const found = users[index];
  if (!found) throw new Error(`there is no user number ${index}`);
  return found;
}

/** Has the page's push manager subscribe at the test's service. The profile remembers it. */
async function replacePushService(visitor: Visitor): Promise<FakeBrowser> {
  const browser = makeBrowser(`${service.url}/${newKey()}`);
  const { endpoint, publicKey, auth } = browser;
  const given = { endpoint, keys: { p256dh: publicKey, auth } };
  await visitor.context.addInitScript((json) => {
    const subscription = {
      toJSON: () => json,
      unsubscribe: async () => localStorage.removeItem("subscribed"),
    };
    const find = async () => (localStorage.getItem("subscribed") === null ? null : subscription);
    const subscribe = async () => {
      localStorage.setItem("subscribed", "yes");
      return subscription;
    };
    Object.assign(PushManager.prototype, { subscribe, getSubscription: find });
  }, given);
  return browser;
}

/** Places a market order with the API. */
async function place({ apiKey }: SeededUser, order: object) {
  const { port } = product;
  const tokenId = await anyToken(port, apiKey);
  const body = { ...order, tokenId, orderType: "market", idempotencyKey: newKey() };
  return send(port, { method: "POST", path: "/v1/orders", key: apiKey, body });
}

/** Buys with the API. Returns the order's id. */
async function buy(by: SeededUser): Promise<string> {
  const placed = await place(by, { action: "BUY", amount: 5 });
  expect(placed.status).toBe(200);
  return String(readData(placed)["orderId"]);
}

const getButton = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const notifyButton = (page: Page) => getButton(page, "Notify this browser");

async function expectSound(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
}

/** Signs in, and turns notifications on in a browser that allows them. */
async function turnOn(by: SeededUser, options = DESKTOP) {
  const visitor = await visit(product.port, options);
  await visitor.context.grantPermissions(["notifications"]);
  const browser = await replacePushService(visitor);
  await signIn(visitor, by);
  const { page } = visitor;
  await page.goto(SECTION);
  await notifyButton(page).click();
  await page.getByText("Notifications are on in this browser.").waitFor();
  return { visitor, page, browser };
}

describe("with JavaScript", () => {
  it("a browser is turned on, gets a test and a fill, and shows a message of its service", async () => {
    const { visitor, page, browser } = await turnOn(user(0));
    await page.getByText("This browser", { exact: true }).waitFor();
    await expectSound(page);
    await getButton(page, /^Send a test/).click();
    await page.getByText("Test sent.").waitFor();
    const orderId = await buy(user(0));
    await expect.poll(() => service.received.length).toBe(2);
    const [test, fill] = service.received.map(({ bytes }) => browser.read(bytes));
    expect(test?.title).toBe("Test notification");
    expect(fill).toMatchObject({ href: `/orders/${orderId}` });
    expect(fill?.title).toMatch(/^Bought /);
    expect(await show(visitor, page, JSON.stringify(fill))).toEqual([[fill?.title, fill?.tag]]);
    expect(visitor.complaints).toEqual([]);
  });

  it("choices are kept, and what is not chosen is not sent", async () => {
    const { page, browser } = await turnOn(user(1), PHONE);
    await expectSound(page);
    const filled = choices(page).getByLabel("Orders that fill, in full or in part");
    await filled.uncheck();
    await getButton(page, /^Save for/).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    expect(await filled.isChecked()).toBe(false);
    expect(await choices(page).getByLabel("Trading frozen or thawed").isDisabled()).toBe(true);
    await buy(user(1));
    // It comes after the fill in the log, so once it arrives, the fill was passed over.
    expect((await place(user(1), { action: "SELL", shares: 99_999 })).status).toBe(400);
    await expect.poll(() => service.received.length).toBe(1);
    const [message] = service.received.map(({ bytes }) => browser.read(bytes));
    expect(message?.title).toMatch(/^Order rejected/);
    await getButton(page, /^Remove/).click();
    await notifyButton(page).waitFor();
    expect(await filled.count()).toBe(0);
  });

  it("signing out ends it, in the browser and on the server", async () => {
    const { page } = await turnOn(user(1));
    await page.getByLabel("Account menu").click();
    await getButton(page, "Sign out").first().click();
    await page.waitForURL("**/sign-in*");
    expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBeNull();
    const again = await visit(product.port);
    await signIn(again, user(1));
    await again.page.goto(SECTION);
    expect(await getButton(again.page, /^Remove/).count()).toBe(0);
  });

  it("a browser that blocks notifications says how to allow them, and is not asked", async () => {
    const visitor = await visit(product.port);
    await visitor.context.addInitScript(() =>
      Object.defineProperty(Notification, "permission", { get: () => "denied" }),
    );
    await signIn(visitor, user(1));
    await visitor.page.goto(SECTION);
    await visitor.page.getByText("This browser blocks notifications").waitFor();
    expect(await notifyButton(visitor.page).count()).toBe(0);
    await expectSound(visitor.page);
  });
});

/** The boxes of a browser's push notifications. */
const choices = (page: Page) => page.getByRole("group", { name: /^Notifications in / });

/** Delivers a message to the service worker. Returns titles and tags of the shown notifications. */
async function show({ context }: Visitor, page: Page, data: string) {
  const devtools = await context.newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  const message = { origin, registrationId: await registrationId, data };
  const readShown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const shown = await registration.getNotifications();
      return shown.map(({ title, tag }) => [title, tag]);
    });
  // Chromium doesn't report whether the worker got the message, and a busy machine can lose it. Its tag
  // replaces the notification that is already shown.
  await expect
    .poll(
      async () => {
        await devtools.send("ServiceWorker.deliverPushMessage", message);
        return (await readShown()).length;
      },
      { interval: 1000 },
    )
    .toBe(1);
  return readShown();
}

it("without JavaScript, another browser is listed, changed and removed", async () => {
  await turnOn(user(2));
  const visitor = await visit(product.port, { javaScriptEnabled: false });
  await signIn(visitor, user(2));
  const { page } = visitor;
  await page.goto(SECTION);
  await page.getByText("Turning notifications on needs JavaScript.").waitFor();
  await page.locator("summary", { hasText: "Choose notifications" }).click();
  await choices(page).getByLabel("Webhooks that stop working").uncheck();
  await getButton(page, /^Save for/).click();
  await page.getByText("Saved.").waitFor();
  await page.locator("summary", { hasText: "Choose notifications" }).click();
  expect(await choices(page).getByLabel("Webhooks that stop working").isChecked()).toBe(false);
  await getButton(page, /^Send a test/).click();
  await page.getByText("Test sent.").waitFor();
  expect(service.received).toHaveLength(1);
  await getButton(page, /^Remove/).click();
  await page.getByText("Notifications turned off for that browser.").waitFor();
  expect(await getButton(page, /^Remove/).count()).toBe(0);
});
