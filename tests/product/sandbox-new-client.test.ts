import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import {
  cleanUpAfterwards,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  ROOT,
  send,
  startProduct,
} from "@/tests/support/product/product";

cleanUpAfterwards();

/** The client needs Node 24: this process's, or the one in NODE24. */
const NODE =
  Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : process.env["NODE24"];
/** The folder from which the package is resolved. */
const FOLDER = process.env["POLYMARKET_CLIENT_FOLDER"] ?? ROOT;

function reasonToSkip(): string | null {
  if (!NODE) return "no Node 24: set NODE24";
  try {
    createRequire(`${FOLDER}/`).resolve("@polymarket/client");
    return null;
  } catch {
    return "no @polymarket/client: set POLYMARKET_CLIENT_FOLDER";
  }
}

const reason = reasonToSkip();
const name = "the official successor, @polymarket/client, unmodified, trades from a fresh wallet";

const NOBODY = `0x${"0".repeat(40)}`;

interface Trade {
  id: string;
  status: string;
}
interface Accepted {
  ok: boolean;
  orderId: string;
  status: string;
  tradeIds: string[];
  makingAmount: string;
  takingAmount: string;
}
interface Seen {
  walletType: number;
  before: string;
  after: string;
  placed: Accepted;
  open: { id: string; status: string }[];
  order: { id: string; originalSize: string };
  canceled: { canceled: string[] };
  bought: Accepted;
  sold: Accepted;
  second: Accepted;
  all: { canceled: string[] };
  hashes: string[];
  trades: Trade[];
  listed: number;
  eventsListed: number;
  found: number;
  activity: string[];
  notified: number;
  positions: { size: string; totalBought: string }[];
  events: string[];
}

function expectOneLife(seen: Seen): void {
  const { placed, bought, sold, second } = seen;
  expect(seen.before).toBe("10000000000");
  expect(placed).toMatchObject({ ok: true, status: "live" });
  expect(seen.open).toMatchObject([{ id: placed.orderId, status: "LIVE" }]);
  expect(seen.order).toMatchObject({ id: placed.orderId, originalSize: "20" });
  expect(seen.canceled.canceled).toEqual([placed.orderId]);
  expect(bought).toMatchObject({ ok: true, status: "matched" });
  expect(sold).toMatchObject({ ok: true, status: "matched", makingAmount: "5" });
  expect(seen.all.canceled).toEqual([second.orderId]);
  expect(seen.hashes).toHaveLength(1);
  expect(seen.hashes[0]).toMatch(/^0x[0-9a-f]{64}$/);
  expect(seen.trades.map(({ id }) => id).toSorted()).toEqual(
    [...bought.tradeIds, ...sold.tradeIds].toSorted(),
  );
  const [position] = seen.positions;
  expect(position?.totalBought).toBe(bought.takingAmount);
  expect(Number(position?.size)).toBeCloseTo(Number(bought.takingAmount) - 5, 6);
  const spent = (Number(seen.before) - Number(seen.after)) / 1_000_000;
  const traded = Number(bought.makingAmount) - Number(sold.takingAmount);
  // The difference is the taker's fees.
  expect(spent).toBeGreaterThanOrEqual(traded - 0.000_001);
  expect(spent).toBeLessThan(traded + 2);
  expect([seen.listed, seen.eventsListed]).toEqual([5, 5]);
  expect(seen.found).toBeGreaterThan(0);
  expect(seen.activity).toEqual(["TRADE", "TRADE"]);
  expect(seen.notified).toBeGreaterThan(1);
  expect(seen.events.slice(0, 2)).toEqual(["order LIVE", "order CANCELED"]);
  expect(seen.events).toContain("trade TRADE_STATUS_MATCHED");
}

interface Exercise {
  isSameKey: boolean;
  ways: {
    accepted: Record<"gtd" | "postOnly" | "taking" | "fak" | "fok", Accepted>;
    refused: Record<"crossing" | "small" | "dear", string | null>;
    shown: string[];
    prices: { middle: number; levels: number; history: number };
  };
  many: { isWhole: boolean; placed: number; listed: number; canceled: number[]; left: number };
}

function expectEveryWay({ isSameKey, ways, many }: Exercise): void {
  expect(isSameKey).toBe(true);
  const { accepted, refused, shown, prices } = ways;
  const statuses = Object.values(accepted).map(({ ok, status }) => [ok, status]);
  expect(statuses.slice(0, 2)).toEqual([
    [true, "live"],
    [true, "live"],
  ]);
  expect(statuses.slice(2)).toEqual([
    [true, "matched"],
    [true, "matched"],
    [true, "matched"],
  ]);
  expect(refused.crossing).toContain("post-only");
  expect(refused.small).toContain("lower than the minimum");
  expect(refused.dear).toContain("not enough balance");
  expect(shown).toEqual(["GTC", "GTD"]);
  expect(prices.middle).toBeGreaterThan(0.2);
  expect(prices.levels).toBeGreaterThan(2);
  expect(prices.history).toBeGreaterThan(20);
  const [named, ofToken, rest] = many.canceled;
  expect(many).toMatchObject({ isWhole: true, placed: 600, listed: 600, left: 0 });
  expect([named, (ofToken ?? 0) + (rest ?? 0)]).toEqual([20, 580]);
  expect(ofToken).toBeGreaterThan(200);
}

it.skipIf(reason !== null)(reason === null ? name : `${name} (skipped: ${reason})`, async () => {
  const product = await startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS });
  // The client's timeouts are short, and a new service is still building its catalogue.
  for (const path of ["clob/sampling-markets", `relayer/deployed?type=WALLET&address=${NOBODY}`]) {
    await send(product.port, { method: "GET", path: `/sandbox/${path}` });
  }
  const script = `${ROOT}/tests/support/sandbox/new-client.mjs`;
  const origin = `http://127.0.0.1:${product.port}`;
  const { stdout } = await promisify(execFile)(NODE ?? "", [script, origin, FOLDER]);
  const seen = JSON.parse(stdout) as { deposit: Seen; eoa: Seen; exercise: Exercise };
  const { deposit, eoa } = seen;
  expect([deposit.walletType, eoa.walletType]).toEqual([3, 0]);
  expectOneLife(deposit);
  expectOneLife(eoa);
  expectEveryWay(seen.exercise);
  await product.stop();
  await expectCleanBooks({ DATA_DIR: product.dataDir });
});
