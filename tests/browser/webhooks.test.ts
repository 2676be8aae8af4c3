// A developer sets up a webhook endpoint, sees what it got, and repairs it.
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
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
  tradableTokens,
} from "@/tests/support/product/product";
import { useReceiver, verify } from "@/tests/support/webhooks/receiver";

cleanUpAfterwards();
closeBrowserAfterwards();
const receiver = useReceiver();

let product: Product;
let user: SeededUser;
let visitor: Visitor;
let page: Page;
let tokenId = "";
let secret = "";

beforeAll(async () => {
  const dataDir = preparedDataDir();
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  product = await startProduct({ dataDir, env: { ...NO_LIMITS, WEBHOOK_ALLOW_PRIVATE: "1" } });
  [tokenId = ""] = await tradableTokens(product.port, user.apiKey);
  visitor = await visit(product.port, DESKTOP);
  await signIn(visitor, user);
  ({ page } = visitor);
});

async function placeResting(): Promise<string> {
  const order = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 120 };
  const body = { ...order, idempotencyKey: newKey() };
  const sent = { method: "POST", path: "/v1/orders", key: user.apiKey, body };
  return String(readData(await send(product.port, sent))["orderId"]);
}

const click = (name: string | RegExp) => page.getByRole("button", { name }).click();
const fillPassword = () => page.getByLabel("Your Ante password").fill(user.password);
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
const typesSent = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

async function expectSound(): Promise<void> {
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  expect(await sidewaysScroll(page), page.url()).toBe(0);
}

