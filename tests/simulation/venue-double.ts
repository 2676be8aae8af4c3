import { createHash } from "node:crypto";
import { LOT } from "@/lib/domain/matching";
import { worstTakerFee, worstTakerFeeOfAmount } from "@/lib/domain/fees";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { AppError } from "@/lib/errors";
import { divide, notional, type Price, price, SCALE, shares, usdc } from "@/lib/units";
import type { OrderSubmission, RemoteVenue, SignedOrder } from "@/lib/venue/port";
import { fromNoAnswer, readCancel, readPost } from "@/lib/venue/polymarket/post";
import { NoAnswer } from "@/lib/venue/polymarket/http";
import type { Trader } from "@/lib/venue/trader";
import type { Exchange, Ticket, TrueTrade } from "@/tests/simulation/exchange";
import { cashMoved, MARKET } from "@/tests/simulation/market";
import { cancelReply, type Network, placementReply } from "@/tests/simulation/network";
import type { Random } from "@/tests/support/product-random";

interface Parts {
  exchange: Exchange;
  network: Network;
  random: Random;
  clock: () => number;
}

/**
 * The port of the remote venue over the ground truth. What is sent crosses the simulated network,
 * and its answers are read by the real adapter's own rules.
 */
export function venueDouble(parts: Parts): RemoteVenue {
  const { exchange, network } = parts;
  const posted = new Set<string>();
  return {
    kind: "remote",
    ...marketSource(parts),
    obtainCredentials: async ({ address }) => ({
      key: address,
      secret: "c2VjcmV0",
      passphrase: "p",
    }),
    signOrder: async (trader, submission) => sign(parts, trader, submission),
    async postOrder(_, order) {
      const ticket = parseTicket(order.body);
      const isRepeated = posted.has(ticket.venueOrderId);
      posted.add(ticket.venueOrderId);
      try {
        const deliver = () => placementReply(ticket, exchange.place(ticket, isRepeated));
        return readPost(
          order,
          await network.send({ key: ticket.idempotencyKey, name: "post", deliver }),
        );
      } catch (error) {
        return fromNoAnswer(error);
      }
    },
    async cancelOrder(_, venueOrderId) {
      const key = exchange.orders.get(venueOrderId)?.idempotencyKey ?? "";
      try {
        const deliver = () => cancelReply(venueOrderId, exchange.cancel(venueOrderId));
        return readCancel(venueOrderId, await network.send({ key, name: "cancel", deliver }));
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        return { outcome: "unknown", code: "CANCEL_OUTCOME_UNKNOWN", message: "no answer" };
      }
    },
    findOrder: (_, venueOrderId) => network.read("find", () => exchange.shown(venueOrderId)),
    listOpenOrders: ({ userId }) =>
      network.read("list orders", () =>
        exchange
          .standing()
          .filter(({ owner }) => owner === userId)
          .map((order) => exchange.shown(order.venueOrderId))
          .filter((order) => order !== null),
      ),
    listTrades: ({ userId }, since) =>
      network.read("list trades", () =>
        exchange
          .shownTrades(userId)
          .filter(({ matchedAt }) => matchedAt >= since)
          .map(toVenueTrade),
      ),
    getTrades: ({ userId }, ids) =>
      network.read("get trades", () =>
        exchange
          .shownTrades(userId)
          .filter(({ tradeId }) => ids.includes(tradeId))
          .map(toVenueTrade),
      ),
    getCash: async ({ userId }) => ({
      balance: usdc(
        DEPOSIT + cashMoved([...exchange.orders.values()].filter(({ owner }) => owner === userId)),
      ),
      allowance: null,
    }),
    estimateOrder: ({ intent }) =>
      network.read("estimate", () => {
        const refusal = exchange.foresee();
        const given = intent.type === "market" ? intent.worstPrice : intent.price;
        const limit = refusal === null ? (given ?? HALF) : given;
        return { ...NO_ESTIMATE, limit, refusal };
      }),
    getHoldings: async () => [],
    getTotalPnl: async () => usdc(0n),
    openUserStream: () => () => {},
  };
}

