import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const SEASON_EVENTS = [
  {
    id: "meridian-storm-count",
    category: "weather",
    title: "Named storms in the Meridian half-season to {closeMonth}",
    rules:
      "The option that contains the number of storms named between opening and {closeTime} " +
      "on {closeDate} wins. Exactly one option resolves to its first outcome. A storm counts " +
      "once, on the day it is named; if the list is void, the last option wins. The season " +
      "is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Meridian storm list",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "0-to-3",
        label: "0 to 3",
        title: "Will the Meridian half-season to {closeMonth} have 0 to 3 named storms?",
        startProbability: 0.13,
      },
      {
        id: "4-to-6",
        label: "4 to 6",
        title: "Will the Meridian half-season to {closeMonth} have 4 to 6 named storms?",
        startProbability: 0.29,
      },
      {
        id: "7-to-9",
        label: "7 to 9",
        title: "Will the Meridian half-season to {closeMonth} have 7 to 9 named storms?",
        startProbability: 0.32,
      },
      {
        id: "10-to-12",
        label: "10 to 12",
        title: "Will the Meridian half-season to {closeMonth} have 10 to 12 named storms?",
        startProbability: 0.18,
      },
      {
        id: "13-or-more",
        label: "13 or more",
        title: "Will the Meridian half-season to {closeMonth} have 13 or more named storms?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 5 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "calm",
    glyph: "hurricane",
  },
  {
    id: "norvale-warmest-city",
    category: "weather",
    title: "Warmest city in Norvale in the half-year to {closeMonth}",
    rules:
      "The city with the highest mean temperature from opening to {closeTime} on {closeDate} " +
      "wins. Exactly one option resolves to its first outcome. Equal means go to the city " +
      "listed first; if a station fails for more than ten days its city cannot win, and if " +
      "all fail the last city listed wins. Stations are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale weather stations",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "harbour-city",
        label: "Harbour City",
        title: "Will Harbour City be Norvale's warmest city in the half-year to {closeMonth}?",
        startProbability: 0.33,
      },
      {
        id: "port-marlow",
        label: "Port Marlow",
        title: "Will Port Marlow be Norvale's warmest city in the half-year to {closeMonth}?",
        startProbability: 0.26,
      },
      {
        id: "saltmere",
        label: "Saltmere",
        title: "Will Saltmere be Norvale's warmest city in the half-year to {closeMonth}?",
        startProbability: 0.2,
      },
      {
        id: "larchmoor",
        label: "Larchmoor",
        title: "Will Larchmoor be Norvale's warmest city in the half-year to {closeMonth}?",
        startProbability: 0.13,
      },
      {
        id: "gantry",
        label: "Gantry",
        title: "Will Gantry be Norvale's warmest city in the half-year to {closeMonth}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 128 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "thermometer",
  },
  {
    id: "saltmere-reservoir",
    category: "weather",
    title: "Will the Saltmere reservoir fall below one quarter by {closeMonth}?",
    rules:
      "Resolves to the first outcome if the daily reservoir level is below 25% at least once " +
      "before {closeTime} on {closeDate}. A level of exactly 25% does not count, and missing " +
      "or void readings resolve to the second outcome. The level is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Saltmere water board",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Saltmere reservoir fall below one quarter by {closeMonth}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 61 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.001",
    feeRate: "0.05",
    depth: "normal",
    volatility: "calm",
    glyph: "drop",
  },
  {
    id: "fennmark-rainfall",
    category: "weather",
    title: "Rainfall at Fennmark in the thirty days to {closeDate}",
    rules:
      "Each market resolves to the first outcome if the rain gauge collects strictly more " +
      "than its threshold between opening and {closeTime} on {closeDate}. Melted snow counts " +
      "as rain. A total exactly on the threshold, or a failed gauge, resolves to the second " +
      "outcome. The gauge is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Fennmark rain gauge",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-40",
        label: "Above 40 mm",
        title: "Will Fennmark get more than 40 mm of rain by {closeDate}?",
        startProbability: 0.9,
      },
      {
        id: "above-60",
        label: "Above 60 mm",
        title: "Will Fennmark get more than 60 mm of rain by {closeDate}?",
        startProbability: 0.65,
      },
      {
        id: "above-80",
        label: "Above 80 mm",
        title: "Will Fennmark get more than 80 mm of rain by {closeDate}?",
        startProbability: 0.34,
      },
      {
        id: "above-100",
        label: "Above 100 mm",
        title: "Will Fennmark get more than 100 mm of rain by {closeDate}?",
        startProbability: 0.13,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 30 * DAY_MS, phaseMs: 29 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "rain",
  },
  {
    id: "meridian-next-storm",
    category: "weather",
    title: "Will a new Meridian storm be named by {closeDate}?",
    rules:
      "Resolves to the first outcome if the Meridian storm office names at least one storm " +
      "between opening and {closeTime} on {closeDate}. A renamed storm does not count, and a " +
      "void list resolves to the second outcome. The storms are simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Meridian storm list",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will a new Meridian storm be named by {closeDate}?",
        startProbability: 0.58,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 10 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "wild",
    glyph: "storm",
  },
  {
    id: "orchard-valley-frost",
    category: "weather",
    title: "Will frost reach the Orchard Valley by {closeDate}?",
    rules:
      "Resolves to the first outcome if the valley station reads below zero degrees Celsius " +
      "at least once between opening and {closeTime} on {closeDate}. Exactly zero is not " +
      "frost. If the station fails, this resolves to the second outcome. The readings are " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Orchard Valley station",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will frost reach the Orchard Valley by {closeDate}?",
        startProbability: 0.33,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: DAY_MS + 7 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "snow",
  },
  {
    id: "lake-larch-ice",
    category: "weather",
    title: "Will Lake Larch be free of ice on {closeDate}?",
    rules:
      "Resolves to the first outcome if the warden reports no ice on Lake Larch at " +
      "{closeTime} on {closeDate}. Ice along the shore counts as ice. A missing or unclear " +
      "report resolves to the second outcome. The report is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Lake Larch warden",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Lake Larch be free of ice on {closeDate}?",
        startProbability: 0.97,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 6 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "snow",
  },
] satisfies readonly EventTemplate[];
