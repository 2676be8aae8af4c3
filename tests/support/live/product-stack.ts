// Live trading with the built product: a service on Postgres whose venue is the sandbox of a second
// service, with a network between them that can fail. This file does not depend on the test runner.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { computeAddress } from "ethers";
import {
  deriveDepositWallet,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { listTradableTokens } from "@/bench/orders";
import { admin, seed, type Service, type Site } from "@/bench/services";
import { type FaultServer, startFaultServer } from "@/tests/support/live/fault-server";
import { readData, send } from "@/tests/support/product/client";
import { type Environment, until } from "@/tests/support/product/process";

/** A user with money on both venues. */
export interface LiveTrader {
  userId: string;
  email: string;
  password: string;
  paperKey: string;
  liveKey: string;
}

export interface LiveEnvironment {
  site: Site;
  venue: Service;
  venueEnvironment: Environment;
  /** The network between the service and its venue. */
  network: FaultServer;
  /** The environment variables of the services, of which several may run. */
  environment: Environment;
  traders: readonly LiveTrader[];
}

/** The databases of the service and of its venue. */
export const [SERVICE, VENUE] = ["service", "venue"];
/** Short, so that a silent venue costs little time, but long enough for a busy machine. */
const TIMERS: Environment = {
  SUBMIT_ATTEMPT_TIMEOUT_MS: "3000",
  SUBMIT_BUDGET_MS: "6000",
  IN_PROGRESS_WAIT_MS: "8000",
  RECONCILE_TICK_MS: "500",
  ABANDON_AFTER_MS: "15000",
};
const MOST_TOKENS = 12;
const ALL_SCOPES = "read,trade,cancel";
const HOP_HEADERS = ["host", "connection", "content-length", "transfer-encoding"];

/** The funder of each kind of wallet that the relayer serves, by signature type. */
const FUNDERS = { 1: deriveProxyWallet, 2: deriveSafeWallet, 3: deriveDepositWallet } as const;
type RelayedType = keyof typeof FUNDERS;

export interface LiveOptions {
  /** Variables of both services, and of the venue only. */
  both?: Environment;
  venue?: Environment;
  /** The signature types of the traders' wallets in turn. */
  types?: readonly RelayedType[];
}

export async function startLiveEnvironment(
  site: Site,
  count: number,
  { both = {}, venue: given = {}, types = [3] }: LiveOptions = {},
): Promise<LiveEnvironment> {
  await site.createDatabase(VENUE);
  await site.createDatabase(SERVICE);
  const venueEnvironment = { ...site.onPostgres(VENUE), ...both, ...given };
  const venue = await site.start(venueEnvironment);
  const network = await startFaultServer(forwardTo(venue.port));
  const environment = {
    ...site.onPostgres(SERVICE),
    ...TIMERS,
    ...both,
    VENUES: "paper,polymarket",
    CLOB_API_URL: `${network.url}/clob`,
    GAMMA_API_URL: `${network.url}/gamma`,
    DATA_API_URL: `${network.url}/data`,
    RELAYER_API_URL: `${network.url}/relayer`,
    POLYGON_RPC_URL: `${network.url}/rpc`,
  };
  const traders: LiveTrader[] = [];
  for (const [index, { apiKey, ...user }] of (await seed(environment, count)).entries()) {
    const type = types[index % types.length] ?? 3;
    const liveKey = await makeLiveKey(site, environment, { userId: user.userId, type });
    traders.push({ ...user, paperKey: apiKey, liveKey });
  }
  return { site, venue, venueEnvironment, network, environment, traders };
}

/** Lists tradable tokens by mode. Retries, because the first read of a venue may time out. */
export async function listTokens(
  { traders: [trader] }: LiveEnvironment,
  { port }: Service,
): Promise<Record<"paper" | "live", string[]>> {
  const list = async (key = "") =>
    until("the markets are listed", async () => {
      const found = await listTradableTokens(port, key).catch(() => []);
      return found.length > 0 && found.slice(0, MOST_TOKENS).map(({ tokenId }) => tokenId);
    });
  return { paper: await list(trader?.paperKey), live: await list(trader?.liveKey) };
}

/** Forwards requests to the venue and returns its responses. */
function forwardTo(port: number): Parameters<typeof startFaultServer>[0] {
  return async ({ pathname, search }, { method, body }, given) => {
    const headers = new Headers(given);
    for (const name of HOP_HEADERS) headers.delete(name);
    try {
      const url = `http://127.0.0.1:${port}${pathname}${search}`;
      const answer = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) });
      const type = answer.headers.get("content-type");
      return new Response(await answer.text(), {
        status: answer.status,
        headers: type === null ? {} : { "content-type": type },
      });
    } catch {
      return new Response("", { status: 502 });
    }
  };
}

