import { Interface } from "ethers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { now } from "@/lib/clock";
import { getDb, selectRows } from "@/lib/db/client";
import { selectByHash } from "@/lib/db/queries/sandbox-transactions";
import { sandboxTransactions } from "@/lib/db/schema/sandbox";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { encodePositionCall, UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { hashTransaction } from "@/lib/sandbox/transaction-views";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, getToken, MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import {
  askNode,
  deriveRelayedWallet,
  makeRelayedOwner,
  type RelayedOwner,
  submitCalls,
} from "@/tests/support/sandbox/relayer";

useFreshDatabase();
const clock = useTestClock();

const ABI = new Interface([
  "function allowance(address owner, address spender) view returns (uint256)",
  "function isApprovedForAll(address account, address operator) view returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function balanceOf(address account, uint256 id) view returns (uint256)",
  "function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])",
  "function getPayout(uint256 positionId, uint256 amount) view returns (uint256)",
  "function transfer(address to, uint256 amount)",
]);
const ERC1155 = "balanceOf(address,uint256)";
const SIZE = 8_000_000n;

let owner: RelayedOwner;
let wallet: string;
let market: PaperMarket;

beforeAll(async () => {
  owner = await makeRelayedOwner();
  wallet = deriveRelayedWallet(owner, "WALLET");
  market = freshMarket({
    inside: 2,
    closesAfter: MINUTE,
    closesWithin: 7 * 24 * 60 * MINUTE,
    where: ({ protocol, isNegRisk }) => protocol === "v1" && !isNegRisk,
  });
  const contract = CONTRACT.ctfAdapter;
  await submitCalls(owner, "WALLET", [
    { kind: "split", contract, conditionId: market.id, amount: SIZE },
    { kind: "approve", spender: contract, amount: 5n },
    {
      kind: "setOperator",
      token: CONTRACT.conditionalTokens,
      operator: contract,
      isApproved: false,
    },
  ]);
  clock.advance(2_000);
});

const buildCall = (to: string, name: string, args: unknown[], id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "eth_call",
  params: [{ to, data: ABI.encodeFunctionData(name, args) }, "latest"],
});

async function read(to: string, name: string, args: unknown[]): Promise<unknown> {
  const { result } = (await askNode(buildCall(to, name, args))) as { result: string };
  const [value] = ABI.decodeFunctionResult(name, result);
  return name === "balanceOfBatch" ? [...value] : value;
}

interface Log {
  topics: string[];
  data: string;
  transactionHash: string;
}

