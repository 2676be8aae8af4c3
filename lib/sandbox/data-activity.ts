import "server-only";
import { withSnapshot } from "@/lib/db/client";
import { type PublicFillsFilter, selectPublicFills } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow } from "@/lib/db/rows";
import { readStatement, type StatementEntry } from "@/lib/ledger/statement";
import { ACCOUNT_PREFIX, parseWallet, toUserId } from "@/lib/sandbox/accounts";
import {
  readChoice,
  readDecimal,
  readDirection,
  readFigure,
  readFlag,
  readInstant,
  readList,
  sortBy,
  readConditions,
  readNumber,
  readWallet,
} from "@/lib/sandbox/parameters";
import { SandboxError } from "@/lib/sandbox/error";
import { toEventId } from "@/lib/sandbox/gamma";
import { readV2Bounds, toV2Page } from "@/lib/sandbox/pages";
import { computeTransactionHash } from "@/lib/sandbox/settlement";
import { readTradeIds } from "@/lib/sandbox/wire-trades";
import { buildIconUrl } from "@/lib/public-url";
import { microToNumber } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const MAX_OFFSET = 10_000;
/** The outcome index of an entry without an outcome. */
const NO_OUTCOME = 999;
/** The smallest trade that the second Data API lists: 0.01 shares or $0.01. */
const MIN_TRADE = 10_000n;
const DEFAULT_TYPES: readonly string[] = ["TRADE", "REDEEM"];
const SIDES = ["BUY", "SELL"] as const;

/** Serves `GET /trades`: trades of one wallet or of all, by default only from the taker's side. */
export async function listTrades(query: URLSearchParams) {
  const limit = readNumber(query, "limit", { fallback: 100, max: 10_000 });
  const offset = readNumber(query, "offset", { fallback: 0, max: MAX_OFFSET });
  const filter: PublicFillsFilter = {
    ...(await readScope(query)),
    ...readAmountFilter(query),
    action: readChoice(query, "side", SIDES),
    isTakersOnly: readFlag(query, "takerOnly") ?? true,
  };
  const rows = await withSnapshot((tx) => selectPublicFills(tx, filter, { offset, limit }));
  const trades = await toTradeEntries(rows);
  return trades.map(({ type: _type, usdcSize: _usdcSize, ...trade }) => trade);
}

/** Serves `GET /v2/trades`: the same by cursor, newest first, in the second Data API's form. */
export async function listTradesV2(query: URLSearchParams) {
  const bounds = readV2Bounds(query, 1_000);
  const type = readChoice(query, "filter_type", ["TOKENS", "CASH"]) ?? "TOKENS";
  const minimum = readDecimal(query, "filter_amount") ?? 0n;
  const amount = minimum > 0n ? minimum : MIN_TRADE;
  const user = query.get("user") ? readWallet(query) : undefined;
  // Time bounds apply only to the trades of one wallet.
  const times = user
    ? { from: readInstant(query, "start"), to: readInstant(query, "end") }
    : { from: undefined, to: undefined };
  const filter: PublicFillsFilter = {
    userId: user && toUserId(user),
    prefix: ACCOUNT_PREFIX,
    marketIds: await findMarketIds(readConditions(query), readList(query, "event_id")),
    ...(type === "TOKENS" ? { minShares: amount } : { minNotional: amount }),
    ...times,
    action: readChoice(query, "side", SIDES),
    isTakersOnly: readFlag(query, "taker_only") ?? true,
  };
  const { limit, offset } = bounds;
  const rows = await withSnapshot((tx) =>
    selectPublicFills(tx, filter, { offset, limit: limit + 1 }),
  );
  return toV2Page((await toTradeEntries(rows)).map(toTradeV2), bounds);
}

function toTradeV2(trade: Activity) {
  return {
    proxy_wallet: trade.proxyWallet,
    side: trade.side,
    token_id: trade.asset,
    condition_id: trade.conditionId,
    size: trade.size,
    usdc_size: trade.usdcSize,
    price: trade.price,
    timestamp: trade.timestamp,
    transaction_hash: trade.transactionHash,
    title: trade.title,
    slug: trade.slug,
    icon: trade.icon,
    event_slug: trade.eventSlug,
    outcome: trade.outcome,
    outcome_index: trade.outcomeIndex,
    name: "",
    pseudonym: "",
    profile_image: "",
  };
}

const FIGURES = {
  TIMESTAMP: ({ timestamp }: Activity) => timestamp,
  TOKENS: ({ size }: Activity) => size,
  CASH: ({ usdcSize }: Activity) => usdcSize,
};

/**
 * Serves `GET /activity`: a wallet's trades and redemptions, by default newest first. Deposits are
 * listed only on request, because `@polymarket/client` 0.2.0 rejects other types as malformed.
 */
export async function listActivity(query: URLSearchParams) {
  const wallet = readWallet(query);
  const limit = readNumber(query, "limit", { fallback: 100, max: 500 });
  const offset = readNumber(query, "offset", { fallback: 0, max: MAX_OFFSET });
  const figure = readFigure(query, "sortBy", { figures: FIGURES, fallback: "TIMESTAMP" });
  const types = readList(query, "type")?.map((type) => type.toUpperCase()) ?? DEFAULT_TYPES;
  const side = readChoice(query, "side", SIDES);
  const [from, to] = [readInstant(query, "start"), readInstant(query, "end")];
  const { marketIds } = await readScope(query);
  const trades = { userId: toUserId(wallet), prefix: ACCOUNT_PREFIX, marketIds, from, to };
  const everything = await readActivity(wallet, { ...trades, action: side, isTakersOnly: false });
  const found = everything.filter(
    (entry) =>
      types.includes(entry.type) &&
      (side === undefined || entry.side === side) &&
      (marketIds?.includes(entry.conditionId) ?? true) &&
      (from === undefined || entry.timestamp >= from.getTime() / 1000) &&
      (to === undefined || entry.timestamp <= to.getTime() / 1000),
  );
  const direction = readDirection(query, "sortDirection");
  return sortBy(found, figure, direction).slice(offset, offset + limit);
}

