import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { type Protocol, PROTOCOLS, V2_MARK } from "@/lib/domain/protocol";
import { assert } from "@/lib/errors";
import {
  areBookPositionIds,
  getTokenProtocol,
  isComboPositionId,
  isConditionalTokenId,
  toPositionConditionId,
} from "@/lib/polymarket/protocol/position-id";
import { ONE, type Price, price, shares, usdc } from "@/lib/units";
import { chooseCategory } from "@/lib/polymarket/categories";
import { type ClobMarket, type WireEvent, WireMarket } from "@/lib/polymarket/wire/markets";
import { toNearestMicro } from "@/lib/polymarket/wire/decimal";
import type { Market, MarketState, VenueFigures } from "@/lib/venue/port";

/** A marketable buy needs one dollar (polymarket.md 5.1). */
const MIN_BUY = usdc(1_000_000n);
const USUAL_MIN_SHARES = shares(5_000_000n);
/** Old resolved markets list the last prices of their pools, such as 0.99999921 for a winner. */
const SURE_OF_WINNER = price(990_000n);
const FINEST_TICK = price(100n);
/** End time of a market for which the venue lists none. */
const NO_END = Date.UTC(2100, 0, 1);

/** A market with its state and prices at the same time. */
export interface RemoteMarket extends Market {
  readonly state: MarketState;
  /** The first token's listed price; its payout once resolved. */
  readonly listedPrice: Price;
  readonly lastTrade: Price | null;
  /** Payout of a share of the first token; null until final. The second token pays the rest. */
  readonly firstPayout: Price | null;
  /** Whether the venue closed the market for good, rather than pausing it. */
  readonly isEnded: boolean;
  /** Change of the listed price in a day; null if unknown. */
  readonly dayChange: bigint | null;
  /** Whether the lists lack the fee rate, so that only the exchange has it. */
  readonly needsFeeRate: boolean;
  /** Further tokens of the market. They only serve to find an untradable market by token. */
  readonly otherTokenIds: readonly string[];
}

/** Parses one market of a list. Null if it does not have two tradable outcomes. */
export function parseMarket(wire: unknown, event: WireEvent | null): RemoteMarket | null {
  const parsed = WireMarket.safeParse(wire);
  return parsed.success ? toMarket(parsed.data, event) : null;
}

/** Narrows a market that this adapter returned to `RemoteMarket`. */
export function asRemoteMarket(market: Market): RemoteMarket {
  assert(
    "listedPrice" in market && "state" in market,
    "a remote market came from the remote venue",
  );
  return market as RemoteMarket;
}

/** Returns every token of a market. */
export function listTokens({ outcomes, otherTokenIds }: RemoteMarket): string[] {
  return [...outcomes.map(({ tokenId }) => tokenId), ...otherTokenIds].filter((id) => id !== "");
}

/** Applies the exchange's trading rules to a market. */
export function applyClobRules(market: RemoteMarket, clob: ClobMarket): RemoteMarket | null {
  const tokens = market.outcomes.map(({ tokenId }) => tokenId);
  if (clob.t.some(({ t }) => !tokens.includes(t))) return null;
  if (market.untradable !== null) return market;
  const contradiction = explainVersion(clob.v, market.protocol);
  if (contradiction !== null) {
    const state = closeIfOpen(market.state);
    return { ...market, untradable: contradiction, state };
  }
  if (clob.fd && clob.fd.e !== 1) return null;
  const isPaused = clob.ao === false && market.state.status === "open";
  return {
    ...market,
    tick: price(clob.mts),
    minOrderShares: clob.mos ? shares(clob.mos) : market.minOrderShares,
    isNegRisk: clob.nr ?? market.isNegRisk,
    feeRate: clob.fd ? clob.fd.r : market.feeRate,
    needsFeeRate: market.needsFeeRate && !clob.fd,
    state: isPaused ? { status: "closed", winner: null } : market.state,
  };
}

