import "server-only";
import { z } from "zod";
import { MicroText, MicroTextOrZero } from "@/lib/polymarket/wire/decimal";
import { PaddedConditionId } from "@/lib/polymarket/wire/markets";

const HASH = /^0x[0-9a-fA-F]{64}$/;

/** The response to a post (polymarket.md 2.1). Amounts are decimal shares and dollars. */
export const PostReply = z.object({
  success: z.boolean(),
  errorMsg: z.string().nullish(),
  orderID: z.string().nullish(),
  status: z.string().nullish(),
  makingAmount: MicroTextOrZero,
  takingAmount: MicroTextOrZero,
  tradeIDs: z.array(z.string().min(1).max(200)).nullish(),
});

/** Fields that show that an order was accepted. Each is read independently of the others. */
export const TakenSigns = z
  .object({
    success: z.unknown(),
    orderID: z.unknown(),
    status: z.unknown(),
    tradeIDs: z.unknown(),
    transactionsHashes: z.unknown(),
    makingAmount: z.unknown(),
    takingAmount: z.unknown(),
    error: z.unknown(),
  })
  .partial();

/** The response to every cancel (2.3): always status 200, even if nothing was canceled. */
export const CancelReply = z.object({
  canceled: z.array(z.string()),
  not_canceled: z.record(z.string(), z.string()).nullish(),
});

const Side = z
  .string()
  .toUpperCase()
  .pipe(z.enum(["BUY", "SELL"]));

/** An order of the account (2.4). Statuses come with and without a prefix, in either case. */
export const WireOrder = z.object({
  id: z.string().regex(HASH),
  status: z.string(),
  size_matched: MicroTextOrZero,
  associate_trades: z.array(z.string()).nullish(),
  // The following fields are only needed for external orders.
  maker_address: z.string().nullish(),
  market: PaddedConditionId.nullish().catch(null),
  asset_id: z.string().nullish(),
  side: Side.nullish().catch(null),
  original_size: MicroText.nullish().catch(null),
  price: MicroText.nullish().catch(null),
  order_type: z.string().nullish(),
  created_at: z.coerce.number().nullish().catch(null),
  expiration: z.coerce.number().nullish().catch(null),
});

/** `GET /data/order/{id}` returns null or empty text for an order that it has forgotten. */
export const WireOrderOrNothing = z.union([WireOrder, z.null(), z.literal("")]);

const MakerPart = z.object({
  order_id: z.string(),
  owner: z.string().nullish(),
  maker_address: z.string().nullish(),
  asset_id: z.string().nullish(),
  side: Side.nullish().catch(null),
  matched_amount: MicroText,
  price: MicroText,
});

/**
 * A trade of the account, with the taker's size and a list of the makers' parts. The top-level price
 * is not parsed: it is a rounded average or the taker's limit, not the price paid. For example, 5 @
 * 0.01 and 2 @ 0.02 were reported as 7 @ 0.013.
 */
export const WireTrade = z.object({
  id: z.string().min(1).max(200),
  taker_order_id: z.string(),
  market: PaddedConditionId.nullish().catch(null),
  asset_id: z.string().nullish(),
  side: Side.nullish().catch(null),
  size: MicroText,
  status: z.string(),
  match_time: z.coerce.number().nullish(),
  match_time_nano: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullish()
    .catch(null),
  maker_address: z.string().nullish(),
  transaction_hash: z.string().nullish(),
  trader_side: z.string().nullish(),
  maker_orders: z.array(MakerPart).nullish(),
});

/** A page of a list. The cursor is opaque, except for the one that marks the end. */
export const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ next_cursor: z.string().nullish(), data: z.array(row) });

export const BalanceAllowance = z.object({
  balance: z.string().regex(/^\d{1,78}$/),
  allowances: z.record(z.string(), z.string().regex(/^\d{1,78}$/)).nullish(),
});

export const Credentials = z
  .object({ apiKey: z.string().min(1), secret: z.string().min(1), passphrase: z.string().min(1) })
  .transform(({ apiKey, secret, passphrase }) => ({ key: apiKey, secret, passphrase }));
