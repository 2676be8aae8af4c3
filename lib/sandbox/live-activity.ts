import "server-only";
import { withSnapshot } from "@/lib/db/client";
import { selectPublicFills } from "@/lib/db/queries/sandbox-data";
import type { FillRow } from "@/lib/db/rows";
import { buildIconUrl } from "@/lib/public-url";
import { ACCOUNT_PREFIX, parseWallet } from "@/lib/sandbox/accounts";
import { requireCondition } from "@/lib/sandbox/markets";
import { computeTransactionHash } from "@/lib/sandbox/settlement";
import { readTradeIds } from "@/lib/sandbox/wire-trades";
import { formatMicro } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

const MAX_EVENTS = 100;

/** Serves `GET /markets/live-activity/{id}`: the newest trades of a market, from the takers' side. */
export async function listLiveActivity(conditionId: string) {
  const market = await requireCondition(conditionId);
  const filter = { prefix: ACCOUNT_PREFIX, marketIds: [market.id], isTakersOnly: true };
  const page = { offset: 0, limit: MAX_EVENTS };
  const fills = await withSnapshot((tx) => selectPublicFills(tx, filter, page));
  const tradeIds = await readTradeIds(fills);
  return fills.map((fill) =>
    toTradeEvent(fill, tradeIds.get(fill.tradeId) ?? fill.tradeId, market),
  );
}

function toTradeEvent(fill: FillRow, tradeId: string, market: Market) {
  const outcome = fill.tokenId === market.outcomes[0].tokenId ? 0 : 1;
  return {
    event_type: "trade",
    market: {
      condition_id: market.id,
      asset_id: fill.tokenId,
      question: market.title,
      icon: buildIconUrl(market.icon),
      slug: market.slug,
    },
    user: {
      address: parseWallet(fill.userId) ?? "",
      username: "",
      profile_picture: "",
      optimized_profile_picture: "",
      pseudonym: "",
    },
    side: fill.action,
    size: formatMicro(fill.shares),
    fee_rate_bps: "0",
    price: formatMicro(fill.price),
    outcome: market.outcomes[outcome].name,
    outcome_index: outcome,
    transaction_hash: computeTransactionHash(tradeId),
    timestamp: String(Math.floor(fill.createdAt.getTime() / 1000)),
  };
}
