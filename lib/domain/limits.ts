import type { Refusal } from "@/lib/domain/funding";
import type { Action } from "@/lib/domain/settlement";
import type { WalletTransactionKind } from "@/lib/domain/wallet-transaction";
import {
  formatCents,
  formatDollars,
  larger,
  NO_USDC,
  type Price,
  smaller,
  subtract,
  type Usdc,
} from "@/lib/units";

/** Limits in USDC, in the order in which they are checked. */
export const AMOUNT_LIMITS = [
  "perOrder",
  "perDay",
  "total",
  "openExposure",
  "perMarket",
  "dailyLoss",
] as const;
export type AmountLimit = (typeof AMOUNT_LIMITS)[number];

/** Limits on a number of orders. */
export const COUNT_LIMITS = ["maxOpenOrders", "ordersPerMinute"] as const;
export type CountLimit = (typeof COUNT_LIMITS)[number];

export const LIMITED_ACTIONS = ["BUY", "SELL", "CANCEL", "REDEEM"] as const;
export type LimitedAction = (typeof LIMITED_ACTIONS)[number];

/** The limits of a key, an account or a user. A missing field limits nothing. */
export interface Limits
  extends
    Readonly<Partial<Record<AmountLimit, Usdc | undefined>>>,
    Readonly<Partial<Record<CountLimit, number | undefined>>> {
  /** How far an order's price may be from the middle of the book, on either side. */
  readonly maxDistanceFromMid?: Price | undefined;
  /** Above this, a buy with an API key waits for the owner's approval. */
  readonly approvalAbove?: Usdc | undefined;
  /** `market:` with a condition id or slug, `event:` with a slug, or `category:` with a name. */
  readonly markets?: readonly string[] | undefined;
  readonly actions?: readonly LimitedAction[] | undefined;
  /** Addresses and CIDR ranges that requests may come from. */
  readonly ipAllow?: readonly string[] | undefined;
}

export const LIMIT_NAMES = [
  ...AMOUNT_LIMITS,
  ...COUNT_LIMITS,
  "maxDistanceFromMid",
  "approvalAbove",
  "markets",
  "actions",
  "ipAllow",
] as const satisfies readonly (keyof Limits)[];
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Whose limits they are: set by the owner on a key or on an account, or by the operator on a user. */
export const LIMIT_SCOPES = ["key", "account", "user"] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** The amounts and orders that count against limits, at one point in time. */
export interface LimitUsage {
  /** Buys and their fees of the last 24 hours, and when the oldest of them stops counting. */
  spentToday: Usdc;
  dayResetsAt: Date | null;
  /** Losses of sales and resolved markets in the last 24 hours, less gains; never negative. */
  lostToday: Usdc;
  /** Buys and their fees so far. */
  spent: Usdc;
  /** Reserved by unsettled buys, in all markets and in the order's market. */
  reserved: Usdc;
  marketReserved: Usdc;
  /** Cost of the shares that are still held, in all markets and in the order's market. */
  held: Usdc;
  marketHeld: Usdc;
  openOrders: number;
  /** Accepted orders of the last 60 seconds, and when the oldest of them stops counting. */
  ordersThisMinute: number;
  minuteResetsAt: Date | null;
}

/** A key, an account or a user with its limits, its freeze and what counts against it. */
export interface LimitedSubject {
  scope: LimitScope;
  limits: Limits;
  usage: LimitUsage;
  frozen: Freeze | null;
}

export interface Freeze {
  at: Date;
  /** A sentence for the owner. */
  reason: string;
}

/** The worst case of an order. */
export interface LimitedOrder {
  action: Action;
  /** The most that it can cost in USDC, with its fee; 0 for a SELL. */
  cost: Usdc;
  /** Whether it can be open after it was placed. */
  canRest: boolean;
  /** Its limit, and the middle of the book, in prices of its own token; null if there is none. */
  price: Price | null;
  mid: Price | null;
  market: LimitedMarket;
}

interface LimitedMarket {
  id: string;
  slug: string;
  eventSlug: string;
  category: string;
}

/** The state of a limit that is used up by orders. Amounts are micro-USDC, the rest are numbers. */
export interface LimitState<T extends bigint | number> {
  limit: T;
  used: T;
  reserved: T;
  /** Never negative: a limit may be set below what is used already. */
  remaining: T;
  /** When something that is used comes back by the clock; null if nothing does. */
  resetsAt: Date | null;
}

/** Refuses an order that is over a limit or whose key, account or user is frozen. */
export function refuseByLimits(
  order: LimitedOrder,
  subjects: readonly LimitedSubject[],
): Refusal | null {
  for (const subject of subjects) {
    const refusal = refuseFrozen(subject) ?? refuseBySubject(order, subject);
    if (refusal) return refusal;
  }
  return null;
}

