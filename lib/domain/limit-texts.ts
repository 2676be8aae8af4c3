import {
  AMOUNT_LIMITS,
  COUNT_LIMITS,
  LIMITED_ACTIONS,
  type LimitedAction,
  type LimitName,
  type Limits,
} from "@/lib/domain/limits";
import { formatMicro } from "@/lib/units";

/** The names of limits on pages. */
export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = {
  perOrder: "Per order",
  perDay: "Per day",
  total: "In total",
  openExposure: "At risk at a time",
  perMarket: "In one market",
  dailyLoss: "Loss per day",
  maxOpenOrders: "Open orders",
  ordersPerMinute: "Orders per minute",
  maxDistanceFromMid: "Distance from the middle",
  approvalAbove: "Approval above",
  markets: "Allowed markets",
  actions: "Allowed actions",
  ipAllow: "Allowed addresses",
};

/** The names of actions on pages. */
export const ACTION_LABELS: Readonly<Record<LimitedAction, string>> = {
  BUY: "Buy",
  SELL: "Sell",
  CANCEL: "Cancel orders",
  REDEEM: "Claim winnings",
};

/** The fields of the form for limits. An empty text limits nothing; lists have an entry per line. */
export interface LimitTexts extends Readonly<Record<Exclude<LimitName, "actions">, string>> {
  readonly blocked: readonly LimitedAction[];
}

/** Writes limits as the texts of their form. Prices are in cents. */
export function writeLimitTexts(limits: Limits): LimitTexts {
  const writeMicro = (micro: bigint | undefined) => (micro === undefined ? "" : formatMicro(micro));
  const {
    maxDistanceFromMid: distance,
    approvalAbove,
    actions,
    markets = [],
    ipAllow = [],
  } = limits;
  return {
    ...mapNames(AMOUNT_LIMITS, (name) => writeMicro(limits[name])),
    ...mapNames(COUNT_LIMITS, (name) => String(limits[name] ?? "")),
    maxDistanceFromMid: writeMicro(distance === undefined ? undefined : distance * 100n),
    approvalAbove: writeMicro(approvalAbove),
    markets: markets.join("\n"),
    ipAllow: ipAllow.join("\n"),
    blocked: actions ? LIMITED_ACTIONS.filter((action) => !actions.includes(action)) : [],
  };
}

function mapNames<Name extends string>(
  names: readonly Name[],
  write: (name: Name) => string,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, write(name)])) as Record<Name, string>;
}
