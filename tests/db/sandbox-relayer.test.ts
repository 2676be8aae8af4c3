import { Wallet } from "ethers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { setLimits } from "@/lib/limits/change-limits";
import { freeze } from "@/lib/limits/freeze";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import {
  encodePositionCall,
  type PositionCall,
  UNLIMITED,
} from "@/lib/polymarket/protocol/position-calls";
import { signSafeCreation } from "@/lib/polymarket/protocol/relayer-signature";
import { toSafeCreation, toWalletCreation } from "@/lib/polymarket/protocol/relayer-submission";
import { deriveDepositWallets, deriveSafeWallet } from "@/lib/polymarket/protocol/wallets";
import { toUserId } from "@/lib/sandbox/accounts";
import { answerSandbox } from "@/lib/sandbox/router";
import { usdc } from "@/lib/units";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readCashBalance, readPosition } from "@/tests/support/exchange/ledger";
import { freshMarket, getToken, MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import {
  askRelayer,
  deriveRelayedWallet,
  makeRelayedOwner,
  readNonce,
  readState,
  type RelayedOwner,
  type RelayerAnswer,
  signCalls,
  submitBody,
  submitCalls,
  type WalletType,
} from "@/tests/support/sandbox/relayer";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

const DAY = 24 * 60 * MINUTE;
const FUNDS = 10_000_000_000n;
const SIZE = 25_000_000n;

/** The limits of the account under test. */
const OWN = { userId: "", subject: { scope: "user" } as const };

let owner: RelayedOwner;
let market: PaperMarket;

beforeAll(async () => {
  owner = await makeRelayedOwner();
});

const getAdapter = (of: PaperMarket) =>
  of.isNegRisk ? CONTRACT.negRiskCtfAdapter : CONTRACT.ctfAdapter;
const split = (of: PaperMarket, amount = SIZE) =>
  ({ kind: "split", contract: getAdapter(of), conditionId: of.id, amount }) as const;
const merge = (of: PaperMarket, amount = SIZE) =>
  ({ ...split(of, amount), kind: "merge" }) as const;
const redeem = (of: PaperMarket): PositionCall => ({
  kind: "redeem",
  contract: getAdapter(of),
  conditionId: of.id,
});
const approve = (spender: string, amount = UNLIMITED): PositionCall => ({
  kind: "approve",
  spender,
  amount,
});

const isV1 = ({ protocol }: PaperMarket) => protocol === "v1";
const newMarket = (isNegRisk = false) =>
  freshMarket({ where: (one) => isV1(one) && one.isNegRisk === isNegRisk });

async function readWallet(type: WalletType, of = market) {
  const user = { userId: toUserId(deriveRelayedWallet(owner, type)) };
  return {
    cash: (await readCashBalance(user)).owned,
    first: (await readPosition(user, getToken(of, 0)))?.shares ?? 0n,
    second: (await readPosition(user, getToken(of, 1)))?.shares ?? 0n,
  };
}

/** Waits until a transaction is final, and returns its state and error. */
async function finish({ body }: RelayerAnswer, of = owner): Promise<string[]> {
  expect(body["error"]).toBeUndefined();
  clock.advance(2_000);
  return readState(of, body["transactionID"] ?? "");
}

const confirm = async (answer: RelayerAnswer, of = owner) =>
  expect(await finish(answer, of)).toEqual(["STATE_CONFIRMED", ""]);

/** The tables without the row that a refused transaction locks. */
async function readEffects() {
  const { sandbox_wallets: _wallets, ...rest } = await databaseState();
  return rest;
}

async function expectRefused(
  answer: () => Promise<RelayerAnswer>,
  { status = 400, error }: { status?: number; error: string | RegExp },
) {
  const before = await readEffects();
  const { status: given, body } = await answer();
  expect({ status: given, error: body["error"] }).toEqual({
    status,
    error: typeof error === "string" ? error : expect.stringMatching(error),
  });
  expect(await readEffects()).toEqual(before);
}

describe("a transaction", () => {
  it("goes through its states by time, and takes effect when it is mined", async () => {
    market = newMarket();
    const { status, body } = await submitCalls(owner, "WALLET", [split(market)]);
    expect({ status, state: body["state"] }).toEqual({ status: 200, state: "STATE_NEW" });
    const id = body["transactionID"] ?? "";
    const seen = [];
    for (const wait of [0, 500, 499, 1, 999, 1]) {
      clock.advance(wait);
      const [state] = await readState(owner, id);
      const { first } = await readWallet("WALLET");
      seen.push([state, first, await readNonce(owner, "WALLET")]);
    }
    expect(seen).toEqual([
      ["STATE_NEW", 0n, 0n],
      ["STATE_EXECUTED", 0n, 0n],
      ["STATE_EXECUTED", 0n, 0n],
      ["STATE_MINED", SIZE, 1n],
      ["STATE_MINED", SIZE, 1n],
      ["STATE_CONFIRMED", SIZE, 1n],
    ]);
  });

  it("is shown in the old and the new form, with its hash once it is sent", async () => {
    market = newMarket();
    const { body } = await submitCalls(owner, "WALLET", [split(market)]);
    const id = body["transactionID"] ?? "";
    const old = async () => (await askRelayer(owner.builder, `/transaction?id=${id}`)).body;
    expect(await old()).toMatchObject([{ transactionID: id, transactionHash: "" }]);
    clock.advance(2_000);
    const { body: shown } = await askRelayer(owner.builder, `/v1/account/transactions/${id}`);
    expect(shown).toEqual({
      transaction_id: id,
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      state: "STATE_CONFIRMED",
      error_msg: "",
    });
    const { transaction_hash: hash } = shown;
    expect(await old()).toMatchObject([{ state: "STATE_CONFIRMED", transactionHash: hash }]);
    const { body: listed } = await askRelayer(owner.builder, "/transactions");
    expect(listed).toContainEqual(expect.objectContaining({ transactionID: id, type: "WALLET" }));
    expect((await askRelayer(owner.builder, "/transaction?id=unknown")).body).toEqual([]);
    const missing = await askRelayer(owner.builder, "/v1/account/transactions/unknown");
    expect(missing).toEqual({ status: 404, body: { error: "transaction not found" } });
  });

  it.each(["WALLET", "SAFE", "PROXY"] as const)(
    "of a %s splits and merges, in a binary market and in a neg-risk one",
    async (type) => {
      for (const isNegRisk of [false, true]) {
        market = newMarket(isNegRisk);
        await confirm(await submitCalls(owner, type, [split(market), merge(market, 10_000_001n)]));
        const after = await readWallet(type);
        expect(after).toMatchObject({ first: SIZE - 10_000_001n, second: SIZE - 10_000_001n });
        await confirm(await submitCalls(owner, type, [merge(market, SIZE - 10_000_001n)]));
        expect(await readWallet(type)).toMatchObject({ first: 0n, second: 0n });
      }
    },
  );

  it("splits, merges and claims one outcome after the other through the Router", async () => {
    market = freshMarket({
      inside: 0,
      closesAfter: MINUTE,
      where: (one) => !isV1(one),
    });
    const { router } = CONTRACT;
    const change = { contract: router, conditionId: market.id, amount: SIZE } as const;
    const claim = (outcome: 0 | 1, amount = SIZE): PositionCall => ({
      kind: "redeemOutcome",
      conditionId: market.id,
      outcome,
      amount,
    });
    await confirm(
      await submitCalls(owner, "WALLET", [
        { ...change, kind: "split", amount: SIZE * 2n },
        { ...change, kind: "merge" },
      ]),
    );
    const { cash, ...held } = await readWallet("WALLET");
    expect(held).toEqual({ first: SIZE, second: SIZE });
    const wrong = await submitCalls(owner, "WALLET", [
      { ...split(market), contract: CONTRACT.ctfAdapter },
    ]);
    expect((await finish(wrong))[0]).toBe("STATE_FAILED");
    clock.set(market.resolvesAt);
    const tooMany = await submitCalls(owner, "WALLET", [claim(0), claim(1, SIZE + 1n)]);
    expect((await finish(tooMany))[0]).toBe("STATE_FAILED");
    await confirm(await submitCalls(owner, "WALLET", [claim(0), claim(1)]));
    expect(await readWallet("WALLET")).toEqual({ cash: cash + SIZE, first: 0n, second: 0n });
  });

  it("claims what a resolved market pays, once", async () => {
    market = freshMarket({
      inside: 2,
      closesAfter: MINUTE,
      closesWithin: 7 * DAY,
      where: isV1,
    });
    await confirm(await submitCalls(owner, "WALLET", [split(market)]));
    const { cash } = await readWallet("WALLET");
    const early = await submitCalls(owner, "WALLET", [redeem(market)]);
    expect(await finish(early)).toEqual([
      "STATE_FAILED",
      "execution reverted: result for condition not received yet",
    ]);
    clock.set(market.resolvesAt);
    for (let times = 0; times < 2; times += 1) {
      await confirm(await submitCalls(owner, "WALLET", [redeem(market)]));
      expect(await readWallet("WALLET")).toEqual({ cash: cash + SIZE, first: 0n, second: 0n });
    }
  });

  it("that one of its calls reverts changes nothing and keeps its nonce", async () => {
    market = newMarket();
    const [before, nonce] = [await readWallet("WALLET"), await readNonce(owner, "WALLET")];
    const calls = [approve(CONTRACT.router, 7n), split(market), merge(market, SIZE + 1n)];
    expect(await finish(await submitCalls(owner, "WALLET", calls))).toEqual([
      "STATE_FAILED",
      "execution reverted: insufficient balance",
    ]);
    expect(await readWallet("WALLET")).toEqual(before);
    expect(await readNonce(owner, "WALLET")).toBe(nonce);
    // A failed transaction does not keep the wallet busy.
    await confirm(await submitCalls(owner, "WALLET", [split(market)]));
  });

  it.each<[string, (of: PaperMarket) => PositionCall[], string]>([
    ["more cash than there is", (of) => [split(of, FUNDS * 2n)], "insufficient balance"],
    ["the largest amount", (of) => [split(of, UNLIMITED - 1n)], "call[0]: insufficient balance"],
    [
      "the adapter of the other kind of market",
      (of) => [{ ...split(of), contract: CONTRACT.negRiskCtfAdapter }],
      "call[0]: condition not prepared",
    ],
    [
      "an unknown condition",
      (of) => [{ ...split(of), conditionId: `0x${"7".repeat(64)}` }],
      "call[0]: condition not prepared",
    ],
    [
      "a revoked allowance",
      (of) => [approve(CONTRACT.ctfAdapter, SIZE), split(of, SIZE), split(of, 1n)],
      "call[2]: insufficient allowance",
    ],
  ])("with %s fails", async (_name, build, reason) => {
    market = newMarket();
    const before = await readWallet("WALLET");
    const answer = await submitCalls(owner, "WALLET", build(market));
    expect(await finish(answer)).toEqual(["STATE_FAILED", `execution reverted: ${reason}`]);
    expect(await readWallet("WALLET")).toEqual(before);
  });
});

describe("the relayer creates", () => {
  it("a deposit wallet once, without a signature, and gives it paper money", async () => {
    const key = new Wallet(Wallet.createRandom().privateKey);
    const [wallet = ""] = deriveDepositWallets(key.address);
    const isDeployed = async () =>
      (await askRelayer(owner.builder, `/deployed?address=${wallet}&type=WALLET`)).body;
    expect(await isDeployed()).toEqual({ deployed: false });
    const create = () => submitBody(owner, toWalletCreation(key.address));
    const answer = await create();
    expect(await isDeployed()).toEqual({ deployed: false });
    await expectRefused(create, { error: "wallet busy: active action in progress" });
    await confirm(answer);
    expect(await isDeployed()).toEqual({ deployed: true });
    expect((await readCashBalance({ userId: toUserId(wallet) })).owned).toBe(FUNDS);
    await expectRefused(create, { error: `wallet ${wallet} is already deployed` });
  });

  it("a Safe only for the owner who signed", async () => {
    const key = new Wallet(Wallet.createRandom().privateKey);
    const safe = deriveSafeWallet(key.address);
    const body = toSafeCreation(key.address, { safe, signature: signSafeCreation(owner.key, 137) });
    await expectRefused(() => submitBody(owner, body), { error: "invalid signature" });
  });
});

describe("the relayer refuses", () => {
  const calls = () => [encodePositionCall(split(market))];
  const sign = async (type: WalletType = "WALLET") =>
    signCalls(owner, type, { calls: calls(), nonce: await readNonce(owner, type) });

  beforeAll(() => {
    market = newMarket();
  });

  it("another nonce, in the venue's words", async () => {
    const nonce = await readNonce(owner, "WALLET");
    for (const wrong of [nonce + 1n, nonce - 1n]) {
      const body = signCalls(owner, "WALLET", { calls: calls(), nonce: wrong });
      await expectRefused(() => submitBody(owner, body), {
        error: `batch nonce ${wrong} does not match on-chain nonce ${nonce}`,
      });
    }
  });

  it("a second transaction until the first is confirmed", async () => {
    const first = await submitBody(owner, await sign());
    const busy = { error: "wallet busy: active action in progress" };
    const body = await sign();
    for (const wait of [0, 1_000, 999]) {
      clock.advance(wait);
      await readNonce(owner, "WALLET");
      await expectRefused(() => submitBody(owner, body), busy);
    }
    clock.advance(1);
    expect(await readState(owner, first.body["transactionID"] ?? "")).toEqual([
      "STATE_CONFIRMED",
      "",
    ]);
    await expectRefused(() => submitBody(owner, body), { error: /does not match on-chain nonce/ });
  });

  it("a deadline that is less than ten seconds ahead", async () => {
    const body = await sign();
    clock.advance(591_000);
    await expectRefused(() => submitBody(owner, body), {
      error: "deadline must be at least 10 seconds in the future",
    });
  });

  it("another owner's signature", async () => {
    const other = await makeRelayedOwner();
    const nonce = await readNonce(owner, "WALLET");
    const foreign = signCalls(other, "WALLET", { calls: calls(), nonce });
    const body = { ...(await sign()), signature: foreign.signature };
    await expectRefused(() => submitBody(owner, body), { error: "invalid signature" });
    const stolen = { ...foreign, from: owner.key.address };
    await expectRefused(() => submitBody(owner, stolen), { error: "invalid signature" });
  });

  it.each([
    ["a transfer", CONTRACT.collateral, `0xa9059cbb${"0".repeat(128)}`, /^calls to 0xC011/],
    ["a call on the factory", CONTRACT.depositWalletFactory, "0x", /^calls to 0x0000/],
    ["redeeming on the Conditional Tokens", CONTRACT.conditionalTokens, "0x01b7037c", /^calls to/],
  ])("%s, in the venue's words", async (_name, target, data, reason) => {
    const nonce = await readNonce(owner, "WALLET");
    const blocked = { target, value: 0n, data };
    const body = signCalls(owner, "WALLET", { calls: [...calls(), blocked], nonce });
    await expectRefused(() => submitBody(owner, body), {
      error: new RegExp(`^call blocked: call\\[1\\] blocked: ${reason.source.slice(1)}`),
    });
  });

  it("a call with a value, a call of the wallet to itself, and a foreign operator", async () => {
    const nonce = await readNonce(owner, "WALLET");
    const [call] = calls();
    const self = { target: deriveRelayedWallet(owner, "WALLET"), value: 0n, data: "0x" };
    const foreign = encodePositionCall(approve(owner.key.address));
    for (const [blocked, reason] of [
      [{ ...call, value: 1n }, "calls to"],
      [self, "self-call"],
      [foreign, "operator"],
    ] as const) {
      const body = signCalls(owner, "WALLET", { calls: [blocked as typeof self], nonce });
      await expectRefused(() => submitBody(owner, body), {
        error: new RegExp(`^call blocked: call\\[0\\] blocked: ${reason}`),
      });
    }
  });

  it("what is not a transaction", async () => {
    const body = await sign();
    for (const wrong of [
      null,
      {},
      [body],
      { ...body, type: "OTHER" },
      { ...body, nonce: 1 },
      { ...body, metadata: "x".repeat(501) },
      { ...body, to: CONTRACT.router },
      { ...body, depositWalletParams: { calls: [] } },
    ]) {
      await expectRefused(() => submitBody(owner, wrong), {
        error: "invalid transaction request payload",
      });
    }
  });

  it("a request without a builder's or relayer's key", async () => {
    const invalid = { status: 401, error: "invalid authorization" };
    const body = JSON.stringify(await sign());
    const wrong = { ...owner.builder, secret: Buffer.from("another secret").toString("base64") };
    await expectRefused(() => askRelayer(wrong, "/submit", { body }), invalid);
    await expectRefused(
      () => askRelayer({ ...owner.builder, key: "1" }, "/submit", { body }),
      invalid,
    );
    const send = async (headers: Record<string, string>) => {
      const request = { method: "POST", headers, body };
      const response = await answerSandbox(
        new Request("http://localhost/sandbox/relayer/submit", request),
      );
      return { status: response.status, body: await response.json() };
    };
    await expectRefused(() => send({}), invalid);
    await expectRefused(
      () => send({ RELAYER_API_KEY: "guess", RELAYER_API_KEY_ADDRESS: owner.key.address }),
      invalid,
    );
    // The headers of another moment.
    const headers = { POLY_BUILDER_TIMESTAMP: String(Math.floor(clock.now / 1000) - 61) };
    await expectRefused(() => askRelayer(owner.builder, "/submit", { body, headers }), invalid);
  });

  it("the faults of X-Rehearse, and an unknown one", async () => {
    const body = await sign();
    const send = (name: string) => submitBody(owner, body, { "X-Rehearse": name });
    await expectRefused(() => send("quota"), {
      status: 429,
      error: "quota exceeded: 0 units remaining, resets in 60 seconds",
    });
    await expectRefused(() => send("wallet-busy"), {
      error: "wallet busy: active action in progress",
    });
    await expectRefused(() => send("other"), { error: /^X-Rehearse: must be one of/ });
    const before = await readWallet("WALLET");
    expect(await finish(await send("failed"))).toEqual([
      "STATE_FAILED",
      "execution reverted: simulated by X-Rehearse",
    ]);
    expect(await readWallet("WALLET")).toEqual(before);
  });
});

it.each([
  ["a freeze", () => freeze({ ...OWN, reason: "Too wild." }), /Too wild\.$/, "STATE_FAILED"],
  [
    "a limit of what buys cost",
    () => setLimits({ ...OWN, limits: { perDay: usdc(1n) } }),
    /counts buys, not splits/,
    "STATE_CONFIRMED",
  ],
] as const)("a split fails under %s of its wallet's account", async (_, limit, reason, merged) => {
  owner = await makeRelayedOwner();
  market = newMarket();
  await confirm(await submitCalls(owner, "WALLET", [split(market)]));
  OWN.userId = toUserId(deriveRelayedWallet(owner, "WALLET"));
  await limit();
  const before = await readWallet("WALLET");
  const [state, error] = await finish(await submitCalls(owner, "WALLET", [split(market)]));
  expect({ state, error }).toEqual({ state: "STATE_FAILED", error: expect.stringMatching(reason) });
  expect(await readWallet("WALLET")).toEqual(before);
  // Only a freeze stops a merge.
  expect((await finish(await submitCalls(owner, "WALLET", [merge(market)])))[0]).toBe(merged);
});

it("a key submits at most its quota in a minute", async () => {
  const fresh = await makeRelayedOwner();
  const submit = () => submitCalls(fresh, "WALLET", [approve(CONTRACT.router)]);
  for (let count = 0; count < 25; count += 1) await confirm(await submit(), fresh);
  await expectRefused(submit, {
    status: 429,
    error: "quota exceeded: 0 units remaining, resets in 10 seconds",
  });
  clock.advance(10_001);
  await confirm(await submit(), fresh);
});
