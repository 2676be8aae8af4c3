import { concat, getIcapAddress, solidityPacked, ZeroAddress } from "ethers";
import { signRecoverable } from "tiny-secp256k1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import type { CallPermit } from "@/lib/custody/call-policy";
import { signWalletTransaction } from "@/lib/custody/signer";
import type { WalletMessageRequest } from "@/lib/custody/wallet-message-policy";
import type { LiveWalletRow } from "@/lib/db/queries/live-wallets";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import {
  encodePositionCall,
  UNLIMITED,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import { decodeProxyCalls } from "@/lib/polymarket/protocol/proxy-transaction";
import {
  recoverBatchSigner,
  recoverProxySigner,
  recoverSafeSigner,
} from "@/lib/polymarket/protocol/relayer-signature";
import { listSafeCalls } from "@/lib/polymarket/protocol/safe-transaction";
import { buildAuthorizeCall } from "@/lib/polymarket/protocol/session-calls";
import { expectUnchanged } from "@/tests/support/api/state";
import { FORBIDDEN_FUNCTIONS } from "@/tests/support/custody/forbidden-calls";
import { mutateCall, STRANGER } from "@/tests/support/custody/mutate-call";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner, storeWallet } from "@/tests/support/live/wallets";
import { Random } from "@/tests/support/random";
import { makeUser } from "@/tests/support/users";

vi.mock("tiny-secp256k1", async (importOriginal) =>
  (await import("@/tests/support/custody/signatures")).countedSignatures(importOriginal),
);
useFreshDatabase();

const START = Date.UTC(2026, 10, 25, 12);
const START_S = BigInt(START / 1_000);
let at = START;
let restoreClock = () => {};
beforeEach(() => {
  at = START;
  restoreClock = setClock(() => at);
  // Every signature of a stored key goes through this function.
  vi.mocked(signRecoverable).mockClear();
});
afterEach(() => restoreClock());

const V1 = "0x1171bfba0ad9386688133910593527fe77ce5406a7ac2c9a3552ab5471c1ac51";
const RELAY = "0x4444444444444444444444444444444444444444";
const AMOUNT = 2_500_000n;
/** For each kind of wallet, so 1,000 for all of them. */
const MUTATIONS = 250;
const { collateral, conditionalTokens, positionManager, ctfAdapter, multiSend } = CONTRACT;

/** The calls of a claim with the approval that it lacks, and their permit. */
const APPROVE = encodePositionCall({
  kind: "setOperator",
  token: conditionalTokens,
  operator: ctfAdapter,
  isApproved: true,
});
const REDEEM = encodePositionCall({ kind: "redeem", contract: ctfAdapter, conditionId: V1 });
const CLAIM: readonly WalletCall[] = [APPROVE, REDEEM];
const PERMIT: CallPermit = {
  kind: "redeem",
  market: { conditionId: V1, protocol: "v1", isNegRisk: false },
  holdings: [AMOUNT, AMOUNT],
};

const REQUEST: WalletMessageRequest = {
  calls: CLAIM,
  permit: PERMIT,
  nonce: 7n,
  deadline: START_S + 600n,
  relay: RELAY,
};

interface Kind {
  name: string;
  type: SignatureType;
  isSession: boolean;
}

const KINDS: Kind[] = [
  { name: "a proxy wallet", type: 1, isSession: false },
  { name: "a Safe", type: 2, isSession: false },
  { name: "a deposit wallet", type: 3, isSession: false },
  { name: "a deposit wallet's session key", type: 3, isSession: true },
];

async function makeWallet({ type, isSession }: Omit<Kind, "name">): Promise<LiveWalletRow> {
  const { userId } = await makeUser();
  const [owner, session] = [createOwner(), createOwner()];
  const { address, privateKey } = isSession ? session : owner;
  const identity = { userId, address, funderAddress: owner.funders[type], signatureType: type };
  const expiresAt = new Date(START + 86_400_000);
  return storeWallet(identity, privateKey, isSession ? { scopes: ["CLOB"], expiresAt } : null);
}

