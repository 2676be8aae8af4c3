import "server-only";
import { z } from "zod";
import { SignedMicro } from "@/lib/venue/polymarket/signed-decimal";
import { ConditionId, TokenId } from "@/lib/venue/polymarket/wire/markets";

/** A position of the Data API (polymarket.md 6.1). Every calculated field may be null. */
export const WirePosition = z.object({
  asset: TokenId,
  conditionId: ConditionId,
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

/** Totals over a wallet's life (6.2); a wallet that never traded has none. */
export const UserStats = z.object({
  data: z
    .object({ all_time_pnl: z.object({ economic_pnl: SignedMicro.nullish() }).nullish() })
    .nullish(),
});
