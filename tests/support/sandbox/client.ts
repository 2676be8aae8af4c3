// Traders of the sandbox: a new wallet with an API key and the official client.
import { type ApiKeyCreds, Chain, ClobClient } from "@polymarket/clob-client-v2";
import { Wallet } from "ethers";
import {
  deriveDepositWallet,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";

export interface SandboxMarket {
  condition_id: string;
  minimum_tick_size: number;
  neg_risk: boolean;
  end_date_iso: string;
  tokens: { token_id: string; outcome: string; price: number }[];
}

export interface SandboxTrader {
  client: ClobClient;
  creds: ApiKeyCreds;
  /** The owner's key, which signs. */
  privateKey: string;
  /** The wallet that holds the money. */
  funder: string;
}

const DAY_MS = 86_400_000;

/** Lists markets with a tick of 0.01 that stay open for a day, with a price far from 0 and 1. */
export async function sandboxMarkets(host: string): Promise<SandboxMarket[]> {
  const { data } = await new ClobClient({ host, chain: Chain.POLYGON }).getMarkets();
  return (data as SandboxMarket[]).filter(({ minimum_tick_size, end_date_iso, tokens }) => {
    const { price = 0 } = tokens[0] ?? {};
    const lasts = Date.parse(end_date_iso) - Date.now() > DAY_MS;
    return minimum_tick_size === 0.01 && lasts && price > 0.3 && price < 0.7;
  });
}

/** Adapts an ethers v6 wallet to the v5 method name that the client calls (polymarket.md 10.2). */
const toSigner = (wallet: Wallet) => ({
  getAddress: async () => wallet.address,
  _signTypedData: (...[domain, types, value]: Parameters<typeof wallet.signTypedData>) =>
    wallet.signTypedData(domain, types, value),
});

/** Returns a wallet's API key, which is the same each time. */
export function createApiKey(host: string, privateKey: string): Promise<ApiKeyCreds> {
  const signer = toSigner(new Wallet(privateKey));
  return new ClobClient({ host, chain: Chain.POLYGON, signer }).createOrDeriveApiKey();
}

/** Creates a wallet with an API key and an official client. */
export async function makeSandboxTrader(
  host: string,
  signatureType: 0 | 1 | 2 | 3 = 0,
): Promise<SandboxTrader> {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  const signer = toSigner(wallet);
  const chain = Chain.POLYGON;
  const creds = await new ClobClient({ host, chain, signer }).createOrDeriveApiKey();
  const funders = [
    wallet.address,
    deriveProxyWallet(wallet.address),
    deriveSafeWallet(wallet.address),
    deriveDepositWallet(wallet.address),
  ];
  const funder = funders[signatureType] ?? wallet.address;
  const client = new ClobClient({
    host,
    chain,
    signer,
    creds,
    signatureType,
    funderAddress: funder,
    throwOnError: true,
  });
  return { client, creds, privateKey: wallet.privateKey, funder };
}