describe("an endpoint", () => {
  it("without an address is refused at its field, which gets the focus, and isn't added", async () => {
    await page.goto("/developers/webhooks/new");
    await fillPassword();
    await click("Add endpoint");
    const address = page.getByLabel("Address");
    await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => address.evaluate((field) => field.matches(":focus"))).toBe(true);
    expect(await page.locator("#url-error").innerText()).toBe("Enter an address.");
    await expectSound();
    await page.goto("/developers/webhooks");
    await shows(/No endpoints yet/);
  });

  it("that doesn't acknowledge the test is pending, and its secret is shown alone", async () => {
    receiver.respond = () => ({ status: 503 });
    await page.goto("/developers/webhooks/new");
    const address = page.getByLabel("Address");
    await address.fill("ftp://127.0.0.1/");
    await fillPassword();
    await click("Add endpoint");
    await shows("The address must begin with https://");
    await address.fill(receiver.url);
    await expect.poll(() => address.getAttribute("aria-invalid")).toBe(null);
    await page.getByLabel("Chosen types").check();
    const orders = page.getByRole("group", { name: "Orders", exact: true });
    await orders.getByRole("button").click();
    const checked = () => page.getByRole("checkbox", { checked: true }).count();
    expect(await checked()).toBe(await orders.getByRole("checkbox").count());
    await orders.getByRole("button").click();
    expect(await checked()).toBe(0);
    await page.getByLabel("All events").check();
    await fillPassword();
    await click("Add endpoint");
    await page.getByRole("heading", { level: 1, name: "Your signing secret" }).waitFor();
    await shows("The endpoint isn’t active yet.");
    expect(await page.getByRole("heading", { level: 1, name: "Add endpoint" }).count()).toBe(0);
    await expectSound();
    await page.getByLabel("I’ve saved this secret").check();
    await page.getByRole("link", { name: "Done" }).click();
    await shows("You can replay events once the endpoint is active.");
    await shows(/The last test, .+, got status 503\./);
    await shows(/^Status 503 in \d+ ms/);
    receiver.respond = () => ({ status: 204 });
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByLabel(/to confirm/).fill("DELETE");
    await click("Delete endpoint");
    await shows(/No endpoints yet/);
    receiver.received.length = 0;
  });

  it("is added, tested and active, and its secret is shown once and verifies messages", async () => {
    await page.goto("/developers/webhooks");
    await page.getByRole("link", { name: "Add endpoint" }).first().click();
    await page.getByLabel("Address").fill(receiver.url);
    await fillPassword();
    await click("Add endpoint");
    secret = await page.getByLabel("Signing secret").inputValue();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await shows(/It acknowledged a test message/);
    const [test] = receiver.received;
    if (!test) throw new Error("a test message arrives");
    verify(test, secret);
    await expectSound();
    await page.getByLabel("I’ve saved this secret").check();
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByRole("heading", { level: 1, name: "Endpoint", exact: true }).waitFor();
    expect((await page.content()).includes(secret)).toBe(false);
    await expectSound();
  });

  it("gets the events of an order, and the page shows their deliveries", async () => {
    await placeResting();
    await expect.poll(typesSent).toContain("order.opened");
    for (const message of receiver.received) verify(message, secret);
    await expect
      .poll(async () => {
        await page.reload();
        return page
          .getByRole("table", { name: "Deliveries" })
          .getByRole("row", { name: /order\.opened.*Delivered/ })
          .count();
      })
      .toBe(1);
    await page.getByRole("link", { name: /^order\.opened/ }).click();
    await page.getByRole("heading", { level: 1, name: /^order\.opened, event \d+$/ }).waitFor();
    await shows(/status 204/);
    await shows(/webhook-signature: v1,/);
    const order = page.getByRole("link", { name: "View order" });
    expect(await order.getAttribute("href")).toMatch(/^\/orders\/ord_\w+$/);
    await expectSound();
  });

  it("gets an event again when it is sent again, with the same webhook-id", async () => {
    const [first] = receiver.received.filter(({ body }) => body.includes('"order.opened"'));
    await click("Send again");
    await shows(/will be sent again/);
    await expect.poll(() => typesSent().filter((type) => type === "order.opened").length).toBe(2);
    const again = receiver.received.at(-1);
    expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    // The page shows the new attempt without a reload.
    await page.getByText("Pending").waitFor({ state: "hidden" });
  });

  it("gets former events again by a replay", async () => {
    await page.getByRole("link", { name: "View endpoint" }).click();
    await page.getByLabel("Replay events after number").fill("0");
    const before = receiver.received.length;
    await click("Replay");
    await shows(/events will be sent again/);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before + 3);
  });

  it("is disabled and resumed, and gets the events of the meantime", async () => {
    await click("Disable");
    await shows("This endpoint is disabled.");
    await placeResting();
    const before = typesSent().filter((type) => type === "order.opened").length;
    await click("Resume");
    await shows("The endpoint is active.");
    await expect
      .poll(() => typesSent().filter((type) => type === "order.opened").length)
      .toBe(before + 1);
  });

  it("changes its order without the password, and its address with it", async () => {
    await page.getByRole("link", { name: "Change", exact: true }).click();
    await page.getByRole("radio", { name: /^Not in order/ }).check();
    await click("Save changes");
    await page.getByRole("heading", { level: 1, name: "Endpoint", exact: true }).waitFor();
    await page.getByRole("link", { name: "Change", exact: true }).click();
    expect(await page.getByRole("radio", { name: /^Not in order/ }).isChecked()).toBe(true);
    const listMoved = () => receiver.received.filter(({ path }) => path === "/hook/moved");
    await page.getByLabel("Address").fill(`${receiver.url}/moved`);
    await click("Save changes");
    await shows("Enter your password.");
    expect(listMoved()).toEqual([]);
    await fillPassword();
    await click("Save changes");
    await page.getByRole("heading", { level: 1, name: "Endpoint", exact: true }).waitFor();
    await shows(`${receiver.url}/moved`);
    expect(listMoved()[0]?.body).toContain('"endpoint.test"');
  });

  it("signs with both secrets after a rotation", async () => {
    await page.getByRole("link", { name: "Rotate secret" }).click();
    await fillPassword();
    await click("Rotate secret");
    const rotated = await page.getByLabel("Signing secret").inputValue();
    await page.getByLabel("I’ve saved this secret").check();
    await page.getByRole("link", { name: "Done" }).click();
    await click("Send a test");
    await shows(/acknowledged the test message: status 204/);
    const test = receiver.received.at(-1);
    if (!test) throw new Error("a test message arrives");
    verify(test, secret);
    verify(test, rotated);
  });

  it("an event's JSON is readable over the width of the log", async () => {
    await page.goto("/developers/events");
    const log = page.getByRole("region", { name: "Events" });
    await log
      .getByLabel(/^JSON of event/)
      .first()
      .click();
    const json = log.getByLabel(/^event \d+$/).first();
    expect(await json.innerText()).toContain('"seq"');
    const [frame, shown] = [await log.boundingBox(), await json.boundingBox()];
    if (!frame || !shown) throw new Error("the event is shown");
    expect(shown.x).toBeGreaterThanOrEqual(frame.x);
    expect(shown.x + shown.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(shown.width).toBeGreaterThan(frame.width * 0.8);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.goBack();
  });

  it("can be replayed only while it is active", async () => {
    const replay = page.getByRole("button", { name: "Replay" });
    await click("Replay");
    await shows("Enter the number of an event, such as 0 or 42.");
    await click("Disable");
    await shows("You can replay events once the endpoint is active.");
    expect(await replay.count()).toBe(0);
    expect(await page.getByText("Queued up to event").count()).toBe(0);
    await click("Resume");
    await replay.waitFor();
  });

  it("says that a test failed, and how", async () => {
    receiver.respond = () => ({ status: 503 });
    await click("Send a test");
    await shows(/didn’t acknowledge the test message: status 503/);
    // A warning below all buttons, which stay where they are.
    const warning = page.getByRole("alert").filter({ hasText: "status 503" });
    const [test, disable, note] = await Promise.all([
      page.getByRole("button", { name: "Send a test" }).boundingBox(),
      page.getByRole("button", { name: "Disable" }).boundingBox(),
      warning.boundingBox(),
    ]);
    if (!test || !disable || !note) throw new Error("the buttons and the warning are shown");
    expect(disable.y).toBe(test.y);
    expect(note.y).toBeGreaterThanOrEqual(disable.y + disable.height);
    receiver.respond = () => ({ status: 204 });
  });

  it("that is gone is disabled, with a notice on every page", async () => {
    receiver.respond = () => ({ status: 410 });
    await placeResting();
    await expect
      .poll(async () => {
        await page.goto("/orders");
        return page.getByText("A webhook endpoint is disabled").count();
      })
      .toBe(1);
    await page.getByRole("link", { name: "View endpoint" }).click();
    await shows(/The endpoint responded with 410 Gone/);
    await expectSound();
  });

  it("is deleted after typing a word", async () => {
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByLabel(/to confirm/).fill("no");
    await click("Delete endpoint");
    await shows("Type DELETE.");
    await page.getByLabel(/to confirm/).fill("DELETE");
    await click("Delete endpoint");
    await shows("The endpoint is deleted. It gets nothing more.");
    await shows(/No endpoints yet/);
    expect(visitor.complaints).toEqual([]);
  });
});

