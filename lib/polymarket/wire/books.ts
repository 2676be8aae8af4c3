import "server-only";
import { z } from "zod";
import { MicroText } from "@/lib/polymarket/wire/decimal";
import { TokenId } from "@/lib/polymarket/wire/markets";

const Level = z.object({ price: MicroText, size: MicroText });

/** A token's book. The best levels come last, but the adapter does not depend on the order. */
export const WireBook = z.object({
  asset_id: TokenId,
  bids: z.array(Level),
  asks: z.array(Level),
  /** The protocol, "v1" or "v2"; older responses have none. */
  version: z.unknown().optional(),
  last_trade_price: z.union([MicroText, z.literal("").transform(() => null)]).nullish(),
  /** When the book last changed, in milliseconds. */
  timestamp: z.coerce.number().int().nonnegative().nullish().catch(null),
});
export type WireBook = z.output<typeof WireBook>;

/** Tokens without a book are left out. */
export const WireBooks = z.array(WireBook);

export const WireHistory = z.object({
  history: z.array(z.object({ t: z.int().nonnegative(), p: MicroText })),
});
