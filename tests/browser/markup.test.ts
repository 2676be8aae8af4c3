import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import { createOwner } from "@/tests/support/live/wallets";
import { type MarkupGamma, startMarkupGamma } from "@/tests/support/polymarket/gamma-with-markup";
import {
  cleanUpAfterwards,
  readData,
  listMarkets,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  runAdmin,
  type SeededUser,
  seedUsers,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";
import { PlainBrowser } from "@/tests/support/product/plain-browser";
import { sandboxMarkets } from "@/tests/support/sandbox/client";

cleanUpAfterwards();
closeBrowserAfterwards();

/** If it were parsed as markup, it would add an element, open a dialog and violate the CSP. */
const MARKUP = `"'><img data-canary src=x onerror=alert(1)><script>alert(2)</script>`;
const SHORT = `"'><b data-canary onmouseover=alert(1)>`;

let venue: Product;
let product: Product;
let gamma: MarkupGamma;
let user: SeededUser;
let visitor: Visitor;
let dialogs = 0;
let liveKey = "";
let paperSlug = "";
let liveSlug = "";
let tokenId = "";

beforeAll(async () => {
  venue = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  const sandbox = `http://127.0.0.1:${venue.port}/sandbox`;
  gamma = await startMarkupGamma(`${sandbox}/gamma`, MARKUP);
  const dataDir = preparedDataDir();
  const env = {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    VENUES: "paper,polymarket",
    ALLOW_EMBEDDED_DB_FOR_LIVE: "1",
    CLOB_API_URL: `${sandbox}/clob`,
    GAMMA_API_URL: gamma.url,
    DATA_API_URL: `${sandbox}/data`,
  };
  await prepareUser(dataDir, env);
  product = await startProduct({ dataDir, env });
  await leaveMarkup(sandbox);
  visitor = await visit(product.port, { userAgent: `Mozilla/5.0 ${MARKUP}` });
  await signIn(visitor, user);
  visitor.page.on("dialog", (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
});

afterAll(() => gamma.close());

async function prepareUser(dataDir: string, env: Record<string, string>): Promise<void> {
  [user] = (await seedUsers({ DATA_DIR: dataDir }, 1, "1000")) as [SeededUser];
  const owner = createOwner();
  const file = join(dataDir, "key.txt");
  writeFileSync(file, owner.privateKey);
  const wallet = [
    "--private-key-file",
    file,
    "--funder",
    owner.funders[3],
    "--signature-type",
    "3",
  ];
  const imported = await runAdmin(["wallet:import", "--user", user.userId, ...wallet], env);
  expect(imported.output).not.toContain("rror");
  const options = ["--user", user.userId, "--name", SHORT, "--scopes", "read,trade,cancel"];
  const made = await runAdmin(["keys:create", ...options, "--mode", "live", "--json"], env);
  liveKey = /ante_live_[0-9A-Za-z]{46}/.exec(made.stdout)?.[0] ?? "";
  expect(liveKey).not.toBe("");
}

/** Places orders with markup in all their texts, in both accounts. */
async function leaveMarkup(sandbox: string): Promise<void> {
  // Each account uses another market, because the database keeps the first title of a market.
  const tokens = (await sandboxMarkets(`${sandbox}/clob`)).map(
    ({ tokens: [one] }) => one?.token_id,
  );
  for (const [index, key] of [user.apiKey, liveKey].entries()) {
    tokenId = tokens[index] ?? "";
    const body = { tokenId, action: "BUY", orderType: "limit", price: 0.05, shares: 20 };
    const idempotencyKey = `${MARKUP}${index}`;
    const sent = { method: "POST", path: "/v1/orders", key, body: { ...body, idempotencyKey } };
    // The first read of the venue can take longer than the timeout.
    await until("the order is placed", async () => (await send(product.port, sent)).status === 200);
    await send(product.port, {
      method: "GET",
      path: `/v1/orders/${encodeURIComponent(SHORT)}`,
      key,
    });
  }
  paperSlug = await readSlug(user.apiKey);
  liveSlug = await readSlug(liveKey);
}

async function readSlug(key: string): Promise<string> {
  const [market] = await listMarkets(product.port, key, 1);
  const path = `/v1/markets/${market?.id}`;
  return readData<{ slug: string }>(await send(product.port, { method: "GET", path, key })).slug;
}

/** Opens a page, hovers over it, and checks that the markup is only text. */
async function look(path: string): Promise<string> {
  const { page } = visitor;
  await page.goto(path);
  await page.mouse.move(700, 400);
  expect(await page.locator("[data-canary]").count(), path).toBe(0);
  expect(await page.locator("script:not([src])", { hasText: "alert(2)</" }).count(), path).toBe(0);
  return page.locator("body").innerText();
}

function expectCalm(): void {
  expect(dialogs).toBe(0);
  expect(visitor.complaints.filter((text) => !/404|Failed to load resource/.test(text))).toEqual(
    [],
  );
}

const query = encodeURIComponent(MARKUP);

it("a user's text is escaped on every page", async () => {
  await look("/keys");
  // Keys of the other account are collapsed.
  expect(await visitor.page.locator("main").textContent()).toContain(SHORT);
  expect(await look("/keys?tab=requests")).toContain("/v1/orders/");
  expect(await look("/settings?section=sessions")).toContain("Signed-in browsers");
  const orders = await look("/orders");
  expect(orders).toContain("5¢");
  const { page } = visitor;
  await page.locator('a[href^="/orders/ord_"]').first().click();
  const open = page.getByRole("dialog").getByRole("link", { name: "View order" });
  await open.waitFor();
  expect(await page.locator("[data-canary]").count()).toBe(0);
  await open.click();
  await page.waitForURL(/\/orders\/ord_/);
  expect(await page.locator("[data-canary]").count()).toBe(0);
  // It can be collapsed.
  expect(await page.locator("main").textContent()).toContain(MARKUP);
  expect(await look(`/orders/receipt/${encodeURIComponent(`${MARKUP}0`)}`)).not.toBe("");
  expect(await look(`/orders?tab=history&market=${query}&status=${query}`)).not.toBe("");
  expectCalm();
});

it("text from a URL is escaped, also in fields and titles", async () => {
  expect(await look(`/markets?q=${query}`)).not.toBe("");
  const fields = await visitor.page.getByRole("searchbox").all();
  expect(await Promise.all(fields.map((field) => field.inputValue()))).toContain(MARKUP);
  for (const path of [
    `/markets/${paperSlug}?tab=${query}&token=${query}`,
    `/trade?token=${query}&amount=${query}&side=${query}`,
    `/activity?type=${query}&nextCursor=${query}`,
    `/settings?section=${query}&saved=${query}`,
    `/wallet?done=${query}`,
    `/nowhere/${query}`,
    `/docs?lang=${query}`,
  ]) {
    expect(await look(path), path).not.toBe("");
  }
  expectCalm();
});

it("a sign-in form escapes submitted text and never redirects to another site", async () => {
  const stranger = new PlainBrowser(product.port);
  const next = "javascript:alert(1)//";
  const tried = { email: MARKUP, password: "not the password at all", next };
  const { text } = await stranger.submit("/sign-in", /name="email"/, tried);
  expect(text).toContain("Email or password is incorrect.");
  expect(text).not.toContain("<img data-canary");
  const right = { ...user, next: `//evil.test/${MARKUP}` };
  const signedIn = await stranger.submit("/sign-in", /name="email"/, right);
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/"]);
});

it("text from the venue is escaped on every page of a live account", async () => {
  const plain = new PlainBrowser(product.port, { "user-agent": "live" });
  expect(await plain.signIn(user)).toBe(200);
  await plain.submit("/wallet/live/switch", /name="current"/, { current: user.password });
  await visitor.context.addCookies([
    {
      name: "next-auth.session-token",
      value: plain.session ?? "",
      url: `http://127.0.0.1:${product.port}`,
    },
  ]);
  expect(await look("/markets")).toContain(MARKUP);
  expect(await look(`/markets/${liveSlug}`)).toContain(MARKUP);
  expect(await look(`/trade?token=${tokenId}`)).toContain(MARKUP);
  expect(await look("/orders")).toContain(MARKUP);
  for (const path of ["/", "/activity", "/wallet", "/wallet/live", "/orders?tab=history"]) {
    expect(await look(path), path).not.toBe("");
  }
  expectCalm();
});
