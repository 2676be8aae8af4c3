// A trader of the sandbox: a fresh wallet with an API key, behind the official client.
import { type ApiKeyCreds, Chain, ClobClient } from "@polymarket/clob-client-v2";
import { Wallet } from "ethers";
import { depositWalletOf, proxyWalletOf, safeWalletOf } from "@/lib/polymarket/wallets";

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
  /** Of the owner, who signs. */
  privateKey: string;
  /** Whose money the orders move. */
  funder: string;
}

const DAY_MS = 86_400_000;

/** Markets on a grid of cents that last, with a price far from both ends. */
export async function sandboxMarkets(host: string): Promise<SandboxMarket[]> {
  const { data } = await new ClobClient({ host, chain: Chain.POLYGON }).getMarkets();
  return (data as SandboxMarket[]).filter(({ minimum_tick_size, end_date_iso, tokens }) => {
    const { price = 0 } = tokens[0] ?? {};
    const lasts = Date.parse(end_date_iso) - Date.now() > DAY_MS;
    return minimum_tick_size === 0.01 && lasts && price > 0.3 && price < 0.7;
  });
}

/** ethers v6 wallets lack the method name of v5 that the client asks for (polymarket.md 10.2). */
const signerOf = (wallet: Wallet) => ({
  getAddress: async () => wallet.address,
  _signTypedData: (...[domain, types, value]: Parameters<typeof wallet.signTypedData>) =>
    wallet.signTypedData(domain, types, value),
});

/** The API key that the venue gives a wallet, which is the same each time. */
export function apiKeyOf(host: string, privateKey: string): Promise<ApiKeyCreds> {
  const signer = signerOf(new Wallet(privateKey));
  return new ClobClient({ host, chain: Chain.POLYGON, signer }).createOrDeriveApiKey();
}

/** A fresh wallet with its API key. */
export async function makeSandboxTrader(
  host: string,
  signatureType: 0 | 1 | 2 | 3 = 0,
): Promise<SandboxTrader> {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  const signer = signerOf(wallet);
  const chain = Chain.POLYGON;
  const creds = await new ClobClient({ host, chain, signer }).createOrDeriveApiKey();
  const funders = [
    wallet.address,
    proxyWalletOf(wallet.address),
    safeWalletOf(wallet.address),
    depositWalletOf(wallet.address),
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
