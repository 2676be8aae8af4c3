import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const INDEX_EVENTS = [
  {
    id: "norvale-50-hourly",
    category: "finance",
    title: "Norvale 50 from {openTime} to {closeTime} on {closeDate}: up or down?",
    rules:
      "Resolves to the first outcome if the Norvale 50 index at {closeTime} on {closeDate} " +
      "is higher than at {openTime}. An unchanged or missing level resolves to the second " +
      "outcome. The index trades around the clock and is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale 50 index",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Norvale 50 from {openTime} to {closeTime} on {closeDate}: up or down?",
        startProbability: 0.52,
      },
    ],
    cadence: { everyMs: HOUR_MS, lastsMs: 3 * HOUR_MS, phaseMs: HOUR_MS / 2 },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "normal",
    glyph: "chart",
  },
  {
    id: "norvale-50-daily",
    category: "finance",
    title: "Norvale 50 on {closeDate}: up or down on the day?",
    rules:
      "Resolves to the first outcome if the Norvale 50 closes at {closeTime} on {closeDate} " +
      "above its level when this event opened. An unchanged or missing close resolves to the " +
      "second outcome. The index trades every day and is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale 50 index",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Norvale 50 on {closeDate}: up or down on the day?",
        startProbability: 0.54,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 17 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.04",
    depth: "deep",
    volatility: "normal",
    glyph: "chart",
  },
  {
    id: "aldermark-composite-weekly",
    category: "finance",
    title: "Aldermark Composite at the close of {closeDate}",
    rules:
      "Each market resolves to the first outcome if the Aldermark Composite at {closeTime} " +
      "on {closeDate} is strictly above its threshold. A level exactly on the threshold, or " +
      "a void close, resolves to the second outcome. The index is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark Composite index",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-4000",
        label: "Above 4,000",
        title: "Will the Aldermark Composite close above 4,000 on {closeDate}?",
        startProbability: 0.86,
      },
      {
        id: "above-4100",
        label: "Above 4,100",
        title: "Will the Aldermark Composite close above 4,100 on {closeDate}?",
        startProbability: 0.58,
      },
      {
        id: "above-4200",
        label: "Above 4,200",
        title: "Will the Aldermark Composite close above 4,200 on {closeDate}?",
        startProbability: 0.28,
      },
      {
        id: "above-4300",
        label: "Above 4,300",
        title: "Will the Aldermark Composite close above 4,300 on {closeDate}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "normal",
    glyph: "chart",
  },
  {
    id: "tern-shilling",
    category: "finance",
    title: "Tern shilling from {openTime} to {closeTime} on {closeDate}: stronger or weaker?",
    rules:
      "Resolves to the first outcome if one Tern shilling buys more Norvale crowns at " +
      "{closeTime} on {closeDate} than at {openTime}. An equal or missing rate resolves to " +
      "the second outcome. The rate is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tern currency board",
    structure: "independent",
    outcomes: ["Stronger", "Weaker"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Tern shilling from {openTime} to {closeTime} on {closeDate}: stronger or weaker?",
        startProbability: 0.49,
      },
    ],
    cadence: { everyMs: HOUR_MS / 4, lastsMs: HOUR_MS, phaseMs: HOUR_MS / 6 },
    tickSize: "0.01",
    feeRate: "0",
    depth: "normal",
    volatility: "calm",
    glyph: "coin",
  },
  {
    id: "ostrel-timber",
    category: "finance",
    title: "Ostrel timber future in the week ending {closeDate}: up or down?",
    rules:
      "Resolves to the first outcome if the nearest Ostrel timber future settles at " +
      "{closeTime} on {closeDate} above the price at which this event opened. An equal, void " +
      "or missing settlement resolves to the second outcome. The settlement is simulated by " +
      "the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel commodity pit",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Ostrel timber future in the week ending {closeDate}: up or down?",
        startProbability: 0.46,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: DAY_MS + 16 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "wild",
    glyph: "candles",
  },
  {
    id: "aldermark-ten-year",
    category: "finance",
    title: "Aldermark ten-year bond yield at the close of {closeDate}",
    rules:
      "The band that contains the ten-year yield at {closeTime} on {closeDate} wins; each " +
      "band includes its lower end and excludes its upper end. Exactly one option resolves " +
      "to its first outcome. If the auction is void the last published yield decides. The " +
      "yield is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark debt office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "below-3-00",
        label: "Below 3.00%",
        title: "Will Aldermark's ten-year yield be below 3.00% on {closeDate}?",
        startProbability: 0.09,
      },
      {
        id: "3-00-to-3-25",
        label: "3.00% to 3.25%",
        title: "Will Aldermark's ten-year yield be from 3.00% to 3.25% on {closeDate}?",
        startProbability: 0.24,
      },
      {
        id: "3-25-to-3-50",
        label: "3.25% to 3.50%",
        title: "Will Aldermark's ten-year yield be from 3.25% to 3.50% on {closeDate}?",
        startProbability: 0.35,
      },
      {
        id: "3-50-to-3-75",
        label: "3.50% to 3.75%",
        title: "Will Aldermark's ten-year yield be from 3.50% to 3.75% on {closeDate}?",
        startProbability: 0.22,
      },
      {
        id: "from-3-75",
        label: "3.75% or above",
        title: "Will Aldermark's ten-year yield be at 3.75% or above on {closeDate}?",
        startProbability: 0.1,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: 20 * DAY_MS + 15 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.04",
    depth: "normal",
    volatility: "calm",
    glyph: "bank",
  },
] satisfies readonly EventTemplate[];
