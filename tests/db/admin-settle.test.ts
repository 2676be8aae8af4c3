// The admin verb that ends a wallet transaction whose outcome the chain doesn't prove.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runVerb } from "@/lib/cli/admin-verbs";
import { setClock } from "@/lib/clock";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import type { Market } from "@/lib/venue/port";
import { describeTransaction } from "@/lib/wallet-transactions/list-transactions";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  advanceOnly,
  changePositions,
  LOSE_REQUEST,
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
import { captureOutput } from "@/tests/support/output";

// A verb closes the process's database, but these tests keep using it.
vi.mock("@/lib/db/client", async (importOriginal) => ({
  ...(await importOriginal<typeof import("@/lib/db/client")>()),
  closeDatabase: async () => undefined,
}));
const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useSandboxRelayer(sandbox);
useFreshDatabase();

const FIVE = 5_000_000n;
const HASH = `0x${"ab".repeat(32)}`;

let passed = 0;
let restore = () => {};
let market: Market;
beforeAll(async () => {
  market = await findLiveMarket();
});
beforeEach(() => {
  sandbox.fault = () => null;
  restore = setClock(() => Date.now() + passed);
});
afterEach(async () => {
  restore();
  expect((await verifyBooksAndLogs()).problems).toEqual([]);
});

/** Runs the verb with options; an empty value leaves one out. */
function settle(options: Record<string, string>, ...flags: string[]) {
  const given = Object.entries(options).filter(([, value]) => value !== "");
  const args = given.flatMap(([name, value]) => [`--${name}`, value]);
  return captureOutput(() => runVerb(["transactions:settle", ...args, ...flags]));
}

/** A user whose split was lost, and whose nonce another program used for an equal split. */
async function makeUnproved(): Promise<{ user: RelayedUser; id: string }> {
  const user = await makeRelayedUser();
  loseSubmissions(sandbox, LOSE_REQUEST);
  expect(await changePositions(user, "split", { market, size: FIVE })).toBe(
    "ORDER_OUTCOME_UNKNOWN",
  );
  // Within the same second, an equal split would have the same bytes.
  passed += 2_000;
  await splitElsewhere(user, market, FIVE);
  const { id, status, waitReason } = await advanceOnly(user);
  expect([status, waitReason]).toEqual(["unknown", "unproved"]);
  return { user, id };
}

describe("transactions:settle", () => {
  it("ends a transaction as executed, and prints one document", async () => {
    const { user, id } = await makeUnproved();
    const options = { id, outcome: "executed", reason: "Seen on the explorer.", hash: HASH };
    const { code, stdout, stderr } = await settle(options, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({ id, status: "confirmed" });
    const row = await readOnly(user);
    expect(row.status).toBe("confirmed");
    expect(await describeTransaction(row)).toMatchObject({ transactionHash: HASH, reason: null });
  });

  it("ends a transaction as not executed with the reason, and prints a sentence", async () => {
    const { user, id } = await makeUnproved();
    const options = { id, outcome: "not-executed", reason: "Not on the explorer." };
    expect(await settle(options)).toEqual({ code: 0, stdout: `${id} is failed.\n`, stderr: "" });
    expect(await describeTransaction(await readOnly(user))).toMatchObject({
      status: "failed",
      reason: "The operator found that it did not happen: Not on the explorer.",
    });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["an id", { id: "" }, /--id/],
    ["an outcome", { outcome: "" }, /--outcome/],
    ["a known outcome", { outcome: "maybe" }, /--outcome/],
    ["a reason", { reason: "" }, /--reason/],
    ["a short reason", { reason: "x".repeat(201) }, /--reason/],
    ["a well-formed hash", { hash: "0x12" }, /--hash/],
    ["a known id", { id: "wtx_unknown" }, /wtx_unknown/],
    ["known options", { force: "yes" }, /--force/],
  ])("without %s changes nothing and exits with 1", async (_what, change, message) => {
    const { id } = await makeUnproved();
    const before = await databaseState();
    const options = { id, outcome: "executed", reason: "Guessed.", ...change };
    const { code, stdout, stderr } = await settle(options);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(await databaseState()).toEqual(before);
  });

  it("refuses a transaction that can still happen", async () => {
    const user = await makeRelayedUser();
    loseSubmissions(sandbox, LOSE_REQUEST);
    await changePositions(user, "split", { market, size: FIVE });
    const before = await readOnly(user);
    const options = { id: before.id, outcome: "executed", reason: "Guessed." };
    const { code, stdout, stderr } = await settle(options);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("nonce 0 is unused");
    expect(await readOnly(user)).toEqual({ ...before, leasedUntil: new Date(0) });
  });
});
