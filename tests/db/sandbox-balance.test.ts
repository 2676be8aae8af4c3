import { beforeAll, describe, expect, it } from "vitest";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { type PositionCall, UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { readBalance, refreshBalance } from "@/lib/sandbox/balance";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { readApprovals } from "@/lib/sandbox/wallet-approvals";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, getToken, useTestClock } from "@/tests/support/exchange/orders";
import {
  deriveRelayedWallet,
  makeRelayedOwner,
  type RelayedOwner,
  submitCalls,
} from "@/tests/support/sandbox/relayer";

useFreshDatabase();
const clock = useTestClock();

/** Three exchanges and an adapter (polymarket.md 2.4 and 3.1, polymarket-protocol-v2.md 6.1). */
const SPENDERS = {
  ctf: "0xE111180000d2663C0091e4f400237545B87B996B",
  negRisk: "0xe2222d279d744050d28e00520010520000310F59",
  v3: "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa",
  negRiskAdapter: "0xadA2005600Dec949baf300f4C6120000bDB6eAab",
};
const ALL = Object.values(SPENDERS).toSorted();

const isOf = (wanted: "v1" | "v2") => ({
  where: ({ protocol }: { protocol: string }) => protocol === wanted,
});
const ASSETS = [
  ["COLLATERAL", () => ""],
  ["CONDITIONAL", () => getToken(freshMarket(isOf("v1")), 0)],
  ["CONDITIONAL-V2", () => getToken(freshMarket(isOf("v2")), 0)],
] as const;

let owner: RelayedOwner;
let apiKey: string;
beforeAll(async () => {
  owner = await makeRelayedOwner();
  ({ apiKey } = await createSandboxKey({ owner: owner.key.address, nonce: "1" }));
});

const read = async (query: Record<string, string>) =>
  readBalance({ owner: owner.key.address, apiKey }, new URLSearchParams(query));
const refresh = async (query: Record<string, string>) =>
  refreshBalance({ owner: owner.key.address, apiKey }, new URLSearchParams(query));
const readAllowances = async (type: string, tokenId: string) =>
  (await read({ asset_type: type, token_id: tokenId, signature_type: "3" })).allowances;

/** Reads an allowance of collateral without applying transactions. */
const readStoredAllowance = async (spender: string) =>
  (await readApprovals(deriveRelayedWallet(owner, "WALLET"))).getAllowance(spender);

/** Sends calls of the deposit wallet, which the next read applies. */
async function relay(...calls: PositionCall[]): Promise<void> {
  expect(await submitCalls(owner, "WALLET", calls)).toMatchObject({ status: 200 });
  clock.advance(2_000);
}

describe.each(ASSETS)("the allowances of %s", (type, findToken) => {
  it("name the three exchanges and the adapter of multi-outcome events, and nothing else", async () => {
    const allowances = await readAllowances(type, findToken());
    expect(Object.keys(allowances).toSorted()).toEqual(ALL);
    // A wallet of the sandbox has approved everything from the start.
    expect(new Set(Object.values(allowances))).toEqual(new Set([String(UNLIMITED)]));
  });
});

describe("an approval that a wallet changes", () => {
  it("shows with its spender and its asset alone", async () => {
    const [v1, v2] = [ASSETS[1][1](), ASSETS[2][1]()];
    await relay(
      { kind: "approve", spender: SPENDERS.v3, amount: 7_000_000n },
      {
        kind: "setOperator",
        token: CONTRACT.conditionalTokens,
        operator: SPENDERS.negRisk,
        isApproved: false,
      },
      {
        kind: "setOperator",
        token: CONTRACT.positionManager,
        operator: SPENDERS.ctf,
        isApproved: false,
      },
    );
    const all = Object.fromEntries(ALL.map((spender) => [spender, String(UNLIMITED)]));
    const cash = await readAllowances("COLLATERAL", "");
    expect(cash).toEqual({ ...all, [SPENDERS.v3]: "7000000" });
    expect(await readAllowances("CONDITIONAL", v1)).toEqual({ ...all, [SPENDERS.negRisk]: "0" });
    expect(await readAllowances("CONDITIONAL-V2", v2)).toEqual({ ...all, [SPENDERS.ctf]: "0" });
  });
});

describe.each(ASSETS)("an update of %s", (type, findToken) => {
  it("applies the wallet's relayed transactions that are due, and has an empty response", async () => {
    const spender = SPENDERS.negRiskAdapter;
    const amount = BigInt(ASSETS.findIndex(([name]) => name === type) + 1);
    await relay({ kind: "approve", spender, amount });
    expect(await readStoredAllowance(spender)).not.toBe(amount);
    const query = { asset_type: type, token_id: findToken(), signature_type: "3" };
    expect(await refresh(query)).toBeNull();
    expect(await readStoredAllowance(spender)).toBe(amount);
  });
});

it.each([
  ["an unknown asset", { asset_type: "CONDITIONAL-V3" }, "Invalid asset type"],
  ["an outcome without its token", { asset_type: "CONDITIONAL-V2" }, "assetId invalid value -1"],
  [
    "an unknown kind of wallet",
    { asset_type: "COLLATERAL", signature_type: "4" },
    "Invalid signature_type",
  ],
])("%s is refused in the venue's words", async (_what, query, message) => {
  await expectUnchanged(async () => {
    await expect(read(query)).rejects.toMatchObject({ status: 400, message });
    await expect(refresh(query)).rejects.toMatchObject({ status: 400, message });
  });
});