/** Reads as many entries of a wallet as the largest offset can reach. */
async function readActivity(wallet: string, filter: PublicFillsFilter): Promise<Activity[]> {
  const limit = MAX_OFFSET + 500;
  const { fills, entries } = await withSnapshot(async (tx) => {
    const account = await selectAccount(tx, toUserId(wallet));
    if (!account) return { fills: [], entries: [] };
    const page = { before: null, limit };
    return {
      fills: await selectPublicFills(tx, filter, { offset: 0, limit }),
      entries: [
        ...(await readStatement(tx, account, { type: "claim" }, page)),
        ...(await readStatement(tx, account, { type: "deposit" }, page)),
      ],
    };
  });
  const statement = await Promise.all(entries.map((entry) => toStatementEntry(wallet, entry)));
  return [...(await toTradeEntries(fills)), ...statement];
}

/** Reads the wallet and the markets that a query is about. */
async function readScope(
  query: URLSearchParams,
): Promise<Pick<PublicFillsFilter, "userId" | "prefix" | "marketIds">> {
  const userId = query.get("user") ? toUserId(readWallet(query)) : undefined;
  const marketIds = await findMarketIds(readList(query, "market"), readList(query, "eventId"));
  return { userId, prefix: ACCOUNT_PREFIX, marketIds };
}

/** Finds the ids of markets that are named directly or through their events; undefined for all. */
async function findMarketIds(
  named: string[] | undefined,
  events: string[] | undefined,
): Promise<string[] | undefined> {
  if (events === undefined) return named;
  const listed = await paperExchange().listMarkets();
  const ofEvents = listed.filter((market) => events.includes(toEventId(market)));
  return [...(named ?? []), ...ofEvents.map(({ id }) => id)];
}

/** Reads the minimum amount. Its two parameters must be given together. */
function readAmountFilter(
  query: URLSearchParams,
): Pick<PublicFillsFilter, "minShares" | "minNotional"> {
  const type = readChoice(query, "filterType", ["CASH", "TOKENS"]);
  const amount = readDecimal(query, "filterAmount");
  if ((type === undefined) !== (amount === undefined)) {
    throw new SandboxError(400, "filterType and filterAmount must be provided together");
  }
  return type === "TOKENS" ? { minShares: amount } : { minNotional: amount };
}

/** Profile fields. Sandbox wallets have no profiles. */
const ANONYMOUS = {
  name: "",
  pseudonym: "",
  bio: "",
  profileImage: "",
  profileImageOptimized: "",
};

interface Activity extends ReturnType<typeof describeOutcome> {
  proxyWallet: string;
  timestamp: number;
  type: "TRADE" | "REDEEM" | "DEPOSIT";
  size: number;
  usdcSize: number;
  transactionHash: string;
  price: number;
  side: "BUY" | "SELL" | "";
}

async function toTradeEntries(fills: readonly FillRow[]): Promise<Activity[]> {
  const markets = await paperExchange().getMarkets(fills.map(({ marketId }) => marketId));
  const tradeIds = await readTradeIds(fills);
  return fills.map((fill) =>
    toTradeEntry(fill, tradeIds.get(fill.tradeId) ?? fill.tradeId, markets.get(fill.marketId)),
  );
}

function toTradeEntry(fill: FillRow, tradeId: string, market: Market | undefined): Activity {
  return {
    proxyWallet: parseWallet(fill.userId) ?? "",
    timestamp: Math.floor(fill.createdAt.getTime() / 1000),
    type: "TRADE",
    size: microToNumber(fill.shares),
    usdcSize: microToNumber(fill.notional),
    transactionHash: computeTransactionHash(tradeId),
    price: microToNumber(fill.price),
    side: fill.action,
    ...describeOutcome(fill.tokenId, market),
  };
}

/** Renders a deposit, or the redemption of one outcome, which may have paid nothing. */
async function toStatementEntry(wallet: string, entry: StatementEntry): Promise<Activity> {
  const isRedemption = entry.kind === "claim";
  const tokenId = isRedemption ? (entry.groupId.split("/").at(-1) ?? "") : "";
  const found = isRedemption ? await paperExchange().findMarketByToken(tokenId) : null;
  return {
    proxyWallet: wallet.toLowerCase(),
    timestamp: Math.floor(entry.createdAt.getTime() / 1000),
    type: isRedemption ? "REDEEM" : "DEPOSIT",
    size: microToNumber(entry.shares ?? entry.amount),
    usdcSize: microToNumber(entry.amount),
    transactionHash: computeTransactionHash(entry.groupId),
    price: 0,
    side: "",
    ...describeOutcome(tokenId, found?.market),
  };
}

/** Describes the market and outcome of an entry; empty fields without a market. */
function describeOutcome(tokenId: string, market: Market | undefined) {
  const index = market?.outcomes.findIndex((outcome) => outcome.tokenId === tokenId) ?? -1;
  return {
    conditionId: market?.id ?? "",
    asset: tokenId,
    outcomeIndex: index < 0 ? NO_OUTCOME : index,
    title: market?.title ?? "",
    slug: market?.slug ?? "",
    icon: market ? buildIconUrl(market.icon) : "",
    eventSlug: market?.eventSlug ?? "",
    outcome: market?.outcomes[index]?.name ?? "",
    ...ANONYMOUS,
  };
}
