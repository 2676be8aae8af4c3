// The pages of a live wallet whose venue is a sandbox: approvals, transactions, merges and claims.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { computeAddress } from "ethers";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { seed, type Service, Site } from "@/bench/services";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { toPositionConditionId } from "@/lib/polymarket/protocol/position-id";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  cutTexts,
  sidewaysScroll,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  type LiveEnvironment,
  type LiveTrader,
  SERVICE,
  VENUE,
  verifyBothBooks,
} from "@/tests/support/live/product-stack";
import { MovedClock, startRelayedEnvironment } from "@/tests/support/live/relayed-stack";
import {
  cleanUpAfterwards,
  newKey,
  readData,
  runAdmin,
  send,
  until,
} from "@/tests/support/product/product";

const site = new Site();
// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => site.close());
cleanUpAfterwards();
closeBrowserAfterwards();

const SHARES = 5;
const HOUR_MS = 3_600_000;
/**
 * How long the venue's relayer takes by the services' clock, which the test moves. Two services notice a move
 * at different moments, and the venue refuses a request that is signed more than 60 s before or after its time.
 */
const RELAYER_MS = 50_000;
const clock = new MovedClock(site);

interface Listed {
  id: string;
  title: string;
  closesAt: string;
  status: string;
  tickSize: string;
  outcomes: { name: string; tokenId: string; price: number }[];
}

let ground: LiveEnvironment;
let service: Service;
let trader: LiveTrader;
let visitor: Visitor;
/** Users without a live wallet. */
let walletless: { userId: string; email: string; password: string }[] = [];
/** A market that is resolved, and one that stays open. The wallet holds pairs of both. */
let [resolved, open]: [Listed | null, Listed | null] = [null, null];

beforeAll(async () => {
  await site.open();
  ground = await startRelayedEnvironment(site, 1, { clock, relayerMs: RELAYER_MS });
  const [first] = ground.traders;
  trader = first ?? expect.fail("one trader was created");
  walletless = await seed(ground.environment, 3);
  await site.query(
    VENUE,
    `insert into sandbox_switches (is_only, switches, changed_at)
     values (true, '{"builderFees":{"takerBps":100,"makerBps":50}}', now())`,
  );
  service = await site.start({ ...ground.environment, BUILDER_CODE: `0x${"ab".repeat(32)}` });
  // The sandbox funds a wallet when it first sees it.
  expect((await call("GET", "/v1/account/balance")).status).toBe(200);
  [resolved, open] = await until("markets are listed", findMarkets);
  for (const { id } of [resolved, open]) await split(id);
  clock.move(5 * HOUR_MS);
  await until("the market is resolved", isResolved);
  visitor = await visit(service.port);
  await signIn(visitor, trader);
  await switchToLive(visitor.page, trader);
}, 300_000);

afterEach(() => {
  ground.network.fault = () => null;
  expect(visitor.complaints.splice(0)).toEqual([]);
});

const call = (method: string, path: string, body?: object) =>
  send(service.port, { method, path, key: trader.liveKey, ...(body ? { body } : {}) });

/**
 * Finds a market that resolves within hours, and one that stays open for longer than the test, where a bid at
 * 1¢ rests and both outcomes have sellers.
 */
async function findMarkets(): Promise<[Listed, Listed] | false> {
  const answer = await call("GET", "/v1/markets?limit=100&sort=closing");
  if (answer.status !== 200) return false;
  const { markets } = readData<{ markets: Listed[] }>(answer);
  const left = ({ closesAt }: Listed) => Date.parse(closesAt) - Date.now();
  const soon = markets.find((one) => left(one) > HOUR_MS / 2 && left(one) < 3 * HOUR_MS);
  const late = markets.find(
    (one) =>
      left(one) > 24 * HOUR_MS &&
      Number(one.tickSize) <= 0.01 &&
      one.outcomes.every(({ price }) => price > 0.2 && price < 0.8),
  );
  return soon && late ? [soon, late] : false;
}

async function isResolved(): Promise<boolean> {
  const answer = await call("GET", `/v1/markets/${resolved?.id}`);
  return answer.status === 200 && readData<Listed>(answer).status === "resolved";
}

/** Lets the chain execute the newest transaction, once it was submitted. */
async function confirmNewest(kind: string): Promise<void> {
  await until("the transaction is submitted", () => isNewest(kind, "submitted"));
  clock.move(RELAYER_MS);
}

