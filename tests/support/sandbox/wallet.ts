// Sandbox wallets in the same process, whose signed orders are placed without HTTP.
import { Wallet } from "ethers";
import { now } from "@/lib/clock";
import { computeLimitAmounts } from "@/lib/polymarket/protocol/amounts";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { signOrderStruct } from "@/lib/polymarket/protocol/order-signature";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import type { Credentials } from "@/lib/sandbox/keys";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { readOrderPayload } from "@/lib/sandbox/order-payload";
import { listWireOrders } from "@/lib/sandbox/orders";
import { placeSandboxOrder } from "@/lib/sandbox/place-order";
import { type Price, price, shares } from "@/lib/units";
import { chooseExchange } from "@/lib/domain/protocol";
import type { PaperMarket } from "@/lib/exchange/paper-market";

/** An owner that trades from its own address. */
export interface SandboxWallet {
  caller: SandboxCaller;
  credentials: Credentials;
  wallet: Wallet;
}

/** Creates an owner with an API key. */
export async function makeSandboxWallet(): Promise<SandboxWallet> {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  const credentials = await createSandboxKey({ owner: wallet.address, nonce: "0" });
  return { caller: { owner: wallet.address, apiKey: credentials.apiKey }, credentials, wallet };
}

export interface SignedTerms {
  side: "BUY" | "SELL";
  at: Price;
  /** In whole shares. */
  size: bigint;
  outcome?: 0 | 1;
  /** A builder code. */
  builder?: string;
}

let salt = 1_000;
/** Builds the body of a signed limit order. */
export function signedBody(
  trader: SandboxWallet,
  market: PaperMarket,
  terms: SignedTerms,
): unknown {
  const size = shares(terms.size * 1_000_000n);
  const amounts = computeLimitAmounts(terms.side, {
    price: terms.at,
    size,
    tick: price(market.tick),
  });
  salt += 1;
  const order = {
    salt: String(salt),
    maker: trader.wallet.address,
    signer: trader.wallet.address,
    tokenId: market.outcomes[terms.outcome ?? 0].tokenId,
    makerAmount: String(amounts.maker),
    takerAmount: String(amounts.taker),
    side: terms.side,
    signatureType: 0,
    timestamp: String(now()),
    metadata: `0x${"0".repeat(64)}`,
    builder: terms.builder ?? `0x${"0".repeat(64)}`,
  } as const;
  const domain = getExchangeDomain(137, chooseExchange(market));
  const signature = signOrderStruct(trader.wallet, order, domain);
  return {
    order: { ...order, salt: Number(order.salt), expiration: "0", signature },
    owner: trader.caller.apiKey,
    orderType: "GTC",
  };
}

/** Signs a limit order and places it. Returns its id. */
export async function placeSigned(
  trader: SandboxWallet,
  market: PaperMarket,
  terms: SignedTerms,
): Promise<string> {
  const payload = readOrderPayload(signedBody(trader, market, terms));
  return (await placeSandboxOrder(trader.caller, payload)).orderID;
}

export async function openOrderIds({ caller }: Pick<SandboxWallet, "caller">): Promise<string[]> {
  return (await listWireOrders(caller, new URLSearchParams())).data.map(({ id }) => id);
}
