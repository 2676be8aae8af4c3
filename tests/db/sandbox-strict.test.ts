import { Wallet } from "ethers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { chooseExchange } from "@/lib/domain/protocol";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { computeLimitAmounts } from "@/lib/polymarket/protocol/amounts";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import { type PositionCall, UNLIMITED } from "@/lib/polymarket/protocol/position-calls";
import { toWalletCreation } from "@/lib/polymarket/protocol/relayer-submission";
import { deriveWallet } from "@/lib/sandbox/accounts";
import { readBalance } from "@/lib/sandbox/balance";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { type PlacedOrder, placeSandboxOrder } from "@/lib/sandbox/place-order";
import { createBuilderKey } from "@/lib/sandbox/builder-keys";
import { price, shares } from "@/lib/units";
import { expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findPriceInside,
  freshMarket,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { type RelayedOwner, submitBody, submitCalls } from "@/tests/support/sandbox/relayer";

process.env["SANDBOX_RULES"] = "strict";
useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooksAndLogs()).problems).toEqual([]));

const DEPOSIT_WALLET = 3;
const ZERO_BYTES = `0x${"0".repeat(64)}`;
const FUNDS = "10000000000";

let owner: RelayedOwner;
let apiKey: string;
let market: PaperMarket;

beforeAll(async () => {
  const key = new Wallet(Wallet.createRandom().privateKey);
  ({ apiKey } = await createSandboxKey({ owner: key.address, nonce: "0" }));
  const builder = await createBuilderKey({ owner: key.address, apiKey });
  owner = { key, builder };
  market = freshMarket({ where: ({ protocol, isNegRisk }) => protocol === "v1" && !isNegRisk });
});

const getCaller = () => ({ owner: owner.key.address, apiKey });
const getDomain = () => getExchangeDomain(137, chooseExchange(market));

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

async function relay(...calls: PositionCall[]) {
  const { status } = await submitCalls(owner, "WALLET", calls);
  expect(status).toBe(200);
  clock.advance(2_000);
  // The next read of the wallet applies it.
  await read("COLLATERAL");
}

describe("under strict rules", () => {
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
      balance: FUNDS,
      allowances: { [exchange]: "0" },
    });
    const noAllowance =
      /^not enough balance \/ allowance: the allowance is not enough -> spender: 0x/;
    await expectRefused("BUY", noAllowance);

    // An approval of another exchange is not enough.
    const other = getExchangeDomain(137, "negRisk").verifyingContract;
    await relay({ kind: "approve", spender: other, amount: UNLIMITED });
    await expectRefused("BUY", noAllowance);
    await relay({ kind: "approve", spender: exchange, amount: 20_000_000n });
    expect(await read("COLLATERAL")).toMatchObject({ allowances: { [exchange]: "20000000" } });
    expect((await place("BUY", DEPOSIT_WALLET)).status).toBe("live");

    const token = getToken(market, 0);
    const { ctfAdapter, conditionalTokens } = CONTRACT;
    await relay(
      { kind: "approve", spender: ctfAdapter, amount: UNLIMITED },
      { kind: "split", contract: ctfAdapter, conditionId: market.id, amount: 30_000_000n },
    );
    expect(await read("CONDITIONAL", token)).toMatchObject({
      balance: "30000000",
      allowances: { [exchange]: "0" },
    });
    await expectRefused("SELL", noAllowance);
    await relay({
      kind: "setOperator",
      token: conditionalTokens,
      operator: exchange,
      isApproved: true,
    });
    expect(await read("CONDITIONAL", token)).toMatchObject({
      allowances: { [exchange]: String(UNLIMITED) },
    });
    expect(await place("SELL", DEPOSIT_WALLET)).toMatchObject({ success: true });
  });

  it("a merge needs the operator's approval", async () => {
    const { ctfAdapter: contract } = CONTRACT;
    const merge = { kind: "merge", contract, conditionId: market.id, amount: 1_000_000n } as const;
    const before = await read("COLLATERAL");
    await relay(merge);
    expect(await read("COLLATERAL")).toEqual(before);
  });
});