const sign = (wallet: LiveWalletRow, change: Partial<WalletMessageRequest> = {}) =>
  signWalletTransaction(wallet, { ...REQUEST, ...change }, "Ante wtx_test/1");

const call = (target: string, name: string, args: readonly unknown[]): WalletCall => ({
  target,
  value: 0n,
  data: FORBIDDEN_FUNCTIONS.encodeFunctionData(name, args),
});
const approve = (spender: string, amount: bigint) =>
  encodePositionCall({ kind: "approve", spender, amount });
const setOperator = (token: typeof conditionalTokens | typeof positionManager, operator: string) =>
  encodePositionCall({ kind: "setOperator", token, operator, isApproved: true });

/** Calls that take something out of a wallet, or let somebody else do it. */
function listForbidden(wallet: string): Record<string, WalletCall> {
  const transfer = call(collateral, "transfer", [STRANGER, AMOUNT]);
  const moved = [wallet, STRANGER, 1n, AMOUNT, "0x"];
  const item = solidityPacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [1, STRANGER, 0n, 0n, "0x"],
  );
  const split = { kind: "split", contract: ctfAdapter, conditionId: V1, amount: AMOUNT } as const;
  return {
    "a transfer of USDC": transfer,
    "a transfer of USDC from the wallet": call(collateral, "transferFrom", [
      wallet,
      STRANGER,
      AMOUNT,
    ]),
    "a transfer of shares": call(conditionalTokens, "safeTransferFrom", moved),
    "a transfer of Protocol V2's shares": call(positionManager, "safeTransferFrom", moved),
    "a transfer of several tokens": call(conditionalTokens, "safeBatchTransferFrom", [
      wallet,
      STRANGER,
      [1n],
      [AMOUNT],
      "0x",
    ]),
    "a withdrawal": call(collateral, "withdraw", [AMOUNT]),
    "a withdrawal to another asset": call(collateral, "unwrap", [ZeroAddress, STRANGER, AMOUNT]),
    "an approval of USDC for a stranger": approve(STRANGER, UNLIMITED),
    "an approval of USDC for perpetuals": approve(CONTRACT.perpsDeposit, UNLIMITED),
    "an approval of another amount": approve(getExchangeDomain(137, "ctf").verifyingContract, 1n),
    "an approval of shares for a stranger": setOperator(conditionalTokens, STRANGER),
    "an approval of Protocol V2's shares for a stranger": setOperator(positionManager, STRANGER),
    "a higher allowance": call(collateral, "increaseAllowance", [STRANGER, AMOUNT]),
    "a permit": call(collateral, "permit", [
      wallet,
      STRANGER,
      AMOUNT,
      START_S + 600n,
      27,
      `0x${"1".repeat(64)}`,
      `0x${"2".repeat(64)}`,
    ]),
    "a claim at an unknown contract": { ...REDEEM, target: STRANGER },
    "a claim at the Conditional Tokens contract": { ...REDEEM, target: conditionalTokens },
    "a call without data": { target: STRANGER, value: 0n, data: "0x" },
    "a proper call that also sends POL": { ...REDEEM, value: 1n },
    "a proper call with another byte": { ...REDEEM, data: concat([REDEEM.data, "0x00"]) },
    "a claim of another market": encodePositionCall({
      kind: "redeem",
      contract: ctfAdapter,
      conditionId: `0x${"12".repeat(32)}`,
    }),
    "a split for a claim's permit": encodePositionCall(split),
    "a MultiSend that runs a stranger's code": call(multiSend, "multiSend", [item]),
    "a Safe's transaction that runs a stranger's code": call(wallet, "execTransaction", [
      STRANGER,
      0n,
      transfer.data,
      1,
    ]),
    "a module for the wallet": call(wallet, "enableModule", [STRANGER]),
    "a session key for a stranger": buildAuthorizeCall(wallet, {
      address: STRANGER,
      validUntil: START_S + 86_400n,
    }),
  };
}

