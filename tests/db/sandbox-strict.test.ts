import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { chooseExchange, EXCHANGES } from "@/lib/domain/protocol";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { computeLimitAmounts } from "@/lib/polymarket/protocol/amounts";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import { type PositionCall, UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { getPositionContract } from "@/lib/polymarket/protocol/position-contracts";
import { toWalletCreation } from "@/lib/polymarket/protocol/relayer-submission";
import { deriveWallet } from "@/lib/sandbox/accounts";
import { readBalance } from "@/lib/sandbox/balance";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { type PlacedOrder, placeSandboxOrder } from "@/lib/sandbox/place-order";
import { price, shares } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findPriceInside,
  freshMarket,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  makeRelayedOwner,
  readState,
  type RelayedOwner,
  submitBody,
  submitCalls,
} from "@/tests/support/sandbox/relayer";

process.env["SANDBOX_RULES"] = "strict";
useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

const DEPOSIT_WALLET = 3;
const ZERO_BYTES = `0x${"0".repeat(64)}`;
const FUNDS = 10_000_000_000n;
const HOUR_MS = 3_600_000;

const KINDS = [
  { protocol: "v1", isNegRisk: false },
  { protocol: "v1", isNegRisk: true },
  { protocol: "v2", isNegRisk: false },
  { protocol: "v2", isNegRisk: true },
] as const;