function toMarket(wire: WireMarket, within: WireEvent | null): RemoteMarket | null {
  const [first, second, ...others] = wire.outcomes;
  if (first === undefined || second === undefined || others.length > 0) return null;
  const tokens = readTokens(wire);
  if (!tokens) return null;
  const { untradable } = tokens;
  // Estimates support only the fee curve with exponent 1.
  if (untradable === null && wire.feeSchedule && wire.feeSchedule.exponent !== 1) return null;
  const event = within ?? wire.events?.[0] ?? null;
  const category = chooseCategory({ ...wire, tags: wire.tags ?? within?.tags });
  const state = untradable === null ? parseState(wire) : closeIfOpen(parseState(wire));
  return {
    id: padConditionId(wire.conditionId),
    slug: wire.slug,
    title: nameByProtocol(wire.question, tokens.protocol),
    eventSlug: event?.slug ?? wire.slug,
    eventTitle: event?.title ?? wire.question,
    // The venue's own series are also leagues, whose games differ.
    series: null,
    label: wire.groupItemTitle || null,
    category,
    rules: wire.description ?? "",
    resolutionSource: wire.resolutionSource ?? "",
    icon: `category-${category}.svg`,
    outcomes: [
      { name: first, tokenId: tokens.ids[0] },
      { name: second, tokenId: tokens.ids[1] },
    ],
    untradable,
    otherTokenIds: tokens.others,
    tick: wire.orderPriceMinTickSize ? price(wire.orderPriceMinTickSize) : FINEST_TICK,
    minOrderShares: wire.orderMinSize ? shares(wire.orderMinSize) : USUAL_MIN_SHARES,
    minBuyAmount: MIN_BUY,
    feeRate: wire.feesEnabled ? (wire.feeSchedule?.rate ?? 0n) : 0n,
    isNegRisk: wire.negRisk ?? false,
    protocol: tokens.protocol,
    popularity: wire.volume24hr ?? 0,
    figures: parseFigures(wire),
    ...parseTimes(wire, event),
    state,
    ...parsePrices(wire, state),
    firstPayout: computeFirstPayout(wire, state),
    isEnded: wire.closed === true,
    needsFeeRate: wire.feesEnabled === true && !wire.feeSchedule && state.status === "open",
  };
}

function parseFigures({ volumeNum, volume24hr, liquidityNum }: WireMarket): VenueFigures {
  const toUsdc = (micro: bigint | null | undefined) =>
    micro === null || micro === undefined ? null : usdc(micro);
  return {
    volume: toUsdc(volumeNum),
    dayVolume: toUsdc(toNearestMicro(volume24hr ?? "")),
    liquidity: toUsdc(liquidityNum),
  };
}

type Pair = readonly [string, string];

interface Tokens {
  ids: Pair;
  protocol: Protocol;
  /** Why the market cannot be traded here; null if it can. */
  untradable: string | null;
  others: readonly string[];
}

/** Placeholder for tokens that the venue has not named yet. */
const NO_TOKENS: Pair = ["", ""];
/** A condition id of Protocol V1 with its prefix. */
const CONDITION_ID_LENGTH = 66;

/**
 * Reads the tokens of a market by its version alone (polymarket-protocol-v2.md 4). A Protocol V1
 * market may list the position ids of its V2 twin, and a V2 market may still list CLOB tokens: a
 * tradable market is never found by those. A market without a version is V1, as all were before
 * October 2026. Null for a V1 market without two tokens, which cannot be traded yet.
 */
function readTokens(wire: WireMarket): Tokens | null {
  const protocol = wire.version === undefined ? "v1" : parseVersion(wire.version);
  if (protocol === "v2") return readPositions(wire);
  const ids = toPair(wire.clobTokenIds);
  if (protocol === null) {
    const known = ids ?? toPair(wire.positionIds) ?? NO_TOKENS;
    const named = [...(wire.clobTokenIds ?? []), ...(wire.positionIds ?? [])];
    return {
      ids: known,
      protocol: getTokenProtocol(known[0]),
      untradable: explainUnknown(wire.version),
      others: named.filter((id) => !known.includes(id)),
    };
  }
  if (!ids) return null;
  const isConsistent =
    ids.every(isConditionalTokenId) && wire.conditionId.length === CONDITION_ID_LENGTH;
  return { ids, protocol, untradable: isConsistent ? null : OTHER_NAMESPACE, others: [] };
}

/** Reads the tokens of a Protocol V2 market: the two positions of its condition. */
function readPositions(wire: WireMarket): Tokens {
  const ids = toPair(wire.positionIds) ?? NO_TOKENS;
  const untradable = explainPositions(ids, padConditionId(wire.conditionId));
  const others = untradable === null ? [] : (wire.clobTokenIds ?? []);
  return { ids, protocol: "v2", untradable, others };
}

/** Returns why a condition's position ids cannot be traded; null if they can. */
function explainPositions(ids: Pair, conditionId: string): string | null {
  if (ids === NO_TOKENS) return NOT_LISTED_YET;
  if (ids.some(isComboPositionId)) return COMBO;
  const isConsistent = areBookPositionIds(ids) && toPositionConditionId(ids[0]) === conditionId;
  return isConsistent ? null : OTHER_NAMESPACE;
}

