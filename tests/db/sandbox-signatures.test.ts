import { Wallet } from "ethers";
import { beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { limitAmounts } from "@/lib/polymarket/amounts";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import type { OrderStruct } from "@/lib/polymarket/order-hash";
import { signOrderStruct } from "@/lib/polymarket/order-signature";
import { depositWalletOf } from "@/lib/polymarket/wallets";
import { SandboxError } from "@/lib/sandbox/error";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { listWireOrders } from "@/lib/sandbox/orders";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";
import { price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { databaseState } from "@/tests/support/api-state";
import { useFreshDatabase } from "@/tests/support/database";
import { freshMarket, insideOf, useTestClock } from "@/tests/support/exchange";
import { makeSandboxWallet, type SandboxWallet } from "@/tests/support/sandbox-wallet";

useFreshDatabase();
useTestClock();

let trader: SandboxWallet;
let other: SandboxWallet;
let market: PaperMarket;

beforeAll(async () => {
  [trader, other] = [await makeSandboxWallet(), await makeSandboxWallet()];
  market = freshMarket();
});

const ZERO_BYTES = `0x${"0".repeat(64)}`;
let salt = 5_000;

/** A small order of the trader's own address that would rest. */
function orderOf(whole = 10n): OrderStruct {
  const size = shares(whole * 1_000_000n);
  const terms = { price: insideOf(market)(0), size, tick: price(market.tick) };
  const { maker, taker } = limitAmounts("BUY", terms);
  salt += 1;
  return {
    salt: String(salt),
    maker: trader.wallet.address,
    signer: trader.wallet.address,
    tokenId: market.outcomes[0].tokenId,
    makerAmount: String(maker),
    takerAmount: String(taker),
    side: "BUY",
    signatureType: 0,
    timestamp: String(now()),
    metadata: ZERO_BYTES,
    builder: ZERO_BYTES,
  };
}

const sign = (order: OrderStruct, wallet: Wallet, isNegRisk = market.isNegRisk) =>
  signOrderStruct(wallet, order, exchangeDomain(137, isNegRisk));

interface Sent {
  order: OrderStruct;
  signature: string;
  owner?: string;
}

const place = ({ order, signature, owner = trader.caller.apiKey }: Sent) =>
  placeSandboxOrder(
    trader.caller,
    readOrderPayload({
      order: { ...order, salt: Number(order.salt), expiration: "0", signature },
      owner,
      orderType: "GTC",
    }),
  );

/** An order of somebody else's wallet, signed by the trader. */
const signedFor = async (change: Partial<OrderStruct>): Promise<Sent> => {
  const order = { ...orderOf(), ...change };
  return { order, signature: await sign(order, trader.wallet) };
};

const FORGED: [string, () => Promise<Sent>][] = [
  [
    "another key signed",
    async () => {
      const order = orderOf();
      return { order, signature: await sign(order, other.wallet) };
    },
  ],
  ["whose money is another wallet's", () => signedFor({ maker: other.wallet.address })],
  [
    "whose money is another owner's deposit wallet's",
    () => {
      const maker = depositWalletOf(other.wallet.address);
      return signedFor({ maker, signer: maker, signatureType: 3 });
    },
  ],
  ["whose signer is somebody else", () => signedFor({ signer: other.wallet.address })],
  [
    "that was signed for the other exchange",
    async () => {
      const order = orderOf();
      return { order, signature: await sign(order, trader.wallet, !market.isNegRisk) };
    },
  ],
  [
    "whose amount changed after it was signed",
    async () => {
      const order = orderOf();
      const signature = await sign(order, trader.wallet);
      return { order: { ...order, takerAmount: "20000000" }, signature };
    },
  ],
  [
    "that names another's API key",
    async () => ({ ...(await signedFor({})), owner: other.caller.apiKey }),
  ],
  [
    "whose signature is cut",
    async () => {
      const { order, signature } = await signedFor({});
      return { order, signature: signature.slice(0, -2) };
    },
  ],
];

describe("an order at the sandbox", () => {
  it.each(FORGED)("%s is refused, and changes nothing", async (_, forge) => {
    const sent = await forge();
    const before = await databaseState();
    await expect(place(sent)).rejects.toThrow(SandboxError);
    expect(await databaseState()).toEqual(before);
  });

  it("whose signer is somebody else is told so", async () => {
    const sent = await signedFor({ signer: other.wallet.address });
    await expect(place(sent)).rejects.toThrow("signer address has to be");
  });

  it("that its owner signed is taken, once", async () => {
    const sent = await signedFor({});
    expect((await place(sent)).status).toBe("live");
    const before = await databaseState();
    await expect(place(sent)).rejects.toThrow("Duplicated");
    expect(await databaseState()).toEqual(before);
  });

  it("that costs more than its wallet has is refused, and nothing of it stands", async () => {
    const order = orderOf(1_000_000n);
    const signature = await sign(order, trader.wallet);
    const open = async () => (await listWireOrders(trader.caller, new URLSearchParams())).data;
    const before = await open();
    await expect(place({ order, signature })).rejects.toThrow("not enough balance");
    expect(await open()).toEqual(before);
  });
});