const OWNERS: Record<LimitScope, string> = {
  key: "this API key",
  account: "this account",
  user: "this user",
};

/** Names the subject at the start of a sentence. */
export const nameSubject = (scope: LimitScope): string => OWNERS[scope].replace("t", "T");

export function refuseFrozen({
  scope,
  frozen,
}: Pick<LimitedSubject, "scope" | "frozen">): Refusal | null {
  if (!frozen) return null;
  const since = frozen.at.toISOString();
  return {
    code: "TRADING_FROZEN",
    message: `${nameSubject(scope)} was frozen at ${since} and places nothing: ${frozen.reason}`,
  };
}

/** Refuses an action that the limits of a subject do not list. */
export function refuseAction(
  action: LimitedAction,
  { scope, limits }: Pick<LimitedSubject, "scope" | "limits">,
): Refusal | null {
  if (!limits.actions || limits.actions.includes(action)) return null;
  const allowed = limits.actions.join(", ") || "nothing";
  return exceed(`The limit actions of ${OWNERS[scope]} allows ${allowed}, not ${action}.`);
}

/** A transaction of a wallet that changes positions or sets approvals. */
export interface LimitedTransaction {
  kind: WalletTransactionKind;
  /** The market that limits must include; left out for claims and approvals. */
  market?: LimitedMarket;
}

/** Like buying or selling, for the actions of limits. Approvals serve both, and buying comes first. */
const ACTIONS: Record<WalletTransactionKind, LimitedAction> = {
  redeem: "REDEEM",
  split: "BUY",
  merge: "SELL",
  approve: "BUY",
};

/**
 * Refuses a transaction while its subject is frozen, and one that the limits do not list. A split is also
 * refused under limits of what buys cost.
 */
export function refuseTransaction(
  { kind, market }: LimitedTransaction,
  subject: Pick<LimitedSubject, "scope" | "limits" | "frozen">,
): Refusal | null {
  return (
    refuseFrozen(subject) ??
    refuseAction(ACTIONS[kind], subject) ??
    (market ? refuseMarket(market, subject) : null) ??
    (kind === "split" ? refuseSplit(subject) : null)
  );
}

/** The limits of what a buy costs. */
const BUY_LIMITS = [...AMOUNT_LIMITS, "approvalAbove"] as const;

/**
 * Refuses a split under a limit of what buys cost. Splits don't count in these limits, and a split
 * followed by a sale of one outcome buys the other one.
 */
function refuseSplit({ scope, limits }: Pick<LimitedSubject, "scope" | "limits">): Refusal | null {
  const name = BUY_LIMITS.find((limit) => limits[limit] !== undefined);
  if (name === undefined) return null;
  return exceed(
    `The limit ${name} of ${OWNERS[scope]} counts buys, not splits, so splits are refused. ` +
      "Buy the shares instead.",
  );
}

function refuseBySubject(order: LimitedOrder, subject: LimitedSubject): Refusal | null {
  const { scope, limits, usage } = subject;
  return (
    refuseAction(order.action, subject) ??
    refuseMarket(order.market, subject) ??
    refuseDistance(order, subject) ??
    refuseAmounts(order, { scope, limits, usage }) ??
    refuseCounts(order, { scope, limits, usage })
  );
}

function refuseMarket(
  { id, slug, eventSlug, category }: LimitedMarket,
  { scope, limits }: Pick<LimitedSubject, "scope" | "limits">,
): Refusal | null {
  if (!limits.markets) return null;
  const names = [`market:${id}`, `market:${slug}`, `event:${eventSlug}`, `category:${category}`];
  const isAllowed = limits.markets.some((entry) =>
    names.some((name) => name.toLowerCase() === entry.toLowerCase()),
  );
  if (isAllowed) return null;
  return exceed(`The limit markets of ${OWNERS[scope]} does not include this market.`);
}

function refuseDistance(
  { price, mid }: LimitedOrder,
  { scope, limits }: Pick<LimitedSubject, "scope" | "limits">,
): Refusal | null {
  const most = limits.maxDistanceFromMid;
  if (most === undefined || price === null) return null;
  if (mid === null) {
    return exceed(
      `The limit maxDistanceFromMid of ${OWNERS[scope]} needs a price on both sides of the book. ` +
        "This book lacks one.",
    );
  }
  const distance = larger(price, mid) - smaller(price, mid);
  if (distance <= most) return null;
  return exceed(
    `The order's price of ${formatCents(price)} is more than ${formatCents(most)} from the middle of ` +
      `the book, ${formatCents(mid)}: the limit maxDistanceFromMid of ${OWNERS[scope]}.`,
  );
}

