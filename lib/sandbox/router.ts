import "server-only";
import { Hono } from "hono";
import { now } from "@/lib/clock";
import { readBalance, refreshBalance } from "@/lib/sandbox/balance";
import { cancelByIds, cancelWhere } from "@/lib/sandbox/cancel-orders";
import {
  readBatch,
  readCancelScope,
  readJsonBody,
  readOrderId,
  readOrderIds,
  readOrderPayload,
} from "@/lib/sandbox/order-payload";
import { listActivity, listTrades, listTradesV2 } from "@/lib/sandbox/data-activity";
import {
  countTraded,
  listClosedPositions,
  listPositions,
  readValue,
} from "@/lib/sandbox/data-positions";
import { listPositionsV2, readUserStats, readValueV2 } from "@/lib/sandbox/data-v2";
import {
  getGammaEvent,
  getGammaEventById,
  getGammaMarket,
  getGammaMarketById,
  listGammaEvents,
  listGammaEventsByCursor,
  listGammaMarkets,
  listGammaMarketsByCursor,
  listTags,
  searchGamma,
} from "@/lib/sandbox/gamma";
import { renewHeartbeat } from "@/lib/sandbox/heartbeat";
import { authorizeSessionKey, revokeSessionSigner } from "@/lib/sandbox/change-session-keys";
import {
  createSandboxKey,
  deriveSandboxKey,
  listSandboxKeys,
  removeSandboxKey,
} from "@/lib/sandbox/keys";
import { listLiveActivity } from "@/lib/sandbox/live-activity";
import {
  listClobMarkets,
  listSamplingMarkets,
  listSamplingSimplifiedMarkets,
  listSimplifiedMarkets,
  readLastPrice,
  requireCondition,
  requireToken,
  toClobMarket,
  toCompactMarket,
} from "@/lib/sandbox/markets";
import { dismissNotifications, listNotifications } from "@/lib/sandbox/notifications";
import { findWireOrder, listWireOrders, readScoring, readScorings } from "@/lib/sandbox/orders";
import { toClobPage } from "@/lib/sandbox/pages";
import { placeBatch, placeSandboxOrder } from "@/lib/sandbox/place-order";
import { readHistory } from "@/lib/sandbox/price-history";
import {
  readBestPrice,
  readByToken,
  readLastPrices,
  readMidpoint,
  readPrices,
  readSpread,
} from "@/lib/sandbox/quotes";
import { createBuilderKey, listBuilderKeys, revokeBuilderKeys } from "@/lib/sandbox/builder-keys";
import { readDeployed } from "@/lib/sandbox/deployed";
import { answerRpc } from "@/lib/sandbox/json-rpc";
import { createRelayerKey } from "@/lib/sandbox/relayer-keys";
import { openRelayerRoute, relayerRoute } from "@/lib/sandbox/relayer-route";
import { submitTransaction } from "@/lib/sandbox/submit-transaction";
import {
  listTransactions,
  readOldTransaction,
  readTransaction,
} from "@/lib/sandbox/transaction-views";
import { readOldNonce, readParams } from "@/lib/sandbox/wallet-nonce";
import {
  clobRoute,
  openRoute,
  type SandboxHandler,
  tradingRoute,
  v2Route,
} from "@/lib/sandbox/route";
import { listSessionSigners } from "@/lib/sandbox/session-keys";
import { readSwitches } from "@/lib/sandbox/switches";
import { listWireTrades } from "@/lib/sandbox/trades";
import { microToNumber } from "@/lib/units";
import { readWireBook } from "@/lib/sandbox/books";
import { readTokens, readWireBooks } from "@/lib/sandbox/books";

type Method = "GET" | "POST" | "DELETE";
type RouteTable = Readonly<Record<string, Readonly<Partial<Record<Method, SandboxHandler>>>>>;

/** A list without entries. */
const NO_ROWS = toClobPage([], 0, 100);

