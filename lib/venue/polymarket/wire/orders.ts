import "server-only";
import { z } from "zod";
import { MicroText, MicroTextOrZero } from "@/lib/venue/polymarket/decimal";

const HASH = /^0x[0-9a-fA-F]{64}$/;

/** The answer to a posted order (polymarket.md 2.1). Amounts are decimal shares and dollars. */
export const PostReply = z.object({
  success: z.boolean(),
  errorMsg: z.string().nullish(),
  orderID: z.string().nullish(),
  status: z.string().nullish(),
  makingAmount: MicroTextOrZero,
  takingAmount: MicroTextOrZero,
  tradeIDs: z.array(z.string().min(1).max(200)).nullish(),
});

/** The answer to every cancel (2.3): always 200, whatever became of the orders. */
export const CancelReply = z.object({
  canceled: z.array(z.string()),
  not_canceled: z.record(z.string(), z.string()).nullish(),
});

/** An order of the account (2.4). Statuses come with and without a prefix, in either case. */
export const WireOrder = z.object({
  id: z.string().regex(HASH),
  status: z.string(),
  size_matched: MicroTextOrZero,
  associate_trades: z.array(z.string()).nullish(),
});

/** What `GET /data/order/{id}` answers for orders it has forgotten: nothing, in several spellings. */
export const WireOrderOrNothing = z.union([WireOrder, z.null(), z.literal("")]);

const MakerPart = z.object({
  order_id: z.string(),
  owner: z.string().nullish(),
  maker_address: z.string().nullish(),
  matched_amount: MicroText,
  price: MicroText,
});

/** A trade of the account: the taker's figures on top, each maker's own part in a list. */
export const WireTrade = z.object({
  id: z.string().min(1).max(200),
  taker_order_id: z.string(),
  size: MicroText,
  price: MicroText,
  status: z.string(),
  match_time: z.coerce.number().nullish(),
  owner: z.string().nullish(),
  transaction_hash: z.string().nullish(),
  trader_side: z.string().nullish(),
  maker_orders: z.array(MakerPart).nullish(),
});

/** A page of a list; the cursor is opaque but for its end. */
export const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ next_cursor: z.string().nullish(), data: z.array(row) });

export const BalanceAllowance = z.object({
  balance: z.string().regex(/^\d{1,78}$/),
  allowances: z.record(z.string(), z.string().regex(/^\d{1,78}$/)).nullish(),
});

export const Credentials = z
  .object({ apiKey: z.string().min(1), secret: z.string().min(1), passphrase: z.string().min(1) })
  .transform(({ apiKey, secret, passphrase }) => ({ key: apiKey, secret, passphrase }));
