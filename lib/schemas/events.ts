import { z } from "zod";
import {
  ACCOUNT_EVENT_TYPES,
  type AccountEventType,
  type OrderEventType,
  type TransactionEventType,
} from "@/lib/domain/account-events";
import { LIMIT_SCOPES } from "@/lib/domain/limits";
import { ApiKey, Balance, Position, Redemption } from "@/lib/schemas/account";
import { LimitsInput } from "@/lib/schemas/limits";
import { Fill, OrderSummary } from "@/lib/schemas/orders";
import { Instant, PriceNumber, UsdcNumber } from "@/lib/schemas/units";
import { EventTransaction } from "@/lib/schemas/wallet-transactions";

const Seq = z.int().min(0);

/** The cash of an account. What a live wallet holds is known to the venue alone. */
const EventBalance = z
  .strictObject({
    userId: Balance.shape.userId,
    address: Balance.shape.address,
    funderAddress: Balance.shape.funderAddress,
    balanceUsdc: UsdcNumber.nullable().describe(
      "Cash owned, including what open buy orders reserve; null in live mode.",
    ),
    availableUsdc: UsdcNumber.nullable().describe(
      "Cash that no order reserves; null in live mode.",
    ),
    reservedUsdc: UsdcNumber.describe("Cash that open buy orders reserve."),
  })
  .meta({ id: "EventBalance" });

/** A position without what depends on the market's price. */
const EventPosition = Position.pick({
  id: true,
  conditionId: true,
  marketTitle: true,
  marketSlug: true,
  iconUrl: true,
  outcome: true,
  shares: true,
  negativeRisk: true,
})
  .extend({
    avgPrice: PriceNumber.nullable().describe(
      "Average entry price in USDC, without fees; null without shares.",
    ),
    costUsdc: UsdcNumber.describe("What the shares cost, in USDC, without fees."),
    realizedPnl: UsdcNumber.describe("Profit or loss of sold and claimed shares, before fees."),
  })
  .meta({ id: "EventPosition" });

const EventMarket = z
  .strictObject({
    id: z.string().describe("The market's condition id."),
    title: z.string().describe("The market's question."),
    slug: z.string().describe("The market's name in addresses."),
    winner: z.string().nullable().describe("The winning outcome; null if both are paid alike."),
    winningTokenId: z.string().nullable().describe("Its token id, or null."),
  })
  .meta({ id: "EventMarket" });

const EventWallet = z
  .strictObject({
    address: z.string().describe("The wallet that signs the orders."),
    funderAddress: z.string().describe("The wallet that holds the money."),
  })
  .meta({ id: "EventWallet" });

/** The subject of limits or a freeze. */
const LimitedSubject = {
  scope: z
    .enum(LIMIT_SCOPES)
    .describe("key: an API key. account: this account. user: all accounts of the user."),
  keyId: z.string().nullable().describe("The API key, or null."),
};

const ORDER_TYPES = ACCOUNT_EVENT_TYPES.filter((type): type is OrderEventType =>
  type.startsWith("order."),
) as [OrderEventType, ...OrderEventType[]];

const TRANSACTION_TYPES = ACCOUNT_EVENT_TYPES.filter((type): type is TransactionEventType =>
  type.startsWith("transaction."),
) as [TransactionEventType, ...TransactionEventType[]];

/** Defines the events of one or more types, which carry the same data. */
function defineEvents<Type extends z.ZodEnum | z.ZodLiteral, Data extends z.ZodRawShape>(
  id: string,
  type: Type,
  data: Data,
) {
  return z
    .strictObject({
      seq: Seq.describe("Its number in the log of the account: 1, 2, 3 and so on, without gaps."),
      previousSeq: Seq.describe(
        "The number of the event given before; without a filter it is seq - 1.",
      ),
      epoch: z
        .int()
        .min(0)
        .describe("The epoch of a paper account, which a reset ends; 0 if live."),
      mode: z.enum(["paper", "live"]).describe("Paper money or live trading."),
      type: type.describe("What happened.") as Type,
      createdAt: Instant.describe("When it happened."),
      requestId: z
        .string()
        .nullable()
        .describe("The request of the account that caused it, or null."),
      keyId: z.string().nullable().describe("The API key of that request, or null."),
      data: z.strictObject(data).describe("What the event is about, after it."),
    })
    .meta({ id });
}

