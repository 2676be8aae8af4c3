import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { signSafeCreation } from "@/lib/polymarket/protocol/relayer-signature";
import { toSafeCreation, toWalletCreation } from "@/lib/polymarket/protocol/relayer-submission";
import { ensureAccount, toUserId } from "@/lib/sandbox/accounts";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { changePositions } from "@/tests/support/exchange/change-positions";
import { readCashBalance, readPosition } from "@/tests/support/exchange/ledger";
import { freshMarket, getToken, MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import type { FaultServer } from "@/tests/support/live/fault-server";
import {
  deriveRelayedWallet,
  makeRelayedOwner,
  type RelayedOwner,
  submitBody,
  submitCalls,
  type WalletType,
} from "@/tests/support/sandbox/relayer";
import { startSandboxServer } from "@/tests/support/sandbox/server";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The client needs Node 24: this process's, or the one in NODE24. */
const NODE =
  Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : process.env["NODE24"];
/** The folder from which the package is resolved. */
const FOLDER = process.env["POLYMARKET_CLIENT_FOLDER"] ?? ROOT;

function hasClient(): boolean {
  try {
    createRequire(`${FOLDER}/`).resolve("@polymarket/client");
    return NODE !== undefined;
  } catch {
    return false;
  }
}

// Nothing is approved before the client asks for it.
process.env["SANDBOX_RULES"] = "strict";
process.env["SANDBOX_RELAYER_MS"] = "0";
useFreshDatabase();
const clock = useTestClock();
const SIZE = 8_000_000n;

interface Outcome {
  ok: boolean;
  error?: string;
  hash?: string | null;
}
interface Result {
  approvals: Outcome;
  markets: Record<string, Outcome>[];
}

let sandbox: FaultServer;
let owner: RelayedOwner;
beforeAll(async () => {
  sandbox = await startSandboxServer();
});
beforeEach(async () => {
  // The client signs with the real time.
  clock.set(Date.now());
  owner = await makeRelayedOwner();
  const { key } = owner;
  const safe = deriveRelayedWallet(owner, "SAFE");
  const signature = signSafeCreation(key, 137);
  await submitBody(owner, toWalletCreation(key.address));
  await submitBody(owner, toSafeCreation(key.address, { safe, signature }));
  // The first transaction of a proxy wallet deploys it.
  await submitCalls(owner, "PROXY", [{ kind: "approve", spender: CONTRACT.router, amount: 0n }]);
});
afterAll(() => sandbox.close());

const newMarkets = () =>
  [false, true].map((isNegRisk) =>
    freshMarket({
      inside: 0,
      where: (one) => one.protocol === "v1" && one.isNegRisk === isNegRisk,
    }),
  );

async function runClient(type: WalletType, conditions: object[]): Promise<Result> {
  const plan = {
    builder: owner.builder,
    privateKey: owner.key.privateKey,
    wallet: deriveRelayedWallet(owner, type),
    conditions,
  };
  const script = fileURLToPath(new URL("../support/sandbox/relayer-client.mjs", import.meta.url));
  const args = [script, sandbox.url, FOLDER, JSON.stringify(plan)];
  const { stdout } = await promisify(execFile)(NODE ?? "", args, { cwd: ROOT });
  return JSON.parse(stdout.trim()) as Result;
}

const readShares = async (type: WalletType, market: PaperMarket, outcome: 0 | 1) => {
  const userId = toUserId(deriveRelayedWallet(owner, type));
  return (await readPosition({ userId }, getToken(market, outcome)))?.shares ?? 0n;
};

describe.runIf(hasClient())("the unmodified @polymarket/client", () => {
  it.each(["WALLET", "SAFE", "PROXY"] as const)(
    "approves, splits and merges with a %s, in a binary market and in a neg-risk one",
    async (type) => {
      const markets = newMarkets();
      const result = await runClient(
        type,
        markets.map(({ id }) => ({ conditionId: id, isResolved: false })),
      );
      expect(result.approvals).toMatchObject({ ok: true });
      for (const [index, market] of markets.entries()) {
        expect(result.markets[index]).toMatchObject({ split: { ok: true }, merge: { ok: true } });
        expect(await readShares(type, market, 0)).toBe(3_000_000n);
        expect(await readShares(type, market, 1)).toBe(3_000_000n);
      }
      expect((await verifyBooksAndLogs()).problems).toEqual([]);
    },
  );

  it.each(["WALLET", "SAFE", "PROXY"] as const)("claims a win with a %s", async (type) => {
    clock.set(Date.now() - 7 * 24 * 60 * MINUTE);
    const market = freshMarket({
      inside: 0,
      closesAfter: MINUTE,
      closesWithin: 6 * 24 * 60 * MINUTE,
      where: ({ protocol }) => protocol === "v1",
    });
    const wallet = deriveRelayedWallet(owner, type);
    const userId = await ensureAccount(wallet);
    await changePositions(userId, [{ kind: "split", market, shares: shares(SIZE) }]);
    const before = (await readCashBalance({ userId })).owned;
    clock.set(Date.now());
    const result = await runClient(type, [{ conditionId: market.id, isResolved: true }]);
    expect(result.markets).toMatchObject([{ redeem: { ok: true } }]);
    expect((await readCashBalance({ userId })).owned).toBe(before + SIZE);
    expect((await verifyBooksAndLogs()).problems).toEqual([]);
  });
});
