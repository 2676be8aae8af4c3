import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const CRYPTO_PRICE_EVENTS = [
  {
    id: "tallowcoin-daily",
    category: "crypto",
    title: "Tallowcoin price at {closeTime} on {closeDate}",
    rules:
      "Each market resolves to the first outcome if the Tallowcoin reference price at " +
      "{closeTime} on {closeDate} is strictly above its threshold. A price exactly on the " +
      "threshold, or a missing price, resolves to the second outcome. The price is simulated " +
      "by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tallowcoin reference price",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-400",
        label: "Above $400",
        title: "Will Tallowcoin be above $400 at {closeTime} on {closeDate}?",
        startProbability: 0.94,
      },
      {
        id: "above-420",
        label: "Above $420",
        title: "Will Tallowcoin be above $420 at {closeTime} on {closeDate}?",
        startProbability: 0.77,
      },
      {
        id: "above-440",
        label: "Above $440",
        title: "Will Tallowcoin be above $440 at {closeTime} on {closeDate}?",
        startProbability: 0.49,
      },
      {
        id: "above-460",
        label: "Above $460",
        title: "Will Tallowcoin be above $460 at {closeTime} on {closeDate}?",
        startProbability: 0.22,
      },
      {
        id: "above-480",
        label: "Above $480",
        title: "Will Tallowcoin be above $480 at {closeTime} on {closeDate}?",
        startProbability: 0.06,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 16 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "deep",
    volatility: "wild",
    glyph: "coin",
  },
  {
    id: "oakpenny-weekly-band",
    category: "crypto",
    title: "Oakpenny price band at the close of {closeDate}",
    rules:
      "The band that contains the Oakpenny reference price at {closeTime} on {closeDate} " +
      "wins; each band includes its lower end and excludes its upper end. Exactly one option " +
      "resolves to its first outcome. If no price is published the last published price " +
      "decides. The price is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Oakpenny reference price",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "below-2-00",
        label: "Below $2.00",
        title: "Will Oakpenny close below $2.00 on {closeDate}?",
        startProbability: 0.12,
      },
      {
        id: "2-00-to-2-20",
        label: "$2.00 to $2.20",
        title: "Will Oakpenny close from $2.00 to $2.20 on {closeDate}?",
        startProbability: 0.25,
      },
      {
        id: "2-20-to-2-40",
        label: "$2.20 to $2.40",
        title: "Will Oakpenny close from $2.20 to $2.40 on {closeDate}?",
        startProbability: 0.31,
      },
      {
        id: "2-40-to-2-60",
        label: "$2.40 to $2.60",
        title: "Will Oakpenny close from $2.40 to $2.60 on {closeDate}?",
        startProbability: 0.21,
      },
      {
        id: "from-2-60",
        label: "$2.60 or above",
        title: "Will Oakpenny close at $2.60 or above on {closeDate}?",
        startProbability: 0.11,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 4 * DAY_MS },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "normal",
    volatility: "normal",
    glyph: "chart",
  },
  {
    id: "quillmark-high",
    category: "crypto",
    title: "How high does Quillmark trade by {closeDate}?",
    rules:
      "Each market resolves to the first outcome if the Quillmark reference price touches or " +
      "passes its threshold at any moment between opening and {closeTime} on {closeDate}. A " +
      "void or disputed print does not count, and without a valid touch the market resolves " +
      "to the second outcome. Prices are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Quillmark reference price",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "touch-90",
        label: "$90",
        title: "Will Quillmark touch $90 by {closeDate}?",
        startProbability: 0.84,
      },
      {
        id: "touch-100",
        label: "$100",
        title: "Will Quillmark touch $100 by {closeDate}?",
        startProbability: 0.52,
      },
      {
        id: "touch-110",
        label: "$110",
        title: "Will Quillmark touch $110 by {closeDate}?",
        startProbability: 0.27,
      },
      {
        id: "touch-125",
        label: "$125",
        title: "Will Quillmark touch $125 by {closeDate}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 56 * DAY_MS, phaseMs: 16 * DAY_MS },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "normal",
    volatility: "wild",
    glyph: "candles",
  },
  {
    id: "ledgerfield-best",
    category: "crypto",
    title: "Best of the five Ledgerfield coins in the week ending {closeDate}",
    rules:
      "The coin with the largest percentage gain between opening and {closeTime} on " +
      "{closeDate} wins, even if every coin falls. Exactly one option resolves to its first " +
      "outcome. Equal gains go to the coin listed first; if prices are void, the last coin " +
      "listed wins. Prices are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ledgerfield price table",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "tallowcoin",
        label: "Tallowcoin",
        title: "Will Tallowcoin gain most in the week ending {closeDate}?",
        startProbability: 0.24,
      },
      {
        id: "quillmark",
        label: "Quillmark",
        title: "Will Quillmark gain most in the week ending {closeDate}?",
        startProbability: 0.22,
      },
      {
        id: "larchbit",
        label: "Larchbit",
        title: "Will Larchbit gain most in the week ending {closeDate}?",
        startProbability: 0.21,
      },
      {
        id: "oakpenny",
        label: "Oakpenny",
        title: "Will Oakpenny gain most in the week ending {closeDate}?",
        startProbability: 0.18,
      },
      {
        id: "brinestone",
        label: "Brinestone",
        title: "Will Brinestone gain most in the week ending {closeDate}?",
        startProbability: 0.15,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 3 * DAY_MS + 23 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "normal",
    volatility: "wild",
    glyph: "trophy",
  },
  {
    id: "tallowcoin-long",
    category: "crypto",
    title: "Tallowcoin at the end of its long contract in {closeMonth}",
    rules:
      "Each market resolves to the first outcome if the Tallowcoin reference price at " +
      "{closeTime} on {closeDate} is strictly above its threshold. A price exactly on the " +
      "threshold, or a missing price, resolves to the second outcome. The price is simulated " +
      "by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tallowcoin reference price",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-500",
        label: "Above $500",
        title: "Will Tallowcoin be above $500 on the last day of its {closeMonth} contract?",
        startProbability: 0.43,
      },
      {
        id: "above-750",
        label: "Above $750",
        title: "Will Tallowcoin be above $750 on the last day of its {closeMonth} contract?",
        startProbability: 0.21,
      },
      {
        id: "above-1000",
        label: "Above $1,000",
        title: "Will Tallowcoin be above $1,000 on the last day of its {closeMonth} contract?",
        startProbability: 0.1,
      },
      {
        id: "above-1500",
        label: "Above $1,500",
        title: "Will Tallowcoin be above $1,500 on the last day of its {closeMonth} contract?",
        startProbability: 0.03,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 12 * DAY_MS },
    tickSize: "0.001",
    feeRate: "0.07",
    depth: "deep",
    volatility: "normal",
    glyph: "candles",
  },
] satisfies readonly EventTemplate[];
