import "server-only";
import { z } from "zod";
import { MicroText } from "@/lib/venue/polymarket/decimal";
import { SignedMicro } from "@/lib/venue/polymarket/signed-decimal";

export const ConditionId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase());
export const TokenId = z.string().regex(/^\d{1,78}$/);
/** They become part of our addresses, so nothing else may be in them. */
const Slug = z.string().regex(/^[A-Za-z0-9_-]{1,300}$/);

/** Gamma sends lists as JSON inside of strings. */
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

/** "2026-07-24T00:00:16Z" and "2026-07-24 00:00:16+00", as milliseconds. */
const InstantText = z.string().transform((text, context) => {
  const at = Date.parse(text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00"));
  if (Number.isFinite(at)) return at;
  context.addIssue({ code: "custom", message: "must be an instant" });
  return z.NEVER;
});
/** Dates that are only shown: what cannot be read counts as not given. */
const SomeInstant = InstantText.nullish().catch(null);

const FeeSchedule = z.object({ rate: MicroText, exponent: z.number() });

const Tag = z.object({ slug: z.string() });

const EventRef = z.object({ slug: Slug, title: z.string(), endDate: SomeInstant });

/** A market of Gamma, which keeps descriptions; the exchange itself keeps the rules of trading. */
export const WireMarket = z.object({
  conditionId: ConditionId,
  slug: Slug,
  question: z.string().min(1),
  description: z.string().nullish(),
  resolutionSource: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  category: z.string().nullish(),
  tags: z.array(Tag).nullish(),
  events: z.array(EventRef).nullish(),
  outcomes: listIn(z.string().min(1)),
  clobTokenIds: listIn(TokenId),
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
  volume24hr: z.number().nullish(),
  lastTradePrice: MicroText.nullish(),
  bestBid: MicroText.nullish(),
  bestAsk: MicroText.nullish(),
  oneDayPriceChange: SignedMicro.nullish(),
});
export type WireMarket = z.output<typeof WireMarket>;

/** Answers hold markets of other kinds too; each is parsed by itself, see `parseMarkets`. */
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
/** What a search finds, of which only events matter; null for none. */
export const WireFound = z.object({ events: z.array(z.unknown()).nullish() });

/** What the exchange says of a market (polymarket.md 2.6). It changes while a market is open. */
export const ClobMarket = z.object({
  c: ConditionId.nullish(),
  t: z.array(z.object({ t: TokenId })).length(2),
  mts: MicroText,
  mos: MicroText.nullish(),
  nr: z.boolean().nullish(),
  fd: z.object({ r: MicroText, e: z.number() }).nullish(),
  ao: z.boolean().nullish(),
});
export type ClobMarket = z.output<typeof ClobMarket>;