/** One event of an account's log. */
export const AccountEvent = z
  .discriminatedUnion("type", [
    defineEvents("OrderChanged", z.enum(ORDER_TYPES), {
      order: OrderSummary.describe("The order after the event."),
      detail: z.record(z.string(), z.string()).describe("Facts about the event, by name."),
    }),
    defineEvents("FillChanged", z.enum(["fill.created", "fill.reversed"]), {
      fill: Fill.describe("The fill. A reversed one failed to settle on chain and counts no more."),
    }),
    defineEvents("PositionChanged", z.enum(["position.changed", "position.redeemable"]), {
      position: EventPosition.describe("The position after the event."),
    }),
    defineEvents("PositionRedeemed", z.literal("position.redeemed"), {
      redemption: Redemption.describe("What was claimed."),
    }),
    defineEvents("TransactionChanged", z.enum(TRANSACTION_TYPES), {
      transaction: EventTransaction.describe("The wallet transaction after the event."),
    }),
    defineEvents("BalanceChanged", z.literal("balance.changed"), {
      balance: EventBalance.describe("The cash after the event."),
    }),
    defineEvents("DepositCreated", z.literal("deposit.created"), {
      deposit: z
        .strictObject({
          id: z.string().describe("The deposit's id."),
          amountUsdc: UsdcNumber.describe("What was added, in USDC."),
        })
        .describe("The deposit."),
    }),
    defineEvents("AccountReset", z.literal("account.reset"), {
      nextEpoch: z.int().min(1).describe("The epoch that begins with the next event."),
    }),
    defineEvents("AccountSnapshot", z.literal("account.snapshot"), {
      balance: EventBalance.describe("The cash at this moment."),
      positions: z.array(EventPosition).describe("All positions at this moment."),
      openOrders: z.array(OrderSummary).describe("All orders that can still trade at this moment."),
    }),
    defineEvents("KeyChanged", z.enum(["key.created", "key.rotated", "key.revoked"]), {
      key: ApiKey.extend({
        replacedBy: z.string().nullable().describe("The key that replaces it, or null."),
      }).describe("The key, without its secret."),
    }),
    defineEvents("LimitsChanged", z.literal("limits.changed"), {
      ...LimitedSubject,
      limits: LimitsInput.describe("The limits after the event."),
    }),
    defineEvents("TradingFrozen", z.literal("trading.frozen"), {
      ...LimitedSubject,
      reason: z.string().describe("Why, as a sentence for users."),
    }),
    defineEvents("TradingThawed", z.literal("trading.thawed"), LimitedSubject),
    defineEvents("WalletChanged", z.enum(["wallet.added", "wallet.removed"]), {
      wallet: EventWallet.describe("The live wallet."),
    }),
    defineEvents("WalletKeyEnds", z.enum(["wallet.key_expiring", "wallet.key_expired"]), {
      wallet: EventWallet.describe("The live wallet."),
      expiresAt: Instant.describe("When its session key expires."),
    }),
    defineEvents("MarketResolved", z.literal("market.resolved"), {
      market: EventMarket.describe("A market that the account holds."),
    }),
    defineEvents("VenueChanged", z.enum(["venue.degraded", "venue.recovered"]), {}),
    defineEvents("WebhookDisabled", z.literal("webhook.disabled"), {
      webhookId: z.string().describe("The endpoint's id."),
      url: z.string().describe("The endpoint's address."),
      reason: z.string().describe("Why it gets no more deliveries, as a sentence for users."),
    }),
  ])
  .meta({ id: "AccountEvent" });
export type AccountEvent = z.output<typeof AccountEvent>;

/** Returns the names of the fields that the data of a type's events has. */
export function listDataFields(type: AccountEventType): string[] {
  const kind = AccountEvent.options.find((option) => option.shape.type.safeParse(type).success);
  return Object.keys(kind?.shape.data.shape ?? {});
}

/** Why the service ends a stream, with a sentence for the reader. */
export const STREAM_ENDS = {
  shutdown: "The server stops. Connect again.",
  key_revoked: "The API key was revoked or has expired, or the account is disabled.",
  slow_reader: "The events were not read in time. Connect again to continue after the last one.",
  signed_out: "The session has ended. Sign in again.",
} as const;
export type StreamEnd = keyof typeof STREAM_ENDS;

/** The data of the event named end. */
export const StreamEnded = z
  .strictObject({
    reason: z
      .enum(Object.keys(STREAM_ENDS) as [StreamEnd, ...StreamEnd[]])
      .describe("Why the service ends the stream."),
    message: z.string().describe("The same as a sentence for users."),
  })
  .meta({ id: "StreamEnded" });

export const EventList = z
  .strictObject({
    events: z.array(AccountEvent).describe("Events after the given number, oldest first."),
    lastSeq: Seq.describe("The number of the account's last event, its head."),
  })
  .meta({ id: "EventList" });
