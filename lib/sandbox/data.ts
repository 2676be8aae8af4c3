import "server-only";
import { getAddress, isAddress } from "ethers";
import { getDb } from "@/lib/db/client";
import { selectWalletFills } from "@/lib/db/queries/sandbox-orders";
import { selectAccount } from "@/lib/db/queries/users";
import { SCOPES, type Principal } from "@/lib/auth/principal";
import { userIdOf } from "@/lib/sandbox/accounts";
import { SandboxError } from "@/lib/sandbox/error";
import { numberOf } from "@/lib/sandbox/open-route";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { microToNumber, NO_USDC, notional, parseMicro, subtract } from "@/lib/units";
import { venueOf } from "@/lib/venue";

/** `GET /positions` of the Data API: what a wallet holds, largest first. */
export async function listWirePositions(query: URLSearchParams) {
  const wallet = walletOf(query);
  const portfolio = await portfolioOf(wallet);
  const markets = await venueOf("paper").getMarkets(
    portfolio.positions.map(({ conditionId }) => conditionId),
  );
  const threshold = sizeThresholdOf(query);
  const limit = numberOf(query, "limit", { fallback: 100, max: 500 });
  const offset = numberOf(query, "offset", { fallback: 0, max: 10_000 });
  return portfolio.positions
    .filter(({ shares }) => shares >= threshold)
    .filter(({ conditionId }) => isWanted(query.get("market"), conditionId))
    .filter(({ redeemable }) => query.get("redeemable") !== "true" || redeemable)
    .toSorted((a, b) => (a.shares > b.shares ? -1 : 1))
    .slice(offset, offset + limit)
    .map((position) => {
      const market = markets.get(position.conditionId);
      const index = market?.outcomes[0].tokenId === position.id ? 0 : 1;
      const opposite = market?.outcomes[index === 0 ? 1 : 0];
      const initialValue = subtract(position.value, position.pnl);
      return {
        proxyWallet: wallet,
        asset: position.id,
        conditionId: position.conditionId,
        size: microToNumber(position.shares),
        avgPrice: microToNumber(position.avgPrice),
        initialValue: microToNumber(initialValue),
        currentValue: microToNumber(position.value),
        cashPnl: microToNumber(position.pnl),
        percentPnl: microToNumber(position.pnlPercent),
        curPrice: microToNumber(position.currentPrice),
        redeemable: position.redeemable,
        mergeable: false,
        title: position.marketTitle,
        slug: position.marketSlug,
        icon: position.iconUrl,
        eventId: market?.eventSlug ?? "",
        eventSlug: market?.eventSlug ?? "",
        outcome: position.outcome,
        outcomeIndex: index,
        oppositeOutcome: opposite?.name ?? "",
        oppositeAsset: opposite?.tokenId ?? "",
        endDate: market ? new Date(market.closesAt).toISOString().slice(0, 10) : "",
        negativeRisk: position.negativeRisk,
      };
    });
}

/** `GET /value`: what a wallet's positions are worth, without its cash. */
export async function readWireValue(query: URLSearchParams) {
  const wallet = walletOf(query);
  const { portfolioValue, balanceUsdc } = await portfolioOf(wallet);
  return [{ user: wallet, value: microToNumber(subtract(portfolioValue, balanceUsdc)) }];
}

/** `GET /trades` and, as the paper exchange knows nothing else yet, `GET /activity`. */
export async function listWireActivity(query: URLSearchParams) {
  const wallet = walletOf(query);
  const limit = numberOf(query, "limit", { fallback: 100, max: 500 });
  const offset = numberOf(query, "offset", { fallback: 0, max: 10_000 });
  const filter = { userIds: [userIdOf(wallet)], marketId: query.get("market") ?? undefined };
  const rows = await selectWalletFills(await getDb(), filter, { offset, limit });
  const markets = await venueOf("paper").getMarkets(rows.map(({ marketId }) => marketId));
  return rows.map((fill) => {
    const market = markets.get(fill.marketId);
    const index = market?.outcomes[0].tokenId === fill.tokenId ? 0 : 1;
    return {
      proxyWallet: wallet,
      timestamp: Math.floor(fill.createdAt.getTime() / 1000),
      conditionId: fill.marketId,
      type: "TRADE",
      size: microToNumber(fill.shares),
      usdcSize: microToNumber(notional(fill.shares, fill.price, "down")),
      transactionHash: "",
      price: microToNumber(fill.price),
      asset: fill.tokenId,
      side: fill.action,
      outcomeIndex: index,
      title: market?.title ?? "",
      slug: market?.slug ?? "",
      icon: "",
      eventSlug: market?.eventSlug ?? "",
      outcome: market?.outcomes[index].name ?? "",
    };
  });
}

function walletOf(query: URLSearchParams): string {
  const user = query.get("user") ?? "";
  if (!isAddress(user)) throw new SandboxError(400, "required query param 'user' not provided");
  return getAddress(user);
}

async function portfolioOf(wallet: string): Promise<Awaited<ReturnType<typeof getPortfolio>>> {
  const userId = userIdOf(wallet);
  const principal: Principal = { userId, mode: "paper", keyId: null, scopes: SCOPES };
  if (await selectAccount(await getDb(), userId)) return getPortfolio(principal);
  return { balanceUsdc: NO_USDC, portfolioValue: NO_USDC, totalPnl: NO_USDC, positions: [] };
}

/** Positions below it are left out: one share unless told otherwise, as at the venue. */
function sizeThresholdOf(query: URLSearchParams): bigint {
  const parsed = parseMicro(query.get("sizeThreshold") ?? "1");
  if (!parsed.ok) throw new SandboxError(400, "invalid sizeThreshold");
  return parsed.micro;
}

function isWanted(markets: string | null, conditionId: string): boolean {
  return markets === null || markets.split(",").includes(conditionId);
}
