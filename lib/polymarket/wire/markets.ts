import "server-only";
import { z } from "zod";
import { MicroText, SignedMicro } from "@/lib/polymarket/wire/decimal";

/** Protocol V2 lists condition ids with or without their last byte, which is zero. */
const AnyConditionId = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/)
  .transform((text) => text.toLowerCase());
/** A condition id of either length as 64 digits, as it is stored (polymarket-protocol-v2.md 3.2). */
export const PaddedConditionId = AnyConditionId.transform((text) => text.padEnd(66, "0"));
export const TokenId = z.string().regex(/^\d{1,78}$/);
/** Slugs are part of page URLs, so no other characters are allowed. */
const Slug = z.string().regex(/^[A-Za-z0-9_-]{1,300}$/);

/** Gamma sends lists as JSON strings. */
const listIn = <Item extends z.ZodType>(item: Item) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(z.array(item));

/** Parses "2026-07-24T00:00:16Z" and "2026-07-24 00:00:16+00" to milliseconds. */
const InstantText = z.string().transform((text, context) => {
  const at = Date.parse(text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00"));
  if (Number.isFinite(at)) return at;
  context.addIssue({ code: "custom", message: "must be an instant" });
  return z.NEVER;
});
/** Dates for display; an invalid date is null. */
const SomeInstant = InstantText.nullish().catch(null);

const FeeSchedule = z.object({ rate: MicroText, exponent: z.number() });

const Tag = z.object({ slug: z.string() });

const EventRef = z.object({ slug: Slug, title: z.string(), endDate: SomeInstant });

/** A market of Gamma, which has the descriptions. The exchange has the trading rules. */
export const WireMarket = z.object({
  /** The protocol of the market. Any value other than "v1" or "v2", including null, is unknown. */
  version: z.unknown().optional(),
  conditionId: AnyConditionId,
  slug: Slug,
  question: z.string().min(1),
  description: z.string().nullish(),
  resolutionSource: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  category: z.string().nullish(),
  tags: z.array(Tag).nullish(),
  events: z.array(EventRef).nullish(),
  outcomes: listIn(z.string().min(1)),
  clobTokenIds: listIn(TokenId).nullish().catch(null),
  /** Protocol V2 tokens, as a plain list. A V1 market may list those of its V2 twin. */
  positionIds: z.array(TokenId).nullish().catch(null),
  outcomePrices: listIn(MicroText).nullish().catch(null),
  orderPriceMinTickSize: MicroText.nullish(),
  orderMinSize: MicroText.nullish(),
  negRisk: z.boolean().nullish(),
  feesEnabled: z.boolean().nullish(),
  feeSchedule: FeeSchedule.nullish(),
  feeType: z.string().nullish(),
  startDate: SomeInstant,
  createdAt: SomeInstant,
  endDate: SomeInstant,
  closedTime: SomeInstant,
  gameStartTime: SomeInstant,
  closed: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  enableOrderBook: z.boolean().nullish(),
  umaResolutionStatus: z.string().nullish(),
  /** The same for a market of Protocol V2, which UMA does not resolve. */
  resolutionStatus: z.string().nullish().catch(null),
  volume24hr: z.number().nullish(),
  /** Only shown, so a value in another format is left out. */
  volumeNum: MicroText.nullish().catch(null),
  liquidityNum: MicroText.nullish().catch(null),
  lastTradePrice: MicroText.nullish(),
  bestBid: MicroText.nullish(),
  bestAsk: MicroText.nullish(),
  oneDayPriceChange: SignedMicro.nullish(),
});
export type WireMarket = z.output<typeof WireMarket>;

/** Responses contain other kinds of markets, too. `parseMarket` parses each one alone. */
export const WireMarkets = z.array(z.unknown());

export const WireEvent = z.object({
  slug: Slug,
  title: z.string().min(1),
  endDate: SomeInstant,
  tags: z.array(Tag).nullish(),
  markets: z.array(z.unknown()).nullish(),
});
export type WireEvent = z.output<typeof WireEvent>;

/** A page of events; the cursor is absent at the end. */
export const WireEventPage = z.object({
  events: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
});
export const WireEvents = z.array(z.unknown());
/** Search results, of which only events are used; null for none. */
export const WireFound = z.object({ events: z.array(z.unknown()).nullish() });

/** The exchange's trading rules of a market (polymarket.md 2.6). They change while it is open. */
export const ClobMarket = z.object({
  c: PaddedConditionId.nullish(),
  t: z.array(z.object({ t: TokenId })).length(2),
  mts: MicroText,
  mos: MicroText.nullish(),
  nr: z.boolean().nullish(),
  fd: z.object({ r: MicroText, e: z.number() }).nullish(),
  ao: z.boolean().nullish(),
  /** The protocol, "v1" or "v2"; older responses have none. */
  v: z.unknown().optional(),
});
export type ClobMarket = z.output<typeof ClobMarket>;
