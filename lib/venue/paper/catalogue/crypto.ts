import "server-only";
import { CRYPTO_PRICE_EVENTS } from "@/lib/venue/paper/catalogue/crypto-prices";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const CRYPTO_EVENTS = [
  ...CRYPTO_PRICE_EVENTS,
  {
    id: "tallowcoin-five-minute",
    category: "crypto",
    title: "Tallowcoin from {openTime} to {closeTime} on {closeDate}: up or down?",
    rules:
      "Resolves to the first outcome if the Tallowcoin reference price at {closeTime} on " +
      "{closeDate} is higher than at {openTime}. If the two prices are equal, or one is " +
      "missing, this resolves to the second outcome. The price is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Tallowcoin reference price",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Tallowcoin from {openTime} to {closeTime} on {closeDate}: up or down?",
        startProbability: 0.5,
      },
    ],
    cadence: { everyMs: HOUR_MS / 12, lastsMs: HOUR_MS / 4, phaseMs: 0 },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "deep",
    volatility: "wild",
    glyph: "chart",
  },
  {
    id: "quillmark-quarter-hour",
    category: "crypto",
    title: "Quillmark from {openTime} to {closeTime} on {closeDate}: up or down?",
    rules:
      "Resolves to the first outcome if the Quillmark reference price at {closeTime} on " +
      "{closeDate} is higher than at {openTime}. Equal or missing prices resolve to the " +
      "second outcome. The price is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Quillmark reference price",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Quillmark from {openTime} to {closeTime} on {closeDate}: up or down?",
        startProbability: 0.51,
      },
    ],
    cadence: { everyMs: HOUR_MS / 4, lastsMs: HOUR_MS, phaseMs: HOUR_MS / 12 },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "normal",
    volatility: "wild",
    glyph: "chart",
  },
  {
    id: "larchbit-hourly",
    category: "crypto",
    title: "Larchbit price at {closeTime} on {closeDate}",
    rules:
      "Each market resolves to the first outcome if the Larchbit reference price at " +
      "{closeTime} on {closeDate} is strictly above its threshold. A price exactly on the " +
      "threshold, or a missing price, resolves to the second outcome. The price is simulated " +
      "by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Larchbit reference price",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-12-00",
        label: "Above $12.00",
        title: "Will Larchbit be above $12.00 at {closeTime} on {closeDate}?",
        startProbability: 0.78,
      },
      {
        id: "above-12-50",
        label: "Above $12.50",
        title: "Will Larchbit be above $12.50 at {closeTime} on {closeDate}?",
        startProbability: 0.46,
      },
      {
        id: "above-13-00",
        label: "Above $13.00",
        title: "Will Larchbit be above $13.00 at {closeTime} on {closeDate}?",
        startProbability: 0.17,
      },
    ],
    cadence: { everyMs: HOUR_MS, lastsMs: 3 * HOUR_MS, phaseMs: 0 },
    tickSize: "0.005",
    feeRate: "0.07",
    depth: "normal",
    volatility: "wild",
    glyph: "coin",
  },
  {
    id: "brinestone-upgrade",
    category: "crypto",
    title: "Will Brinestone complete its Deepwater upgrade by {closeDate}?",
    rules:
      "Resolves to the first outcome if a Brinestone block produced under the Deepwater " +
      "rules is final before {closeTime} on {closeDate}. An upgrade that is rolled back in " +
      "that time does not count, and a void or unclear state resolves to the second outcome. " +
      "The network is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Brinestone block explorer",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Brinestone complete its Deepwater upgrade by {closeDate}?",
        startProbability: 0.7,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 25 * DAY_MS + 14 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.07",
    depth: "normal",
    volatility: "normal",
    glyph: "blocks",
  },
  {
    id: "quillmark-overtakes",
    category: "crypto",
    title: "Will Quillmark be worth more than Tallowcoin by {closeMonth}?",
    rules:
      "Resolves to the first outcome if the total value of all Quillmark exceeds that of all " +
      "Tallowcoin at any daily close up to {closeTime} on {closeDate}. Equal values do not " +
      "count, and void closes are skipped; with no qualifying close this resolves to the " +
      "second outcome. Values are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ledgerfield price table",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Quillmark be worth more than Tallowcoin by {closeMonth}?",
        startProbability: 0.06,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 137 * DAY_MS },
    tickSize: "0.001",
    feeRate: "0.07",
    depth: "deep",
    volatility: "calm",
    glyph: "scales",
  },
  {
    id: "granite-dollar-peg",
    category: "crypto",
    title: "Will the Granite dollar stay within one cent of $1 until {closeDate}?",
    rules:
      "Resolves to the first outcome if every hourly Granite dollar price up to {closeTime} " +
      "on {closeDate} lies between $0.99 and $1.01, both included. One price outside that " +
      "range, or a void series, resolves this to the second outcome. The prices are " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Granite dollar series",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Granite dollar stay within one cent of $1 until {closeDate}?",
        startProbability: 0.96,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: 6 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.0001",
    feeRate: "0",
    depth: "deep",
    volatility: "calm",
    glyph: "coin",
  },
] satisfies readonly EventTemplate[];
