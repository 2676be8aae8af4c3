import { createHash } from "node:crypto";
import { computeMaxTakerFee, computeMaxTakerFeeOfAmount } from "@/lib/domain/fees";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { AppError } from "@/lib/errors";
import {
  complement,
  divide,
  formatMicro,
  notional,
  type Price,
  price,
  SCALE,
  shares,
  usdc,
} from "@/lib/units";
import type { OrderSubmission, RemoteVenue, SignedOrder, VenueTrade } from "@/lib/venue/port";
import { extractOwnTrades } from "@/lib/polymarket/account";
import { toPostResult, readPost } from "@/lib/polymarket/post-order";
import { NoResponse } from "@/lib/polymarket/http";
import { WireTrade } from "@/lib/polymarket/wire/orders";
import type { Trader } from "@/lib/venue/trader";
import type { Exchange, SignedTerms, TrueTrade } from "@/tests/simulation/exchange";
import { sumCashMoved, MARKET } from "@/tests/simulation/market";
import {
  buildCancelReply,
  buildCancelsReply,
  type Network,
  buildPlacementReply,
} from "@/tests/simulation/network";
import type { Random } from "@/tests/support/random";
import { LOT } from "@/lib/domain/lots";
import { readCancel, readCancels } from "@/lib/polymarket/cancel-orders";

interface Parts {
  exchange: Exchange;
  network: Network;
  random: Random;
  clock: () => number;
}

/**
 * Makes a remote venue on top of the ground truth. Requests cross the simulated network, and the real
 * adapter's rules interpret the responses.
 */
export function makeVenueDouble(parts: Parts): RemoteVenue {
  const { exchange, network } = parts;
  const posted = new Set<string>();
  return {
    kind: "remote",
    ...makeMarketSource(parts),
    obtainCredentials: async ({ address }) => ({
      key: address,
      secret: "c2VjcmV0",
      passphrase: "p",
    }),
    signOrder: async (trader, submission) => sign(parts, trader, submission),
    async postOrder(_, order, permission) {
      if (permission.leftMs <= 0) return { outcome: "not_sent" };
      const ticket = parseTicket(order.body);
      const isRepeated = posted.has(ticket.venueOrderId);
      posted.add(ticket.venueOrderId);
      try {
        const deliver = () => buildPlacementReply(ticket, exchange.place(ticket, isRepeated));
        return readPost(
          order,
          await network.send({ key: ticket.idempotencyKey, name: "post", deliver }),
        );
      } catch (error) {
        return toPostResult(error);
      }
    },
    async cancelOrder(_, venueOrderId) {
      const key = exchange.orders.get(venueOrderId)?.idempotencyKey ?? "";
      try {
        const deliver = () => buildCancelReply(venueOrderId, exchange.cancel(venueOrderId));
        return readCancel(venueOrderId, await network.send({ key, name: "cancel", deliver }));
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        return { outcome: "unknown", code: "CANCEL_OUTCOME_UNKNOWN", message: "no answer" };
      }
    },
    async cancelOrders(_, venueOrderIds) {
      const key = exchange.orders.get(venueOrderIds[0] ?? "")?.idempotencyKey ?? "";
      try {
        const deliver = () =>
          buildCancelsReply(
            venueOrderIds.map((id): [string, boolean] => [id, exchange.cancel(id)]),
          );
        return readCancels(await network.send({ key, name: "cancel", deliver }));
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        return new Map();
      }
    },
    // The simulation cancels by id only.
    cancelAll: async () => null,
    findOrder: (_, venueOrderId) => network.read("find", () => exchange.findShown(venueOrderId)),
    listOpenOrders: ({ userId }) =>
      network.read("list orders", () =>
        exchange
          .listOpen()
          .filter(({ owner }) => owner === userId)
          .map((order) => exchange.findShown(order.venueOrderId))
          .filter((order) => order !== null),
      ),
    listTrades: (trader, since) =>
      network.read("list trades", () =>
        exchange
          .listShownTrades(trader.userId)
          .filter(({ matchedAt }) => matchedAt >= since)
          .flatMap((trade) => toVenueTrades(parts, trader, trade)),
      ),
    getTrades: (trader, ids) =>
      network.read("get trades", () =>
        exchange
          .listShownTrades(trader.userId)
          .filter(({ tradeId }) => ids.includes(tradeId))
          .flatMap((trade) => toVenueTrades(parts, trader, trade)),
      ),
    getShareAllowance: async () => null,
    getCash: async ({ userId }) => ({
      balance: usdc(
        DEPOSIT +
          sumCashMoved([...exchange.orders.values()].filter(({ owner }) => owner === userId)),
      ),
      approvals: { ctf: null, negRisk: null, v3: null },
    }),
    refreshBalances: async () => {},
    getBuilder: async () => null,
    estimateOrder: ({ intent }) =>
      network.read("estimate", () => {
        const refusal = exchange.estimate();
        const given = intent.type === "market" ? intent.worstPrice : intent.price;
        const limit = refusal === null ? (given ?? HALF) : given;
        return { ...NO_ESTIMATE, limit, refusal };
      }),
    getHoldings: async () => [],
    getTotalPnl: async () => usdc(0n),
    openUserStream: () => ({ retryNow: () => {}, close: () => {} }),
    isAnswering: () => Promise.resolve(true),
    checkContract: async () => [],
  };
}

const DEPOSIT = 10n ** 12n;
const HALF = price(500_000n);
const NO_ESTIMATE = {
  filledShares: shares(0n),
  notional: usdc(0n),
  fee: usdc(0n),
  builderFee: null,
  worstFillPrice: null,
  mid: null,
  restingShares: shares(0n),
  laterHold: 0n,
  hold: 0n,
};

