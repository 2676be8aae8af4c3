// The peer: `pmxt-core` as a local REST server. It is installed in a folder of its own, because its
// dependencies would make our lockfile fail `npm ci`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { makeCpuReader } from "@/bench/costs";
import type { BareServer } from "@/bench/limits";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { isHealthy, launch, ROOT } from "@/tests/support/product/process";
import type { Exchange } from "@/bench/exchange";
import type { SandboxTrader } from "@/tests/support/sandbox/client";

const FOLDER = join(ROOT, "dist/bench/peer");
const VERSION = "2.41.0";
const PACKAGE = {
  private: true,
  dependencies: { "pmxt-core": VERSION },
  // The same pins as ours: newer ones do not install, or were compromised.
  overrides: { viem: "2.57.1", axios: "1.21.1" },
};
const INSTALL_WITHIN_MS = 120_000;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;
/** Calls what the package's entry calls. The entry chooses the port and writes to the home folder. */
const START = `require("pmxt-core/dist/server/app.js").startServer(Number(process.env.PORT), process.env.TOKEN);`;

export interface Peer extends BareServer {
  headers: Record<string, string>;
}

/** Installs the peer if it is missing. Returns why that failed, or null. */
export async function installPeer(): Promise<string | null> {
  if (isInstalled()) return null;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify(PACKAGE));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    const options = { cwd: FOLDER, timeout: INSTALL_WITHIN_MS };
    await promisify(execFile)("npm", ["install", ...flags], options);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n").at(-2) : String(error);
    return `pmxt-core ${VERSION} could not be installed: ${reason}`;
  }
}

function isInstalled(): boolean {
  const path = join(FOLDER, "node_modules/pmxt-core/package.json");
  if (!existsSync(path)) return false;
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version === VERSION;
}

/** Starts the peer on the exchange with a wallet. */
export async function startPeer(
  { urls }: Exchange,
  { privateKey, funder, creds }: SandboxTrader,
): Promise<Peer> {
  const script = join(FOLDER, "start.cjs");
  writeFileSync(script, START);
  const port = await freePort();
  const token = randomBytes(16).toString("hex");
  const server = launch([script], {
    PORT: String(port),
    TOKEN: token,
    POLYMARKET_CLOB_URL: urls.clob,
    POLYMARKET_DATA_URL: urls.data,
    POLYMARKET_GAMMA_URL: `${urls.gamma}/events`,
    POLYMARKET_GAMMA_SEARCH_URL: `${urls.gamma}/public-search`,
    POLYMARKET_GAMMA_MARKETS_URL: `${urls.gamma}/markets`,
    POLYMARKET_PRIVATE_KEY: privateKey,
    POLYMARKET_API_KEY: creds.key,
    POLYMARKET_API_SECRET: creds.secret,
    POLYMARKET_PASSPHRASE: creds.passphrase,
    POLYMARKET_FUNDER_ADDRESS: funder,
    POLYMARKET_SIGNATURE_TYPE: "3",
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isHealthy(port))) {
    if (server.hasEnded() || Date.now() > deadline) throw new Error(server.output());
    await wait(POLL_MS);
  }
  return { port, readCpu: makeCpuReader([server.pid]), headers: { "x-pmxt-access-token": token } };
}
