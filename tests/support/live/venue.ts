// Live accounts whose venue is the sandbox of the same process.
import { randomBytes } from "node:crypto";
import { computeAddress } from "ethers";
import { afterAll, beforeAll } from "vitest";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  putSandboxSessionKey,
  type SandboxSessionKeyRow,
} from "@/lib/db/queries/sandbox-session-keys";
import type { KeyPrincipal } from "@/lib/auth/principal";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { bestPrice } from "@/lib/domain/matching";
import type { Protocol } from "@/lib/domain/protocol";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { placeOrder } from "@/lib/orders/place-order";
import { ONE, type Price, price, shares, usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { asRemoteMarket } from "@/lib/polymarket/markets";
import type { Market } from "@/lib/venue/port";
import { closeUpstreams } from "@/lib/polymarket/http";
import { BUILDER_ENVIRONMENT, SANDBOX_BUILDER } from "@/tests/support/live/builder";
import type { FaultServer } from "@/tests/support/live/fault-server";
import { startSandboxServer } from "@/tests/support/sandbox/server";
import { makeUser, type TestUser } from "@/tests/support/users";

/** Short, so that a silent venue costs little time. */
const TIMERS: Record<string, string> = {
  SUBMIT_ATTEMPT_TIMEOUT_MS: "1000",
  SUBMIT_BUDGET_MS: "1200",
  IN_PROGRESS_WAIT_MS: "5000",
  RECONCILE_TICK_MS: "50",
  ABANDON_AFTER_MS: "500",
};

/**
 * For tests that depend on the house's quotes, which otherwise move every few seconds, or on a market that
 * stays listed however far the service's clock is moved.
 */
export const STANDING_MARKET = { PAPER_CLOCK: new Date().toISOString() };

/** For tests in which no response may be too late, also on a slow machine. */
export const LONG_TIMEOUTS: Record<string, string> = {
  SUBMIT_ATTEMPT_TIMEOUT_MS: "60000",
  SUBMIT_BUDGET_MS: "90000",
  IN_PROGRESS_WAIT_MS: "60000",
};

/**
 * Starts the venue and configures the service to use it. Call it with `await` at the top of a test
 * file, before the environment is parsed.
 *
 * @param timers overrides of the short timeouts, by variable.
 */
export async function useLiveVenue(timers: Record<string, string> = {}): Promise<FaultServer> {
  const sandbox = await startSandboxServer();
  Object.assign(process.env, TIMERS, timers, {
    VENUES: "paper,polymarket",
    CLOB_API_URL: `${sandbox.url}/clob`,
    GAMMA_API_URL: `${sandbox.url}/gamma`,
    DATA_API_URL: `${sandbox.url}/data`,
    ALLOW_EMBEDDED_DB_FOR_LIVE: "1",
  });
  // Loading the client takes longer than the timeout of an attempt.
  beforeAll(() => import("@polymarket/clob-client-v2"));
  afterAll(async () => {
    await closeUpstreams();
    await sandbox.close();
  });
  return sandbox;
}

/**
 * Lets the service send wallet transactions through the sandbox's relayer, which executes them at once.
 * Call it after `useLiveVenue`.
 */
export function useSandboxRelayer({ url }: FaultServer): void {
  Object.assign(process.env, {
    RELAYER_API_URL: `${url}/relayer`,
    POLYGON_RPC_URL: `${url}/rpc`,
    ...BUILDER_ENVIRONMENT,
    SANDBOX_BUILDER_KEY: SANDBOX_BUILDER,
    SANDBOX_RELAYER_MS: "0",
  });
}

export interface LiveUser extends TestUser {
  live: KeyPrincipal;
  /** The wallet's addresses at the venue. */
  owner: string;
  funder: string;
}

/** Creates a user with a new live wallet, which the sandbox funds on its first request. */
export async function makeLiveUser(): Promise<LiveUser> {
  const user = await makeUser();
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const owner = computeAddress(privateKey);
  const funder = deriveDepositWallet(owner);
  await importLiveWallet(user.userId, { privateKey, funder, signatureType: "3" });
  return { ...user, owner, funder, live: { ...user.principal, mode: "live" } };
}

/** When a test's session key expires, at the venue and as entered here. */
export interface SessionEnd {
  atVenue?: Date;
  entered?: Date;
}

export interface SessionUser extends LiveUser {
  /** A user with the owner's key of the same deposit wallet. */
  walletOwner: LiveUser;
}

/** Creates a user whose live wallet has a session key, which the venue lists unless told otherwise. */
export const makeSessionUser = async (
  end: SessionEnd = {},
  change: Partial<SandboxSessionKeyRow> | null = {},
): Promise<SessionUser> => makeSessionUserOf(await makeLiveUser(), end, change);

/** Like `makeSessionUser`, with a key of an existing user's deposit wallet. */
export async function makeSessionUserOf(
  walletOwner: LiveUser,
  { atVenue, entered }: SessionEnd = {},
  change: Partial<SandboxSessionKeyRow> | null = {},
): Promise<SessionUser> {
  const user = await makeUser();
  const privateKey = `0x${randomBytes(32).toString("hex")}`;
  const [session, wallet] = [computeAddress(privateKey), walletOwner.funder];
  const later = new Date(Math.floor(now() / 1_000) * 1_000 + 86_400_000);
  if (change !== null) {
    await putSandboxSessionKey(await getDb(), {
      wallet,
      address: session,
      scopes: ["CLOB"],
      expiresAt: atVenue ?? later,
      authorizedAt: new Date(now()),
      ...change,
    });
  }
  const sessionKey = { scopes: "CLOB", expiresAt: (entered ?? later).toISOString() };
  const input = { privateKey, funder: wallet, signatureType: "3", sessionKey };
  await importLiveWallet(user.userId, input);
  const live = { ...user.principal, mode: "live" } as const;
  return { ...user, owner: session, funder: wallet, live, walletOwner };
}

/** An order for the market that a test file trades: of Protocol V1, unless it says otherwise. */
export type Order = Omit<PlaceOrderBody, "tokenId" | "idempotencyKey"> & { protocol?: Protocol };

/** An order far below every price of the sandbox, so that it stays open. */
export const RESTING: Order = {
  action: "BUY",
  orderType: "limit",
  price: price(10_000n),
  shares: shares(10_000_000n),
};
export const MARKET_BUY: Order = { action: "BUY", orderType: "market", amount: usdc(20_000_000n) };

export interface Outcome {
  status: number;
  code: string | null;
  orderId: string | null;
}

const HALF = Number(ONE / 2n);
const CENT = 10_000n;
const tradedIds = new Map<Protocol, string>();

/** Finds the market of a protocol that a test file trades. It stays open for longer than any test. */
export async function findLiveMarket(protocol: Protocol = "v1"): Promise<Market> {
  const listed = (await remoteVenue().listMarkets()).filter((one) => one.protocol === protocol);
  const known = listed.find(({ id }) => id === tradedIds.get(protocol));
  if (known) return known;
  const until = Date.now() + 3_600_000;
  const lasting = listed.filter(({ closesAt, tick }) => closesAt > until && tick === CENT);
  // Near the middle, a cheap bid stays open and few shares are worth a dollar.
  const distance = (one: Market) => Math.abs(Number(asRemoteMarket(one).listedPrice) - HALF);
  for (const market of lasting.toSorted((one, other) => distance(one) - distance(other))) {
    const { bid, ask } = await readBest(market);
    if (ask - bid < 2n * market.tick) continue;
    tradedIds.set(protocol, market.id);
    return market;
  }
  throw new Error("the venue lists an open market of each protocol with a price inside the spread");
}

async function readBest(market: Market): Promise<{ bid: bigint; ask: bigint }> {
  const book = await remoteVenue().getBook(market);
  return { bid: bestPrice(book, "bid") ?? 0n, ask: bestPrice(book, "ask") ?? ONE };
}

/**
 * Finds a price inside the house's spread of the first token. Orders of earlier tests may rest there.
 *
 * @throws unless the house's quotes stand still, since they could reach the price at any time.
 */
export async function findInsidePrice(): Promise<Price> {
  if (env().PAPER_CLOCK === undefined) throw new Error("the test needs a STANDING_MARKET");
  const market = await findLiveMarket();
  const { bid, ask } = await readBest(market);
  const inside = price(bid + market.tick);
  return inside < ask ? inside : price(bid);
}

/** Places an order in that market and returns the outcome of the request. */
export async function send(
  user: LiveUser,
  { protocol, ...order }: Order,
  idempotencyKey: string,
  outcome: 0 | 1 = 0,
): Promise<Outcome> {
  const { outcomes } = await findLiveMarket(protocol);
  try {
    const { answer, orderId } = await placeOrder(user.live, {
      ...order,
      tokenId: outcomes[outcome].tokenId,
      idempotencyKey,
    });
    const body = JSON.parse(answer.body) as { error?: { code: string } };
    return { status: answer.status, code: body.error?.code ?? null, orderId };
  } catch (error) {
    return { ...toFailure(error), orderId: null };
  }
}

/** Returns the response status and code of a thrown error. */
export function toFailure(error: unknown): { status: number; code: string } {
  if (error instanceof AppError) return { status: error.status, code: error.code };
  throw error;
}