const TRANSFERS = new Interface([
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);
const callNode = (method: string, params: unknown[]) =>
  askNode({ jsonrpc: "2.0", id: 1, method, params }) as Promise<{
    result?: unknown;
    error?: { code: number };
  }>;
const toTopic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

describe("the sandbox's node", () => {
  it("has a block each second, all of them final", async () => {
    const second = Math.floor(now() / 1_000);
    const number = `0x${second.toString(16)}`;
    const block = { number, timestamp: number };
    expect((await callNode("eth_blockNumber", [])).result).toBe(number);
    for (const tag of ["latest", "finalized", number]) {
      expect((await callNode("eth_getBlockByNumber", [tag, false])).result).toMatchObject(block);
    }
    const later = `0x${(second + 1).toString(16)}`;
    expect((await callNode("eth_getBlockByNumber", [later, false])).result).toBeNull();
  });

  it("has the transfers of a wallet's relayed split, and the transaction with its signature", async () => {
    const second = Math.floor(now() / 1_000);
    const filter = {
      address: CONTRACT.conditionalTokens,
      topics: [null, null, null, toTopic(wallet)],
      fromBlock: `0x${(second - 60).toString(16)}`,
      toBlock: "latest",
    };
    const logs = ((await callNode("eth_getLogs", [filter])).result ?? []) as Log[];
    expect(logs).toHaveLength(1);
    const [log = expect.fail("there is one log")] = logs;
    const { args } = TRANSFERS.parseLog(log) ?? expect.fail("it is a transfer");
    expect(args.toArray(true)).toEqual([
      CONTRACT.ctfAdapter,
      CONTRACT.ctfAdapter,
      wallet,
      [BigInt(getToken(market, 0)), BigInt(getToken(market, 1))],
      [SIZE, SIZE],
    ]);
    const signed = await (await getDb()).select().from(sandboxTransactions);
    const { signature } = signed.find((row) => row.wallet === wallet.toLowerCase()) ?? {};
    const { result } = await callNode("eth_getTransactionByHash", [log.transactionHash]);
    expect(result).toMatchObject({
      input: expect.stringContaining(signature?.slice(2).toLowerCase() ?? "none") as string,
    });
    const receipt = (await callNode("eth_getTransactionReceipt", [log.transactionHash])).result;
    const collateral = {
      address: CONTRACT.collateral,
      topics: [expect.any(String), toTopic(wallet), toTopic(CONTRACT.ctfAdapter)],
      data: `0x${SIZE.toString(16).padStart(64, "0")}`,
    };
    expect(receipt).toMatchObject({ status: "0x1", logs: [log, collateral] });
    // No transfers from the wallet, in other blocks, or of another contract.
    for (const other of [
      { topics: [null, null, toTopic(wallet)] },
      { toBlock: filter.fromBlock },
      { address: CONTRACT.positionManager },
    ]) {
      expect((await callNode("eth_getLogs", [{ ...filter, ...other }])).result).toEqual([]);
    }
  });

  it("finds a transaction by its hash with an index", async () => {
    const db = await getDb();
    const [row = expect.fail("a transaction is recorded")] = await db
      .select()
      .from(sandboxTransactions);
    const undone = db.transaction(async (tx) => {
      const copies = Array.from({ length: 1_000 }, (_, n) => ({ ...row, id: `copy-${n}` }));
      await tx.insert(sandboxTransactions).values(copies);
      await tx.execute(sql`analyze sandbox_transactions`);
      const hash = hashTransaction("copy-7").slice(2);
      const plan = await selectRows(
        tx,
        sql`explain select 1 from sandbox_transactions where sandbox_transaction_hash(id) = ${hash}`,
      );
      expect(JSON.stringify(plan)).toContain("sandbox_transactions_hash");
      expect(await selectByHash(tx, hash)).toMatchObject({ id: "copy-7" });
      expect(await selectByHash(tx, "0".repeat(64))).toBeNull();
      throw new Undo();
    });
    await expect(undone).rejects.toThrow(Undo);
  });

  it("refuses filters that name no wallet, or too many blocks", async () => {
    const blocks = { fromBlock: "0x1", toBlock: "0x2" };
    const address = CONTRACT.conditionalTokens;
    for (const filter of [
      { address, topics: [], ...blocks },
      { address, topics: [null, null, toTopic(wallet)], fromBlock: "0x1", toBlock: "latest" },
      {},
    ]) {
      expect((await callNode("eth_getLogs", [filter])).error).toMatchObject({ code: -32_602 });
    }
    for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt"]) {
      for (const hash of ["0x12", `0x${"0".repeat(64)}`]) {
        expect((await callNode(method, [hash])).result).toBeNull();
      }
    }
  });

  it("reads allowances and operators, those that were set and those that are the default", async () => {
    const { collateral, conditionalTokens, ctfAdapter, router } = CONTRACT;
    expect(await read(collateral, "allowance", [wallet, ctfAdapter])).toBe(5n);
    expect(await read(collateral, "allowance", [wallet, router])).toBe(UNLIMITED);
    expect(await read(conditionalTokens, "isApprovedForAll", [wallet, ctfAdapter])).toBe(false);
    expect(await read(conditionalTokens, "isApprovedForAll", [wallet, router])).toBe(true);
  });

  it("reads balances of cash and of positions, one by one and as a list", async () => {
    const [first, second] = [getToken(market, 0), getToken(market, 1)];
    const cash = 10_000_000_000n - SIZE;
    expect(await read(CONTRACT.collateral, "balanceOf(address)", [wallet])).toBe(cash);
    expect(await read(CONTRACT.conditionalTokens, ERC1155, [wallet, first])).toBe(SIZE);
    for (const to of [CONTRACT.conditionalTokens, CONTRACT.negRiskAdapter]) {
      const args = [
        [wallet, wallet, owner.key.address],
        [first, second, first],
      ];
      expect(await read(to, "balanceOfBatch", args)).toEqual([SIZE, SIZE, 0n]);
    }
  });

  it("reads payouts once the market is resolved", async () => {
    const ask = (outcome: 0 | 1) =>
      buildCall(CONTRACT.positionManager, "getPayout", [getToken(market, outcome), SIZE]);
    expect(await askNode(ask(0))).toMatchObject({ error: { code: 3 } });
    clock.set(market.resolvesAt);
    const paid = await Promise.all(
      ([0, 1] as const).map((outcome) =>
        read(CONTRACT.positionManager, "getPayout", [getToken(market, outcome), SIZE]),
      ),
    );
    expect(paid.toSorted()).toEqual([0n, SIZE]);
  });

  it("answers a list with a list, each under its id", async () => {
    const { collateral, router } = CONTRACT;
    const answers = await askNode([
      buildCall(collateral, "allowance", [wallet, router], 7),
      {
        jsonrpc: "2.0",
        id: "gas",
        method: "eth_estimateGas",
        params: [{ to: router, data: "0x" }],
      },
      { jsonrpc: "2.0", id: 9, method: "eth_chainId" },
    ]);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 7, result: `0x${"f".repeat(64)}` },
      { jsonrpc: "2.0", id: "gas", result: "0x30d40" },
      { jsonrpc: "2.0", id: 9, result: "0x89" },
    ]);
  });

  it("refuses other methods, contracts and calls, and changes nothing", async () => {
    const { collateral, conditionalTokens, router } = CONTRACT;
    const reverted = { error: { code: 3, message: "execution reverted" } };
    const transfer = buildCall(collateral, "transfer", [router, 1n]);
    const split = encodePositionCall({ kind: "approve", spender: router, amount: 1n });
    await expectUnchanged(async () => {
      expect(await askNode(transfer)).toMatchObject(reverted);
      expect(await askNode(buildCall(router, "allowance", [wallet, router]))).toMatchObject(
        reverted,
      );
      expect(
        await askNode(buildCall(conditionalTokens, "allowance", [wallet, router])),
      ).toMatchObject(reverted);
      expect(
        await askNode({ ...transfer, params: [{ to: split.target, data: split.data }] }),
      ).toMatchObject(reverted);
      expect(
        await askNode({ ...transfer, params: [{ to: collateral, data: "0xdd62ed3e" }] }),
      ).toMatchObject(reverted);
      expect(await askNode({ ...transfer, params: [] })).toMatchObject({
        error: { code: -32_602 },
      });
      expect(await askNode({ ...transfer, method: "eth_sendRawTransaction" })).toMatchObject({
        error: { code: -32_601 },
      });
      expect(await askNode("text")).toMatchObject({ error: { code: -32_600 } });
    });
  });
});

/** Rolls a transaction back. */
class Undo extends Error {}
