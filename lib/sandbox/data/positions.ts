import "server-only";
import {
  decimalOf,
  directionOf,
  figureOf,
  flagOf,
  listOf,
  sorted,
  walletOf,
} from "@/lib/sandbox/data/parameters";
import {
  percentRealized,
  readWalletPositions,
  type WalletPosition,
} from "@/lib/sandbox/data/wallet-positions";
import { eventIdOf } from "@/lib/sandbox/gamma";
import { numberOf } from "@/lib/sandbox/open-route";
import { iconUrl } from "@/lib/services/public-url";
import { microToNumber, SCALE, sum } from "@/lib/units";

type Figures = Record<string, (position: WalletPosition) => bigint | number | string>;

const OPEN_FIGURES: Figures = {
  TOKENS: ({ shares }) => shares,
  CURRENT: ({ value }) => value,
  INITIAL: ({ cost }) => cost,
  CASHPNL: ({ pnl }) => pnl,
  PERCENTPNL: ({ pnlPercent }) => pnlPercent,
  TITLE: ({ market }) => market.title,
  RESOLVING: ({ market }) => market.closesAt,
  PRICE: ({ currentPrice }) => currentPrice,
  AVGPRICE: ({ averagePrice }) => averagePrice,
};

const CLOSED_FIGURES: Figures = {
  REALIZEDPNL: ({ realizedPnl }) => realizedPnl,
  TITLE: ({ market }) => market.title,
  PRICE: ({ currentPrice }) => currentPrice,
  AVGPRICE: ({ averagePrice }) => averagePrice,
  TIMESTAMP: ({ updatedAt }) => updatedAt.getTime(),
};

/** `GET /positions`: what a wallet holds. One share or more, unless told otherwise. */
export async function listPositions(query: URLSearchParams) {
  const wallet = walletOf(query);
  const threshold = decimalOf(query, "sizeThreshold") ?? SCALE;
  const [redeemable, mergeable] = [flagOf(query, "redeemable"), flagOf(query, "mergeable")];
  const figure = figureOf(query, "sortBy", { figures: OPEN_FIGURES, fallback: "TOKENS" });
  const slice = sliceOf(query, { fallback: 100, maxLimit: 500, maxOffset: 10_000 });
  const found = (await readWalletPositions(wallet))
    .filter(({ isOpen, shares }) => isOpen && shares >= threshold)
    .filter(named(query))
    .filter(({ isResolved }) => redeemable === undefined || isResolved === redeemable)
    .filter(({ isMergeable }) => mergeable === undefined || isMergeable === mergeable);
  return slice(sorted(found, figure, directionOf(query, "sortDirection"))).map(toOpen);
}

/** `GET /closed-positions`: what a wallet held once, and what came of it. */
export async function listClosedPositions(query: URLSearchParams) {
  const wallet = walletOf(query);
  const figure = figureOf(query, "sortBy", { figures: CLOSED_FIGURES, fallback: "REALIZEDPNL" });
  const slice = sliceOf(query, { fallback: 10, maxLimit: 50, maxOffset: 100_000 });
  const found = (await readWalletPositions(wallet))
    .filter(({ isOpen }) => !isOpen)
    .filter(named(query));
  return slice(sorted(found, figure, directionOf(query, "sortDirection"))).map(toClosed);
}

/** `GET /value`: what a wallet's positions are worth, without its cash. */
export async function readValue(query: URLSearchParams) {
  const wallet = walletOf(query);
  const found = (await readWalletPositions(wallet)).filter(named(query));
  const value = microToNumber(sum(found.map((position) => position.value)));
  return [{ user: wallet.toLowerCase(), value }];
}

/** `GET /traded`: how many markets a wallet was ever in. */
export async function countTraded(query: URLSearchParams) {
  const wallet = walletOf(query);
  const positions = await readWalletPositions(wallet);
  const traded = new Set(positions.map(({ marketId }) => marketId)).size;
  return { user: wallet.toLowerCase(), traded };
}

/** Whether a position is among the markets, events and titles that are asked for. */
function named(query: URLSearchParams): (position: WalletPosition) => boolean {
  const [markets, events] = [listOf(query, "market"), listOf(query, "eventId")];
  const title = query.get("title")?.toLowerCase() ?? "";
  return ({ market }) =>
    (markets?.includes(market.id) ?? true) &&
    (events?.includes(eventIdOf(market)) ?? true) &&
    market.title.toLowerCase().includes(title);
}

function sliceOf(
  query: URLSearchParams,
  { fallback, maxLimit, maxOffset }: { fallback: number; maxLimit: number; maxOffset: number },
) {
  const limit = numberOf(query, "limit", { fallback, max: maxLimit });
  const offset = numberOf(query, "offset", { fallback: 0, max: maxOffset });
  return <T>(rows: readonly T[]): T[] => rows.slice(offset, offset + limit);
}

function toOpen(position: WalletPosition) {
  const { market } = position;
  return {
    ...identityOf(position),
    size: microToNumber(position.shares),
    avgPrice: microToNumber(position.averagePrice),
    initialValue: microToNumber(position.cost),
    currentValue: microToNumber(position.value),
    cashPnl: microToNumber(position.pnl),
    percentPnl: microToNumber(position.pnlPercent),
    totalBought: microToNumber(position.bought.shares),
    realizedPnl: microToNumber(position.realizedPnl),
    percentRealizedPnl: microToNumber(percentRealized(position)),
    curPrice: microToNumber(position.currentPrice),
    redeemable: position.isResolved,
    mergeable: position.isMergeable,
    ...descriptionOf(position),
    eventId: eventIdOf(market),
    endDate: new Date(market.closesAt).toISOString().slice(0, 10),
    negativeRisk: market.isNegRisk,
  };
}

function toClosed(position: WalletPosition) {
  return {
    ...identityOf(position),
    avgPrice: microToNumber(position.averagePrice),
    totalBought: microToNumber(position.bought.shares),
    realizedPnl: microToNumber(position.realizedPnl),
    curPrice: microToNumber(position.currentPrice),
    timestamp: Math.floor(position.updatedAt.getTime() / 1000),
    ...descriptionOf(position),
    endDate: new Date(position.market.closesAt).toISOString(),
  };
}

function identityOf({ wallet, tokenId, marketId }: WalletPosition) {
  return { proxyWallet: wallet, asset: tokenId, conditionId: marketId };
}

function descriptionOf({ market, outcome }: WalletPosition) {
  const opposite = market.outcomes[outcome === 0 ? 1 : 0];
  return {
    title: market.title,
    slug: market.slug,
    icon: iconUrl(market.icon),
    eventSlug: market.eventSlug,
    outcome: market.outcomes[outcome].name,
    outcomeIndex: outcome,
    oppositeOutcome: opposite.name,
    oppositeAsset: opposite.tokenId,
  };
}