function refuseAmounts(
  { cost }: LimitedOrder,
  { scope, limits, usage }: Pick<LimitedSubject, "scope" | "limits" | "usage">,
): Refusal | null {
  for (const name of AMOUNT_LIMITS) {
    const state = computeAmountState(name, limits, usage);
    if (!state) continue;
    const { limit, used, remaining, resetsAt } = state;
    if (name === "dailyLoss") {
      if (remaining > 0n) continue;
      return exceed(`${nameSubject(scope)} ${describeLoss(used, limit)}`);
    }
    if (cost <= remaining) continue;
    const canCost = `This order can cost ${formatDollars(cost, "up")}.`;
    if (name === "perOrder") {
      return exceed(
        `${canCost} The limit ${name} of ${OWNERS[scope]} is ${formatDollars(limit, "down")}.`,
      );
    }
    return exceed(
      `${canCost} Of the limit ${name} of ${OWNERS[scope]}, ` +
        `${formatDollars(limit, "down")}, ${formatDollars(remaining, "down")} is left.` +
        formatReset(resetsAt),
    );
  }
  return null;
}

/** Says that a loss has reached its limit, after the name of what lost it. */
export function describeLoss(lost: Usdc, limit: Usdc): string {
  return (
    `lost ${formatDollars(lost, "up")} in 24 hours, and its limit dailyLoss is ` +
    `${formatDollars(limit, "down")}.`
  );
}

function refuseCounts(
  { canRest }: LimitedOrder,
  { scope, limits, usage }: Pick<LimitedSubject, "scope" | "limits" | "usage">,
): Refusal | null {
  for (const name of COUNT_LIMITS) {
    if (name === "maxOpenOrders" && !canRest) continue;
    const state = computeCountState(name, limits, usage);
    if (!state || state.remaining >= 1) continue;
    return exceed(
      `The limit ${name} of ${OWNERS[scope]}, ${state.limit}, is used up.` +
        formatReset(state.resetsAt),
    );
  }
  return null;
}

/** Returns the state of a limit in USDC; null if it is not set. */
export function computeAmountState(
  name: AmountLimit,
  limits: Limits,
  usage: LimitUsage,
): LimitState<Usdc> | null {
  const limit = limits[name];
  if (limit === undefined) return null;
  const { used, reserved, resetsAt = null } = readAmounts(name, usage);
  const remaining = larger(NO_USDC, subtract(limit, (used + reserved) as Usdc));
  return { limit, used, reserved, remaining, resetsAt };
}

function readAmounts(
  name: AmountLimit,
  usage: LimitUsage,
): { used: Usdc; reserved: Usdc; resetsAt?: Date | null } {
  const { reserved } = usage;
  switch (name) {
    case "perOrder":
      return { used: NO_USDC, reserved: NO_USDC };
    case "perDay":
      return { used: usage.spentToday, reserved, resetsAt: usage.dayResetsAt };
    case "total":
      return { used: usage.spent, reserved };
    case "openExposure":
      return { used: usage.held, reserved };
    case "dailyLoss":
      return { used: usage.lostToday, reserved: NO_USDC, resetsAt: usage.dayResetsAt };
    case "perMarket":
      return { used: usage.marketHeld, reserved: usage.marketReserved };
  }
}

/** Returns the state of a limit on a number of orders; null if it is not set. */
export function computeCountState(
  name: CountLimit,
  limits: Limits,
  usage: LimitUsage,
): LimitState<number> | null {
  const limit = limits[name];
  if (limit === undefined) return null;
  const isOpen = name === "maxOpenOrders";
  const used = isOpen ? usage.openOrders : usage.ordersThisMinute;
  const resetsAt = isOpen ? null : usage.minuteResetsAt;
  return { limit, used, reserved: 0, remaining: Math.max(0, limit - used), resetsAt };
}

const formatReset = (at: Date | null) =>
  at === null ? "" : ` More is available from ${at.toISOString()}.`;

const exceed = (message: string): Refusal => ({ code: "RISK_LIMIT_EXCEEDED", message });

/** Returns the first limit that is raised or removed by a change; null if none is. */
export function findRaised(former: Limits, next: Limits): LimitName | null {
  return LIMIT_NAMES.find((name) => isRaised(former[name], next[name])) ?? null;
}

type LimitValue = Limits[LimitName];

function isRaised(former: LimitValue, next: LimitValue): boolean {
  if (former === undefined) return false;
  if (next === undefined) return true;
  if (typeof former === "object" && typeof next === "object") {
    const allowed = new Set<string>(former);
    return next.some((entry) => !allowed.has(entry));
  }
  return next > former;
}