describe.each(KINDS)("under strict rules, Protocol $protocol, neg-risk $isNegRisk,", (kind) => {
  let owner: RelayedOwner;
  let apiKey: string;
  let market: PaperMarket;

  beforeAll(async () => {
    owner = await makeRelayedOwner();
    // Its first key is the one that the relayer's key was made with.
    ({ apiKey } = await createSandboxKey({ owner: owner.key.address, nonce: "1" }));
    const where = ({ protocol, isNegRisk }: PaperMarket) =>
      protocol === kind.protocol && isNegRisk === kind.isNegRisk;
    market = freshMarket({ inside: 1, where });
  });

  const getCaller = () => ({ owner: owner.key.address, apiKey });
  const getDomain = () => getExchangeDomain(137, chooseExchange(market));
  const getContract = () => getPositionContract(market);

  let salt = 9_000;
  /** Signs a limit order of 10 shares from one of the owner's wallets, and places it. */
  async function place(side: "BUY" | "SELL", type: SignatureType): Promise<PlacedOrder> {
    const wallet = deriveWallet(owner.key.address, type);
    const at = {
      price: findPriceInside(market)(0),
      size: shares(10_000_000n),
      tick: price(market.tick),
    };
    const { maker, taker } = computeLimitAmounts(side, at);
    salt += 1;
    const order = {
      salt: String(salt),
      maker: wallet,
      signer: type === DEPOSIT_WALLET ? wallet : owner.key.address,
      tokenId: getToken(market, 0),
      makerAmount: String(maker),
      takerAmount: String(taker),
      side,
      signatureType: type,
      timestamp: String(now()),
      metadata: ZERO_BYTES,
      builder: ZERO_BYTES,
    };
    const signature = signOrderStruct(owner.key, order, getDomain());
    const wire = { ...order, salt: Number(order.salt), expiration: "0", signature };
    const payload = { order: wire, owner: apiKey, orderType: "GTC" };
    return placeSandboxOrder(getCaller(), readOrderPayload(payload));
  }

  const expectRefused = (
    side: "BUY" | "SELL",
    text: string | RegExp,
    type: SignatureType = DEPOSIT_WALLET,
  ) =>
    expectUnchanged(async () => {
      await expect(place(side, type)).rejects.toMatchObject({
        status: 400,
        message: typeof text === "string" ? text : expect.stringMatching(text),
      });
    });

  const read = (assetType: string, tokenId = "") =>
    readBalance(
      getCaller(),
      new URLSearchParams({ asset_type: assetType, token_id: tokenId, signature_type: "3" }),
    );
  const readShares = (outcome: 0 | 1) =>
    read(kind.protocol === "v2" ? "CONDITIONAL-V2" : "CONDITIONAL", getToken(market, outcome));
  const readAll = async () => {
    const all = [await read("COLLATERAL"), await readShares(0), await readShares(1)];
    return all.map(({ balance }) => BigInt(balance));
  };

  /** Sends calls of the deposit wallet. Returns the state in which they end. */
  async function relay(...calls: PositionCall[]): Promise<string[]> {
    const { status, body } = await submitCalls(owner, "WALLET", calls);
    expect(status).toBe(200);
    clock.advance(2_000);
    // The next read of the wallet applies it.
    await read("COLLATERAL");
    return readState(owner, body["transactionID"] ?? "");
  }

  const approve = (spender: string, amount = UNLIMITED): PositionCall => ({
    kind: "approve",
    spender,
    amount,
  });
  const setOperator = (operator: string, isApproved = true): PositionCall => ({
    kind: "setOperator",
    token: kind.protocol === "v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens,
    operator,
    isApproved,
  });
  const change = (how: "split" | "merge", amount: bigint): PositionCall => ({
    kind: how,
    contract: getContract(),
    conditionId: market.id,
    amount,
  });
  /** The calls that claim a whole holding. */
  const listClaims = (held: readonly bigint[]): PositionCall[] => {
    const [contract, conditionId] = [getContract(), market.id];
    if (contract !== CONTRACT.router) return [{ kind: "redeem", contract, conditionId }];
    return ([0, 1] as const).flatMap((outcome): PositionCall[] => {
      const amount = held[outcome] ?? 0n;
      return amount > 0n ? [{ kind: "redeemOutcome", conditionId, outcome, amount }] : [];
    });
  };

  const CONFIRMED = ["STATE_CONFIRMED", ""];
  const NO_OPERATOR = ["STATE_FAILED", "execution reverted: call[0]: need operator approval"];

  it.each([0, 1, 2] as const)(
    "a maker of signature type %s is refused in the venue's words",
    (type) =>
      expectRefused("BUY", "maker address not allowed, please use the deposit wallet flow", type),
  );

  it("a deposit wallet is deployed, funded and approved before it buys, and again before it sells", async () => {
    const exchange = getDomain().verifyingContract;
    expect(await read("COLLATERAL")).toMatchObject({
      balance: "0",
      allowances: { [exchange]: "0" },
    });
    await expectRefused(
      "BUY",
      /^not enough balance \/ allowance: the balance is not enough -> balance: 0, order amount: \d+$/,
    );
    expect((await submitBody(owner, toWalletCreation(owner.key.address))).status).toBe(200);
    // It is funded when it is deployed, not when that is requested.
    expect(await read("COLLATERAL")).toMatchObject({ balance: "0" });
    clock.advance(2_000);
    expect(await read("COLLATERAL")).toMatchObject({
      balance: String(FUNDS),
      allowances: { [exchange]: "0" },
    });
    const noAllowance = (spender: string) =>
      new RegExp(
        `^not enough balance / allowance: the allowance is not enough -> spender: ${spender},`,
      );
    await expectRefused("BUY", noAllowance(exchange));

    // Approvals of the other exchanges are not enough.
    const others = EXCHANGES.map((name) => getExchangeDomain(137, name).verifyingContract).filter(
      (other) => other !== exchange,
    );
    expect(await relay(...others.map((other) => approve(other)))).toEqual(CONFIRMED);
    await expectRefused("BUY", noAllowance(exchange));
    expect(await relay(approve(exchange, 20_000_000n))).toEqual(CONFIRMED);
    expect(await read("COLLATERAL")).toMatchObject({ allowances: { [exchange]: "20000000" } });
    expect((await place("BUY", DEPOSIT_WALLET)).status).toBe("live");

    const split = change("split", 30_000_000n);
    expect(await relay(split)).toEqual([
      "STATE_FAILED",
      "execution reverted: call[0]: insufficient allowance",
    ]);
    expect(await readAll()).toEqual([FUNDS, 0n, 0n]);
    expect(await relay(approve(getContract()), split)).toEqual(CONFIRMED);
    expect(await readShares(0)).toMatchObject({
      balance: "30000000",
      allowances: { [exchange]: "0" },
    });
    await expectRefused("SELL", noAllowance(exchange));
    expect(await relay(...others.map((other) => setOperator(other)))).toEqual(CONFIRMED);
    await expectRefused("SELL", noAllowance(exchange));
    expect(await relay(setOperator(exchange))).toEqual(CONFIRMED);
    expect(await readShares(0)).toMatchObject({ allowances: { [exchange]: String(UNLIMITED) } });
    expect(await place("SELL", DEPOSIT_WALLET)).toMatchObject({ success: true });
  });

  it("a merge and a claim need the operator's approval", async () => {
    const contract = getContract();
    const [cash = 0n, ...held] = await readAll();
    const merge = change("merge", 1_000_000n);
    expect(await relay(merge)).toEqual(NO_OPERATOR);
    expect(await readAll()).toEqual([cash, ...held]);
    expect(await relay(setOperator(contract), merge)).toEqual(CONFIRMED);
    const left = held.map((shareCount) => shareCount - 1_000_000n);
    expect(await readAll()).toEqual([cash + 1_000_000n, ...left]);

    clock.set(market.resolvesAt + HOUR_MS);
    const { winner } = paperExchange().getState(market);
    const payout = winner === null ? (left[0] ?? 0n) : (left[winner] ?? 0n);
    expect(payout).toBeGreaterThan(0n);
    expect(await relay(setOperator(contract, false))).toEqual(CONFIRMED);
    expect(await relay(...listClaims(left))).toEqual(NO_OPERATOR);
    expect(await readAll()).toEqual([cash + 1_000_000n, ...left]);
    expect(await relay(setOperator(contract), ...listClaims(left))).toEqual(CONFIRMED);
    expect(await readAll()).toEqual([cash + 1_000_000n + payout, 0n, 0n]);
  });
});