const CLOB: RouteTable = {
  "/auth/api-key": {
    POST: clobRoute("owner", (call) => createSandboxKey(call)),
    DELETE: clobRoute("key", ({ caller }) => removeSandboxKey(caller)),
  },
  "/auth/api-keys": { GET: clobRoute("key", ({ caller }) => listSandboxKeys(caller)) },
  "/auth/ban-status/closed-only": { GET: clobRoute("key", () => ({ closed_only: false })) },
  "/auth/builder-api-key": {
    GET: clobRoute("key", ({ caller }) => listBuilderKeys(caller)),
    POST: clobRoute("key", ({ caller }) => createBuilderKey(caller)),
    DELETE: clobRoute("key", ({ caller }) => revokeBuilderKeys(caller)),
  },
  "/auth/derive-api-key": { GET: clobRoute("owner", (call) => deriveSandboxKey(call)) },
  "/balance-allowance": {
    GET: clobRoute("key", ({ caller, query }) => readBalance(caller, query)),
  },
  "/balance-allowance/update": {
    GET: clobRoute("key", ({ caller, query }) => refreshBalance(caller, query)),
  },
  "/book": { GET: clobRoute("open", ({ query }) => readWireBook(query.get("token_id"))) },
  "/books": {
    POST: clobRoute("open", ({ asker, body }) => readWireBooks(asker, readTokens(body))),
  },
  "/cancel-all": { DELETE: tradingRoute("cancel", ({ caller }) => cancelWhere(caller, {})) },
  "/cancel-market-orders": {
    DELETE: tradingRoute("cancel", ({ caller, body }) =>
      cancelWhere(caller, readCancelScope(body)),
    ),
  },
  "/clob-markets/:id": {
    GET: clobRoute("open", async ({ id }) => toCompactMarket(await requireCondition(id))),
  },
  "/data/order/:id": { GET: clobRoute("key", ({ caller, id }) => findWireOrder(caller, id)) },
  "/data/orders": { GET: clobRoute("key", ({ caller, query }) => listWireOrders(caller, query)) },
  // The paper exchange has always taken the current kind of order.
  "/data/pre-migration-orders": { GET: clobRoute("key", () => NO_ROWS) },
  "/data/trades": { GET: clobRoute("key", ({ caller, query }) => listWireTrades(caller, query)) },
  "/fee-rate": {
    GET: clobRoute("open", async ({ query }) => {
      await requireToken(query.get("token_id"));
      return { base_fee: 0 };
    }),
  },
  "/fees/builder-fees/:id": {
    GET: clobRoute("open", async () => {
      const { takerBps, makerBps } = (await readSwitches()).builderFees;
      return { builder_maker_fee_rate_bps: makerBps, builder_taker_fee_rate_bps: takerBps };
    }),
  },
  "/last-trade-price": {
    GET: clobRoute("open", async ({ query }) =>
      readLastPrice(await requireToken(query.get("token_id"))),
    ),
  },
  "/last-trades-prices": {
    POST: clobRoute("open", ({ asker, body }) => readLastPrices(asker, readTokens(body))),
  },
  "/markets": { GET: clobRoute("open", listClobMarkets) },
  "/markets-by-token/:id": {
    GET: clobRoute("open", async ({ id }) => {
      const { market } = await requireToken(id);
      const [primary, secondary] = market.outcomes;
      return {
        condition_id: market.id,
        primary_token_id: primary.tokenId,
        secondary_token_id: secondary.tokenId,
      };
    }),
  },
  "/markets/live-activity/:id": { GET: clobRoute("open", ({ id }) => listLiveActivity(id)) },
  "/markets/:id": {
    GET: clobRoute("open", async ({ id }) => toClobMarket(await requireCondition(id))),
  },
  "/midpoint": {
    GET: clobRoute("open", async ({ query }) => ({
      mid: await readMidpoint(query.get("token_id")),
    })),
  },
  "/midpoints": {
    POST: clobRoute("open", ({ asker, body }) =>
      readByToken(asker, readTokens(body), readMidpoint),
    ),
  },
  "/neg-risk": {
    GET: clobRoute("open", async ({ query }) => {
      const { market } = await requireToken(query.get("token_id"));
      return { neg_risk: market.isNegRisk };
    }),
  },
  "/notifications": {
    GET: clobRoute("key", ({ caller, query }) => listNotifications(caller, query)),
    DELETE: clobRoute("key", ({ caller, query }) => dismissNotifications(caller, query)),
  },
  "/ok": { GET: clobRoute("open", () => "OK") },
  "/order": {
    POST: tradingRoute("place", ({ caller, body, conditions }) =>
      placeSandboxOrder(caller, readOrderPayload(readJsonBody(body)), conditions),
    ),
    DELETE: tradingRoute("cancel", ({ caller, body }) => cancelByIds(caller, [readOrderId(body)])),
  },
  "/order-scoring": { GET: clobRoute("key", ({ query }) => readScoring(query)) },
  "/orders": {
    POST: tradingRoute("place", ({ caller, body, conditions }) =>
      placeBatch(caller, readBatch(body), conditions),
    ),
    DELETE: tradingRoute("cancel", ({ caller, body }) => cancelByIds(caller, readOrderIds(body))),
  },
  "/orders-scoring": { POST: clobRoute("key", ({ body }) => readScorings(body)) },
  "/price": {
    GET: clobRoute("open", async ({ query }) => ({
      price: await readBestPrice(query.get("token_id"), query.get("side")),
    })),
  },
  "/prices": { POST: clobRoute("open", ({ asker, body }) => readPrices(asker, readTokens(body))) },
  "/prices-history": { GET: clobRoute("open", ({ asker, query }) => readHistory(asker, query)) },
  // The paper exchange pays no rewards.
  "/rewards/markets/current": { GET: clobRoute("open", () => NO_ROWS) },
  "/rewards/markets/:id": {
    GET: clobRoute("open", async ({ id }) => {
      await requireCondition(id);
      return NO_ROWS;
    }),
  },
  "/rewards/user": { GET: clobRoute("key", () => NO_ROWS) },
  "/rewards/user/markets": { GET: clobRoute("key", () => NO_ROWS) },
  "/rewards/user/percentages": { GET: clobRoute("key", () => ({})) },
  "/rewards/user/total": { GET: clobRoute("key", () => []) },
  "/sampling-markets": { GET: clobRoute("open", listSamplingMarkets) },
  "/sampling-simplified-markets": { GET: clobRoute("open", listSamplingSimplifiedMarkets) },
  "/simplified-markets": { GET: clobRoute("open", listSimplifiedMarkets) },
  "/spread": {
    GET: clobRoute("open", async ({ query }) => ({
      spread: await readSpread(query.get("token_id")),
    })),
  },
  "/spreads": {
    POST: clobRoute("open", ({ asker, body }) => readByToken(asker, readTokens(body), readSpread)),
  },
  "/tick-size": {
    GET: clobRoute("open", async ({ query }) => {
      const { market } = await requireToken(query.get("token_id"));
      return { minimum_tick_size: microToNumber(market.tick) };
    }),
  },
  "/time": { GET: clobRoute("open", () => Math.floor(now() / 1000)) },
  "/v1/heartbeats": { POST: clobRoute("key", ({ caller, body }) => renewHeartbeat(caller, body)) },
  "/v1/user/session-signers": { GET: clobRoute("key", ({ caller }) => listSessionSigners(caller)) },
  "/version": {
    GET: clobRoute("open", async () => ({ version: (await readSwitches()).version })),
  },
};