/** Checks that a request is refused before the key signs anything, and changes no row. */
async function expectNotSigned(
  wallet: LiveWalletRow,
  change: Partial<WalletMessageRequest>,
  what: string,
): Promise<void> {
  await expect(sign(wallet, change), what).rejects.toThrow("the signer refuses");
  expect(signRecoverable, what).not.toHaveBeenCalled();
}

interface Submission {
  type: string;
  from: string;
  nonce: string;
  to: string;
  data: string;
  signature: string;
  proxyWallet: string;
  signatureParams: { operation: string; gasLimit: string; relay: string };
  depositWalletParams: {
    depositWallet: string;
    deadline: string;
    calls: { target: string; value: string; data: string }[];
  };
}

/** A submission as the relayer and the wallet's contract read it. */
interface ReadSubmission {
  wallet: string;
  calls: readonly WalletCall[] | null;
  /** Recovers the signer of the submission with these values instead of its own. */
  recover: (
    change?: Partial<Pick<WalletMessageRequest, "nonce" | "deadline" | "relay">>,
  ) => unknown;
}

function readSubmission(body: string): ReadSubmission {
  const given = JSON.parse(body) as Submission;
  const { type, from, to, data, signature } = given;
  const nonce = BigInt(given.nonce);
  if (type === "WALLET") {
    const { depositWallet: wallet, deadline, ...params } = given.depositWalletParams;
    const calls = params.calls.map((each) => ({ ...each, value: BigInt(each.value) }));
    const batch = { wallet, nonce, deadline: BigInt(deadline), calls };
    return {
      wallet,
      calls,
      recover: (change) =>
        recoverBatchSigner({ ...batch, ...change }, 137, signature)?.address ?? null,
    };
  }
  const { operation, gasLimit, relay } = given.signatureParams;
  if (type === "SAFE") {
    const safe = given.proxyWallet;
    const code = operation === "1" ? 1 : 0;
    const transaction = { safe, to, data, nonce, value: 0n, operation: code } as const;
    return {
      wallet: safe,
      calls: listSafeCalls(transaction),
      recover: (change) => recoverSafeSigner({ ...transaction, ...change }, 137, signature),
    };
  }
  const transaction = { from, data, gasLimit: BigInt(gasLimit), nonce, relay };
  return {
    wallet: given.proxyWallet,
    calls: decodeProxyCalls(data),
    recover: (change) =>
      recoverProxySigner({ ...transaction, ...change, relay: change?.relay ?? relay }, signature),
  };
}

