import "server-only";
import { isAddress } from "ethers";
import { withSnapshot } from "@/lib/db/client";
import { selectTradeTotals } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import { readFirstDeposit } from "@/lib/ledger/movements";
import { readCash } from "@/lib/ledger/balances";
import { userIdOf } from "@/lib/sandbox/accounts";
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
import { invalid, pageOf } from "@/lib/sandbox/data/v2-route";
import { readWalletPositions, type WalletPosition } from "@/lib/sandbox/data/wallet-positions";
import { eventIdOf } from "@/lib/sandbox/gamma";
import { iconUrl } from "@/lib/services/public-url";
import { add, microToNumber, NO_USDC, subtract, sum } from "@/lib/units";
import { now } from "@/lib/clock";

const MAX_CONDITIONS = 20;
const STATUSES = ["OPEN", "REDEEMABLE", "REDEEMABLE_LOST", "MERGEABLE", "CLOSED"] as const;
type Status = (typeof STATUSES)[number];
/** Smaller positions are left out of what is open, unless told otherwise: a tenth of a share. */
const DUST = 100_000n;
const PERCENT = 100_000_000n;

const FIGURES: Record<string, (position: WalletPosition) => bigint | number> = {
  CURRENT_VALUE: ({ value }) => value,
  PRICE: ({ currentPrice }) => currentPrice,
  TOKENS: ({ shares }) => shares,
  UNREALIZED_PNL: ({ pnl }) => pnl,
  REALIZED_PNL: ({ realizedPnl }) => realizedPnl,
  TOTAL_PNL: ({ pnl, realizedPnl }) => add(pnl, realizedPnl),
  TIMESTAMP: ({ updatedAt }) => updatedAt.getTime(),
};

/** `GET /v2/positions` of a wallet, open or over. */
export async function listPositionsV2(query: URLSearchParams) {
  const wallet = requireUser(query);
  const status = choiceOf(query, "status", STATUSES) ?? "OPEN";
  const figure = figureOf(query, "sort_by", { figures: FIGURES, fallback: "CURRENT_VALUE" });
  const [isWanted, isLargeEnough] = [scopeOf(query), floorOf(query, status)];
  const found = (await readWalletPositions(wallet))
    .filter((position) => isOfStatus(position, status))
    .filter((position) => isWanted(position) && isLargeEnough(position));
  return pageOf(
    sorted(found, figure, directionOf(query, "sort_direction")).map(toRow),
    query,
    1_000,
  );
}

/** `GET /v2/value`: what a wallet's positions are worth, without its cash. */
export async function readValueV2(query: URLSearchParams) {
  const wallet = requireUser(query);
  const conditions = conditionsOf(query);
  const found = (await readWalletPositions(wallet)).filter(
    ({ marketId }) => conditions?.includes(marketId) ?? true,
  );
  const value = sum(found.map((position) => position.value));
  return { data: { proxy_wallet: wallet.toLowerCase(), value: microToNumber(value) } };
}

/** `GET /v2/user-stats`: a wallet's life in a few figures; no data for one that was never seen. */
export async function readUserStats(query: URLSearchParams) {
  const wallet = requireUser(query);
  const positions = await readWalletPositions(wallet);
  const facts = await withSnapshot(async (tx) => {
    const account = await selectAccount(tx, userIdOf(wallet));
    if (!account) return null;
    return {
      totals: await selectTradeTotals(tx, account),
      cash: await readCash(tx, account),
      joinedAt: await readFirstDeposit(tx, account),
    };
  });
  if (!facts) return { data: null };
  const wins = positions.map(({ realizedPnl }) => realizedPnl);
  const biggest = wins.reduce((most, win) => (win > most ? win : most), NO_USDC);
  return {
    data: {
      proxy_wallet: wallet.toLowerCase(),
      trades: new Set(positions.map(({ marketId }) => marketId)).size,
      biggest_win: microToNumber(biggest),
      views: 0,
      join_date: facts.joinedAt?.toISOString() ?? "",
      all_time_pnl: pnlPoint(positions, facts),
    },
  };
}

type Facts = { totals: Awaited<ReturnType<typeof selectTradeTotals>> } & {
  cash: Awaited<ReturnType<typeof readCash>>;
};

/** Income that paper does not have is null. */
function pnlPoint(positions: readonly WalletPosition[], { totals, cash }: Facts) {
  const realized = sum(positions.map(({ realizedPnl }) => realizedPnl));
  const unrealized = sum(positions.map(({ pnl }) => pnl));
  const position = add(realized, unrealized);
  return {
    timestamp: Math.floor(now() / 1000),
    realized_market_pnl: microToNumber(realized),
    unrealized_pnl: microToNumber(unrealized),
    maker_rebate: null,
    taker_rebate: null,
    reward_income: null,
    yield_income: null,
    referral_income: null,
    deposits: microToNumber(cash.netDeposits),
    withdrawals: 0,
    realized_pnl: microToNumber(realized),
    position_pnl: microToNumber(position),
    economic_pnl: microToNumber(subtract(position, totals.fees)),
    fees: microToNumber(subtract(NO_USDC, totals.fees)),
    fees_paid: microToNumber(totals.fees),
    volume: microToNumber(totals.shares),
    volume_usdc: microToNumber(totals.notional),
    trade_count: totals.count,
  };
}