const GAMMA: RouteTable = {
  "/events": { GET: openRoute(({ query }) => listGammaEvents(query)) },
  "/events/keyset": { GET: openRoute(({ query }) => listGammaEventsByCursor(query)) },
  "/events/slug/:id": { GET: openRoute(({ id }) => getGammaEvent(id)) },
  "/events/:id": { GET: openRoute(({ id }) => getGammaEventById(id)) },
  "/markets": { GET: openRoute(({ query }) => listGammaMarkets(query)) },
  "/markets/keyset": { GET: openRoute(({ query }) => listGammaMarketsByCursor(query)) },
  "/markets/slug/:id": { GET: openRoute(({ id }) => getGammaMarket(id)) },
  "/markets/:id": { GET: openRoute(({ id }) => getGammaMarketById(id)) },
  "/public-search": { GET: openRoute(({ query }) => searchGamma(query)) },
  "/tags": { GET: openRoute(() => listTags()) },
};

const DATA_V1: RouteTable = {
  "/activity": { GET: openRoute(({ query }) => listActivity(query)) },
  "/closed-positions": { GET: openRoute(({ query }) => listClosedPositions(query)) },
  "/positions": { GET: openRoute(({ query }) => listPositions(query)) },
  "/traded": { GET: openRoute(({ query }) => countTraded(query)) },
  "/trades": { GET: openRoute(({ query }) => listTrades(query)) },
  "/value": { GET: openRoute(({ query }) => readValue(query)) },
};

