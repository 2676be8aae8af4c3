// A local exchange that speaks Polymarket's protocol, and our service trading on it in live mode.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { admin, seed, type Service, type Site } from "@/bench/services";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
  type SandboxTrader,
} from "@/tests/support/sandbox/client";

/** Deposit wallets, which is what new accounts of the exchange get. */
const SIGNATURE_TYPE = 3;

export interface Exchange {
  upstream: Service;
  /** The base URLs of its APIs. */
  urls: { clob: string; gamma: string; data: string };
  markets: readonly SandboxMarket[];
  service: Service;
  /** A key of our service that trades on the exchange. */
  apiKey: string;
}

export async function openExchange(site: Site): Promise<Exchange> {
  await site.createDatabase("upstream");
  const upstream = await site.start(site.onPostgres("upstream"));
  const sandbox = `http://127.0.0.1:${upstream.port}/sandbox`;
  const urls = { clob: `${sandbox}/clob`, gamma: `${sandbox}/gamma`, data: `${sandbox}/data` };
  const markets = await sandboxMarkets(urls.clob);
  await site.createDatabase("live");
  const environment = {
    ...site.onPostgres("live"),
    VENUES: "paper,polymarket",
    CLOB_API_URL: urls.clob,
    GAMMA_API_URL: urls.gamma,
    DATA_API_URL: urls.data,
  };
  const apiKey = await importWallet(site, environment, await createTrader(urls.clob));
  const service = await site.start(environment);
  return { upstream, urls, markets, service, apiKey };
}

/** Creates a wallet with paper money on the exchange, and an official client for it. */
export const createTrader = (host: string): Promise<SandboxTrader> =>
  makeSandboxTrader(host, SIGNATURE_TYPE);

/** Imports the wallet for a user of our service. Returns an API key that trades with it. */
async function importWallet(
  site: Site,
  environment: Record<string, string>,
  trader: SandboxTrader,
): Promise<string> {
  const [user] = await seed(environment, 1);
  const userId = user?.userId ?? "";
  const file = join(site.folder, "live.key");
  writeFileSync(file, trader.privateKey, { mode: 0o600 });
  await admin(environment, "wallet:import", {
    user: userId,
    "private-key-file": file,
    funder: trader.funder,
    "signature-type": String(SIGNATURE_TYPE),
  });
  const document = await admin(environment, "keys:create", {
    user: userId,
    name: "bench",
    scopes: "read,trade,cancel",
    mode: "live",
  });
  return (document as { apiKey: string }).apiKey;
}
