// A local exchange that speaks Polymarket's protocol, and our service trading on it in live mode.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { admin, seed, type Service, type Site } from "@/bench/services";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { readData, send } from "@/tests/support/product/client";
import { isHealthy, launch } from "@/tests/support/product/process";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
  type SandboxTrader,
} from "@/tests/support/sandbox/client";

/** Deposit wallets, which is what new accounts of the exchange get. */
const SIGNATURE_TYPE = 3;
const UPSTREAM_SCRIPT = "dist/bench/upstream.mjs";
/** How long the distant exchange takes to answer. */
export const DISTANCE_MS = 20;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 25;

/** The base URLs of an exchange's APIs. */
interface Urls {
  clob: string;
  gamma: string;
  data: string;
}

/** An exchange with a service that trades on it, and an API key of that service. */
export interface Exchange {
  urls: Urls;
  markets: readonly SandboxMarket[];
  service: Service;
  apiKey: string;
}

/** One exchange, reached in two ways. */
export interface Exchanges {
  /** The exchange itself, which uses the cores of this machine. */
  near: Exchange;
  /** An exchange that answers after `DISTANCE_MS` and uses hardly any CPU. */
  distant: Exchange;
}

export async function openExchanges(site: Site): Promise<Exchanges> {
  await site.createDatabase("upstream");
  const upstream = await site.start(site.onPostgres("upstream"));
  const root = `http://127.0.0.1:${upstream.port}`;
  const all = await sandboxMarkets(toUrls(root).clob);
  // The distant exchange accepts orders of one of the venue's contracts.
  const markets = all.filter((market) => !market.neg_risk);
  const distantRoot = await startDistant(root);
  return {
    near: { markets, ...(await openService(site, "live", toUrls(root))) },
    distant: { markets, ...(await openService(site, "distant", toUrls(distantRoot))) },
  };
}

const toUrls = (root: string): Urls => ({
  clob: `${root}/sandbox/clob`,
  gamma: `${root}/sandbox/gamma`,
  data: `${root}/sandbox/data`,
});

async function startDistant(upstream: string): Promise<string> {
  const port = await freePort();
  const server = launch([UPSTREAM_SCRIPT], {
    PORT: String(port),
    UPSTREAM: upstream,
    DELAY_MS: String(DISTANCE_MS),
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isHealthy(port))) {
    if (server.hasEnded() || Date.now() > deadline) throw new Error(server.output());
    await wait(POLL_MS);
  }
  return `http://127.0.0.1:${port}`;
}

async function openService(
  site: Site,
  database: string,
  urls: Urls,
): Promise<Omit<Exchange, "markets">> {
  await site.createDatabase(database);
  const environment = {
    ...site.onPostgres(database),
    VENUES: "paper,polymarket",
    CLOB_API_URL: urls.clob,
    GAMMA_API_URL: urls.gamma,
    DATA_API_URL: urls.data,
  };
  const apiKey = await importWallet(site, environment, await createTrader(urls.clob));
  const service = await site.start(environment);
  // A program finds its markets in a list. What that says, the official client gets as options.
  readData(await send(service.port, { method: "GET", path: "/v1/markets", key: apiKey }));
  // The exchange uses the same Postgres server.
  return { urls, apiKey, service: { ...service, readCpu: site.readCpuOf([service], database) } };
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
