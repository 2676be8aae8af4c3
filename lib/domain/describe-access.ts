import { AMOUNT_LIMITS, type AmountLimit, LIMITED_ACTIONS, type Limits } from "@/lib/domain/limits";
import { formatCents, formatDollars, formatMicro } from "@/lib/units";

export interface AccessWords {
  /** One or more sentences. */
  text: string;
  /** Whether the key can spend any amount. */
  isUnlimited: boolean;
}

/** Says in plain English what a key may do with its scopes and its own limits. */
export function describeAccess(scopes: readonly string[], limits: Limits): AccessWords {
  const can = findAbilities(scopes, limits);
  const isTrading = can.BUY || can.SELL;
  const sentences = [
    ...(isTrading ? describeTrading(can, limits) : describeOthers(can, scopes)),
    ...(isTrading ? describePace(limits) : []),
    describeAddresses(limits.ipAllow),
  ];
  return {
    text: sentences.filter((sentence) => sentence !== "").join(" "),
    isUnlimited: can.BUY && listAmounts(limits).length === 0,
  };
}

type Abilities = Record<(typeof LIMITED_ACTIONS)[number] | "READ" | "WEBHOOKS", boolean>;

function findAbilities(scopes: readonly string[], { actions, markets }: Limits): Abilities {
  const isAllowed = (action: (typeof LIMITED_ACTIONS)[number]) =>
    actions === undefined || actions.includes(action);
  const places = scopes.includes("trade") && markets?.length !== 0;
  return {
    BUY: places && isAllowed("BUY"),
    SELL: places && isAllowed("SELL"),
    REDEEM: scopes.includes("trade") && isAllowed("REDEEM"),
    CANCEL: scopes.includes("cancel") && isAllowed("CANCEL"),
    READ: scopes.includes("read"),
    WEBHOOKS: scopes.includes("webhooks"),
  };
}

/** Describes a key that places no orders. */
function describeOthers(can: Abilities, scopes: readonly string[]): string[] {
  const abilities = [
    can.READ && "read",
    can.CANCEL && "cancel orders",
    can.REDEEM && "claim winnings",
    can.WEBHOOKS && "manage webhooks",
  ].filter((ability) => ability !== false);
  if (scopes.length === 1 && can.READ) return ["Reads only."];
  if (abilities.length === 0) return ["May do nothing."];
  const rest = scopes.includes("trade") ? "Can’t place orders." : "Can’t trade.";
  return [`May ${join(abilities, "and")}.`, rest];
}

function describeTrading(can: Abilities, limits: Limits): string[] {
  const missing = [
    !can.BUY && "buy",
    !can.SELL && "sell",
    !can.CANCEL && "cancel orders",
    !can.REDEEM && "claim winnings",
    !can.READ && "read the account",
  ].filter((ability) => ability !== false);
  return [
    describeOrders(can, limits),
    describeApproval(can, limits),
    missing.length > 0 ? `Can’t ${join(missing, "or")}.` : "",
    can.WEBHOOKS ? "May manage webhooks." : "",
  ];
}

function describeOrders(can: Abilities, limits: Limits): string {
  const where = describeMarkets(limits.markets);
  if (!can.BUY) return `May sell${where}.`;
  const amounts = listAmounts(limits);
  if (amounts.length > 0) return `May buy up to ${join(amounts, "and")}${where}.`;
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  return isLimited ? `May buy any amount${where}.` : "May trade without limits.";
}

function describeApproval({ BUY: canBuy }: Abilities, { approvalAbove }: Limits): string {
  if (!canBuy || approvalAbove === undefined) return "";
  return approvalAbove === 0n
    ? "Buys nothing without your approval."
    : `Buys nothing above ${formatCap(approvalAbove)} without your approval.`;
}

const AMOUNT_WORDS: Readonly<Record<Exclude<AmountLimit, "dailyLoss">, string>> = {
  perOrder: "an order",
  perDay: "a day",
  total: "in total",
  openExposure: "at risk at a time",
  perMarket: "in each market",
};

const listAmounts = (limits: Limits): string[] =>
  AMOUNT_LIMITS.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined || name === "dailyLoss"
      ? []
      : [`${formatCap(limit)} ${AMOUNT_WORDS[name]}`];
  });

/** Leaves out cents that are zero: "$50", "$12.50". */
function formatCap(micro: bigint): string {
  if (micro % CENT !== 0n) return `$${formatMicro(micro)}`;
  return formatDollars(micro, "down").replace(/\.00$/, "");
}

const CENT = 10_000n;

/** More entries than this are counted instead of named. */
const MOST_NAMED = 3;

const KINDS = [
  { prefix: "category:", one: "category", many: "categories", article: "" },
  { prefix: "event:", one: "event", many: "events", article: "the event " },
  { prefix: "market:", one: "market", many: "markets", article: "the market " },
] as const;

function describeMarkets(entries: Limits["markets"]): string {
  if (entries === undefined) return "";
  const kinds = KINDS.map((kind) => ({
    ...kind,
    names: entries.filter((entry) => entry.startsWith(kind.prefix)),
  }));
  const places =
    entries.length > MOST_NAMED
      ? kinds
          .filter(({ names }) => names.length > 0)
          .map(({ names, one, many }) => count(names.length, one, many))
      : kinds.flatMap(({ names, prefix, article }) =>
          names.map((entry) => `${article}${entry.slice(prefix.length)}`),
        );
  return ` in ${join(places, "and")}`;
}

function describePace(limits: Limits): string[] {
  const { maxOpenOrders, ordersPerMinute, maxDistanceFromMid, dailyLoss } = limits;
  const counts = [
    maxOpenOrders !== undefined && count(maxOpenOrders, "open order", "open orders"),
    ordersPerMinute !== undefined && count(ordersPerMinute, "order a minute", "orders a minute"),
  ].filter((part) => part !== false);
  return [
    counts.length > 0 ? `At most ${join(counts, "and")}.` : "",
    maxDistanceFromMid === undefined
      ? ""
      : `Prices within ${formatCents(maxDistanceFromMid)} of the middle of the book.`,
    dailyLoss === undefined ? "" : `Freezes when it has lost ${formatCap(dailyLoss)} in a day.`,
  ];
}

const MOST_ADDRESSES = 2;

function describeAddresses(addresses: Limits["ipAllow"]): string {
  if (addresses === undefined) return "";
  if (addresses.length === 0) return "No address may use it.";
  if (addresses.length > MOST_ADDRESSES) return `Only from ${addresses.length} listed addresses.`;
  return `Only from ${join(addresses, "and")}.`;
}

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

function join(parts: readonly string[], word: "and" | "or"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
