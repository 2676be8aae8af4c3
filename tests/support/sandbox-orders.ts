// Orders that a wallet of its own signs for the sandbox, without a client and without HTTP.
import { Wallet } from "ethers";
import { now } from "@/lib/clock";
import { limitAmounts } from "@/lib/polymarket/amounts";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import { signOrderStruct } from "@/lib/polymarket/order-signature";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { listWireOrders } from "@/lib/sandbox/orders";
import { type Price, price, shares } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";

export interface SandboxClient {
  wallet: Wallet;
  caller: SandboxCaller;
}

const SIZE = shares(10_000_000n);
const NOTHING = `0x${"0".repeat(64)}`;
let salt = 1_000_000;

export async function makeSandboxClient(): Promise<SandboxClient> {
  const { privateKey, address: owner } = Wallet.createRandom();
  const { apiKey } = await createSandboxKey({ owner, nonce: "0" });
  return { wallet: new Wallet(privateKey), caller: { owner, apiKey } };
}

/** The body of a signed bid for ten shares of the market's first outcome. */
export function signedBid(
  { wallet, caller }: SandboxClient,
  market: PaperMarket,
  at: Price,
): unknown {
  const terms = { price: at, size: SIZE, tick: price(market.tick) };
  const { maker, taker } = limitAmounts("BUY", terms);
  salt += 1;
  const order = {
    salt: String(salt),
    maker: wallet.address,
    signer: wallet.address,
    tokenId: market.outcomes[0].tokenId,
    makerAmount: String(maker),
    takerAmount: String(taker),
    side: "BUY",
    signatureType: 0,
    timestamp: String(now()),
    metadata: NOTHING,
    builder: NOTHING,
  } as const;
  const signature = signOrderStruct(wallet, order, exchangeDomain(137, market.isNegRisk));
  return {
    order: { ...order, salt, expiration: "0", signature },
    owner: caller.apiKey,
    orderType: "GTC",
  };
}

export async function openOrderIds({ caller }: SandboxClient): Promise<string[]> {
  return (await listWireOrders(caller, new URLSearchParams())).data.map(({ id }) => id);
}