async function makeLiveKey(
  site: Site,
  env: Environment,
  { userId, type }: { userId: string; type: RelayedType },
): Promise<string> {
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const file = join(site.folder, userId);
  writeFileSync(file, privateKey, { mode: 0o600 });
  const funder = FUNDERS[type](computeAddress(privateKey));
  const wallet = { "private-key-file": file, funder, "signature-type": String(type) };
  await admin(env, "wallet:import", { user: userId, ...wallet });
  const key = { name: "live", scopes: ALL_SCOPES, mode: "live" };
  const document = await admin(env, "keys:create", { user: userId, ...key });
  return (document as { apiKey: string }).apiKey;
}

interface OurRow {
  venueOrderId: string;
  key: string;
  status: string;
  filled: string;
  held: string;
}

interface TheirRow {
  id: string;
  status: string;
  filled: string;
}

const OURS = `select r.venue_order_id as "venueOrderId",
    r.user_id || ' ' || o.idempotency_key_json as key, o.status,
    o.filled_shares_micro::text as filled, o.held_micro::text as held
  from remote_orders r join orders o on o.id = r.order_id`;
const THEIRS = "select id, status, filled_shares_micro::text as filled from orders";
/** Orders with an unknown outcome, and cancels without a response. */
const WAITING = `select count(*)::int as count from remote_orders r join orders o on o.id = r.order_id
  where o.status in ('submitting', 'unknown', 'delayed')
    or (o.status = 'open' and r.cancel_requested_at is not null)`;
const LOOK_EVERY_MS = 500;
const MOST_TRIES = 120;

/** Cancels all open orders, so that nothing changes while both sides are compared. */
export async function cancelEverything(ground: LiveEnvironment, port: number): Promise<void> {
  for (const { liveKey: key } of ground.traders) {
    for (let open = 1, tries = 0; open > 0 && tries < MOST_TRIES; tries += 1) {
      await send(port, { method: "DELETE", path: "/v1/orders", key });
      const answer = await send(port, { method: "GET", path: "/v1/orders/open", key });
      open = answer.status === 200 ? readData<{ orders: unknown[] }>(answer).orders.length : 1;
      if (open > 0) await wait(LOOK_EVERY_MS);
    }
  }
}

/** Waits until the reconcilers know every outcome. Returns the number of orders that they do not. */
export async function untilKnown({ site }: LiveEnvironment, withinMs: number): Promise<number> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { rows } = await site.query(SERVICE, WAITING);
    const [{ count } = { count: 0 }] = rows as { count: number }[];
    if (count === 0 || Date.now() > deadline) return count;
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * Returns the violations of what must hold once the network works: every order at the venue is
 * recorded, no key has two orders, status and fills are equal on both sides, closed orders reserve
 * nothing, and both ledgers are consistent.
 */
export async function findDisagreements(ground: LiveEnvironment): Promise<string[]> {
  const { site } = ground;
  const ours = (await site.query(SERVICE, OURS)).rows as OurRow[];
  const theirs = (await site.query(VENUE, THEIRS)).rows as TheirRow[];
  const atVenue = new Map(theirs.map((row) => [row.id, row]));
  const known = new Set(ours.map(({ venueOrderId }) => venueOrderId));
  const found = theirs
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `the venue has ${id}, which is not recorded`);
  const keys = new Set<string>();
  for (const row of ours) {
    if (keys.has(row.key)) found.push(`${row.key} has two orders`);
    keys.add(row.key);
    found.push(...compareRows(row, atVenue.get(row.venueOrderId)));
  }
  return [...found, ...(await verifyBothBooks(ground))];
}

function compareRows(our: OurRow, their: TheirRow | undefined): string[] {
  const told = `${our.key}: we say ${our.status} ${our.filled}`;
  const isHere = !["rejected", "abandoned", "submitting", "unknown"].includes(our.status);
  const isThere = their !== undefined && their.status !== "rejected";
  if (isHere !== isThere) return [`${told}, the venue ${their?.status ?? "has nothing"}`];
  const isOpen = our.status === "open";
  const reserved = !isOpen && our.held !== "0" ? [`${told}, and holds ${our.held}`] : [];
  if (!isThere || (their.status === our.status && their.filled === our.filled)) return reserved;
  return [`${told}, the venue ${their.status} ${their.filled}`, ...reserved];
}

/** Runs `verify` on both databases and returns the problems. */
export async function verifyBothBooks({
  environment,
  venueEnvironment,
}: Pick<LiveEnvironment, "environment" | "venueEnvironment">): Promise<string[]> {
  const found: string[] = [];
  for (const env of [environment, venueEnvironment]) {
    const report = await admin(env, "verify", {}).catch((error: unknown) => ({
      problems: [String(error)],
    }));
    found.push(...(report as { problems: string[] }).problems);
  }
  return found;
}

/** Counts the recorded live orders. */
export async function countReservingOrders({ site }: LiveEnvironment): Promise<number> {
  const { rows } = await site.query(SERVICE, "select count(*)::int as count from remote_orders");
  const [{ count } = { count: 0 }] = rows as { count: number }[];
  return count;
}