function toPair(ids: readonly string[] | null | undefined): Pair | null {
  const [first, second, ...others] = ids ?? [];
  if (first === undefined || second === undefined) return null;
  return others.length > 0 || first === second ? null : [first, second];
}

/** Pads a condition id to 64 hex digits, as the exchange and the data services expect. */
const padConditionId = (id: string) => id.padEnd(CONDITION_ID_LENGTH, "0");

/** Adds the protocol to the title of a V2 market (polymarket-protocol-v2.md 10). */
export const nameByProtocol = (title: string, protocol: Protocol) =>
  protocol === "v2" ? `${title}${V2_MARK}` : title;

const MAX_QUOTED = 40;
const OTHER_NAMESPACE =
  "Polymarket lists this market with token ids of another protocol version, so Ante doesn't trade it.";
const CONTRADICTION =
  "Polymarket lists this market under one protocol version and trades it under another, so Ante doesn't trade it.";
const NOT_LISTED_YET = "Polymarket hasn't listed this market's token ids yet.";
const COMBO = "This is a combo of several markets. Polymarket has no order book for it.";

/**
 * Returns why a market of a known protocol cannot be traded if the exchange reports this version;
 * null for the same protocol, and if the exchange reports none.
 */
export function explainVersion(version: unknown, expected: Protocol): string | null {
  if (version === undefined || version === expected) return null;
  return parseVersion(version) === null ? explainUnknown(version) : CONTRADICTION;
}

/** Parses a market's version; null if Ante does not know it. Other spellings are unknown, too. */
export function parseVersion(version: unknown): Protocol | null {
  return PROTOCOLS.find((protocol) => protocol === version) ?? null;
}

function explainUnknown(version: unknown): string {
  const quoted = (JSON.stringify(version) ?? "").replaceAll(/[^\x20-\x7e]+/g, " ");
  return `This market uses a Polymarket protocol version that Ante doesn't know: ${quoted.slice(0, MAX_QUOTED)}.`;
}

/** Returns the state of a market that Ante does not trade: closed instead of open. */
function closeIfOpen(state: MarketState): MarketState {
  return state.status === "open" ? { status: "closed", winner: null } : state;
}

function parseTimes(
  wire: WireMarket,
  event: { endDate?: number | null | undefined } | null,
): Pick<Market, "opensAt" | "closesAt" | "resolvesAt"> {
  const closesAt = wire.closedTime ?? wire.endDate ?? event?.endDate ?? NO_END;
  const opensAt = Math.min(wire.startDate ?? wire.createdAt ?? 0, closesAt);
  return { opensAt, closesAt, resolvesAt: closesAt };
}

/** Only the `closed` flag closes a market: markets trade on past their expected end. */
function parseState(wire: WireMarket): MarketState {
  const isOpen = wire.acceptingOrders !== false && wire.enableOrderBook !== false;
  if (wire.closed !== true) return { status: isOpen ? "open" : "closed", winner: null };
  const isResolved = [wire.umaResolutionStatus, wire.resolutionStatus].includes("resolved");
  const winner = findWinner(wire.outcomePrices ?? [], isResolved ? SURE_OF_WINNER : ONE);
  const isPaid = isResolved || winner !== null;
  return isPaid ? { status: "resolved", winner } : { status: "closed", winner: null };
}

/** Returns the winner; null before the result, and if both outcomes pay half. */
function findWinner([first, second]: readonly bigint[], least: Price): OutcomeIndex | null {
  if (first === undefined || second === undefined) return null;
  if (first >= least && second <= ONE - least) return 0;
  return second >= least && first <= ONE - least ? 1 : null;
}

/** A winner pays one dollar. Without a winner, both pay half once the listed prices are one half. */
function computeFirstPayout(wire: WireMarket, { status, winner }: MarketState): Price | null {
  if (status !== "resolved") return null;
  if (winner !== null) return price(winner === 0 ? ONE : 0n);
  const isHalf = wire.outcomePrices?.length === 2 && wire.outcomePrices.every(isOneHalf);
  return isHalf ? ONE_HALF : null;
}

const ONE_HALF = price(ONE / 2n);
const isOneHalf = (listed: bigint) => listed === ONE_HALF;

function parsePrices(
  wire: WireMarket,
  { winner }: MarketState,
): Pick<RemoteMarket, "listedPrice" | "lastTrade" | "dayChange"> {
  const lastTrade = wire.lastTradePrice ? price(wire.lastTradePrice) : null;
  const listed = wire.outcomePrices?.[0] ?? lastTrade ?? ONE / 2n;
  return {
    listedPrice: price(winner === null ? listed : winner === 0 ? ONE : 0n),
    lastTrade,
    dayChange: wire.oneDayPriceChange ?? null,
  };
}