const DATA_V2: RouteTable = {
  "/v2/positions": { GET: v2Route(listPositionsV2) },
  "/v2/trades": { GET: v2Route(listTradesV2) },
  "/v2/user-stats": { GET: v2Route(readUserStats) },
  "/v2/value": { GET: v2Route(readValueV2) },
};

/** The first path that fits a request answers it. */
const RELAYER: RouteTable = {
  "/deployed": { GET: openRelayerRoute(({ query }) => readDeployed(query)) },
  "/nonce": { GET: openRelayerRoute(({ query }) => readOldNonce(query)) },
  "/relay-payload": { GET: openRelayerRoute(({ query }) => readParams(query)) },
  "/relayer/api/keys": { POST: clobRoute("owner", (call) => createRelayerKey(call)) },
  "/submit": {
    POST: relayerRoute(({ caller, body, headers }) => submitTransaction(caller, body, headers)),
  },
  "/transaction": { GET: openRelayerRoute(({ query }) => readOldTransaction(query)) },
  "/transactions": { GET: relayerRoute(({ caller }) => listTransactions(caller)) },
  "/v1/account/transactions/params": { GET: relayerRoute(({ query }) => readParams(query)) },
  "/v1/account/transactions/:id": { GET: relayerRoute(({ id }) => readTransaction(id)) },
  "/v1/session-signers/authorizations": {
    POST: relayerRoute(({ caller, body, headers }) => authorizeSessionKey(caller, body, headers)),
  },
  "/v1/session-signers/revocations": {
    POST: relayerRoute(({ caller, body, headers }) => revokeSessionSigner(caller, body, headers)),
  },
};

/** A node of the chain, as far as clients read it. */
const RPC: RouteTable = { "/rpc": { POST: clobRoute("open", ({ body }) => answerRpc(body)) } };

/** Every path of the sandbox below `/sandbox`, with its methods. */
export const SANDBOX_ROUTES: RouteTable = {
  ...below("/clob", CLOB),
  ...below("/gamma", GAMMA),
  ...below("/data", { ...DATA_V1, ...DATA_V2 }),
  // The data services without the retired first Data API.
  ...below("/data-v2", DATA_V2),
  ...below("/relayer", RELAYER),
  ...RPC,
};

/** The public mount, and the path of the route file in Next. */
const MOUNTS = ["/sandbox", "/api/sandbox"];
const SANDBOX_PATH = /^\/(?:api\/)?sandbox\//;

const router = buildRouter();

/** Returns whether a path is below one of the sandbox's mounts. */
export const isSandboxPath = (pathname: string) => SANDBOX_PATH.test(pathname);

/** Answers a request below `/sandbox`, with 404 for a path that the sandbox lacks. */
export async function answerSandbox(request: Request): Promise<Response> {
  return router.fetch(request);
}

function below(prefix: string, routes: RouteTable): RouteTable {
  return Object.fromEntries(
    Object.entries(routes).map(([path, methods]) => [`${prefix}${path}`, methods]),
  );
}

function buildRouter(): Hono {
  const hono = new Hono();
  for (const mount of MOUNTS) {
    for (const [path, methods] of Object.entries(SANDBOX_ROUTES)) {
      for (const [method, handle] of Object.entries(methods)) {
        hono.on(method, `${mount}${path}`, ({ req }) => handle(req.raw, req.param("id") ?? ""));
      }
      hono.all(`${mount}${path}`, ({ req }) => answerOtherMethod(req.method, Object.keys(methods)));
    }
  }
  hono.notFound(() => Response.json({ error: "not found" }, { status: 404 }));
  return hono;
}

function answerOtherMethod(method: string, methods: readonly string[]): Response {
  const heads = methods.includes("GET") ? ["HEAD"] : [];
  const allow = [...methods, ...heads, "OPTIONS"].join(", ");
  return new Response(null, { status: method === "OPTIONS" ? 204 : 405, headers: { allow } });
}
