import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { ONE, type Price, price, shares, usdc } from "@/lib/units";
import { categoryOf } from "@/lib/venue/polymarket/categories";
import { type ClobMarket, type WireEvent, WireMarket } from "@/lib/venue/polymarket/wire/markets";
import type { Market, MarketState } from "@/lib/venue/port";

/** A marketable buy needs one dollar (polymarket.md 5.1). */
const MIN_BUY = usdc(1_000_000n);
const USUAL_MIN_SHARES = shares(5_000_000n);
/** Old resolved markets still show the last prices of their pools: 0.99999921 for a winner. */
const SURE_OF_WINNER = price(990_000n);
const FINEST_TICK = price(100n);
/** Shown for a market that the venue gave no end. */
const NO_END = Date.UTC(2100, 0, 1);

/** A market with what was known of its state and prices at the same moment. */
export interface RemoteMarket extends Market {
  readonly state: MarketState;
  /** The first token's price in the venue's lists: payouts once resolved. */
  readonly listedPrice: Price;
  readonly lastTrade: Price | null;
  /** What a share of the first token pays; null until that is certain. The second pays the rest. */
  readonly firstPayout: Price | null;
  /** The venue has closed it for good; one that only pauses is not. */
  readonly isEnded: boolean;
  /** Change of the listed price in a day; null when it is not known. */
  readonly dayChange: bigint | null;
  /** The rate of its fees is not in the venue's lists; only the exchange tells it. */
  readonly needsFeeRate: boolean;
}

/** Parses one market of a list. Null for what is no market of two outcomes that we could trade. */
export function parseMarket(wire: unknown, event: WireEvent | null): RemoteMarket | null {
  const parsed = WireMarket.safeParse(wire);
  return parsed.success ? toMarket(parsed.data, event) : null;
}

/** The adapter's own description of a market it handed out. */
export function asRemoteMarket(market: Market): RemoteMarket {
  assert(
    "listedPrice" in market && "state" in market,
    "a remote market came from the remote venue",
  );
  return market as RemoteMarket;
}

/** The market by the exchange's own rules of trading. */
export function withClobRules(market: RemoteMarket, clob: ClobMarket): RemoteMarket | null {
  const tokens = market.outcomes.map(({ tokenId }) => tokenId);
  if (clob.t.some(({ t }) => !tokens.includes(t))) return null;
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
  const [firstToken, secondToken] = wire.clobTokenIds;
  if (first === undefined || second === undefined || others.length > 0) return null;
  if (firstToken === undefined || secondToken === undefined || firstToken === secondToken) {
    return null;
  }
  // Another curve of fees would make every estimate wrong.
  if (wire.feeSchedule && wire.feeSchedule.exponent !== 1) return null;
  const event = within ?? wire.events?.[0] ?? null;
  const category = categoryOf({ ...wire, tags: wire.tags ?? within?.tags });
  const state = stateOf(wire);
  return {
    id: wire.conditionId,
    slug: wire.slug,
    title: wire.question,
    eventSlug: event?.slug ?? wire.slug,
    eventTitle: event?.title ?? wire.question,
    label: wire.groupItemTitle || null,
    category,
    rules: wire.description ?? "",
    resolutionSource: wire.resolutionSource ?? "",
    icon: `category-${category}.svg`,
    outcomes: [
      { name: first, tokenId: firstToken },
      { name: second, tokenId: secondToken },
    ],
    tick: wire.orderPriceMinTickSize ? price(wire.orderPriceMinTickSize) : FINEST_TICK,
    minOrderShares: wire.orderMinSize ? shares(wire.orderMinSize) : USUAL_MIN_SHARES,
    minBuyAmount: MIN_BUY,
    feeRate: wire.feesEnabled ? (wire.feeSchedule?.rate ?? 0n) : 0n,
    isNegRisk: wire.negRisk ?? false,
    popularity: wire.volume24hr ?? 0,
    ...lifeOf(wire, event),
    state,
    ...pricesOf(wire, state),
    firstPayout: firstPayoutOf(wire, state),
    isEnded: wire.closed === true,
    needsFeeRate: wire.feesEnabled === true && !wire.feeSchedule && state.status === "open",
  };
}

function lifeOf(
  wire: WireMarket,
  event: { endDate?: number | null | undefined } | null,
): Pick<Market, "opensAt" | "closesAt" | "resolvesAt"> {
  const closesAt = wire.closedTime ?? wire.endDate ?? event?.endDate ?? NO_END;
  const opensAt = Math.min(wire.startDate ?? wire.createdAt ?? 0, closesAt);
  return { opensAt, closesAt, resolvesAt: closesAt };
}

/** Closed is only what the venue calls so: markets trade on past the end that was expected. */
function stateOf(wire: WireMarket): MarketState {
  const isOpen = wire.acceptingOrders !== false && wire.enableOrderBook !== false;
  if (wire.closed !== true) return { status: isOpen ? "open" : "closed", winner: null };
  const isResolved = wire.umaResolutionStatus === "resolved";
  const winner = winnerOf(wire.outcomePrices ?? [], isResolved ? SURE_OF_WINNER : ONE);
  const isPaid = isResolved || winner !== null;
  return isPaid ? { status: "resolved", winner } : { status: "closed", winner: null };
}

/** Null while nothing has won, and when both were paid half. */
function winnerOf([first, second]: readonly bigint[], least: Price): OutcomeIndex | null {
  if (first === undefined || second === undefined) return null;
  if (first >= least && second <= ONE - least) return 0;
  return second >= least && first <= ONE - least ? 1 : null;
}

/** A winner is paid a dollar. Without one both sides are paid half, once the prices say so. */
function firstPayoutOf(wire: WireMarket, { status, winner }: MarketState): Price | null {
  if (status !== "resolved") return null;
  if (winner !== null) return price(winner === 0 ? ONE : 0n);
  const isHalf = wire.outcomePrices?.length === 2 && wire.outcomePrices.every(isOneHalf);
  return isHalf ? ONE_HALF : null;
}

const ONE_HALF = price(ONE / 2n);
const isOneHalf = (listed: bigint) => listed === ONE_HALF;

function pricesOf(
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
