import "server-only";
import { withSnapshot } from "@/lib/db/client";
import { type PublicFillsFilter, selectPublicFills } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow } from "@/lib/db/rows";
import { readStatement, type StatementEntry } from "@/lib/ledger/statement";
import { ACCOUNT_PREFIX, userIdOf, walletOfUser } from "@/lib/sandbox/accounts";
import {
  choiceOf,
  decimalOf,
  directionOf,
  figureOf,
  flagOf,
  instantOf,
  listOf,
  sorted,
  walletOf,
} from "@/lib/sandbox/data/parameters";
import { SandboxError } from "@/lib/sandbox/error";
import { eventIdOf } from "@/lib/sandbox/gamma";
import { numberOf } from "@/lib/sandbox/open-route";
import { transactionHashOf } from "@/lib/sandbox/trades";
import { iconUrl } from "@/lib/services/public-url";
import { microToNumber } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const MAX_OFFSET = 10_000;
/** The outcome's index where there is none. */
const NO_OUTCOME = 999;
const USUAL_TYPES: readonly string[] = ["TRADE", "REDEEM"];
const SIDES = ["BUY", "SELL"] as const;

/** `GET /trades`: what a wallet traded, or everybody; as takers only, unless told otherwise. */
export async function listTrades(query: URLSearchParams) {
  const limit = numberOf(query, "limit", { fallback: 100, max: 10_000 });
  const offset = numberOf(query, "offset", { fallback: 0, max: MAX_OFFSET });
  const filter: PublicFillsFilter = {
    ...(await scopeOf(query)),
    ...amountFilterOf(query),
    action: choiceOf(query, "side", SIDES),
    isTakersOnly: flagOf(query, "takerOnly") ?? true,
  };
  const rows = await withSnapshot((tx) => selectPublicFills(tx, filter, { offset, limit }));
  const markets = await paperExchange().getMarkets(rows.map(({ marketId }) => marketId));
  return rows.map((fill) => {
    const {
      type: _type,
      usdcSize: _usdcSize,
      ...trade
    } = ofTrade(fill, markets.get(fill.marketId));
    return trade;
  });
}

const FIGURES = {
  TIMESTAMP: ({ timestamp }: Activity) => timestamp,
  TOKENS: ({ size }: Activity) => size,
  CASH: ({ usdcSize }: Activity) => usdcSize,
};

/**
 * `GET /activity`: a wallet's trades and redemptions, newest first unless told otherwise. Deposits
 * come to those who name them: `@polymarket/client` 0.2.0 takes any other type for a broken answer.
 */
export async function listActivity(query: URLSearchParams) {
  const wallet = walletOf(query);
  const limit = numberOf(query, "limit", { fallback: 100, max: 500 });
  const offset = numberOf(query, "offset", { fallback: 0, max: MAX_OFFSET });
  const figure = figureOf(query, "sortBy", { figures: FIGURES, fallback: "TIMESTAMP" });
  const types = listOf(query, "type")?.map((type) => type.toUpperCase()) ?? USUAL_TYPES;
  const side = choiceOf(query, "side", SIDES);
  const [from, to] = [instantOf(query, "start"), instantOf(query, "end")];
  const { marketIds } = await scopeOf(query);
  const trades = { userId: userIdOf(wallet), prefix: ACCOUNT_PREFIX, marketIds, from, to };
  const everything = await readActivity(wallet, { ...trades, action: side, isTakersOnly: false });
  const found = everything.filter(
    (entry) =>
      types.includes(entry.type) &&
      (side === undefined || entry.side === side) &&
      (marketIds?.includes(entry.conditionId) ?? true) &&
      (from === undefined || entry.timestamp >= from.getTime() / 1000) &&
      (to === undefined || entry.timestamp <= to.getTime() / 1000),
  );
  const direction = directionOf(query, "sortDirection");
  return sorted(found, figure, direction).slice(offset, offset + limit);
}

