import { Wallet } from "ethers";
import { beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/clock";
import { computeLimitAmounts } from "@/lib/polymarket/protocol/amounts";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import { signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { SandboxError } from "@/lib/sandbox/error";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { listWireOrders } from "@/lib/sandbox/orders";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";
import { price, shares } from "@/lib/units";
import { chooseExchange, EXCHANGES, PROTOCOLS } from "@/lib/domain/protocol";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, useTestClock } from "@/tests/support/exchange/orders";
import { makeSandboxWallet, type SandboxWallet } from "@/tests/support/sandbox/wallet";

useFreshDatabase();
useTestClock();

let trader: SandboxWallet;
let other: SandboxWallet;
let market: PaperMarket;

beforeAll(async () => {
  [trader, other] = [await makeSandboxWallet(), await makeSandboxWallet()];
});

const ZERO_BYTES = `0x${"0".repeat(64)}`;
let salt = 5_000;

/** Builds a small resting order from the trader's own address. */
function buildOrder(whole = 10n): OrderStruct {
  const size = shares(whole * 1_000_000n);
  const terms = { price: findPriceInside(market)(0), size, tick: price(market.tick) };
  const { maker, taker } = computeLimitAmounts("BUY", terms);
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

const sign = (order: OrderStruct, wallet: Wallet, exchange = chooseExchange(market)) =>
  signOrderStruct(wallet, order, getExchangeDomain(137, exchange));

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

/** Builds a changed order, signed by the trader. */
const signedFor = async (change: Partial<OrderStruct>): Promise<Sent> => {
  const order = { ...buildOrder(), ...change };
  return { order, signature: await sign(order, trader.wallet) };
};

const FORGED: [string, () => Promise<Sent>][] = [
  [
    "signed by another key",
    async () => {
      const order = buildOrder();
      return { order, signature: await sign(order, other.wallet) };
    },
  ],
  ["paid from another owner's wallet", () => signedFor({ maker: other.wallet.address })],
  [
    "paid from another owner's deposit wallet",
    () => {
      const maker = deriveDepositWallet(other.wallet.address);
      return signedFor({ maker, signer: maker, signatureType: 3 });
    },
  ],
  ["with another owner as signer", () => signedFor({ signer: other.wallet.address })],
  ...EXCHANGES.slice(1).map((shift, index): [string, () => Promise<Sent>] => [
    `signed for another exchange (${index + 1})`,
    async () => {
      const order = buildOrder();
      const own = EXCHANGES.indexOf(chooseExchange(market));
      const wrong = EXCHANGES[(own + EXCHANGES.indexOf(shift)) % EXCHANGES.length];
      return { order, signature: await sign(order, trader.wallet, wrong) };
    },
  ]),
  [
    "changed after it was signed",
    async () => {
      const order = buildOrder();
      const signature = await sign(order, trader.wallet);
      return { order: { ...order, takerAmount: "20000000" }, signature };
    },
  ],
  [
    "with another owner's API key",
    async () => ({ ...(await signedFor({})), owner: other.caller.apiKey }),
  ],
  [
    "with a truncated signature",
    async () => {
      const { order, signature } = await signedFor({});
      return { order, signature: signature.slice(0, -2) };
    },
  ],
];

describe.each(PROTOCOLS)("an order of protocol %s at the sandbox", (protocol) => {
  beforeAll(() => {
    market = freshMarket({ where: (one) => one.protocol === protocol });
  });

  it.each(FORGED)("%s is rejected and changes nothing", async (_, forge) => {
    const sent = await forge();
    const before = await databaseState();
    await expect(place(sent)).rejects.toThrow(SandboxError);
    expect(await databaseState()).toEqual(before);
  });

  it("with another owner as signer is rejected with the venue's message", async () => {
    const sent = await signedFor({ signer: other.wallet.address });
    await expect(place(sent)).rejects.toThrow("signer address has to be");
  });

  it("signed by its owner is accepted once, and rejected as a duplicate after that", async () => {
    const sent = await signedFor({});
    expect((await place(sent)).status).toBe("live");
    const before = await databaseState();
    await expect(place(sent)).rejects.toThrow("Duplicated");
    expect(await databaseState()).toEqual(before);
  });

  it("that costs more than the wallet's balance is rejected and does not rest", async () => {
    const order = buildOrder(1_000_000n);
    const signature = await sign(order, trader.wallet);
    const open = async () => (await listWireOrders(trader.caller, new URLSearchParams())).data;
    const before = await open();
    await expect(place({ order, signature })).rejects.toThrow("not enough balance");
    expect(await open()).toEqual(before);
  });
});
