// The pages of a live wallet whose venue is a sandbox: approvals, transactions, merges and claims.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Service, Site } from "@/bench/services";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  accessibilityProblems,
  closeBrowserAfterwards,
  signIn,
  visit,
  type Visitor,
} from "@/tests/support/browser/browser";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  type LiveEnvironment,
  type LiveTrader,
  startLiveEnvironment,
  VENUE,
  verifyBothBooks,
} from "@/tests/support/live/product-stack";
import {
  cleanUpAfterwards,
  newKey,
  readData,
  ROOT,
  send,
  until,
} from "@/tests/support/product/product";

const site = new Site();
// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => site.close());
cleanUpAfterwards();
closeBrowserAfterwards();

const BUILDER = { key: "ante", secret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ=", passphrase: "pass" };
const SHARES = 5;
const HOUR_MS = 3_600_000;
/**
 * How long the venue's relayer takes by the services' clock, which the test moves. Two services notice a move
 * at different moments, and the venue refuses a request that is signed more than 60 s before or after its time.
 */
const RELAYER_MS = 50_000;
const clockFile = join(site.folder, "clock");
let aheadMs = 0;

interface Listed {
  id: string;
  title: string;
  closesAt: string;
  status: string;
  outcomes: { name: string }[];
}

let ground: LiveEnvironment;
let service: Service;
let trader: LiveTrader;
let visitor: Visitor;
/** A market that is resolved, and one that stays open. The wallet holds pairs of both. */
let [resolved, open]: [Listed | null, Listed | null] = [null, null];

beforeAll(async () => {
  await site.open();
  moveClock(0);
  ground = await startLiveEnvironment(site, 1, {
    both: {
      NODE_OPTIONS: `--import=${ROOT}tests/support/product/moved-clock.mjs`,
      MOVED_CLOCK_FILE: clockFile,
      BUILDER_API_KEY: BUILDER.key,
      BUILDER_SECRET: BUILDER.secret,
      BUILDER_PASSPHRASE: BUILDER.passphrase,
    },
    venue: {
      SANDBOX_BUILDER_KEY: `${BUILDER.key}:${BUILDER.secret}:${BUILDER.passphrase}`,
      SANDBOX_RELAYER_MS: String(RELAYER_MS),
      SANDBOX_RELAYER_QUOTA: "0",
    },
  });
  const [first] = ground.traders;
  trader = first ?? expect.fail("one trader was created");
  service = await site.start(ground.environment);
  // The sandbox funds a wallet when it first sees it.
  expect((await call("GET", "/v1/account/balance")).status).toBe(200);
  [resolved, open] = await until("markets are listed", findMarkets);
  for (const { id } of [resolved, open]) await split(id);
  moveClock(5 * HOUR_MS);
  await until("the market is resolved", isResolved);
  visitor = await visit(service.port);
  await signIn(visitor, trader);
  await switchToLive(visitor.page);
}, 300_000);

afterEach(() => {
  ground.network.fault = () => null;
  expect(visitor.complaints.splice(0)).toEqual([]);
});

function moveClock(ms: number): void {
  aheadMs += ms;
  writeFileSync(clockFile, String(aheadMs));
}

const call = (method: string, path: string, body?: object) =>
  send(service.port, { method, path, key: trader.liveKey, ...(body ? { body } : {}) });

/** Finds a market that resolves within hours, and one that stays open for longer than the test. */
async function findMarkets(): Promise<[Listed, Listed] | false> {
  const answer = await call("GET", "/v1/markets?limit=100&sort=closing");
  if (answer.status !== 200) return false;
  const { markets } = readData<{ markets: Listed[] }>(answer);
  const left = ({ closesAt }: Listed) => Date.parse(closesAt) - Date.now();
  const soon = markets.find((one) => left(one) > HOUR_MS / 15 && left(one) < 3 * HOUR_MS);
  const late = markets.find((one) => one.status === "open" && left(one) > 24 * HOUR_MS);
  return soon && late ? [soon, late] : false;
}

async function isResolved(): Promise<boolean> {
  const answer = await call("GET", `/v1/markets/${resolved?.id}`);
  return answer.status === 200 && readData<Listed>(answer).status === "resolved";
}

/** Lets the chain execute the newest transaction, once it was submitted. */
async function confirmNewest(kind: string): Promise<void> {
  await until("the transaction is submitted", () => isNewest(kind, "submitted"));
  moveClock(RELAYER_MS);
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

async function switchToLive(page: Page): Promise<void> {
  await page.goto("/wallet/live/switch");
  await page.getByLabel("Your Ante password").fill(trader.password);
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
  expect(await page.getByText("Missing", { exact: true }).count()).toBe(0);
  expect(await page.getByText("Ante never signs a transfer or a withdrawal.").count()).toBe(1);
});

it("a split that waits for the relayer's quota is listed, and canceled with its button", async () => {
  const { page } = visitor;
  const refuse: Fault = async (_, { send: answer }) =>
    answer(
      Response.json(
        { error: "quota exceeded: 0 units remaining, resets in 500 seconds" },
        { status: 429 },
      ),
    );
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
  expect(await inProgress(page).innerText()).toContain(`1 pair of ${open?.title}`);
  expect(await accessibilityProblems(page)).toEqual([]);
  await inProgress(page).getByRole("button", { name: "Cancel" }).click();
  await inProgress(page).waitFor({ state: "detached" });
  const transaction = await call("GET", `/v1/wallet/transactions/${id}`);
  expect(readData(transaction)).toMatchObject({ status: "failed" });
});

it("the portfolio merges pairs into dollars, and says so", async () => {
  const { page } = visitor;
  await page.goto("/");
  const pairs = page.getByRole("region", { name: "Pairs to merge" });
  const [first, second] = open?.outcomes ?? [];
  expect(await pairs.locator("summary").innerText()).toContain(
    `Merge 5 ${first?.name} and 5 ${second?.name} into $5.00`,
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

// The last test: while automatic claims are on, Ante claims by itself.
it("the wallet page turns automatic claims on and off", async () => {
  const { page } = visitor;
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Claim automatically" }).click();
  await page.getByRole("button", { name: "Turn off automatic claims" }).click();
  await page.getByRole("button", { name: "Claim automatically" }).waitFor();
});
