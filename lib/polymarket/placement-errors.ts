import "server-only";
import { formatShortfall, type Refusal } from "@/lib/domain/funding";
import type { Action } from "@/lib/domain/settlement";

/** The meaning of the venue's error message for a posted order. */
type Meaning =
  /** The order will never trade. With `isContractChange`, neither will any other that Ante signs. */
  | ({ kind: "refused"; isContractChange?: boolean } & Refusal)
  /** An earlier post of the same order arrived. */
  | { kind: "duplicate" }
  /** The venue did not process the order; the same bytes may be posted again. */
  | ({ kind: "paused" } & Refusal)
  /** The venue's engine failed: whether it accepted the order is unknown. */
  | { kind: "unclear" };

const QUOTED_LENGTH = 200;

interface Rule {
  pattern: RegExp;
  meaning: (found: RegExpExecArray, action: Action) => Meaning;
}

const refuse = (code: Refusal["code"], message: string) => (): Meaning => ({
  kind: "refused",
  code,
  message,
});
const pause = (message: string) => (): Meaning => ({
  kind: "paused",
  code: "TRADING_PAUSED",
  message,
});

const unapproved = refuse(
  "INSUFFICIENT_ALLOWANCE",
  "The market's exchange is not approved to spend enough of this wallet's USDC or shares. Set the approval on the wallet page.",
);

/** The known placement messages (polymarket.md 2.5), with a message for users and their units. */
const RULES: readonly Rule[] = [
  {
    // The server returns the first of them with status 400 (polymarket.md 2).
    pattern: /context canceled|could not (run|insert)|order timed out|EXECUTION_ERROR/i,
    meaning: () => ({ kind: "unclear" }),
  },
  {
    // polymarket-protocol-v2.md 8.1. The official client would sign the order again in another way.
    pattern: /order_version_mismatch/i,
    meaning: () => ({
      kind: "refused",
      isContractChange: true,
      code: "ORDER_REJECTED",
      message:
        "Polymarket changed how orders are signed and refused this one. Ante pauses live trading.",
    }),
  },
  { pattern: /duplicated|already exists/i, meaning: () => ({ kind: "duplicate" }) },
  {
    pattern: /breaks minimum tick size rule:? ?([\d.]+)?/i,
    meaning: ([, tick]) => ({
      kind: "refused",
      code: "PRICE_OFF_TICK",
      message: `The price is not a multiple of this market's current tick size${tick ? ` of ${tick}` : ""}.`,
    }),
  },
  {
    pattern: /invalid tick size|minimum for the market is ([\d.]+)/i,
    meaning: ([, tick]) => ({
      kind: "refused",
      code: "INVALID_TICK_SIZE",
      message: `The market has another tick size${tick ? `: ${tick}` : ""}.`,
    }),
  },
  {
    pattern: /size \(?([\d.]+)\)? lower than the minimum:? ?([\d.]+)/i,
    meaning: ([, size, minimum]) => ({
      kind: "refused",
      code: "ORDER_TOO_SMALL",
      message: `This market takes orders of at least ${minimum} shares; this order has ${size}.`,
    }),
  },
  {
    pattern: /min size:? \$?([\d.]+)/i,
    meaning: ([, minimum]) => ({
      kind: "refused",
      code: "ORDER_TOO_SMALL",
      message: `A buy that fills immediately needs at least ${minimum} USDC.`,
    }),
  },
  {
    pattern: /maximum lot size|max accuracy|rounding/i,
    meaning: refuse("PRECISION_TOO_HIGH", "The order has more decimals than the venue accepts."),
  },
  // The venue's text for a missing allowance is not known (polymarket.md 2.5): this is the sandbox's.
  { pattern: /allowance is not enough/i, meaning: unapproved },
  { pattern: /not enough balance|balance is not enough/i, meaning: parseShortfall },
  { pattern: /allowance/i, meaning: unapproved },
  {
    pattern: /couldn't be fully filled|FOK orders are/i,
    meaning: refuse("ORDER_NOT_FILLED", "The book cannot fill this order in full right now."),
  },
  {
    pattern: /no orders found to match|no match\b/i,
    meaning: refuse(
      "NO_LIQUIDITY",
      "No order is available at this price or better. Use a limit order.",
    ),
  },
  {
    pattern: /crosses (the )?book/i,
    meaning: refuse("ORDER_REJECTED", "This post-only order would trade immediately."),
  },
  {
    pattern: /orderbook .*does not exist|market (is )?closed|not accepting orders/i,
    meaning: refuse("MARKET_CLOSED", "This market no longer takes orders."),
  },
  {
    pattern: /restricted in your region/i,
    meaning: refuse(
      "TRADING_RESTRICTED",
      "The venue does not take orders from this service's region.",
    ),
  },
  {
    pattern: /address banned|closed only mode/i,
    meaning: refuse("TRADING_RESTRICTED", "The venue restricts this wallet."),
  },
  {
    pattern: /maker address not allowed/i,
    meaning: refuse(
      "TRADING_RESTRICTED",
      "The venue takes new orders from deposit wallets only (signature type 3).",
    ),
  },
  {
    pattern: /signer address has to be/i,
    meaning: refuse(
      "TRADING_RESTRICTED",
      "The venue has not linked this wallet to its owner. Sign in once on polymarket.com with it.",
    ),
  },
  {
    pattern: /session signer has expired/i,
    meaning: refuse(
      "SESSION_KEY_EXPIRED",
      "The session key of this wallet has expired at the venue. Import a new session key to trade again.",
    ),
  },
  {
    pattern: /session signer/i,
    meaning: refuse(
      "TRADING_RESTRICTED",
      "The venue does not accept this session key for the wallet. It was revoked, or belongs to another wallet.",
    ),
  },
  {
    pattern: /not yet ready|match delayed due to market conditions/i,
    meaning: pause("The market takes no orders right now. Repeat the request with the same key."),
  },
  {
    pattern: /cancel-only/i,
    meaning: pause("The venue takes cancels only right now. Repeat the request with the same key."),
  },
  {
    pattern: /post-only mode|post_only_mode/i,
    meaning: pause("The venue is restarting. Repeat the request with the same key in two minutes."),
  },
  {
    pattern: /trading is currently disabled/i,
    meaning: pause("Trading at the venue is paused. Repeat the request with the same key."),
  },
];

