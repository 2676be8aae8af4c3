// Wallet transactions whose nonce is used while the relayer lists nothing: the chain decides, or the operator.
import { eq } from "drizzle-orm";
import { AbiCoder, id as hashText, Wallet, zeroPadValue } from "ethers";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { auditEvents } from "@/lib/db/schema/audit";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { sandboxTransactions } from "@/lib/db/schema/sandbox";
import { signedTransactions } from "@/lib/db/schema/wallet-transactions";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { getPositionContract } from "@/lib/polymarket/protocol/position-contracts";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { describeTransaction } from "@/lib/wallet-transactions/list-transactions";
import { settleByOperator } from "@/lib/wallet-transactions/settle-by-operator";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readEvents, readTransactions } from "@/tests/support/live/claims";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import {
  advanceOnly,
  callElsewhere,
  changePositions,
  LOSE_REQUEST,
  LOSE_RESPONSE,
  loseSubmissions,
  makeRelayedUser,
  readOnly,
  type RelayedUser,
  splitElsewhere,
} from "@/tests/support/live/relayed-users";
import {
  findLiveMarket,
  LONG_TIMEOUTS,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";

const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useSandboxRelayer(sandbox);
useFreshDatabase();

const TYPES = ["WALLET", "SAFE", "PROXY"] as const;
const FIVE = 5_000_000n;

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

const lose = (how: Fault) => loseSubmissions(sandbox, how);
const change = (
  user: RelayedUser,
  kind: "split" | "merge",
  { size = FIVE, market = getMarket() }: { size?: bigint; market?: Market } = {},
) => changePositions(user, kind, { market, size });

/** The transfers of the user's live account by kind. */
async function readBooked({ userId }: RelayedUser): Promise<string[]> {
  const rows = await (await getDb()).select().from(ledgerTransfers);
  return rows
    .filter((row) => `${row.debitAccount}/${row.creditAccount}`.includes(`/${userId}/0`))
    .map(({ kind }) => kind);
}
const readTypes = async (user: RelayedUser) =>
  (await readEvents(user)).map(({ type }) => type).filter((type) => type.startsWith("transaction"));

describe("a split whose response is lost, of which the relayer lists nothing", () => {
  it.each(
    TYPES.flatMap((type) => (["v1", "v2"] as const).map((protocol) => [type, protocol] as const)),
  )("is confirmed by the chain, and booked once: %s, %s", async (type, protocol) => {
    const user = await makeRelayedUser(type);
    lose(LOSE_RESPONSE);
    expect(await change(user, "split", { market: getMarket(protocol) })).toBe(
      "ORDER_OUTCOME_UNKNOWN",
    );
    const row = await advanceOnly(user);
    expect(row).toMatchObject({ status: "confirmed", attempts: 1 });
    const { transactionHash } = await describeTransaction(row);
    expect(transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await readBooked(user)).toEqual(Array(3).fill("split_position"));
    expect(await readTypes(user)).toEqual(["transaction.unknown", "transaction.confirmed"]);
  });

  it("does not keep the next transaction waiting", async () => {
    const user = await makeRelayedUser();
    lose(LOSE_RESPONSE);
    await change(user, "split");
    await advanceOnly(user);
    sandbox.fault = () => null;
    expect(await change(user, "merge")).toBe("submitted");
    const [merge] = await readTransactions(user);
    expect(await advance(merge?.id ?? "")).toMatchObject({ kind: "merge", status: "confirmed" });
  });
});

it.each(TYPES)("a merge is confirmed by the chain: %s", async (type) => {
  const user = await makeRelayedUser(type);
  await splitElsewhere(user, getMarket(), FIVE);
  lose(LOSE_RESPONSE);
  expect(await change(user, "merge", { size: 2_000_000n })).toBe("ORDER_OUTCOME_UNKNOWN");
  expect(await advanceOnly(user)).toMatchObject({ kind: "merge", status: "confirmed" });
  expect(await readBooked(user)).toEqual(Array(3).fill("merge_positions"));
});

describe("a split whose nonce another program used", () => {
  /** Loses the request of a split, so that it never happens, and lets another program split. */
  async function loseTo(user: RelayedUser, elsewhere: bigint): Promise<void> {
    lose(LOSE_REQUEST);
    expect(await change(user, "split")).toBe("ORDER_OUTCOME_UNKNOWN");
    // Within the same second, an equal split would have the same bytes.
    passed += 2_000;
    await splitElsewhere(user, getMarket(), elsewhere);
  }

  it("for something else has failed, once the chain is past the use of the nonce", async () => {
    const user = await makeRelayedUser();
    await loseTo(user, 1_000_000n);
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
    const user = await makeRelayedUser();
    await loseTo(user, FIVE);
    for (let round = 0; round < 3; round += 1) {
      passed += 60_000;
      expect(await advanceOnly(user)).toMatchObject({ status: "unknown", waitReason: "unproved" });
    }
    expect(await readBooked(user)).toEqual([]);
  });

  it("stays unknown while the node's logs begin after the signing", async () => {
    const user = await makeRelayedUser();
    await loseTo(user, 1_000_000n);
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
      const user = await makeRelayedUser();
      await loseTo(user, FIVE);
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

  async function readSettled({ userId }: RelayedUser) {
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
      const user = await makeRelayedUser();
      lose(LOSE_REQUEST);
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
    const user = await makeRelayedUser();
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

describe("a transfer of exactly a transaction's shares", () => {
  const STRANGER = Wallet.createRandom().address;
  const HASH = hashText("a transaction of somebody else");
  const toTopic = (address: string) => zeroPadValue(address, 32).toLowerCase();
  const encode = (types: string[], values: unknown[]) =>
    AbiCoder.defaultAbiCoder().encode(types, values);

  interface Question {
    id: number;
    method: string;
    params: [unknown];
  }
  type Kind = "split" | "merge";

  /** Lets the node show one more transaction, which moved the shares of a split or merge. */
  function show(user: RelayedUser, kind: Kind, readReceipt: (log: object) => object | null): void {
    const parties = [toTopic(STRANGER), toTopic(user.funder)];
    const log = {
      address: CONTRACT.conditionalTokens,
      topics: [
        hashText("TransferBatch(address,address,address,uint256[],uint256[])"),
        toTopic(STRANGER),
        ...(kind === "split" ? parties : parties.toReversed()),
      ],
      data: encode(
        ["uint256[]", "uint256[]"],
        [getMarket().outcomes.map(({ tokenId }) => tokenId), [FIVE, FIVE]],
      ),
      transactionHash: HASH,
    };
    const answer = ({ method, params: [asked] }: Question, result: unknown): unknown => {
      if (method === "eth_getLogs") return [...(result as object[]), log];
      if (asked !== HASH) return result;
      return method === "eth_getTransactionReceipt" ? readReceipt(log) : { input: "0xabcd" };
    };
    const amend = ({ body }: VenueCall): Fault => {
      const questions = JSON.parse(body) as Question[];
      return async (handle, { send }) => {
        const answers = (await (await handle()).json()) as { id: number; result: unknown }[];
        await send(
          Response.json(
            answers.map(({ id, result }) => {
              const question = questions.find((one) => one.id === id);
              return { id, result: question ? answer(question, result) : result };
            }),
          ),
        );
      };
    };
    const other = sandbox.fault;
    sandbox.fault = (call) => (call.path === "/rpc" ? amend(call) : other(call));
  }

  const receipt = (...logs: object[]) => ({ status: "0x1", transactionHash: HASH, logs });
  /** A transfer of collateral between the wallet and an exchange. */
  const pay = (from: string, to: string) => ({
    address: CONTRACT.collateral,
    topics: [hashText("Transfer(address,address,uint256)"), toTopic(from), toTopic(to)],
    data: encode(["uint256"], [3_000_000n]),
    transactionHash: HASH,
  });

  /** Loses the request of a split or merge, whose nonce another program uses for another split. */
  async function loseToOther(user: RelayedUser, kind: Kind): Promise<void> {
    if (kind === "merge") await splitElsewhere(user, getMarket(), 2n * FIVE);
    lose(LOSE_REQUEST);
    expect(await change(user, kind)).toBe("ORDER_OUTCOME_UNKNOWN");
    passed += 2_000;
    await splitElsewhere(user, getMarket(), 1_000_000n);
  }

  async function advanceMinutes(user: RelayedUser) {
    for (let minute = 0; minute < 3; minute += 1) {
      await advanceOnly(user);
      passed += 60_000;
    }
    return advanceOnly(user);
  }

  it.each(["split", "merge"] as const)(
    "without a payment is not the %s, whose outcome is then proved",
    async (kind) => {
      const user = await makeRelayedUser();
      await loseToOther(user, kind);
      show(user, kind, (log) => receipt(log));
      expect(await advanceMinutes(user)).toMatchObject({
        status: "failed",
        failure: expect.stringContaining("Nothing changed") as string,
      });
      expect(await readBooked(user)).toEqual([]);
    },
  );

  it.each(["split", "merge"] as const)("leaves a %s that happened confirmed", async (kind) => {
    const user = await makeRelayedUser();
    if (kind === "merge") await splitElsewhere(user, getMarket(), 2n * FIVE);
    lose(LOSE_RESPONSE);
    expect(await change(user, kind)).toBe("ORDER_OUTCOME_UNKNOWN");
    show(user, kind, (log) => receipt(log));
    const row = await advanceOnly(user);
    expect(row).toMatchObject({ status: "confirmed", attempts: 1 });
    const { transactionHash } = await describeTransaction(row);
    expect(transactionHash).not.toBe(HASH);
    expect(await readBooked(user)).toHaveLength(3);
  });

  const UNPROVED: [string, Kind, (user: RelayedUser, log: object) => object | null][] = [
    [
      "that the wallet paid for",
      "split",
      ({ funder }, log) => receipt(log, pay(funder, CONTRACT.ctfAdapter)),
    ],
    [
      "for which the wallet was paid",
      "merge",
      ({ funder }, log) => receipt(log, pay(CONTRACT.ctfAdapter, funder)),
    ],
    ["whose receipt is missing", "split", () => null],
    ["whose receipt doesn't have it", "split", () => receipt()],
  ];
  it.each(UNPROVED)("%s leaves the %s unknown", async (_what, kind, readReceipt) => {
    const user = await makeRelayedUser();
    await loseToOther(user, kind);
    show(user, kind, (log) => readReceipt(user, log));
    expect(await advanceMinutes(user)).toMatchObject({
      status: "unknown",
      waitReason: "unproved",
    });
    expect(await readBooked(user)).toEqual([]);
  });

  it("is told from a payment between other wallets in the same transaction", async () => {
    const user = await makeRelayedUser();
    await loseToOther(user, "split");
    show(user, "split", (log) => receipt(log, pay(STRANGER, user.funder)));
    expect(await advanceMinutes(user)).toMatchObject({ status: "failed" });
  });
});

it("a transaction that the relayer has forgotten is found on the chain", async () => {
  const user = await makeRelayedUser();
  expect(await change(user, "split")).toBe("submitted");
  const forget: Fault = async (_, { send }) =>
    send(Response.json({ error: "transaction not found" }, { status: 404 }));
  lose(LOSE_REQUEST);
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
  const user = await makeRelayedUser();
  const { setApprovals } = await import("@/lib/wallet-transactions/set-approvals");
  const contract = getPositionContract(getMarket());
  await callElsewhere(user, { kind: "approve", spender: contract, amount: FIVE });
  const read = await setApprovals(user.live);
  expect(read.transaction?.kind).toBe("approve");
  await advanceOnly(user);
  const after = await setApprovals(user.live);
  const given = after.approvals.find(
    ({ asset, spenderAddress }) => asset === "usdc" && spenderAddress === contract,
  );
  expect(given).toMatchObject({ isSet: true, allowanceBaseUnit: UNLIMITED.toString() });
});