async function isNewest(kind: string, status: string): Promise<boolean> {
  const listed = await call("GET", "/v1/wallet/transactions");
  const [newest] = readData<{ transactions: { kind: string; status: string }[] }>(
    listed,
  ).transactions;
  return newest?.kind === kind && newest.status === status;
}

async function split(marketId: string): Promise<void> {
  const body = { marketId, shares: SHARES, idempotencyKey: newKey("split") };
  expect((await call("POST", "/v1/positions/split", body)).status).toBe(200);
  await confirmNewest("split");
  await until("the split is confirmed", () => isNewest("split", "confirmed"));
}

async function switchToLive(page: Page, { password }: { password: string }): Promise<void> {
  await page.goto("/wallet/live/switch");
  await page.getByLabel("Your Ante password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Trade with real money" }).click();
  await until("the page is in live mode", async () => (await page.title()).includes("LIVE"));
}

/** The transactions that are in progress, as every page of the wallet lists them. */
const inProgress = (page: Page) =>
  page.getByRole("status").filter({ hasText: "In progress on your wallet" });

it("the wallet page names a missing approval, and sets it", async () => {
  const { page } = visitor;
  const { funderAddress } = readData<{ funderAddress: string }>(
    await call("GET", "/v1/account/balance"),
  );
  const [wallet, token, spender] = [funderAddress, CONTRACT.conditionalTokens, CONTRACT.ctfAdapter];
  await site.query(
    VENUE,
    `insert into sandbox_approvals (wallet, token, spender, amount)
     values (lower('${wallet}'), lower('${token}'), lower('${spender}'), 0)`,
  );
  await page.goto("/wallet");
  await page.getByRole("heading", { name: "Contract approvals" }).waitFor();
  await page.getByText("11 of 12 set").waitFor();
  expect(await page.getByText("Missing", { exact: true }).count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Set 1 missing approval" }).click();
  await confirmNewest("approve");
  await page.getByText("12 of 12 set").waitFor();
  await until("the approval is confirmed", () => isNewest("approve", "confirmed"));
  expect(await page.getByText("Missing", { exact: true }).count()).toBe(0);
  expect(await page.getByText("Ante never signs a transfer or a withdrawal.").count()).toBe(1);
});

/** Presses Cancel until nothing is in progress: while Ante sends the transaction again, it is refused. */
async function cancelWaiting(page: Page): Promise<void> {
  const cancel = inProgress(page).getByRole("button", { name: "Cancel" });
  await expect
    .poll(
      async () => {
        await cancel.evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
        return inProgress(page).count();
      },
      { interval: 1000 },
    )
    .toBe(0);
}

it.each([
  [
    "the relayer's quota",
    Response.json(
      { error: "quota exceeded: 0 units remaining, resets in 500 seconds" },
      { status: 429 },
    ),
    "Polymarket's quota for this server is used up. Ante continues when it resets.",
  ],
  [
    "the busy wallet",
    Response.json({ error: "wallet busy: this wallet has an active action" }, { status: 400 }),
    "Another transaction of this wallet is in progress. Ante continues after it.",
  ],
])(
  "a split that waits for %s is listed, and canceled with its button",
  async (_, refusal, reason) => {
    const { page } = visitor;
    const refuse: Fault = async (_handle, { send: answer }) => answer(refusal.clone());
    ground.network.fault = ({ path }) => (path === "/relayer/submit" ? refuse : null);
    const body = { marketId: open?.id, shares: 1, idempotencyKey: newKey("waiting") };
    const { id } = readData<{ id: string }>(await call("POST", "/v1/positions/split", body));
    // While Ante sends it, it can't be canceled.
    await until("the relayer has refused it", async () => {
      const answer = await call("GET", `/v1/wallet/transactions/${id}`);
      return readData<{ reason: string | null }>(answer).reason !== null;
    });
    await page.goto("/");
    await inProgress(page).getByText("Split waiting").waitFor();
    const listed = await inProgress(page).innerText();
    expect(listed).toContain(`1 pair of ${open?.title}`);
    expect(listed).toContain(reason);
    expect(await accessibilityProblems(page)).toEqual([]);
    await cancelWaiting(page);
    const transaction = await call("GET", `/v1/wallet/transactions/${id}`);
    expect(readData(transaction)).toMatchObject({ status: "failed" });
  },
);

/** An open combo and a won one, as the venue lists them. */
const listCombos: Fault = async (handle, { send: answer }) => {
  const combo = {
    current_size: 8,
    avg_price: 0.25,
    entry_cost_usdc: 2,
    current_price: 1,
    current_value: 8,
  };
  const condition_id = toPositionConditionId(String((3n << 248n) | (7n << 120n)));
  const rows = [
    ["Both teams win and it rains in the final", "both-of-them", 0n, false],
    ["All three are late", "all-of-them", 1n, true],
  ] as const;
  const page = (await (await handle()).json()) as { data: object[] };
  const combos = rows.map(([title, slug, outcome, redeemable]) => ({
    ...combo,
    condition_id,
    token_id: String((3n << 248n) | (7n << 120n) | outcome),
    title,
    slug,
    redeemable,
    outcome: outcome === 0n ? "Yes" : "No",
  }));
  await answer(Response.json({ ...page, data: [...page.data, ...combos] }));
};

it("a combo's row says where it is managed, in line with the other rows", async () => {
  const { page } = visitor;
  ground.network.fault = ({ path, search }) =>
    path === "/data/v2/positions" && search.includes("status=OPEN") ? listCombos : null;
  const shown = page.getByText("All three are late").filter({ visible: true });
  await expect
    .poll(
      async () => {
        await page.goto("/");
        return shown.count();
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  const notes = page.getByText("Managed on polymarket.com").filter({ visible: true });
  expect(await notes.count()).toBe(2);
  // Titles begin at one edge, with an icon or without one.
  const titles = rows.getByRole("rowheader").locator(".line-clamp-2").filter({ visible: true });
  const edges = await titles.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().x),
  );
  expect(edges.length).toBeGreaterThan(2);
  expect(new Set(edges).size).toBe(1);
  expect(await sidewaysScroll(page)).toBe(0);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/");
  await shown.first().waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await cutTexts(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it("the portfolio merges pairs into dollars, and says so", async () => {
  const { page } = visitor;
  await page.goto("/");
  const pairs = page.getByRole("region", { name: "Pairs to merge" });
  const [first, second] = open?.outcomes ?? [];
  // The order is that of the positions, by value.
  const [one, other] = [`5 ${first?.name}`, `5 ${second?.name}`];
  expect(await pairs.locator("summary").innerText()).toMatch(
    new RegExp(`Merge (${one} and ${other}|${other} and ${one}) into \\$5\\.00`),
  );
  await pairs.locator("summary").click();
  await pairs.getByRole("button", { name: "Merge and get $5.00" }).click();
  await confirmNewest("merge");
  const receipt = page.getByRole("status").filter({ hasText: "Merged into" });
  await receipt.waitFor();
  expect(await receipt.innerText()).toContain("Merged into $5.00");
  await expect.poll(() => pairs.count()).toBe(0);
});

it("a claim shows that it is in progress until the chain confirms it, and then its payout", async () => {
  const { page } = visitor;
  await page.goto("/");
  const main = page.getByRole("main");
  const { title } = resolved ?? expect.fail("a market is resolved");
  const claim = main.getByRole("button", { name: /^Claim / }).filter({ hasText: title });
  await claim.first().click();
  // The page that is loaded anew knows of the claim from the server.
  await inProgress(page).getByText("Claim submitted").waitFor();
  await page.reload();
  const busy = main.getByRole("button", { name: /^Claiming…/ }).filter({ hasText: title });
  await busy.first().waitFor();
  expect(await busy.first().getAttribute("aria-busy")).toBe("true");
  expect(await claim.count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await confirmNewest("redeem");
  await inProgress(page).waitFor({ state: "detached" });
  await expect.poll(() => busy.count()).toBe(0);
  expect(await claim.count()).toBe(0);
  expect(await isNewest("redeem", "confirmed")).toBe(true);
  expect(await verifyBothBooks(ground)).toEqual([]);
});

const WARNINGS = {
  stored: "The stored key can do everything with this wallet.",
  chosen: "An owner’s key can do everything.",
};

it("the page of a wallet with its owner's key warns of it", async () => {
  const { page } = visitor;
  await page.goto("/wallet/live");
  await page.getByText(WARNINGS.stored).waitFor();
  expect(await page.getByText("A session key of this wallet can only trade.").count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);
});

it("the ticket and its review show the service fee of the operator's code", async () => {
  const { page } = visitor;
  await page.goto(`/trade?token=${open?.outcomes[0]?.tokenId}`);
  await page.getByRole("group", { name: "Quick sizes" }).waitFor();
  await page.getByLabel("Amount").fill("10");
  const ticket = page.getByRole("region", { name: /^Order ticket/ });
  await ticket.getByText("Details", { exact: true }).click();
  const fee = ticket.getByText("Service fee, included").locator("xpath=..");
  // The fee is a part of the amount: 1% on top of what the shares cost.
  await expect.poll(() => fee.innerText()).toMatch(/\$0\.(09|10) \(1%\)/);
  const shown = await fee.innerText();
  await page.getByRole("button", { name: /^Review: / }).click();
  const review = page.getByRole("dialog").getByText("Service fee, included").locator("xpath=..");
  expect(await review.innerText()).toBe(shown);
  await page.keyboard.press("Escape");
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + clock.aheadMs + days * DAY_MS);

/** Creates a session key of a new deposit wallet, which the venue has authorized. */
async function createSessionKey(): Promise<{ privateKey: string; funder: string }> {
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const funder = deriveDepositWallet(computeAddress(`0x${randomBytes(32).toString("hex")}`));
  await site.query(
    VENUE,
    `insert into sandbox_session_keys (wallet, address, scopes, expires_at, authorized_at)
     values ('${funder}', '${computeAddress(privateKey)}', '{CLOB}', '${inDays(40).toISOString()}', now())`,
  );
  return { privateKey, funder };
}

const countWallets = async (index: number) => {
  const { rows } = await site.query(
    SERVICE,
    `select count(*)::int from live_wallets where user_id = '${walletless[index]?.userId}'`,
  );
  return (rows as { count: number }[])[0]?.count;
};

it.each([
  ["with JavaScript", true, 0],
  ["without JavaScript", false, 1],
] as const)(
  "a session key is recommended, and imported %s",
  async (_, javaScriptEnabled, index) => {
    const user = walletless[index] ?? expect.fail("users without a wallet were created");
    const other = await visit(service.port, { javaScriptEnabled });
    await signIn(other, user);
    const { page } = other;
    await page.goto("/wallet/live");
    const recommended = page.getByRole("radio", { name: "Session key (recommended)" });
    expect(await recommended.isChecked()).toBe(true);
    expect(await page.getByText(WARNINGS.chosen).isVisible()).toBe(false);
    await page.getByRole("radio", { name: /^Deposit wallet, owner’s key/ }).check();
    expect(await page.getByText(WARNINGS.chosen).isVisible()).toBe(true);
    expect(await page.getByLabel("Expires on").isVisible()).toBe(false);
    await recommended.check();

    const { privateKey, funder } = await createSessionKey();
    const expires = inDays(30).toISOString().slice(0, 10);
    const fill = async (day: string) => {
      await page.getByLabel("Wallet address (funder)").fill(funder);
      await page.getByLabel("Private key", { exact: true }).fill(privateKey);
      await page.getByLabel("Expires on").fill(day);
      await page.getByLabel("Your Ante password").fill(user.password);
      await page.getByRole("button", { name: "Import wallet" }).click();
    };
    await fill(inDays(-1).toISOString().slice(0, 10));
    // The page says so at the field, and nothing is stored.
    await expect
      .poll(() => page.getByLabel("Expires on").getAttribute("aria-invalid"))
      .toBe("true");
    expect(await countWallets(index)).toBe(0);
    await fill(expires);
    await page.getByText("The wallet was imported.").waitFor();
    expect(await countWallets(index)).toBe(1);

    const card = page.getByRole("main");
    await card.getByText("Orders (CLOB)", { exact: true }).waitFor();
    const end = card.getByText("Expires", { exact: true }).locator("xpath=..").locator("time");
    expect(await end.getAttribute("datetime")).toBe(`${expires}T00:00:00.000Z`);
    expect(await page.getByText(WARNINGS.stored).count()).toBe(0);
    expect(await page.content()).not.toContain(privateKey.slice(2));
    expect(other.complaints).toEqual([]);
  },
);

it("every live page warns of a session key for 7 days before its end, and says when it has expired", async () => {
  const user = walletless[0] ?? expect.fail("users without a wallet were created");
  const other = await visit(service.port);
  await signIn(other, user);
  const { page } = other;
  await switchToLive(page, user);
  // The sealed key belongs to the end that was entered: with another one, it signs nothing.
  const setEnd = async (days: number) =>
    site.query(
      SERVICE,
      `update live_wallets set session_expires_at = '${inDays(days).toISOString()}'
       where user_id = '${user.userId}'`,
    );
  const notice = page.getByRole("status").filter({ hasText: "Your session key" });
  const readNotices = async () => {
    const texts = [];
    for (const path of ["/", "/orders", "/wallet/live"]) {
      await page.goto(path);
      await page.getByRole("main").waitFor();
      texts.push((await notice.allInnerTexts()).join());
    }
    return texts;
  };
  await setEnd(7.1);
  expect(await readNotices()).toEqual(["", "", ""]);
  await setEnd(6.9);
  for (const text of await readNotices()) {
    expect(text).toMatch(
      /Your session key expires soon\s+New orders are refused after .*Import a new key/s,
    );
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await setEnd(-0.1);
  for (const text of await readNotices()) {
    expect(text).toMatch(/Your session key has expired\s+New orders are refused since /);
  }
  await notice.getByRole("link", { name: "Import a new key" }).click();
  await page.waitForURL("**/wallet/live");
});

const MINUTE_MS = 60_000;
const ORDER = "/clob/order";

/** Imports a session key with an exact end. The page takes only days. */
async function importSessionKey(userId: string, end: Date): Promise<void> {
  const { privateKey, funder } = await createSessionKey();
  const file = join(site.folder, "session-key");
  writeFileSync(file, privateKey, { mode: 0o600 });
  const key = ["--private-key-file", file, "--session-key", "--expires", end.toISOString()];
  const args = ["wallet:import", "--user", userId, "--funder", funder, ...key];
  const { code, output } = await runAdmin(args, ground.environment);
  expect(code, output).toBe(0);
}

it("after the end of a session key, the wallet's pages say so, and an order is refused and not sent", async () => {
  const user = walletless[2] ?? expect.fail("users without a wallet were created");
  const end = new Date(Date.now() + clock.aheadMs + 10 * MINUTE_MS);
  await importSessionKey(user.userId, end);
  const other = await visit(service.port);
  await signIn(other, user);
  const { page } = other;
  await switchToLive(page, user);
  const tokenId = open?.outcomes[0]?.tokenId;
  const placeBid = async () => {
    await page.goto(`/trade?token=${tokenId}&type=limit`);
    await page.getByLabel("Limit price").fill("1");
    await page.getByLabel("Shares").fill("100");
    await page.getByRole("button", { name: /^Review: / }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Place order/ })
      .click();
  };
  const readOrders = async () => {
    const { rows } = await site.query(
      SERVICE,
      `select id, status, held_micro::text as held from orders where user_id = '${user.userId}' order by sequence`,
    );
    return rows;
  };
  const countPosts = () =>
    ground.network.calls.filter(({ method, path }) => method === "POST" && path === ORDER).length;
  await placeBid();
  await page
    .getByRole("region", { name: "Messages" })
    .getByText(/^Limit order open/)
    .waitFor();
  const before = await readOrders();
  expect(before).toMatchObject([{ status: "open" }]);
  const posts = countPosts();

  clock.move(15 * MINUTE_MS);
  for (const path of ["/wallet", "/wallet/live"]) {
    await page.goto(path);
    await page.getByText("Your session key has expired").first().waitFor();
  }
  await placeBid();
  await page
    .getByText(
      /^The session key of this wallet expired at .+\. Import a new session key to trade again\. Your order wasn’t placed\.$/,
    )
    .first()
    .waitFor();
  expect(await readOrders()).toEqual(before);
  expect(countPosts()).toBe(posts);
});

// The last test: while automatic claims are on, Ante claims by itself.
it("the wallet page turns automatic claims on and off", async () => {
  const { page } = visitor;
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Claim automatically" }).click();
  await page.getByRole("button", { name: "Turn off automatic claims" }).click();
  await page.getByRole("button", { name: "Claim automatically" }).waitFor();
});
