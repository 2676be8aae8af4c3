import "server-only";
import { INDICATOR_EVENTS } from "@/lib/venue/paper/catalogue/economics-indicators";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const ECONOMICS_EVENTS = [
  ...INDICATOR_EVENTS,
  {
    id: "bank-of-norvale-rate",
    category: "economics",
    title: "Bank of Norvale rate decision of {closeDate}",
    rules:
      "The option that matches the change of the key rate announced by {closeTime} on " +
      "{closeDate} wins. Exactly one option resolves to its first outcome. Emergency moves " +
      "before the meeting do not count; if the meeting is canceled, No change wins. The " +
      "decision is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Bank of Norvale statement",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "cut-50",
        label: "Cut by 0.50 points or more",
        title: "Bank of Norvale on {closeDate}: a cut by 0.50 points or more?",
        startProbability: 0.07,
      },
      {
        id: "cut-25",
        label: "Cut by 0.25 points",
        title: "Bank of Norvale on {closeDate}: a cut by 0.25 points?",
        startProbability: 0.34,
      },
      {
        id: "no-change",
        label: "No change",
        title: "Bank of Norvale on {closeDate}: no change?",
        startProbability: 0.51,
      },
      {
        id: "raise",
        label: "Raise",
        title: "Bank of Norvale on {closeDate}: a raise?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 45 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 22 * DAY_MS + 13 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "bank",
  },
  {
    id: "aldermark-recession",
    category: "economics",
    title: "Will Aldermark be in recession by {closeMonth}?",
    rules:
      "Resolves to the first outcome if the statistics office reports two shrinking quarters " +
      "in a row at any time before {closeTime} on {closeDate}. A quarter of exactly zero " +
      "growth does not count as shrinking; missing or void figures resolve to the second " +
      "outcome. The figures are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark national accounts",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Aldermark be in recession by {closeMonth}?",
        startProbability: 0.23,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 160 * DAY_MS + 10 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "calm",
    glyph: "chart",
  },
  {
    id: "saltmere-ferry-fare",
    category: "economics",
    title: "Will Saltmere ferry fares rise in the fortnight ending {closeDate}?",
    rules:
      "Resolves to the first outcome if the single adult fare at {closeTime} on {closeDate} " +
      "is higher than when this event opened. An unchanged fare, or a fare suspended by a " +
      "strike, resolves to the second outcome. The fare is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Saltmere fare board",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Saltmere ferry fares rise in the fortnight ending {closeDate}?",
        startProbability: 0.3,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 4 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.1",
    feeRate: "0",
    depth: "thin",
    volatility: "normal",
    glyph: "boat",
  },
  {
    id: "harbour-city-loaf",
    category: "economics",
    title: "Harbour City loaf index on {closeDate}: up or down?",
    rules:
      "Resolves to the first outcome if the average price of a plain loaf in Harbour City at " +
      "{closeTime} on {closeDate} is above its price one day earlier. An unchanged price, or " +
      "too few open bakeries for an average, resolves to the second outcome. The price is " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City bakery survey",
    structure: "independent",
    outcomes: ["Up", "Down"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Harbour City loaf index on {closeDate}: up or down?",
        startProbability: 0.48,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 10 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0",
    depth: "thin",
    volatility: "normal",
    glyph: "basket",
  },
  {
    id: "ostrel-bond-payment",
    category: "economics",
    title: "Will Ostrel miss a bond payment by {closeMonth}?",
    rules:
      "Resolves to the first outcome if Ostrel fails to pay interest or principal on a " +
      "public bond within its grace period, and that period ends before {closeTime} on " +
      "{closeDate}. A swap accepted by holders is not a missed payment, and a void or " +
      "disputed case resolves to the second outcome. Payments are simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel paying agent",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Ostrel miss a bond payment by {closeMonth}?",
        startProbability: 0.03,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 27 * DAY_MS + 16 * HOUR_MS },
    tickSize: "0.0001",
    feeRate: "0.05",
    depth: "deep",
    volatility: "calm",
    glyph: "bank",
  },
] satisfies readonly EventTemplate[];