describe("without JavaScript, on a phone", () => {
  it("an endpoint is added, tested and changed, and the log of events is read", async () => {
    receiver.respond = () => ({ status: 204 });
    receiver.received.length = 0;
    const plain = await visit(product.port, { ...PHONE, javaScriptEnabled: false });
    await signIn(plain, user);
    ({ page } = plain);
    await page.goto("/developers/webhooks/new");
    await page.getByLabel("Address").fill("ftp://127.0.0.1/");
    await fillPassword();
    await click("Add endpoint");
    await shows("The address must begin with https://");
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByLabel("Chosen types").check();
    await page.getByLabel("deposit.created").check();
    await fillPassword();
    await click("Add endpoint");
    await shows(/It acknowledged a test message/);
    await page.goto("/developers/webhooks");
    await page.getByRole("link", { name: receiver.url }).click();
    await shows("deposit.created");
    await click("Send a test");
    await shows(/acknowledged the test message/);
    expect(typesSent()).toEqual(["endpoint.test", "endpoint.test"]);

    const orderId = await placeResting();
    await page.goto(`/developers/events?order=${orderId}`);
    const list = page.getByRole("list", { name: "Events" });
    expect(await list.getByText("order.opened", { exact: true }).count()).toBe(1);
    const cards = await list
      .locator("summary")
      .evaluateAll((all) => all.map((card) => card.clientHeight));
    expect(Math.max(...cards)).toBeLessThan(80);
    await list.locator("summary").first().click();
    expect(await list.getByText(`"id": "${orderId}"`).first().isVisible()).toBe(true);
    expect(await list.locator(`a[href="/orders/${orderId}"]`).count()).toBeGreaterThan(1);

    const request = list.locator('a[href^="/keys?tab=requests&request=req_"]').first();
    await expect
      .poll(async () => {
        await page.goto((await request.getAttribute("href")) ?? "");
        const requests = page.getByRole("list", { name: "Requests" });
        const found = await requests.getByText("POST /v1/orders").count();
        await page.goBack();
        return found;
      })
      .toBe(1);
  });
});
