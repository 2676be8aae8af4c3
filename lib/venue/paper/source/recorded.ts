import "server-only";
import type { MarketRow } from "@/lib/db/rows";
import { ONE, price, shares, usdc } from "@/lib/units";
import { rebuildMarket } from "@/lib/venue/paper/listing";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";

interface RecordedMarket extends RemoteMarket {
  readonly isFromRecord: true;
}

/** A market that orders or positions refer to, as far as its row in the database describes it. */
export function recordedMarket(row: MarketRow): ExchangeMarket {
  return row.templateId === null ? recordedRemoteMarket(row) : rebuildMarket(row);
}

/** Whether the venue itself has told nothing about a market. */
export function isRecorded(market: ExchangeMarket): boolean {
  return "isFromRecord" in market;
}

/**
 * A market of Polymarket of which nothing is known at the moment but what was written down when it
 * was first traded. It takes no orders, and what rests in it waits: it may well be open there.
 */
function recordedRemoteMarket(row: MarketRow): RecordedMarket {
  const { id, slug, title, icon, tick, feeRate, isNegRisk, lastPrice } = row;
  return {
    id,
    slug,
    title,
    eventSlug: slug,
    eventTitle: title,
    label: null,
    category: icon.replace(/^category-|\.svg$/g, ""),
    rules: "",
    resolutionSource: "",
    icon,
    outcomes: [
      { name: row.firstOutcome, tokenId: row.firstToken },
      { name: row.secondOutcome, tokenId: row.secondToken },
    ],
    tick,
    minOrderShares: shares(5_000_000n),
    minBuyAmount: usdc(1_000_000n),
    feeRate,
    isNegRisk,
    popularity: 0,
    opensAt: row.opensAt.getTime(),
    closesAt: row.closesAt.getTime(),
    resolvesAt: row.resolvesAt.getTime(),
    state: { status: "closed", winner: null },
    isEnded: false,
    firstPayout: null,
    listedPrice: lastPrice ?? price(ONE / 2n),
    lastTrade: lastPrice,
    dayChange: null,
    needsFeeRate: false,
    isFromRecord: true,
  };
}
