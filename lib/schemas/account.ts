import { z } from "zod";
import { SESSION_SCOPES } from "@/lib/domain/session-key";
import { Instant, PriceNumber, RatioNumber, SharesNumber, UsdcNumber } from "@/lib/schemas/units";

export const Health = z
  .strictObject({
    service: z.string().describe("Always ante."),
    status: z.string().describe("ok while the service can do its work."),
  })
  .meta({ id: "Health" });

const BaseUnits = z.codec(z.string().regex(/^\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (units) => units.toString(),
});

const SessionKey = z
  .strictObject({
    scopes: z.array(z.enum(SESSION_SCOPES)).describe("What it may do at the venue."),
    expiresAt: Instant.describe("When it expires. Orders are refused from then on."),
  })
  .meta({ id: "SessionKey" });

export const Balance = z
  .strictObject({
    userId: z.string().describe("The account's owner."),
    address: z.string().describe("The wallet that signs the orders."),
    funderAddress: z.string().describe("The wallet that holds the money."),
    balanceBaseUnit: BaseUnits.describe("The balance in millionths of a USDC, as text."),
    allowanceBaseUnit: BaseUnits.nullable().describe(
      "How much the exchanges can spend, the smallest of their allowances, in millionths of a USDC; null while unknown.",
    ),
    balanceUsdc: UsdcNumber.describe("Cash owned, including what open buy orders reserve."),
    sessionKey: SessionKey.optional().describe(
      "The session key that signs the orders of a live wallet; missing if its owner's key does.",
    ),
  })
  .meta({ id: "Balance" });

export const Position = z
  .strictObject({
    id: z.string().describe("The token id of the outcome."),
    conditionId: z.string().describe("The market's id."),
    marketTitle: z.string().describe("The market's question."),
    marketSlug: z.string().nullable().describe("The market's name in addresses."),
    iconUrl: z.string().nullable().describe("The market's icon."),
    outcome: z.string().describe("The outcome's name, such as Yes."),
    shares: SharesNumber.describe("Shares held."),
    avgPrice: PriceNumber.describe("Average entry price in USDC, without fees."),
    currentPrice: PriceNumber.describe(
      "The midpoint; the last trade where the spread exceeds 0.10; 1 or 0 once resolved.",
    ),
    value: UsdcNumber.describe("Shares at the current price, in USDC."),
    pnl: UsdcNumber.describe("Value minus cost, in USDC, before fees."),
    pnlPercent: RatioNumber.describe("Profit or loss in percent of cost: 12.5 is 12.5 %."),
    negativeRisk: z.boolean().describe("True where the event's outcomes exclude each other."),
    redeemable: z
      .boolean()
      .describe("True from the market's resolution until the position is claimed."),
  })
  .meta({ id: "Position" });

export const Portfolio = z
  .strictObject({
    balanceUsdc: UsdcNumber.describe("Cash owned, including what open buy orders reserve."),
    portfolioValue: UsdcNumber.describe("The balance plus the value of all positions, in USDC."),
    totalPnl: UsdcNumber.describe(
      "Profit or loss in USDC, after fees: realizedPnl + unrealizedPnl - fees.",
    ),
    realizedPnl: UsdcNumber.nullable().describe(
      "Profit or loss of sold and claimed shares in USDC, at average cost, before fees; null in live mode, where the venue reports only the total.",
    ),
    unrealizedPnl: UsdcNumber.describe("The pnl of all positions in USDC, before fees."),
    fees: UsdcNumber.nullable().describe("Fees paid so far in USDC; null in live mode."),
    positions: z.array(Position).describe("Every outcome that the account holds."),
  })
  .meta({ id: "Portfolio" });

export const Redemption = z
  .strictObject({
    positionId: z.string().describe("The token id of the claimed outcome."),
    shares: SharesNumber.describe("Shares that were claimed."),
    payoutUsdc: UsdcNumber.describe("What the shares paid, in USDC."),
  })
  .meta({ id: "Redemption" });

export const Scope = z.enum(["read", "trade", "cancel", "webhooks"]);

export const ApiKey = z
  .strictObject({
    id: z.string().describe("The public part of the key."),
    userId: z.string().describe("The key's owner."),
    name: z.string().describe("The name its owner gave it."),
    mode: z.enum(["paper", "live"]).describe("Paper money or live trading."),
    scopes: z.array(Scope).describe("What the key may do."),
    createdAt: Instant.describe("When the key was made."),
    expiresAt: Instant.nullable().describe("When the key ends, or null."),
    lastUsedAt: Instant.nullable().describe("When the key was last used, or null."),
  })
  .meta({ id: "ApiKey" });

export const ActivityLine = z
  .strictObject({
    id: z.string().describe("The line's id."),
    kind: z.enum(["deposit", "trade", "fee", "redeem"]).describe("Why the cash changed."),
    amountUsdc: UsdcNumber.describe("The change in USDC; positive when received."),
    balanceUsdc: UsdcNumber.describe("Cash owned after this line, in USDC."),
    orderId: z.string().nullable().describe("The order that caused it, or null."),
    marketId: z.string().nullable().describe("The market it belongs to, or null."),
    createdAt: Instant.describe("When it was booked."),
  })
  .meta({ id: "ActivityLine" });

export const ActivityList = z
  .strictObject({
    lines: z.array(ActivityLine).describe("Ledger lines, newest first."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "ActivityList" });
