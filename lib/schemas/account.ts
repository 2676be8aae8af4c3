import { z } from "zod";
import { Instant, PriceNumber, RatioNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const Health = z
  .strictObject({ service: z.string(), status: z.string() })
  .meta({ id: "Health" });

const BaseUnits = z.codec(z.string().regex(/^\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (units) => units.toString(),
});

export const Balance = z
  .strictObject({
    userId: z.string(),
    address: z.string().meta({ description: "user wallet address" }),
    funderAddress: z.string().meta({ description: "funding wallet address" }),
    balanceBaseUnit: BaseUnits.meta({ description: "balance in 1e-6 USDC" }),
    allowanceBaseUnit: BaseUnits.nullable().meta({
      description: "what the exchange may spend, in 1e-6 USDC; null while unknown",
    }),
    balanceUsdc: UsdcNumber.meta({ description: "cash owned, with what open buys reserve" }),
  })
  .meta({ id: "Balance" });

export const Position = z
  .strictObject({
    id: z.string().meta({ description: "token id" }),
    conditionId: z.string(),
    marketTitle: z.string(),
    marketSlug: z.string().nullable(),
    iconUrl: z.string().nullable(),
    outcome: z.string(),
    shares: SharesNumber,
    avgPrice: PriceNumber.meta({ description: "average entry price, without fees" }),
    currentPrice: PriceNumber.meta({
      description: "midpoint; last trade when the spread exceeds 0.10; 1 or 0 once resolved",
    }),
    value: UsdcNumber.meta({ description: "shares at the current price" }),
    pnl: UsdcNumber.meta({ description: "value less what the shares cost" }),
    pnlPercent: RatioNumber.meta({ description: "percent of cost: 12.5 is 12.5 %" }),
    negativeRisk: z.boolean(),
    redeemable: z.boolean(),
  })
  .meta({ id: "Position" });

export const Portfolio = z
  .strictObject({
    balanceUsdc: UsdcNumber,
    portfolioValue: UsdcNumber.meta({ description: "balance and the value of all positions" }),
    totalPnl: UsdcNumber.meta({ description: "realized and unrealized, fees included" }),
    positions: z.array(Position),
  })
  .meta({ id: "Portfolio" });

export const Redemption = z
  .strictObject({
    positionId: z.string(),
    shares: SharesNumber,
    payoutUsdc: UsdcNumber,
  })
  .meta({ id: "Redemption" });

export const Scope = z.enum(["read", "trade", "cancel"]);

export const ApiKey = z
  .strictObject({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    mode: z.enum(["paper", "live"]),
    scopes: z.array(Scope),
    createdAt: Instant,
    expiresAt: Instant.nullable(),
    lastUsedAt: Instant.nullable(),
  })
  .meta({ id: "ApiKey" });

export const ActivityLine = z
  .strictObject({
    id: z.string(),
    kind: z.enum(["deposit", "trade", "fee", "redeem"]),
    amountUsdc: UsdcNumber.meta({ description: "positive when received" }),
    balanceUsdc: UsdcNumber.meta({ description: "cash owned after this line" }),
    orderId: z.string().nullable(),
    marketId: z.string().nullable(),
    createdAt: Instant,
  })
  .meta({ id: "ActivityLine" });

export const ActivityList = z
  .strictObject({ lines: z.array(ActivityLine), nextCursor: z.string().nullable() })
  .meta({ id: "ActivityList" });
