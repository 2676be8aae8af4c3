import "server-only";
import type { MarketRow } from "@/lib/db/rows";
import type { AccountEvent } from "@/lib/schemas/events";
import type { Notification } from "@/lib/schemas/notifications";
import {
  add,
  divide,
  formatMicro,
  NO_USDC,
  notional,
  ONE,
  price,
  subtract,
  sum,
  type Usdc,
  usdc,
} from "@/lib/units";

type EventPosition = Extract<AccountEvent["data"], { position: unknown }>["position"];
type Words = Omit<Notification, "seq" | "kind" | "createdAt" | "isUnread">;

const NO_FIGURES = {
  reason: null,
  shares: null,
  ordered: null,
  price: null,
  tickSize: null,
  total: null,
  usdc: null,
  claim: null,
} as const;

interface Context {
  /** The markets of orders and wallet transactions, by id. */
  markets: ReadonlyMap<string, MarketRow>;
  /** The names of the account's API keys, by id. */
  keyNames: ReadonlyMap<string, string>;
  /** For an order, the value of its fills at the event, without the fee. */
  filledNotional: Usdc | null;
  /** For a resolved market, what became claimable with it. Live accounts claim at the venue. */
  claimable: readonly EventPosition[];
  /** The payouts of the positions that were claimed since, by token. */
  paid: ReadonlyMap<string, Usdc>;
}

const HALF = price(divide(ONE, 2n, "down"));

/** Describes an event of a notified type. Throws for another type. */
export function describeEvent(event: AccountEvent, context: Context): Words {
  switch (event.type) {
    case "order.filled":
    case "order.partially_filled":
    case "order.rejected":
    case "order.expired":
    case "order.canceled":
    case "order.approval_requested":
      return describeOrder(event.type, event.data, context);
    case "market.resolved":
      return describeResolved(event.data.market, context);
    case "transaction.failed":
      return describeFailedClaim(event.data.transaction, context);
    case "trading.frozen":
    case "trading.thawed":
      return describeFreeze(event, context);
    case "wallet.key_expiring":
    case "wallet.key_expired":
      return describeKeyEnd(event);
    case "webhook.disabled": {
      const { webhookId, url, reason } = event.data;
      const href = `/developers/webhooks/${webhookId}`;
      const text = `${new URL(url).host}: ${reason}`;
      return { ...NO_FIGURES, title: "Webhook disabled", text, href };
    }
    default:
      throw new Error(`no notification is made of ${event.type}`);
  }
}

type OrderType =
  | "order.filled"
  | "order.partially_filled"
  | "order.rejected"
  | "order.expired"
  | "order.canceled"
  | "order.approval_requested";
type OrderData = Extract<AccountEvent["data"], { order: unknown }>;

/** Returns whether an event is about an order that has traded. */
export const hasTraded = ({ data }: AccountEvent) =>
  "order" in data && data.order.filledShares > 0n;

function describeOrder(
  type: OrderType,
  { order, detail }: OrderData,
  { markets, filledNotional }: Context,
): Words {
  const { id, action, side, marketId } = order;
  const market = markets.get(marketId);
  const outcome = (side === "YES" ? market?.firstOutcome : market?.secondOutcome) ?? side;
  const done = `${action === "BUY" ? "Bought" : "Sold"} ${outcome}`;
  const wanted = `${action === "BUY" ? "buy" : "sell"} ${outcome}`;
  const isTrade = order.filledShares > 0n;
  const byVenue = detail["reason"] === "by_venue" ? " by Polymarket" : "";
  const title = {
    "order.filled": done,
    "order.partially_filled": `${done} so far`,
    "order.rejected": `Order rejected: ${wanted}`,
    "order.expired": isTrade ? `${done}, rest expired` : `Order expired: ${wanted}`,
    "order.canceled": isTrade
      ? `${done}, rest canceled${byVenue}`
      : `Canceled${byVenue}: ${wanted}`,
    "order.approval_requested": `Approve an order: ${wanted}`,
  }[type];
  return {
    ...NO_FIGURES,
    title,
    text: market?.title ?? marketId,
    href: type === "order.approval_requested" ? `/approvals/${id}` : `/orders/${id}`,
    reason: type === "order.rejected" ? (detail["message"] ?? null) : null,
    shares: isTrade ? order.filledShares : order.shares,
    ordered:
      isTrade && type !== "order.filled" ? { shares: order.shares, usdc: order.amount } : null,
    price: isTrade ? order.avgFillPrice : order.price,
    tickSize: market ? formatMicro(market.tick) : null,
    total: isTrade && filledNotional !== null ? computeTotal(order, filledNotional) : null,
  };
}

