// Wallet transactions whose nonce is used while the relayer lists nothing: the chain decides, or the operator.
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { auditEvents } from "@/lib/db/schema/audit";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { sandboxTransactions } from "@/lib/db/schema/sandbox";
import { signedTransactions } from "@/lib/db/schema/wallet-transactions";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { type PositionCall, UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { getPositionContract } from "@/lib/polymarket/protocol/position-contracts";
import { ensureAccount } from "@/lib/sandbox/accounts";
import { shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { describeTransaction } from "@/lib/wallet-transactions/list-transactions";
import { settleByOperator } from "@/lib/wallet-transactions/settle-by-operator";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readEvents, readTransactions } from "@/tests/support/live/claims";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  findLiveMarket,
  type LiveUser,
  toFailure,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";
import {
  deriveRelayedWallet,
  makeRelayedOwner,
  type RelayedOwner,
  submitCalls,
  type WalletType,
} from "@/tests/support/sandbox/relayer";
import { makeUser } from "@/tests/support/users";

const sandbox = await useLiveVenue();
useSandboxRelayer(sandbox);
useFreshDatabase();

const SIGNATURE_TYPES = { WALLET: "3", SAFE: "2", PROXY: "1" } as const;
const TYPES = ["WALLET", "SAFE", "PROXY"] as const;
const FIVE = 5_000_000n;

interface Holder extends LiveUser {
  type: WalletType;
  relayed: RelayedOwner;
}

let passed = 0;
let restore = () => {};
beforeEach(() => {
  sandbox.fault = () => null;
  restore = setClock(() => Date.now() + passed);
});
afterEach(async () => {
  restore();
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
});

const markets: Record<string, Market> = {};
beforeAll(async () => {
  for (const protocol of ["v1", "v2"] as const) markets[protocol] = await findLiveMarket(protocol);
});
const getMarket = (protocol: "v1" | "v2" = "v1"): Market =>
  markets[protocol] ?? expect.fail("the venue lists markets of both protocols");

/** Creates a user whose wallet's key signs elsewhere as well. */
async function makeHolder(type: WalletType = "WALLET"): Promise<Holder> {
  const [user, relayed] = [await makeUser(), await makeRelayedOwner()];
  const funder = deriveRelayedWallet(relayed, type);
  const { privateKey, address: owner } = relayed.key;
  const input = { privateKey, funder, signatureType: SIGNATURE_TYPES[type] };
  await importLiveWallet(user.userId, input);
  await ensureAccount(funder);
  const live = { ...user.principal, mode: "live" } as const;
  return { ...user, owner, funder, live, type, relayed };
}

const isSubmit = ({ path }: { path: string }) => path === "/relayer/submit";
const LIST_NOTHING: Fault = async (_, { send }) => send(Response.json([]));
const LOSE_RESPONSE: Fault = async (handle, { drop }) => {
  await handle();
  drop();
};
const LOSE_REQUEST: Fault = async (_, { drop }) => drop();

/** Makes the relayer list nothing, and lose what is submitted through Ante. */
function loseSubmissions(lose: Fault): void {
  sandbox.fault = (call) => {
    if (isSubmit(call)) return lose;
    return call.path === "/relayer/transactions" ? LIST_NOTHING : null;
  };
}

/** Returns the status of a split or merge, or the code of its refusal. */
const change = (user: Holder, kind: "split" | "merge", size = FIVE, market = getMarket()) =>
  splitOrMerge(user.live, kind, { marketId: market.id, shares: shares(size) }).then(
    ({ status }) => status as string,
    (error: unknown) => toFailure(error).code,
  );

/** Another program with the same key splits. */
async function splitElsewhere(user: Holder, amount: bigint): Promise<void> {
  const market = getMarket();
  const contract = getPositionContract(market);
  const call: PositionCall = { kind: "split", contract, conditionId: market.id, amount };
  expect(await submitCalls(user.relayed, user.type, [call])).toMatchObject({ status: 200 });
}

async function readOnly(user: Holder) {
  const [row, ...others] = await readTransactions(user);
  expect(others).toEqual([]);
  return row ?? expect.fail("the transaction is recorded");
}

async function advanceOnly(user: Holder) {
  const { id } = await readOnly(user);
  await advance(id);
  return readOnly(user);
}

/** The transfers of the user's live account by kind. */
async function readBooked({ userId }: Holder): Promise<string[]> {
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows
    .filter((row) => `${row.debitAccount}/${row.creditAccount}`.includes(`/${userId}/0`))
    .map(({ kind }) => kind);
}
const readTypes = async (user: Holder) =>
  (await readEvents(user)).map(({ type }) => type).filter((type) => type.startsWith("transaction"));

describe("a split whose response is lost, of which the relayer lists nothing", () => {
  it.each(
    TYPES.flatMap((type) => (["v1", "v2"] as const).map((protocol) => [type, protocol] as const)),
  )("is confirmed by the chain, and booked once: %s, %s", async (type, protocol) => {
    const user = await makeHolder(type);
    loseSubmissions(LOSE_RESPONSE);
    expect(await change(user, "split", FIVE, getMarket(protocol))).toBe("ORDER_OUTCOME_UNKNOWN");
    const row = await advanceOnly(user);
    expect(row).toMatchObject({ status: "confirmed", attempts: 1 });
    const { transactionHash } = await describeTransaction(row);
    expect(transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await readBooked(user)).toEqual(Array(3).fill("split_position"));
    expect(await readTypes(user)).toEqual(["transaction.unknown", "transaction.confirmed"]);
  });

  it("does not keep the next transaction waiting", async () => {
    const user = await makeHolder();
    loseSubmissions(LOSE_RESPONSE);
    await change(user, "split");
    await advanceOnly(user);
    sandbox.fault = () => null;
    expect(await change(user, "merge")).toBe("submitted");
    const [merge] = await readTransactions(user);
    expect(await advance(merge?.id ?? "")).toMatchObject({ kind: "merge", status: "confirmed" });
  });
});

it.each(TYPES)("a merge is confirmed by the chain: %s", async (type) => {
  const user = await makeHolder(type);
  await splitElsewhere(user, FIVE);
  loseSubmissions(LOSE_RESPONSE);
  expect(await change(user, "merge", 2_000_000n)).toBe("ORDER_OUTCOME_UNKNOWN");
  expect(await advanceOnly(user)).toMatchObject({ kind: "merge", status: "confirmed" });
  expect(await readBooked(user)).toEqual(Array(3).fill("merge_positions"));
});

describe("a split whose nonce another program used", () => {
  /** Loses the request of a split, so that it never happens, and lets another program split. */
  async function lose(user: Holder, elsewhere: bigint): Promise<void> {
    loseSubmissions(LOSE_REQUEST);
    expect(await change(user, "split")).toBe("ORDER_OUTCOME_UNKNOWN");
    // Within the same second, an equal split would have the same bytes.
    passed += 2_000;
    await splitElsewhere(user, elsewhere);
  }

  it("for something else has failed, once the chain is past the use of the nonce", async () => {
    const user = await makeHolder();
    await lose(user, 1_000_000n);
    expect(await advanceOnly(user)).toMatchObject({ status: "unknown", waitReason: "unproved" });
    expect((await describeTransaction(await readOnly(user))).reason).toMatch(/keeps checking/);
    passed += 20_000;
    expect(await advanceOnly(user)).toMatchObject({ status: "unknown" });
    passed += 20_000;
    expect(await advanceOnly(user)).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("Nothing changed") as string,
    });
    expect(await readBooked(user)).toEqual([]);
    expect(await readTypes(user)).toEqual(["transaction.unknown", "transaction.failed"]);
  });

  it("for an equal split stays unknown, because the chain doesn't show whose it was", async () => {
    const user = await makeHolder();
    await lose(user, FIVE);
    for (let round = 0; round < 3; round += 1) {
      passed += 60_000;
      expect(await advanceOnly(user)).toMatchObject({ status: "unknown", waitReason: "unproved" });
    }
    expect(await readBooked(user)).toEqual([]);
  });

  it("stays unknown while the node's logs begin after the signing", async () => {
    const user = await makeHolder();
    await lose(user, 1_000_000n);
    await advanceOnly(user);
    passed += 60_000;
    const form = eq(signedTransactions.transactionId, (await readOnly(user)).id);
    // More blocks ago than are searched.
    const createdAt = new Date(Date.now() - 60_000_000);
    await (await getDb()).update(signedTransactions).set({ createdAt }).where(form);
    expect(await advanceOnly(user)).toMatchObject({ status: "unknown" });
  });

  it.each([
    [true, "confirmed", Array(3).fill("split_position")],
    [false, "failed", []],
  ] as const)(
    "ends as the operator found it, with a line in the security log: executed %s",
    async (isExecuted, status, booked) => {
      const user = await makeHolder();
      await lose(user, FIVE);
      const { id } = await advanceOnly(user);
      const reason = "Seen on the explorer.";
      const transactionHash = isExecuted ? `0x${"ab".repeat(32)}` : null;
      const row = await settleByOperator(id, { isExecuted, reason, transactionHash });
      expect(row).toMatchObject({ id, status });
      expect(await describeTransaction(row)).toMatchObject({
        transactionHash,
        reason: isExecuted ? null : `The operator found that it did not happen: ${reason}`,
      });
      expect(await readBooked(user)).toEqual(booked);
      expect(await readTypes(user)).toEqual(["transaction.unknown", `transaction.${status}`]);
      expect(await readSettled(user)).toEqual([{ transaction: id, reason }]);
    },
  );

  async function readSettled({ userId }: Holder) {
    const rows = await (
      await getDb()
    )
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.userId, userId));
    return rows.filter(({ kind }) => kind === "transaction_settled").map(({ detail }) => detail);
  }

  it.each([true, false])(
    "is not settled by the operator while it can still happen: executed %s",
    async (isExecuted) => {
      const user = await makeHolder();
      loseSubmissions(LOSE_REQUEST);
      await change(user, "split");
      const before = await readOnly(user);
      const finding = { isExecuted, reason: "Guessed.", transactionHash: null };
      await expect(settleByOperator(before.id, finding)).rejects.toThrow("nonce 0 is unused");
      expect(await readOnly(user)).toEqual({ ...before, leasedUntil: new Date(0) });
      expect(await readSettled(user)).toEqual([]);
      expect(await readBooked(user)).toEqual([]);
    },
  );

  it("is not settled by the operator once it is confirmed", async () => {
    const user = await makeHolder();
    await change(user, "split");
    const { id } = await advanceOnly(user);
    const before = await readOnly(user);
    expect(before.status).toBe("confirmed");
    const finding = { isExecuted: false, reason: "Too late.", transactionHash: null };
    await expect(settleByOperator(id, finding)).rejects.toThrow("closed");
    expect(await readOnly(user)).toEqual(before);
    expect(await readSettled(user)).toEqual([]);
  });
});