/** As much of a wallet's past as the largest offset reaches. */
async function readActivity(wallet: string, filter: PublicFillsFilter): Promise<Activity[]> {
  const limit = MAX_OFFSET + 500;
  const { fills, entries } = await withSnapshot(async (tx) => {
    const account = await selectAccount(tx, userIdOf(wallet));
    if (!account) return { fills: [], entries: [] };
    const page = { before: null, limit };
    return {
      fills: await selectPublicFills(tx, filter, { offset: 0, limit }),
      entries: [
        ...(await readStatement(tx, account, { kind: "claim" }, page)),
        ...(await readStatement(tx, account, { kind: "deposit" }, page)),
      ],
    };
  });
  const markets = await paperExchange().getMarkets(fills.map(({ marketId }) => marketId));
  const others = await Promise.all(entries.map((entry) => ofEntry(wallet, entry)));
  return [...fills.map((fill) => ofTrade(fill, markets.get(fill.marketId))), ...others];
}

/** Whose trades, and in which markets. */
async function scopeOf(
  query: URLSearchParams,
): Promise<Pick<PublicFillsFilter, "userId" | "prefix" | "marketIds">> {
  const userId = query.get("user") ? userIdOf(walletOf(query)) : undefined;
  const events = listOf(query, "eventId");
  const listed = events === undefined ? [] : await paperExchange().listMarkets();
  const ofEvents = listed.filter((market) => events?.includes(eventIdOf(market)));
  const named = listOf(query, "market");
  const marketIds =
    events === undefined ? named : [...(named ?? []), ...ofEvents.map(({ id }) => id)];
  return { userId, prefix: ACCOUNT_PREFIX, marketIds };
}

/** Amounts below a filter are left out; its two parameters belong together. */
function amountFilterOf(
  query: URLSearchParams,
): Pick<PublicFillsFilter, "minShares" | "minNotional"> {
  const type = choiceOf(query, "filterType", ["CASH", "TOKENS"]);
  const amount = decimalOf(query, "filterAmount");
  if ((type === undefined) !== (amount === undefined)) {
    throw new SandboxError(400, "filterType and filterAmount must be provided together");
  }
  return type === "TOKENS" ? { minShares: amount } : { minNotional: amount };
}

/** The sandbox knows wallets, and nobody behind them. */
const ANONYMOUS = {
  name: "",
  pseudonym: "",
  bio: "",
  profileImage: "",
  profileImageOptimized: "",
};

interface Activity extends ReturnType<typeof placeOf> {
  proxyWallet: string;
  timestamp: number;
  type: "TRADE" | "REDEEM" | "DEPOSIT";
  size: number;
  usdcSize: number;
  transactionHash: string;
  price: number;
  side: "BUY" | "SELL" | "";
}

function ofTrade(fill: FillRow, market: Market | undefined): Activity {
  return {
    proxyWallet: walletOfUser(fill.userId) ?? "",
    timestamp: Math.floor(fill.createdAt.getTime() / 1000),
    type: "TRADE",
    size: microToNumber(fill.shares),
    usdcSize: microToNumber(fill.notional),
    transactionHash: transactionHashOf(fill.tradeId),
    price: microToNumber(fill.price),
    side: fill.action,
    ...placeOf(fill.tokenId, market),
  };
}

/** A deposit, or a redemption: of one outcome, whether it paid or not. */
async function ofEntry(wallet: string, entry: StatementEntry): Promise<Activity> {
  const isRedemption = entry.kind === "claim";
  const tokenId = isRedemption ? (entry.groupId.split("/").at(-1) ?? "") : "";
  const found = isRedemption ? await paperExchange().findMarketByToken(tokenId) : null;
  return {
    proxyWallet: wallet.toLowerCase(),
    timestamp: Math.floor(entry.createdAt.getTime() / 1000),
    type: isRedemption ? "REDEEM" : "DEPOSIT",
    size: microToNumber(entry.shares ?? entry.amount),
    usdcSize: microToNumber(entry.amount),
    transactionHash: transactionHashOf(entry.groupId),
    price: 0,
    side: "",
    ...placeOf(tokenId, found?.market),
  };
}

/** The market that something happened in; empty where there is none. */
function placeOf(tokenId: string, market: Market | undefined) {
  const index = market?.outcomes.findIndex((outcome) => outcome.tokenId === tokenId) ?? -1;
  return {
    conditionId: market?.id ?? "",
    asset: tokenId,
    outcomeIndex: index < 0 ? NO_OUTCOME : index,
    title: market?.title ?? "",
    slug: market?.slug ?? "",
    icon: market ? iconUrl(market.icon) : "",
    eventSlug: market?.eventSlug ?? "",
    outcome: market?.outcomes[index]?.name ?? "",
    ...ANONYMOUS,
  };
}