function computeTotal({ action, fee }: OrderData["order"], filledNotional: Usdc) {
  const isPaid = action === "BUY";
  return { usdc: isPaid ? add(filledNotional, fee) : subtract(filledNotional, fee), isPaid };
}

type EventMarket = Extract<AccountEvent["data"], { market: unknown }>["market"];

function describeResolved(market: EventMarket, { claimable, paid }: Context): Words {
  const { title: question, slug, winner, winningTokenId } = market;
  const common = { ...NO_FIGURES, text: question };
  const href = `/markets/${slug}`;
  const result = winner === null ? "Resolved 50/50" : `Resolved: ${winner}`;
  if (claimable.length === 0) {
    return { ...common, title: result, href };
  }
  const open = claimable.filter(({ id }) => !paid.has(id));
  const payout = sum(open.map((position) => computePayout(position, winningTokenId)));
  const paying = open.find((position) => computePayout(position, winningTokenId) > 0n);
  if (paying) {
    const claim = { positionId: paying.id, outcome: paying.outcome };
    return { ...common, title: `${result}. Claim your payout`, href: "/", usdc: payout, claim };
  }
  const received = sum(claimable.map(({ id }) => paid.get(id) ?? NO_USDC));
  return received > 0n
    ? { ...common, title: `${result}. You were paid`, href, usdc: received }
    : { ...common, title: `${result}. Your shares pay $0.00`, href };
}

function computePayout({ id, shares }: EventPosition, winningTokenId: string | null): Usdc {
  if (winningTokenId === null) return notional(shares, HALF, "down");
  return id === winningTokenId ? notional(shares, ONE, "down") : usdc(0n);
}

type EventTransaction = Extract<AccountEvent["data"], { transaction: unknown }>["transaction"];

/** Describes an automatic claim that failed. Its position can be claimed on the portfolio page. */
function describeFailedClaim({ marketId, reason }: EventTransaction, { markets }: Context): Words {
  return {
    ...NO_FIGURES,
    title: "Automatic claim failed. Ante tries again",
    text: markets.get(marketId ?? "")?.title ?? marketId ?? "",
    href: "/",
    reason,
  };
}

type KeyEndEvent = Extract<AccountEvent, { type: "wallet.key_expiring" | "wallet.key_expired" }>;

function describeKeyEnd({ type, data: { expiresAt } }: KeyEndEvent): Words {
  const day = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const isExpired = type === "wallet.key_expired";
  return {
    ...NO_FIGURES,
    title: isExpired ? "Session key expired" : "Session key expires soon",
    text: isExpired
      ? `New orders are refused since ${day}. Import a new session key.`
      : `New orders are refused after ${day}. Import a new session key before.`,
    href: "/wallet/live",
  };
}

type FreezeEvent = Extract<AccountEvent, { type: "trading.frozen" | "trading.thawed" }>;

function describeFreeze({ type, data }: FreezeEvent, { keyNames }: Context): Words {
  const { scope, keyId } = data;
  const isFrozen = type === "trading.frozen";
  const isAccount = scope === "account";
  const name =
    keyId === null
      ? isAccount
        ? "This account"
        : "Everything"
      : `API key “${keyNames.get(keyId) ?? keyId}”`;
  return {
    ...NO_FIGURES,
    title: `${name} was ${isFrozen ? "frozen" : "thawed"}`,
    text: isFrozen
      ? "New orders and claims are refused, and open orders canceled."
      : "New orders are accepted again. Canceled orders stay canceled.",
    href: keyId === null ? "/settings?section=limits" : `/keys/${keyId}`,
    reason: "reason" in data ? data.reason : null,
  };
}
