import "server-only";
import type { Refusal } from "@/lib/domain/funding";
import type { Action } from "@/lib/domain/settlement";
import { formatMicro, formatUsdc } from "@/lib/units";

/** What a message of the venue says about an order that was posted. */
type Meaning =
  /** It will never trade. */
  | ({ kind: "refused" } & Refusal)
  /** An earlier post of the same order arrived. */
  | { kind: "duplicate" }
  /** It was not looked at; the same bytes may be posted again. */
  | ({ kind: "paused" } & Refusal)
  /** The venue's engine broke off: whether it took the order shows later. */
  | { kind: "unclear" };

const QUOTED_LENGTH = 200;

interface Rule {
  pattern: RegExp;
  meaning: (found: RegExpExecArray, action: Action) => Meaning;
}

const refused = (code: Refusal["code"], message: string) => (): Meaning => ({
  kind: "refused",
  code,
  message,
});
const paused = (message: string) => (): Meaning => ({
  kind: "paused",
  code: "TRADING_PAUSED",
  message,
});

/** Every placement message that is known (polymarket.md 2.5), in the user's words and units. */
const RULES: readonly Rule[] = [
  {
    // Its server turns the first of them into a 400 (polymarket.md 2).
    pattern: /context canceled|could not (run|insert)|order timed out|EXECUTION_ERROR/i,
    meaning: () => ({ kind: "unclear" }),
  },
  { pattern: /duplicated|already exists/i, meaning: () => ({ kind: "duplicate" }) },
  {
    pattern: /breaks minimum tick size rule:? ?([\d.]+)?/i,
    meaning: ([, tick]) => ({
      kind: "refused",
      code: "PRICE_OFF_TICK",
      message: `the price is not on this market's tick${tick ? ` of ${tick}` : ""} any more`,
    }),
  },
  {
    pattern: /invalid tick size|minimum for the market is ([\d.]+)/i,
    meaning: ([, tick]) => ({
      kind: "refused",
      code: "INVALID_TICK_SIZE",
      message: `the market's tick size is another one${tick ? `: ${tick}` : ""}`,
    }),
  },
  {
    pattern: /size \(?([\d.]+)\)? lower than the minimum:? ?([\d.]+)/i,
    meaning: ([, size, minimum]) => ({
      kind: "refused",
      code: "ORDER_TOO_SMALL",
      message: `this market takes orders of at least ${minimum} shares, this one has ${size}`,
    }),
  },
  {
    pattern: /min size:? \$?([\d.]+)/i,
    meaning: ([, minimum]) => ({
      kind: "refused",
      code: "ORDER_TOO_SMALL",
      message: `a buy that fills at once needs at least ${minimum} USDC`,
    }),
  },
  {
    pattern: /maximum lot size|max accuracy|rounding/i,
    meaning: refused("PRECISION_TOO_HIGH", "the venue does not take so many decimals"),
  },
  { pattern: /not enough balance|balance is not enough/i, meaning: shortfall },
  {
    pattern: /allowance/i,
    meaning: refused(
      "INSUFFICIENT_ALLOWANCE",
      "the exchange may not spend enough of this wallet's USDC or shares: approve it at the venue",
    ),
  },
  {
    pattern: /couldn't be fully filled|FOK orders are/i,
    meaning: refused("ORDER_NOT_FILLED", "the book cannot fill this order in full right now"),
  },
  {
    pattern: /no orders found to match|no match\b/i,
    meaning: refused("NO_LIQUIDITY", "nobody trades at this price or better; use a limit order"),
  },
  {
    pattern: /crosses (the )?book/i,
    meaning: refused("ORDER_REJECTED", "a post-only order may only rest, and this one would trade"),
  },
  {
    pattern: /orderbook .*does not exist|market (is )?closed|not accepting orders/i,
    meaning: refused("MARKET_CLOSED", "this market does not take orders any more"),
  },
  {
    pattern: /restricted in your region/i,
    meaning: refused(
      "TRADING_RESTRICTED",
      "the venue does not take orders from this service's region",
    ),
  },
  {
    pattern: /address banned|closed only mode/i,
    meaning: refused("TRADING_RESTRICTED", "the venue restricts this wallet"),
  },
  {
    pattern: /maker address not allowed/i,
    meaning: refused(
      "TRADING_RESTRICTED",
      "the venue takes new orders from deposit wallets only (signature type 3)",
    ),
  },
  {
    pattern: /signer address has to be/i,
    meaning: refused(
      "TRADING_RESTRICTED",
      "the venue does not know this wallet as its owner's: sign in once on polymarket.com with it",
    ),
  },
  {
    pattern: /not yet ready|match delayed due to market conditions/i,
    meaning: paused(
      "the market does not take orders right now; repeat the request with the same key",
    ),
  },
  {
    pattern: /cancel-only/i,
    meaning: paused("the venue takes cancels only right now; repeat the request with the same key"),
  },
  {
    pattern: /post-only mode|post_only_mode/i,
    meaning: paused("the venue restarts; repeat the request with the same key in two minutes"),
  },
  {
    pattern: /trading is currently disabled/i,
    meaning: paused("the venue is closed right now; repeat the request with the same key"),
  },
];

/** What the venue's text means, or null when it is not a known one. */
export function meaningOf(text: string, action: Action): Meaning | null {
  for (const { pattern, meaning } of RULES) {
    const found = pattern.exec(text);
    if (found) return meaning(found, action);
  }
  return null;
}

/** A refusal whose text we do not know, quoted for the user to look up. */
export function unknownRefusal(text: string): Refusal {
  return {
    code: "ORDER_REJECTED",
    message: `the venue refused the order: ${printable(text)}`,
  };
}

/** The shortfall in USDC or shares: the venue counts base units of 1e-6 in both. */
function shortfall({ input }: RegExpExecArray, action: Action): Meaning {
  const code = action === "BUY" ? "INSUFFICIENT_BALANCE" : "INSUFFICIENT_SHARES";
  const unit = action === "BUY" ? "USDC" : "shares";
  const show = action === "BUY" ? formatUsdc : formatMicro;
  const numberAfter = (label: string) => {
    const found = new RegExp(`${label}(?: \\(inc\\. fees\\))?:? ?(\\d{1,30})`, "i").exec(input);
    return found?.[1] === undefined ? null : BigInt(found[1]);
  };
  const [owned, active, needed] = ["balance", "sum of active orders", "order amount"].map(
    numberAfter,
  );
  if (owned === null || owned === undefined || needed === null || needed === undefined) {
    return { kind: "refused", code, message: "the wallet has not enough for this order" };
  }
  const reserved = active ?? 0n;
  const free = owned > reserved ? owned - reserved : 0n;
  const note = reserved === 0n ? "" : ` (${show(reserved)} reserved by open orders)`;
  return {
    kind: "refused",
    code,
    message: `needs ${show(needed)} ${unit}, ${show(free)} available${note}`,
  };
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, QUOTED_LENGTH);
}