const DEPOSIT = 10n ** 12n;
const HALF = price(500_000n);
const NO_ESTIMATE = {
  filledShares: shares(0n),
  notional: usdc(0n),
  fee: usdc(0n),
  worstFillPrice: null,
  restingShares: shares(0n),
  hold: 0n,
};

function toVenueTrade(trade: TrueTrade) {
  const { tradeId, venueOrderId, role, settlement, matchedAt } = trade;
  return {
    tradeId,
    venueOrderId,
    role,
    settlement,
    price: trade.price,
    shares: trade.shares,
    transactionHash: settlement === "matched" ? null : `0x${tradeId}`,
    // The venue dates trades in whole seconds.
    matchedAt: matchedAt - (matchedAt % 1_000),
  };
}

/** A new salt each time, as the real adapter draws one: signing twice makes two orders. */
function sign({ random }: Parts, trader: Trader, submission: OrderSubmission): SignedOrder {
  const { intent, idempotencyKey } = submission;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  if (limit === null) throw new AppError("NO_LIQUIDITY", "the simulation always names a price");
  const salt = random.integer(1, 2 ** 31);
  const orderType = orderTypeOf(intent);
  const size = intent.shares ?? sharesFor(intent.amount, limit);
  const fields = { salt, owner: trader.userId, idempotencyKey, action: intent.action, orderType };
  const amounts = { limit: limit.toString(), size: size.toString() };
  const body = JSON.stringify({ ...fields, ...amounts });
  return {
    venueOrderId: `0x${createHash("sha256").update(body).digest("hex")}`,
    body,
    action: intent.action,
    orderType,
    limit,
    hold: holdOf(intent, limit),
    endsAtOnce: intent.type === "market",
  };
}

function parseTicket(body: string): Ticket {
  const { owner, idempotencyKey, action, orderType, limit, size } = JSON.parse(body) as Record<
    "limit" | "size",
    string
  > &
    Pick<Ticket, "owner" | "idempotencyKey" | "action" | "orderType">;
  return {
    venueOrderId: `0x${createHash("sha256").update(body).digest("hex")}`,
    owner,
    idempotencyKey,
    action,
    orderType,
    limit: price(BigInt(limit)),
    size: shares(BigInt(size)),
  };
}

function orderTypeOf(intent: OrderIntent): SignedOrder["orderType"] {
  if (intent.type === "limit") return "GTC";
  return intent.action === "BUY" && intent.shares !== null ? "GTC" : "FAK";
}

function sharesFor(amount: bigint, limit: Price) {
  const size = divide(amount * SCALE, limit, "down");
  return shares(size - (size % LOT));
}

function holdOf(intent: OrderIntent, limit: Price): bigint {
  const { feeRate } = MARKET;
  if (intent.action === "SELL") return intent.shares;
  if (intent.shares === null) {
    return intent.amount + worstTakerFeeOfAmount(intent.amount, price(0n), feeRate);
  }
  return notional(intent.shares, limit, "up") + worstTakerFee(intent.shares, limit, feeRate);
}

/** One market, which is known without asking anybody. */
function marketSource({ clock }: Parts) {
  const outcomeOf = (tokenId: string) =>
    MARKET.outcomes.findIndex((outcome) => outcome.tokenId === tokenId);
  return {
    mode: "live",
    now: clock,
    listMarkets: async () => [MARKET],
    findUnlisted: async () => [],
    findMarket: async () => MARKET,
    findMarketByToken: async (tokenId: string) => {
      const outcome = outcomeOf(tokenId);
      return outcome === 0 || outcome === 1 ? { market: MARKET, outcome } : null;
    },
    getMarkets: async () => new Map([[MARKET.id, MARKET]]),
    getState: () => ({ status: "open", winner: null }),
    getBook: () => Promise.reject(notSimulated()),
    getQuotes: async () => new Map(),
    getHistory: async () => [],
    getPastPrices: async () => new Map(),
  } satisfies Partial<RemoteVenue>;
}

const notSimulated = () => new AppError("UPSTREAM_ERROR", "the simulation has no book");