function requireUser(query: URLSearchParams): string {
  if (isAddress(query.get("user") ?? "")) return walletOf(query);
  throw invalid("user", "user is required, as an address");
}

function conditionsOf(query: URLSearchParams): string[] | undefined {
  const named = ["condition", "condition_id", "conditionId"].flatMap(
    (name) => listOf(query, name) ?? [],
  );
  const distinct = [...new Set(named)];
  if (distinct.length > MAX_CONDITIONS) {
    throw invalid("condition", `at most ${MAX_CONDITIONS} conditions at once`);
  }
  return distinct.length === 0 ? undefined : distinct;
}

function scopeOf(query: URLSearchParams): (position: WalletPosition) => boolean {
  const [conditions, events] = [conditionsOf(query), listOf(query, "event_id")];
  const title = query.get("title")?.toLowerCase() ?? "";
  const [from, to] = [instantOf(query, "start"), instantOf(query, "end")];
  // Nothing is archived on paper.
  flagOf(query, "include_archived");
  return ({ market, updatedAt }) =>
    (conditions?.includes(market.id) ?? true) &&
    (events?.includes(eventIdOf(market)) ?? true) &&
    market.title.toLowerCase().includes(title) &&
    (from === undefined || updatedAt >= from) &&
    (to === undefined || updatedAt <= to);
}

function floorOf(query: URLSearchParams, status: Status): (position: WalletPosition) => boolean {
  const type = choiceOf(query, "filter_type", ["TOKENS", "CASH"]) ?? "TOKENS";
  const hasFloor = status === "OPEN" || status === "REDEEMABLE";
  const least = decimalOf(query, "filter_amount") ?? (hasFloor ? DUST : 0n);
  return ({ shares, value }) => (type === "TOKENS" ? shares : value) >= least;
}

function isOfStatus(position: WalletPosition, status: Status): boolean {
  const { isOpen, isResolved, currentPrice, isMergeable } = position;
  switch (status) {
    case "OPEN":
      return isOpen;
    case "REDEEMABLE":
      return isOpen && isResolved && currentPrice > 0n;
    case "REDEEMABLE_LOST":
      return isOpen && isResolved && currentPrice === 0n;
    case "MERGEABLE":
      return isMergeable;
    case "CLOSED":
      return !isOpen;
  }
}

function toRow(position: WalletPosition) {
  const { market, outcome, bought, realizedPnl, pnl } = position;
  const opposite = market.outcomes[outcome === 0 ? 1 : 0];
  const openStatus = position.isResolved ? "REDEEMABLE" : "OPEN";
  const realizedPercent = bought.cost === 0n ? 0n : (realizedPnl * PERCENT) / bought.cost;
  return {
    proxy_wallet: position.wallet,
    token_id: position.tokenId,
    condition_id: position.marketId,
    current_size: microToNumber(position.shares),
    avg_price: microToNumber(position.averagePrice),
    entry_cost_usdc: microToNumber(position.cost),
    entry_fees_usdc: microToNumber(bought.fees),
    total_cost_usdc: microToNumber(add(bought.cost, bought.fees)),
    current_price: microToNumber(position.currentPrice),
    current_value: microToNumber(position.value),
    total_size: microToNumber(bought.shares),
    realized_pnl: microToNumber(realizedPnl),
    unrealized_pnl: microToNumber(pnl),
    total_pnl: microToNumber(add(pnl, realizedPnl)),
    percent_pnl: microToNumber(position.pnlPercent),
    percent_realized_pnl: microToNumber(realizedPercent),
    status: position.isOpen ? openStatus : "CLOSED",
    redeemable: position.isOpen && position.isResolved,
    mergeable: position.isMergeable,
    negative_risk: market.isNegRisk,
    archived: false,
    title: market.title,
    slug: market.slug,
    icon: iconUrl(market.icon),
    event_id: eventIdOf(market),
    event_slug: market.eventSlug,
    outcome: market.outcomes[outcome].name,
    outcome_index: outcome,
    opposite_outcome: opposite.name,
    opposite_token_id: opposite.tokenId,
    end_date: new Date(market.closesAt).toISOString(),
    last_event_at: Math.floor(position.updatedAt.getTime() / 1000),
    first_entry_at: Math.floor(bought.firstAt / 1000),
    name: "",
    profile_image: "",
    verified: false,
  };
}
