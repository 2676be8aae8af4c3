// Live trading on the built product, end to end: a service on Postgres whose venue is the sandbox of
// a second one, with a network between them that can fail. Nothing here knows the test runner.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { computeAddress } from "ethers";
import { depositWalletOf } from "@/lib/polymarket/wallets";
import { tradableTokens } from "@/tests/bench/orders";
import { admin, seed, type Service, type Site } from "@/tests/bench/services";
import { type FaultServer, startFaultServer } from "@/tests/support/fault-server";
import { dataOf, send } from "@/tests/support/product-client";
import { type Environment, until } from "@/tests/support/product-process";

/** A user with money on both venues. */
export interface LiveTrader {
  userId: string;
  paperKey: string;
  liveKey: string;
}

export interface LiveGround {
  site: Site;
  venue: Service;
  /** What stands between the service and its venue. */
  network: FaultServer;
  /** The environment of a service; any number of them may run. */
  environment: Environment;
  traders: readonly LiveTrader[];
}

const [SERVICE, VENUE] = ["service", "venue"];
/** Short, so that a venue that does not answer costs little; long enough for a busy machine. */
const TIMERS: Environment = {
  SUBMIT_ATTEMPT_TIMEOUT_MS: "3000",
  SUBMIT_BUDGET_MS: "6000",
  IN_PROGRESS_WAIT_MS: "8000",
  RECONCILE_TICK_MS: "500",
  ABANDON_AFTER_MS: "15000",
};
const TOKENS_WITHIN_MS = 120_000;
const MOST_TOKENS = 12;
const ALL_SCOPES = "read,trade,cancel";
const HOP_HEADERS = ["host", "connection", "content-length", "transfer-encoding"];

export async function layLiveGround(site: Site, count: number): Promise<LiveGround> {
  await site.createDatabase(VENUE);
  await site.createDatabase(SERVICE);
  const venue = await site.start(site.onPostgres(VENUE));
  const network = await startFaultServer(forwardTo(venue.port));
  const environment = {
    ...site.onPostgres(SERVICE),
    ...TIMERS,
    VENUES: "paper,polymarket",
    CLOB_API_URL: `${network.url}/clob`,
    GAMMA_API_URL: `${network.url}/gamma`,
    DATA_API_URL: `${network.url}/data`,
  };
  const traders: LiveTrader[] = [];
  for (const { userId, apiKey } of await seed(environment, count)) {
    traders.push({
      userId,
      paperKey: apiKey,
      liveKey: await makeLiveKey(site, environment, userId),
    });
  }
  return { site, venue, network, environment, traders };
}

/** What may be traded, by mode. The first look at a venue may take longer than it is waited for. */
export async function tokensOf(
  { traders: [trader] }: LiveGround,
  { port }: Service,
): Promise<Record<"paper" | "live", string[]>> {
  const list = async (key = "") =>
    until(TOKENS_WITHIN_MS, "the markets are listed", async () => {
      const found = await tradableTokens(port, key).catch(() => []);
      return found.length > 0 && found.slice(0, MOST_TOKENS).map(({ tokenId }) => tokenId);
    });
  return { paper: await list(trader?.paperKey), live: await list(trader?.liveKey) };
}

/** Hands a request on as it came, and the answer back. */
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

async function makeLiveKey(site: Site, env: Environment, userId: string): Promise<string> {
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const file = join(site.folder, userId);
  writeFileSync(file, privateKey, { mode: 0o600 });
  const funder = depositWalletOf(computeAddress(privateKey));
  const wallet = { "private-key-file": file, funder, "signature-type": "3" };
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
/** Orders whose end only the venue can tell, and cancels that it has not answered. */
const WAITING = `select count(*)::int as count from remote_orders r join orders o on o.id = r.order_id
  where o.status in ('submitting', 'unknown', 'delayed')
    or (o.status = 'open' and r.cancel_requested_at is not null)`;
const LOOK_EVERY_MS = 500;
const MOST_TRIES = 120;

/** Ends everything that rests at the venue, so that nothing moves while both sides are compared. */
export async function cancelEverything(ground: LiveGround, port: number): Promise<void> {
  for (const { liveKey: key } of ground.traders) {
    for (let open = 1, tries = 0; open > 0 && tries < MOST_TRIES; tries += 1) {
      await send(port, { method: "DELETE", path: "/v1/orders", key });
      const answer = await send(port, { method: "GET", path: "/v1/orders/open", key });
      open = answer.status === 200 ? dataOf<{ orders: unknown[] }>(answer).orders.length : 1;
      if (open > 0) await wait(LOOK_EVERY_MS);
    }
  }
}

/** Waits until the reconcilers of the running services have found everything out. */
export async function untilKnown({ site }: LiveGround, withinMs: number): Promise<number> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { rows } = await site.query(SERVICE, WAITING);
    const [{ count } = { count: 0 }] = rows as { count: number }[];
    if (count === 0 || Date.now() > deadline) return count;
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * What must hold after anything, once the network is sound: nothing at the venue that we do not
 * know, no key with two orders, the same end and the same fills on both sides, nothing reserved for
 * what is over, and books that add up on both sides.
 */
export async function disagreementsOf(ground: LiveGround): Promise<string[]> {
  const { site } = ground;
  const ours = (await site.query(SERVICE, OURS)).rows as OurRow[];
  const theirs = (await site.query(VENUE, THEIRS)).rows as TheirRow[];
  const atVenue = new Map(theirs.map((row) => [row.id, row]));
  const known = new Set(ours.map(({ venueOrderId }) => venueOrderId));
  const found = theirs
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `the venue has ${id}, which we do not know`);
  const keys = new Set<string>();
  for (const row of ours) {
    if (keys.has(row.key)) found.push(`${row.key} has two orders`);
    keys.add(row.key);
    found.push(...disagreementOf(row, atVenue.get(row.venueOrderId)));
  }
  return [...found, ...(await problemsOf(ground))];
}

function disagreementOf(our: OurRow, their: TheirRow | undefined): string[] {
  const told = `${our.key}: we say ${our.status} ${our.filled}`;
  const isHere = !["rejected", "abandoned", "submitting", "unknown"].includes(our.status);
  const isThere = their !== undefined && their.status !== "rejected";
  if (isHere !== isThere) return [`${told}, the venue ${their?.status ?? "has nothing"}`];
  const isOpen = our.status === "open";
  const reserved = !isOpen && our.held !== "0" ? [`${told}, and holds ${our.held}`] : [];
  if (!isThere || (their.status === our.status && their.filled === our.filled)) return reserved;
  return [`${told}, the venue ${their.status} ${their.filled}`, ...reserved];
}

async function problemsOf({ site, environment }: LiveGround): Promise<string[]> {
  const found: string[] = [];
  for (const env of [environment, site.onPostgres(VENUE)]) {
    const report = await admin(env, "verify", {}).catch((error: unknown) => ({
      problems: [String(error)],
    }));
    found.push(...(report as { problems: string[] }).problems);
  }
  return found;
}

/** How many live orders there are by now. */
export async function countLiveOrders({ site }: LiveGround): Promise<number> {
  const { rows } = await site.query(SERVICE, "select count(*)::int as count from remote_orders");
  const [{ count } = { count: 0 }] = rows as { count: number }[];
  return count;
}
