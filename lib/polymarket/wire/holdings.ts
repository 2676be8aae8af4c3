import "server-only";
import { z } from "zod";
import { SignedMicro } from "@/lib/polymarket/wire/decimal";
import { PaddedConditionId, TokenId } from "@/lib/polymarket/wire/markets";

/** A figure of the second Data API; missing figures are null or empty text. */
const Figure = z.union([SignedMicro, z.literal("").transform(() => null)]).nullish();

/** A position of the second Data API (polymarket.md 6.2). */
export const PositionV2 = z.object({
  token_id: TokenId,
  condition_id: PaddedConditionId,
  current_size: Figure,
  avg_price: Figure,
  entry_cost_usdc: Figure,
  current_value: Figure,
  unrealized_pnl: Figure,
  percent_pnl: Figure,
  realized_pnl: Figure,
  current_price: Figure,
  redeemable: z.boolean().nullish(),
  title: z.string().nullish(),
  slug: z.string().nullish(),
  outcome: z.string().nullish(),
  negative_risk: z.boolean().nullish(),
});

/** A page of a list of the second Data API. The cursor is null or empty at the end. */
export const PositionsPageV2 = z.object({
  data: z.array(PositionV2).nullable(),
  pagination: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

/** A position of the first Data API (polymarket.md 6.1). Every calculated field may be null. */
export const WirePosition = z.object({
  asset: TokenId,
  conditionId: PaddedConditionId,
  size: SignedMicro.nullish(),
  avgPrice: SignedMicro.nullish(),
  initialValue: SignedMicro.nullish(),
  currentValue: SignedMicro.nullish(),
  cashPnl: SignedMicro.nullish(),
  percentPnl: SignedMicro.nullish(),
  realizedPnl: SignedMicro.nullish(),
  curPrice: SignedMicro.nullish(),
  redeemable: z.boolean().nullish(),
  title: z.string().nullish(),
  slug: z.string().nullish(),
  outcome: z.string().nullish(),
  negativeRisk: z.boolean().nullish(),
});
export type WirePosition = z.output<typeof WirePosition>;
export const WirePositions = z.array(WirePosition);

export const ClosedPositions = z.array(
  z.object({
    asset: TokenId,
    realizedPnl: SignedMicro.nullish(),
    timestamp: z.number().nullish(),
  }),
);

/** All-time totals of a wallet (6.2); a wallet without trades has none. */
export const UserStats = z.object({
  data: z
    .object({ all_time_pnl: z.object({ economic_pnl: SignedMicro.nullish() }).nullish() })
    .nullish(),
});
