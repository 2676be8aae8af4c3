import "server-only";
import { isAddress } from "ethers";
import { withSnapshot } from "@/lib/db/client";
import { selectTradeTotals } from "@/lib/db/queries/sandbox-data";
import { selectAccount } from "@/lib/db/queries/users";
import { readFirstDeposit } from "@/lib/ledger/account-history";
import { readCash } from "@/lib/ledger/read-balances";
import { toUserId } from "@/lib/sandbox/accounts";
import {
  readChoice,
  readConditions,
  readDecimal,
  readDirection,
  readFigure,
  readFlag,
  readInstant,
  readList,
  sortBy,
  readWallet,
} from "@/lib/sandbox/parameters";
import { SandboxError } from "@/lib/sandbox/error";
import { cutV2Page } from "@/lib/sandbox/pages";
import { readWalletPositions, type WalletPosition } from "@/lib/sandbox/data-wallet-positions";
import { toEventId } from "@/lib/sandbox/gamma";
import { buildIconUrl } from "@/lib/public-url";
import { add, microToNumber, NO_USDC, computePercent, subtract, sum } from "@/lib/units";
import { now } from "@/lib/clock";

const STATUSES = ["OPEN", "REDEEMABLE", "REDEEMABLE_LOST", "MERGEABLE", "CLOSED"] as const;
type Status = (typeof STATUSES)[number];
/** By default, open positions of less than 0.1 shares are left out. */
const DUST = 100_000n;

const FIGURES: Record<string, (position: WalletPosition) => bigint | number> = {
  CURRENT_VALUE: ({ value }) => value,
  PRICE: ({ currentPrice }) => currentPrice,
  TOKENS: ({ shares }) => shares,
  UNREALIZED_PNL: ({ pnl }) => pnl,
  REALIZED_PNL: ({ realizedPnl }) => realizedPnl,
  TOTAL_PNL: ({ pnl, realizedPnl }) => add(pnl, realizedPnl),
  TIMESTAMP: ({ updatedAt }) => updatedAt.getTime(),
};

/** Serves `GET /v2/positions`: a wallet's positions of one status. */
export async function listPositionsV2(query: URLSearchParams) {
  const wallet = requireUser(query);
  const status = readChoice(query, "status", STATUSES) ?? "OPEN";
  const figure = readFigure(query, "sort_by", { figures: FIGURES, fallback: "CURRENT_VALUE" });
  const [isWanted, isLargeEnough] = [buildFilter(query), buildMinimum(query, status)];
  const found = (await readWalletPositions(wallet))
    .filter((position) => isOfStatus(position, status))
    .filter((position) => isWanted(position) && isLargeEnough(position));
  return cutV2Page(
    sortBy(found, figure, readDirection(query, "sort_direction")).map(toRow),
    query,
    1_000,
  );
}

/** Serves `GET /v2/value`: the value of a wallet's positions, without cash. */
export async function readValueV2(query: URLSearchParams) {
  const wallet = requireUser(query);
  const conditions = readConditions(query);
  const found = (await readWalletPositions(wallet)).filter(
    ({ marketId }) => conditions?.includes(marketId) ?? true,
  );
  const value = sum(found.map((position) => position.value));
  return { data: { proxy_wallet: wallet.toLowerCase(), value: microToNumber(value) } };
}

/** Serves `GET /v2/user-stats`: a wallet's totals; `data` is null for a wallet without an account. */
export async function readUserStats(query: URLSearchParams) {
  const wallet = requireUser(query);
  const positions = await readWalletPositions(wallet);
  const facts = await withSnapshot(async (tx) => {
    const account = await selectAccount(tx, toUserId(wallet));
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
      all_time_pnl: toPnlPoint(positions, facts),
    },
  };
}

type Totals = { totals: Awaited<ReturnType<typeof selectTradeTotals>> } & {
  cash: Awaited<ReturnType<typeof readCash>>;
};

/** Kinds of income that paper does not have are null. */
function toPnlPoint(positions: readonly WalletPosition[], { totals, cash }: Totals) {
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
  if (isAddress(query.get("user") ?? "")) return readWallet(query);
  throw new SandboxError(400, "user is required, as an address", { parameter: "user" });
}

function buildFilter(query: URLSearchParams): (position: WalletPosition) => boolean {
  const [conditions, events] = [readConditions(query), readList(query, "event_id")];
  const title = query.get("title")?.toLowerCase() ?? "";
  const [from, to] = [readInstant(query, "start"), readInstant(query, "end")];
  // Validated only: paper archives nothing.
  readFlag(query, "include_archived");
  return ({ market, updatedAt }) =>
    (conditions?.includes(market.id) ?? true) &&
    (events?.includes(toEventId(market)) ?? true) &&
    market.title.toLowerCase().includes(title) &&
    (from === undefined || updatedAt >= from) &&
    (to === undefined || updatedAt <= to);
}

function buildMinimum(
  query: URLSearchParams,
  status: Status,
): (position: WalletPosition) => boolean {
  const type = readChoice(query, "filter_type", ["TOKENS", "CASH"]) ?? "TOKENS";
  const hasFloor = status === "OPEN" || status === "REDEEMABLE";
  const minimum = readDecimal(query, "filter_amount") ?? (hasFloor ? DUST : 0n);
  return ({ shares, value }) => (type === "TOKENS" ? shares : value) >= minimum;
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
  const realizedPercent = computePercent(realizedPnl, bought.cost);
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
    icon: buildIconUrl(market.icon),
    event_id: toEventId(market),
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