/** Returns the meaning of the venue's text; null if it is unknown. */
export function parseMeaning(text: string, action: Action): Meaning | null {
  for (const { pattern, meaning } of RULES) {
    const found = pattern.exec(text);
    if (found) return meaning(found, action);
  }
  return null;
}

/** Builds a refusal that quotes an unknown text of the venue. */
export function quoteRefusal(text: string): Refusal {
  return {
    code: "ORDER_REJECTED",
    message: `The venue rejected the order: ${toPrintable(text)}`,
  };
}

/** A refusal without figures covers the balance and the exchange's approval alike. */
const TOO_LOW: Record<Action, string> = {
  BUY: "The wallet has too little USDC for this order, or has not approved that the exchange spends it.",
  SELL: "The wallet has too few shares for this order, or has not approved that the exchange moves them.",
};

/** Parses the shortfall in USDC or shares: the venue reports both in units of 1e-6. */
function parseShortfall({ input }: RegExpExecArray, action: Action): Meaning {
  const code = action === "BUY" ? "INSUFFICIENT_BALANCE" : "INSUFFICIENT_SHARES";
  const numberAfter = (label: string) => {
    const found = new RegExp(`${label}(?: \\(inc\\. fees\\))?:? ?(\\d{1,30})`, "i").exec(input);
    return found?.[1] === undefined ? null : BigInt(found[1]);
  };
  const [owned, active, needed] = ["balance", "sum of active orders", "order amount"].map(
    numberAfter,
  );
  if (owned === null || owned === undefined || needed === null || needed === undefined) {
    return { kind: "refused", code, message: TOO_LOW[action] };
  }
  const reserved = active ?? 0n;
  const available = owned > reserved ? owned - reserved : 0n;
  const funding = { action, hold: needed, available, reserved, reservingOrders: null };
  return { kind: "refused", code, message: formatShortfall(funding) };
}

function toPrintable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, QUOTED_LENGTH);
}