/**
 * Renders a trade in the venue's format and parses it with the real adapter. The top-level price is a
 * rounded average. Every second maker is on the other token, at one minus the price.
 */
function toVenueTrades({ exchange }: Parts, trader: Trader, trade: TrueTrade): VenueTrade[] {
  const { tradeId, venueOrderId, role, settlement, matchedAt, parts } = trade;
  const order = exchange.orders.get(venueOrderId);
  const token = order?.tokenId ?? "";
  const other = MARKET.outcomes.find(({ tokenId }) => tokenId !== token)?.tokenId ?? "";
  const isTaker = role === "taker";
  const own = { order_id: venueOrderId, maker_address: trader.funderAddress };
  const stranger = { order_id: `0x${"cd".repeat(32)}`, maker_address: `0x${"cd".repeat(20)}` };
  const makers = parts.map((part, index) => {
    const isMirrored = isTaker && index % 2 === 1;
    return {
      ...(isTaker ? stranger : own),
      matched_amount: formatMicro(part.shares),
      price: formatMicro(isMirrored ? complement(part.price) : part.price),
      asset_id: isMirrored ? other : token,
      side: order?.action ?? "BUY",
    };
  });
  const wire = WireTrade.parse({
    id: tradeId,
    taker_order_id: isTaker ? venueOrderId : stranger.order_id,
    market: MARKET.id,
    asset_id: token,
    side: order?.action ?? "BUY",
    size: formatMicro(trade.shares),
    price: "0.5",
    status: settlement.toUpperCase(),
    // The venue dates trades in whole seconds.
    match_time: String(Math.floor(matchedAt / 1_000)),
    maker_address: isTaker ? trader.funderAddress : stranger.maker_address,
    transaction_hash: settlement === "matched" ? "" : `0x${tradeId}`,
    trader_side: isTaker ? "TAKER" : "MAKER",
    maker_orders: makers,
  });
  return extractOwnTrades(trader, wire);
}

/** Signs with a random salt, like the real adapter: signing twice gives two different orders. */
function sign({ random }: Parts, trader: Trader, submission: OrderSubmission): SignedOrder {
  const { intent, idempotencyKey } = submission;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  if (limit === null) throw new AppError("NO_LIQUIDITY", "the simulation always names a price");
  const salt = random.integer(1, 2 ** 31);
  const orderType = toOrderType(intent);
  const size = intent.shares ?? computeShares(intent.amount, limit);
  const { tokenId } = submission.market.outcomes[submission.outcome];
  const of = { owner: trader.userId, idempotencyKey, tokenId };
  const fields = { salt, ...of, action: intent.action, orderType };
  const amounts = { limit: limit.toString(), size: size.toString() };
  const body = JSON.stringify({ ...fields, ...amounts });
  return {
    venueOrderId: `0x${createHash("sha256").update(body).digest("hex")}`,
    body,
    action: intent.action,
    orderType,
    limit,
    hold: computeHold(intent, limit),
    builder: null,
    endsAtOnce: intent.type === "market",
  };
}

function parseTicket(body: string): SignedTerms {
  const { owner, idempotencyKey, tokenId, action, orderType, limit, size } = JSON.parse(
    body,
  ) as Record<"limit" | "size", string> &
    Pick<SignedTerms, "owner" | "idempotencyKey" | "tokenId" | "action" | "orderType">;
  return {
    venueOrderId: `0x${createHash("sha256").update(body).digest("hex")}`,
    owner,
    idempotencyKey,
    tokenId,
    action,
    orderType,
    limit: price(BigInt(limit)),
    size: shares(BigInt(size)),
  };
}

function toOrderType(intent: OrderIntent): SignedOrder["orderType"] {
  if (intent.type === "limit") return "GTC";
  return intent.action === "BUY" && intent.shares !== null ? "GTC" : "FAK";
}

function computeShares(amount: bigint, limit: Price) {
  const size = divide(amount * SCALE, limit, "down");
  return shares(size - (size % LOT));
}

function computeHold(intent: OrderIntent, limit: Price): bigint {
  const { feeRate } = MARKET;
  if (intent.action === "SELL") return intent.shares;
  if (intent.shares === null) {
    return intent.amount + computeMaxTakerFeeOfAmount(intent.amount, price(0n), feeRate);
  }
  return notional(intent.shares, limit, "up") + computeMaxTakerFee(intent.shares, limit, feeRate);
}

/** Makes the market source of the single market. */
function makeMarketSource({ clock }: Parts) {
  const findOutcome = (tokenId: string) =>
    MARKET.outcomes.findIndex((outcome) => outcome.tokenId === tokenId);
  return {
    mode: "live",
    now: clock,
    listMarkets: async () => [MARKET],
    findUnlisted: async () => [],
    findMarket: async () => MARKET,
    findMarketByToken: async (tokenId: string) => {
      const outcome = findOutcome(tokenId);
      return outcome === 0 || outcome === 1 ? { market: MARKET, outcome } : null;
    },
    getMarkets: async () => new Map([[MARKET.id, MARKET]]),
    getState: () => ({ status: "open", winner: null }),
    getBook: () => Promise.reject(notSimulated()),
    getLiquidity: async () => new Map(),
    getQuotes: async () => new Map(),
    getHistory: async () => [],
    getPastPrices: async () => new Map(),
  } satisfies Partial<RemoteVenue>;
}

const notSimulated = () => new AppError("UPSTREAM_ERROR", "the simulation has no book");