describe.each(KINDS)("$name", (kind) => {
  it.each([
    ["one call", [REDEEM]],
    ["several calls", CLAIM],
  ])("signs a claim of %s, and exactly these", async (_what, calls) => {
    const wallet = await makeWallet(kind);
    const body = await sign(wallet, { calls });
    expect(signRecoverable).toHaveBeenCalledTimes(1);
    const read = readSubmission(body);
    expect(read.wallet).toBe(wallet.funderAddress);
    expect(read.calls).toEqual(calls);
    expect(read.recover()).toBe(wallet.address);
    expect(read.recover({ nonce: 8n })).not.toBe(wallet.address);
    if (kind.type === 1) expect(read.recover({ relay: STRANGER })).not.toBe(wallet.address);
    if (kind.type === 3) {
      expect(read.recover({ deadline: REQUEST.deadline + 1n })).not.toBe(wallet.address);
    }
  });

  it("signs no transfer, withdrawal or foreign approval, alone or hidden in a batch", async () => {
    const wallet = await makeWallet(kind);
    await expectUnchanged(async () => {
      for (const [what, bad] of Object.entries(listForbidden(wallet.funderAddress))) {
        for (const calls of [[bad], [bad, ...CLAIM], [APPROVE, bad, REDEEM], [...CLAIM, bad]]) {
          for (const permit of [PERMIT, { kind: "approve" }] as const) {
            await expectNotSigned(wallet, { calls, permit }, what);
          }
        }
      }
    });
    await sign(wallet);
    expect(signRecoverable).toHaveBeenCalledTimes(1);
  });

  it(`signs none of ${MUTATIONS} mutated calls`, async () => {
    const wallet = await makeWallet(kind);
    const random = new Random(19);
    await expectUnchanged(async () => {
      for (let round = 0; round < MUTATIONS; round += 1) {
        const changed = random.integer(0, CLAIM.length - 1);
        const calls = CLAIM.map((own, index) =>
          index === changed ? mutateCall(own, random) : own,
        );
        await expectNotSigned(wallet, { calls }, `round ${round}`);
      }
    });
  });

  it("signs the calls that were checked, whatever becomes of the request meanwhile", async () => {
    const wallet = await makeWallet(kind);
    const calls = CLAIM.map((each) => ({ ...each }));
    const signing = sign(wallet, { calls });
    const [transfer] = Object.values(listForbidden(wallet.funderAddress));
    for (const each of calls) Object.assign(each, transfer);
    expect(readSubmission(await signing).calls).toEqual(CLAIM);
  });

  const REFUSED: [string, Partial<WalletMessageRequest>, SignatureType[]][] = [
    ["no calls", { calls: [] }, [1, 2, 3]],
    ["too many calls", { calls: Array.from({ length: 21 }, () => APPROVE) }, [1, 2, 3]],
    ["a negative nonce", { nonce: -1n }, [1, 2, 3]],
    ["a nonce above 2^256 - 1", { nonce: 2n ** 256n }, [1, 2, 3]],
    ["no deadline", { deadline: 0n }, [3]],
    ["a deadline that passed", { deadline: START_S - 1n }, [3]],
    ["a deadline in 9 seconds", { deadline: START_S + 9n }, [3]],
    ["a deadline in 601 seconds", { deadline: START_S + 601n }, [3]],
    ["a deadline in milliseconds", { deadline: BigInt(START) + 600_000n }, [3]],
    ["no relay", { relay: null }, [1]],
    ["an empty relay", { relay: "" }, [1]],
    ["a relay with a wrong checksum", { relay: STRANGER.replace("C", "c") }, [1]],
    ["a relay that is too short", { relay: RELAY.slice(0, -2) }, [1]],
    ["a relay that is too long", { relay: `${RELAY}44` }, [1]],
    ["a relay without 0x", { relay: RELAY.slice(2) }, [1]],
    ["a relay as an IBAN", { relay: getIcapAddress(RELAY) }, [1]],
  ];

  it.each(REFUSED.filter(([, , types]) => types.includes(kind.type)))(
    "signs nothing with %s",
    async (what, change) => {
      const wallet = await makeWallet(kind);
      await expectUnchanged(() => expectNotSigned(wallet, change, what));
    },
  );
});

describe("a deposit wallet", () => {
  it.each([10n, 600n])("signs with a deadline in %s seconds", async (seconds) => {
    const wallet = await makeWallet({ type: 3, isSession: false });
    await expect(sign(wallet, { deadline: START_S + seconds })).resolves.toMatch(/"WALLET"/);
  });

  it("signs nothing with a session key from the moment of its end", async () => {
    const wallet = await makeWallet({ type: 3, isSession: true });
    const end = START + 86_400_000;
    const deadline = BigInt(Math.floor(end / 1_000)) + 300n;
    at = end - 1;
    await sign(wallet, { deadline });
    expect(signRecoverable).toHaveBeenCalledTimes(1);
    at = end;
    await expectUnchanged(async () => {
      await expect(sign(wallet, { deadline })).rejects.toMatchObject({
        code: "SESSION_KEY_EXPIRED",
      });
    });
    expect(signRecoverable).toHaveBeenCalledTimes(1);
  });
});

describe("a plain wallet", () => {
  it("signs no transaction for the relayer, which serves none", async () => {
    const wallet = await makeWallet({ type: 0, isSession: false });
    await expectUnchanged(async () => {
      for (const calls of [CLAIM, Object.values(listForbidden(wallet.funderAddress)).slice(0, 1)]) {
        await expectNotSigned(wallet, { calls }, "a plain wallet");
      }
    });
  });
});
