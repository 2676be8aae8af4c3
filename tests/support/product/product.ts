// Helpers of tests of the built product: data directories, servers that are stopped after the file, and
// tokens to trade.
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject } from "vitest";
import { readData, send } from "@/tests/support/product/client";
import {
  endAll,
  type Environment,
  type Product,
  readDemo,
  runAdmin,
  startProduct,
  type StartOptions,
} from "@/tests/support/product/process";

export * from "@/tests/support/product/client";
export * from "@/tests/support/product/process";

declare module "vitest" {
  interface ProvidedContext {
    /** The data directory of a service that was started once. */
    productTemplate: string;
    /** The API key of its user with 10,000 USDC and no orders. */
    productTrader: string;
  }
}

const folders: string[] = [];

/** Stops every server of the file and removes its folders after the tests. */
export function cleanUpAfterwards(): void {
  afterAll(async () => {
    await endAll();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
}

/** Returns the path of a data directory that does not exist yet. */
export function freshDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "ante-product-"));
  folders.push(folder);
  return join(folder, "data");
}

/** Copies a data directory with a demo account and a trader, because creating one takes seconds. */
export function preparedDataDir(from: string = inject("productTemplate")): string {
  const directory = freshDataDir();
  cpSync(from, directory, { recursive: true });
  return directory;
}

/** Turns rate limits off. */
export const NO_LIMITS = { RATE_LIMIT_READS_PER_S: "0", RATE_LIMIT_WRITES_PER_S: "0" };

/** Starts a server on a data directory with a demo account. */
export function startPrepared(options: Partial<StartOptions> = {}): Promise<Product> {
  return startProduct({ ...options, dataDir: options.dataDir ?? preparedDataDir() });
}

export const demoKey = (product: Product) => readDemo(product.dataDir).apiKey;

/** Returns the key of a user with 10,000 USDC and no orders, whom every prepared directory has. */
export const traderKey = () => inject("productTrader");

export interface Market {
  id: string;
  slug: string;
  status: string;
  tickSize: string;
  closesAt: string;
  outcomes: { tokenId: string; price: number; bestBid: number | null; bestAsk: number | null }[];
}

/** Lists the most popular open markets. */
export async function listMarkets(port: number, key: string, limit = 20): Promise<Market[]> {
  const answer = await send(port, { method: "GET", path: `/v1/markets?limit=${limit}`, key });
  return readData<{ markets: Market[] }>(answer).markets;
}

const AN_HOUR_MS = 3_600_000;

/** Lists tokens of markets that stay open for an hour and where bids at 0.01 and 0.1 rest. */
export async function tradableTokens(port: number, key: string): Promise<string[]> {
  const markets = await listMarkets(port, key, 100);
  return markets
    .filter(
      ({ tickSize, closesAt }) =>
        Number(tickSize) <= 0.01 && Date.parse(closesAt) > Date.now() + AN_HOUR_MS,
    )
    .filter(({ outcomes }) => outcomes.every(({ price }) => price > 0.25 && price < 0.75))
    .flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
}

export async function anyToken(port: number, key: string): Promise<string> {
  const [tokenId] = await tradableTokens(port, key);
  if (tokenId === undefined) throw new Error("no market is open");
  return tokenId;
}

let keys = 0;
/** Creates a unique idempotency key. */
export const newKey = (about = "key") =>
  `${about}-${process.pid}-${(keys += 1)}-${randomBytes(4).toString("hex")}`;

export interface Order {
  id: string;
  status: string;
  action: string;
  type: string;
  tokenId: string;
  price: number | null;
  shares: number | null;
  amount: number | null;
  filledShares: number;
  fee: number;
  idempotencyKey: string;
  fills: { shares: number; amount: number; fee: number }[];
}

/** Lists every order of an account in any state. */
export async function allOrders(port: number, key: string): Promise<Order[]> {
  const orders: Order[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? "" : `&nextCursor=${encodeURIComponent(cursor)}`;
    const answer = await send(port, { method: "GET", path: `/v1/orders?limit=1000${from}`, key });
    const page = readData<{ orders: Order[]; nextCursor: string | null }>(answer);
    orders.push(...page.orders);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return orders;
}

export interface SeededUser {
  userId: string;
  email: string;
  password: string;
  apiKey: string;
  address: string;
  funderAddress: string;
}

/** Creates users with the admin verb. No server may have the database open. */
export async function seedUsers(
  env: Environment,
  count: number,
  deposit: string,
): Promise<SeededUser[]> {
  const args = ["seed", "--users", String(count), "--deposit", deposit, "--json"];
  const { code, stdout, output } = await runAdmin(args, env);
  if (code !== 0) throw new Error(`seed exited with ${code}:\n${output}`);
  return (JSON.parse(stdout) as { users: SeededUser[] }).users;
}

/** Expects `admin verify` to find no mismatches. No server may have the database open. */
export async function expectCleanBooks(
  env: Environment,
): Promise<{ orders: number; transfers: number }> {
  const { code, stdout, output } = await runAdmin(["verify", "--json"], env);
  expect({ code, output: output.replace(stdout, "") }).toEqual({ code: 0, output: "" });
  const report = JSON.parse(stdout) as {
    ok: boolean;
    orders: number;
    transfers: number;
    problems: string[];
  };
  expect(report).toMatchObject({ ok: true, problems: [] });
  return report;
}
