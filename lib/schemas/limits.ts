import { z } from "zod";
import { LIMIT_SCOPES, LIMITED_ACTIONS, type Limits } from "@/lib/domain/limits";
import { ApiKey } from "@/lib/schemas/account";
import { Instant } from "@/lib/schemas/units";
import {
  formatMicro,
  MAX_REQUEST_MICRO,
  ONE,
  parseMicro,
  type Price,
  price,
  type Usdc,
  usdc,
} from "@/lib/units";

const MAX_ENTRIES = 100;

/** Decimal text, so that no client rounds money. */
function decimal<T extends bigint>(brand: (micro: bigint) => T, most: bigint) {
  const rule = `must be decimal text from 0 to ${formatMicro(most)} with at most 6 decimals`;
  return z.codec(
    z.string({ error: rule }).max(32, rule),
    z.custom<T>((value) => typeof value === "bigint"),
    {
      decode: (text, context) => {
        const parsed = parseMicro(text);
        if (parsed.ok && parsed.micro >= 0n && parsed.micro <= most) return brand(parsed.micro);
        context.issues.push({ code: "custom", input: text, message: rule });
        return z.NEVER;
      },
      encode: formatMicro,
    },
  );
}

const UsdcText = decimal<Usdc>(usdc, MAX_REQUEST_MICRO);
const PriceText = decimal<Price>(price, ONE);
const Count = z.int("must be a whole number").min(0).max(1_000_000);

const MarketEntry = z
  .string()
  .max(256)
  .regex(/^(?:market|event|category):./u, {
    error: "must start with market:, event: or category:",
  });
const AddressEntry = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "must be an IP address or a CIDR range such as 203.0.113.0/24",
});

/** The limits of a key, an account or a user. What is left out is not limited. */
export const LimitsInput = z
  .strictObject({
    perOrder: UsdcText.optional().describe("The most that one buy can cost with its fee, in USDC."),
    perDay: UsdcText.optional().describe(
      "Buys with fees in any 24 hours, plus what open buys reserve, in USDC.",
    ),
    total: UsdcText.optional().describe(
      "Buys with fees so far, plus what open buys reserve, in USDC.",
    ),
    openExposure: UsdcText.optional().describe(
      "Cost of the shares still held, plus what open buys reserve, in USDC.",
    ),
    perMarket: UsdcText.optional().describe("openExposure within each market, in USDC."),
    dailyLoss: UsdcText.optional().describe(
      "What sales and resolved markets may lose in any 24 hours, less gains, in USDC. Once it is reached, trading freezes.",
    ),
    maxOpenOrders: Count.optional().describe("Orders that are open at the same time."),
    ordersPerMinute: Count.optional().describe("Accepted orders in any 60 seconds."),
    maxDistanceFromMid: PriceText.optional().describe(
      "How far a price may be from the middle of the book, in USDC per share.",
    ),
    approvalAbove: UsdcText.optional().describe(
      "A buy with an API key that can cost more than this, in USDC, waits for the owner's approval.",
    ),
    markets: z
      .array(MarketEntry)
      .max(MAX_ENTRIES)
      .optional()
      .describe(
        "Where it may trade: market: with a condition id or slug, event: with a slug, category: with a name.",
      ),
    actions: z
      .array(z.enum(LIMITED_ACTIONS))
      .max(LIMITED_ACTIONS.length)
      .optional()
      .describe("What it may do."),
    ipAllow: z
      .array(AddressEntry)
      .max(MAX_ENTRIES)
      .optional()
      .describe("Addresses and CIDR ranges that requests may come from."),
  })
  .meta({ id: "Limits" });

/** Limits of users without limits of their own. Addresses are limits of keys, which these are not. */
export const DefaultLimits = LimitsInput.omit({ ipAllow: true });

/** Reads limits from the database, which `LimitsInput` has checked. */
export function readLimits(stored: unknown): Limits {
  return LimitsInput.parse(stored);
}

export function writeLimits(limits: Limits): Record<string, unknown> {
  return z.encode(LimitsInput, limits as z.output<typeof LimitsInput>);
}

const LimitScope = z
  .enum(LIMIT_SCOPES)
  .describe("Whose limit it is: of this key, of its account, or set by the operator on the user.");

const AmountState = z
  .strictObject({
    limit: UsdcText.describe("The limit in USDC, as decimal text."),
    used: UsdcText.describe("What counts against it, in USDC."),
    reserved: UsdcText.describe("What open buys can still use, in USDC."),
    remaining: UsdcText.describe("What a new order can use, in USDC."),
    resetsAt: Instant.nullable().describe("When something comes back by the clock, or null."),
    scope: LimitScope,
  })
  .meta({ id: "AmountState" });

const CountState = z
  .strictObject({
    limit: z.int().describe("The limit."),
    used: z.int().describe("What counts against it."),
    reserved: z.int().describe("Always 0."),
    remaining: z.int().describe("How many orders more."),
    resetsAt: Instant.nullable().describe("When something comes back by the clock, or null."),
    scope: LimitScope,
  })
  .meta({ id: "CountState" });

const ListState = z.strictObject({
  limit: z.array(z.string()).describe("What is allowed."),
  scope: LimitScope,
});

/** The limits that apply to a key. Of several with one name, the one with the least left. */
export const LimitStates = z
  .strictObject({
    perOrder: AmountState.optional().describe("What one buy can cost."),
    perDay: AmountState.optional().describe("What buys can cost in any 24 hours."),
    total: AmountState.optional().describe("What buys can cost altogether."),
    openExposure: AmountState.optional().describe("What can be at risk at the same time."),
    perMarket: AmountState.optional().describe("In the market with the least left."),
    dailyLoss: AmountState.optional().describe("What may be lost in any 24 hours."),
    maxOpenOrders: CountState.optional().describe("How many orders can be open."),
    ordersPerMinute: CountState.optional().describe(
      "How many orders can be placed in any 60 seconds.",
    ),
    maxDistanceFromMid: z
      .strictObject({ limit: PriceText.describe("In USDC per share."), scope: LimitScope })
      .optional()
      .describe("How far a price may be from the middle of the book."),
    approvalAbove: z
      .strictObject({ limit: UsdcText.describe("In USDC."), scope: LimitScope })
      .optional()
      .describe("Above it, a buy waits for the owner's approval."),
    markets: ListState.optional().describe("Where it may trade."),
    actions: ListState.optional().describe("What it may do."),
    ipAllow: ListState.optional().describe("Where requests may come from."),
  })
  .meta({ id: "LimitStates" });

export const FreezeState = z
  .strictObject({
    scope: LimitScope,
    at: Instant.describe("When it was frozen."),
    reason: z.string().describe("Why, as a sentence."),
  })
  .meta({ id: "Freeze" });

/** A key with what it may still do. */
export const KeyWithLimits = ApiKey.extend({
  limits: LimitStates.describe("The limits that apply to the key, by name."),
  frozen: FreezeState.nullable().describe("Who froze it, when and why, or null."),
}).meta({ id: "KeyWithLimits" });

export const LowerLimitsBody = z
  .object({ limits: LimitsInput.describe("The limits to lower, by name.") })
  .meta({ id: "LowerLimits" });

export const FrozenKey = z
  .strictObject({
    keyId: z.string().describe("The key that is frozen."),
    frozenAt: Instant.describe("Since when."),
  })
  .meta({ id: "FrozenKey" });
