import "server-only";
import {
  readDecimal,
  readDirection,
  readFigure,
  readFlag,
  readList,
  readNumber,
  sortBy,
  readWallet,
} from "@/lib/sandbox/parameters";
import {
  computeRealizedPercent,
  readWalletPositions,
  type WalletPosition,
} from "@/lib/sandbox/data-wallet-positions";
import { toEventId } from "@/lib/sandbox/gamma";
import { buildIconUrl } from "@/lib/public-url";
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

/** Serves `GET /positions`: a wallet's open positions, by default of one share or more. */
export async function listPositions(query: URLSearchParams) {
  const wallet = readWallet(query);
  const threshold = readDecimal(query, "sizeThreshold") ?? SCALE;
  const [redeemable, mergeable] = [readFlag(query, "redeemable"), readFlag(query, "mergeable")];
  const figure = readFigure(query, "sortBy", { figures: OPEN_FIGURES, fallback: "TOKENS" });
  const slice = buildSlice(query, { fallback: 100, maxLimit: 500, maxOffset: 10_000 });
  const found = (await readWalletPositions(wallet))
    .filter(({ isOpen, shares }) => isOpen && shares >= threshold)
    .filter(buildFilter(query))
    .filter(({ isResolved }) => redeemable === undefined || isResolved === redeemable)
    .filter(({ isMergeable }) => mergeable === undefined || isMergeable === mergeable);
  return slice(sortBy(found, figure, readDirection(query, "sortDirection"))).map(toOpenPosition);
}

/** Serves `GET /closed-positions`: a wallet's closed positions with their realized profit. */
export async function listClosedPositions(query: URLSearchParams) {
  const wallet = readWallet(query);
  const figure = readFigure(query, "sortBy", { figures: CLOSED_FIGURES, fallback: "REALIZEDPNL" });
  const slice = buildSlice(query, { fallback: 10, maxLimit: 50, maxOffset: 100_000 });
  const found = (await readWalletPositions(wallet))
    .filter(({ isOpen }) => !isOpen)
    .filter(buildFilter(query));
  return slice(sortBy(found, figure, readDirection(query, "sortDirection"))).map(toClosedPosition);
}

/** Serves `GET /value`: the value of a wallet's positions, without cash. */
export async function readValue(query: URLSearchParams) {
  const wallet = readWallet(query);
  const found = (await readWalletPositions(wallet)).filter(buildFilter(query));
  const value = microToNumber(sum(found.map((position) => position.value)));
  return [{ user: wallet.toLowerCase(), value }];
}

/** Serves `GET /traded`: the number of markets in which a wallet ever had a position. */
export async function countTraded(query: URLSearchParams) {
  const wallet = readWallet(query);
  const positions = await readWalletPositions(wallet);
  const traded = new Set(positions.map(({ marketId }) => marketId)).size;
  return { user: wallet.toLowerCase(), traded };
}

/** Builds the filter by market, event and title. */
function buildFilter(query: URLSearchParams): (position: WalletPosition) => boolean {
  const [markets, events] = [readList(query, "market"), readList(query, "eventId")];
  const title = query.get("title")?.toLowerCase() ?? "";
  return ({ market }) =>
    (markets?.includes(market.id) ?? true) &&
    (events?.includes(toEventId(market)) ?? true) &&
    market.title.toLowerCase().includes(title);
}

function buildSlice(
  query: URLSearchParams,
  { fallback, maxLimit, maxOffset }: { fallback: number; maxLimit: number; maxOffset: number },
) {
  const limit = readNumber(query, "limit", { fallback, max: maxLimit });
  const offset = readNumber(query, "offset", { fallback: 0, max: maxOffset });
  return <T>(rows: readonly T[]): T[] => rows.slice(offset, offset + limit);
}

function toOpenPosition(position: WalletPosition) {
  const { market } = position;
  return {
    ...toIdentity(position),
    size: microToNumber(position.shares),
    avgPrice: microToNumber(position.averagePrice),
    initialValue: microToNumber(position.cost),
    currentValue: microToNumber(position.value),
    cashPnl: microToNumber(position.pnl),
    percentPnl: microToNumber(position.pnlPercent),
    totalBought: microToNumber(position.bought.shares),
    realizedPnl: microToNumber(position.realizedPnl),
    percentRealizedPnl: microToNumber(computeRealizedPercent(position)),
    curPrice: microToNumber(position.currentPrice),
    redeemable: position.isResolved,
    mergeable: position.isMergeable,
    ...describeOutcome(position),
    eventId: toEventId(market),
    endDate: new Date(market.closesAt).toISOString().slice(0, 10),
    negativeRisk: market.isNegRisk,
  };
}

function toClosedPosition(position: WalletPosition) {
  return {
    ...toIdentity(position),
    avgPrice: microToNumber(position.averagePrice),
    totalBought: microToNumber(position.bought.shares),
    realizedPnl: microToNumber(position.realizedPnl),
    curPrice: microToNumber(position.currentPrice),
    timestamp: Math.floor(position.updatedAt.getTime() / 1000),
    ...describeOutcome(position),
    endDate: new Date(position.market.closesAt).toISOString(),
  };
}

function toIdentity({ wallet, tokenId, marketId }: WalletPosition) {
  return { proxyWallet: wallet, asset: tokenId, conditionId: marketId };
}

function describeOutcome({ market, outcome }: WalletPosition) {
  const opposite = market.outcomes[outcome === 0 ? 1 : 0];
  return {
    title: market.title,
    slug: market.slug,
    icon: buildIconUrl(market.icon),
    eventSlug: market.eventSlug,
    outcome: market.outcomes[outcome].name,
    outcomeIndex: outcome,
    oppositeOutcome: opposite.name,
    oppositeAsset: opposite.tokenId,
  };
}