it("a transaction that the relayer has forgotten is found on the chain", async () => {
  const user = await makeHolder();
  expect(await change(user, "split")).toBe("submitted");
  const forget: Fault = async (_, { send }) =>
    send(Response.json({ error: "transaction not found" }, { status: 404 }));
  loseSubmissions(LOSE_REQUEST);
  const listing = sandbox.fault;
  sandbox.fault = (call) =>
    /transactions\/[0-9a-f-]{36}$/.test(call.path) ? forget : listing(call);
  expect(await advanceOnly(user)).toMatchObject({ status: "submitted" });
  passed += 61_000;
  expect(await advanceOnly(user)).toMatchObject({ status: "unknown" });
  expect(await advanceOnly(user)).toMatchObject({ status: "confirmed" });
  const mine = eq(sandboxTransactions.wallet, user.funder.toLowerCase());
  expect(await (await getDb()).select().from(sandboxTransactions).where(mine)).toHaveLength(1);
  expect(await readBooked(user)).toEqual(Array(3).fill("split_position"));
});

it("an approval of USDC that is limited counts as missing, as for the official client", async () => {
  const user = await makeHolder();
  const { setApprovals } = await import("@/lib/wallet-transactions/set-approvals");
  const contract = getPositionContract(getMarket());
  await submitCalls(user.relayed, "WALLET", [{ kind: "approve", spender: contract, amount: FIVE }]);
  const read = await setApprovals(user.live);
  expect(read.transaction?.kind).toBe("approve");
  await advanceOnly(user);
  const after = await setApprovals(user.live);
  const given = after.approvals.find(
    ({ asset, spenderAddress }) => asset === "usdc" && spenderAddress === contract,
  );
  expect(given).toMatchObject({ isSet: true, allowanceBaseUnit: UNLIMITED.toString() });
});
