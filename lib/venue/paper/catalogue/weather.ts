import "server-only";
import { SEASON_EVENTS } from "@/lib/venue/paper/catalogue/weather-seasons";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const WEATHER_EVENTS = [
  ...SEASON_EVENTS,
  {
    id: "harbour-city-high",
    category: "weather",
    title: "Highest temperature in Harbour City on {closeDate}",
    rules:
      "The band that contains the highest temperature of the day measured by {closeTime} on " +
      "{closeDate}, rounded to a whole degree Celsius, wins. Exactly one option resolves to " +
      "its first outcome. Half degrees round up; if the station fails, the forecast of that " +
      "morning decides. The station is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City station",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "to-15",
        label: "15°C or below",
        title: "Will the high in Harbour City on {closeDate} be 15°C or below?",
        startProbability: 0.08,
      },
      {
        id: "16-to-17",
        label: "16 to 17°C",
        title: "Will the high in Harbour City on {closeDate} be 16 to 17°C?",
        startProbability: 0.21,
      },
      {
        id: "18-to-19",
        label: "18 to 19°C",
        title: "Will the high in Harbour City on {closeDate} be 18 to 19°C?",
        startProbability: 0.34,
      },
      {
        id: "20-to-21",
        label: "20 to 21°C",
        title: "Will the high in Harbour City on {closeDate} be 20 to 21°C?",
        startProbability: 0.24,
      },
      {
        id: "from-22",
        label: "22°C or above",
        title: "Will the high in Harbour City on {closeDate} be 22°C or above?",
        startProbability: 0.13,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: 2 * DAY_MS, phaseMs: 20 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "thermometer",
  },
  {
    id: "port-marlow-rain",
    category: "weather",
    title: "Will it rain in Port Marlow on {closeDate}?",
    rules:
      "Resolves to the first outcome if the Port Marlow gauge collects 0.2 mm or more in the " +
      "24 hours before {closeTime} on {closeDate}. Drizzle below that amount does not count. " +
      "If the gauge fails, this resolves to the second outcome. The rain is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated Port Marlow rain gauge",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will it rain in Port Marlow on {closeDate}?",
        startProbability: 0.41,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: 2 * DAY_MS, phaseMs: 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "rain",
  },
  {
    id: "port-marlow-tide",
    category: "weather",
    title: "Highest tide at Port Marlow in the week ending {closeDate}",
    rules:
      "Each market resolves to the first outcome if the gauge reads strictly above its " +
      "threshold at least once in the seven days before {closeTime} on {closeDate}. Waves " +
      "are averaged over one minute. A reading exactly on the threshold, or a failed gauge, " +
      "resolves to the second outcome. The tide is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated tide gauge at Port Marlow",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-4-0",
        label: "Above 4.0 m",
        title: "Will the tide at Port Marlow pass 4.0 m in the week ending {closeDate}?",
        startProbability: 0.95,
      },
      {
        id: "above-4-4",
        label: "Above 4.4 m",
        title: "Will the tide at Port Marlow pass 4.4 m in the week ending {closeDate}?",
        startProbability: 0.71,
      },
      {
        id: "above-4-8",
        label: "Above 4.8 m",
        title: "Will the tide at Port Marlow pass 4.8 m in the week ending {closeDate}?",
        startProbability: 0.38,
      },
      {
        id: "above-5-2",
        label: "Above 5.2 m",
        title: "Will the tide at Port Marlow pass 5.2 m in the week ending {closeDate}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 4 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "wave",
  },
  {
    id: "keld-pass-snow",
    category: "weather",
    title: "Snow depth at Keld Pass on {closeDate}",
    rules:
      "The band that contains the snow depth measured at {closeTime} on {closeDate}, rounded " +
      "down to a whole centimeter, wins. Exactly one option resolves to its first outcome. " +
      "If the road to the pass is closed and nobody can measure, the last band wins. The " +
      "depth is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Keld Pass road crew",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "to-20",
        label: "Less than 20 cm",
        title: "Will the snow at Keld Pass be less than 20 cm deep on {closeDate}?",
        startProbability: 0.22,
      },
      {
        id: "20-to-39",
        label: "20 to 39 cm",
        title: "Will the snow at Keld Pass be 20 to 39 cm deep on {closeDate}?",
        startProbability: 0.33,
      },
      {
        id: "40-to-59",
        label: "40 to 59 cm",
        title: "Will the snow at Keld Pass be 40 to 59 cm deep on {closeDate}?",
        startProbability: 0.28,
      },
      {
        id: "from-60",
        label: "60 cm or more",
        title: "Will the snow at Keld Pass be 60 cm deep or more on {closeDate}?",
        startProbability: 0.17,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 2 * DAY_MS + 8 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "snow",
  },
  {
    id: "cape-fennimore-wind",
    category: "weather",
    title: "Wind at Cape Fennimore by {closeTime} on {closeDate}: over or under 30 knots?",
    rules:
      "Resolves to the first outcome if the strongest gust from {openTime} to {closeTime} on " +
      "{closeDate} is above 30 knots. A gust of exactly 30 knots, or a failed anemometer, " +
      "resolves to the second outcome. The wind is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Cape Fennimore anemometer",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Wind at Cape Fennimore by {closeTime} on {closeDate}: over or under 30 knots?",
        startProbability: 0.43,
      },
    ],
    cadence: { everyMs: HOUR_MS, lastsMs: 3 * HOUR_MS, phaseMs: HOUR_MS / 4 },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "wild",
    glyph: "wind",
  },
  {
    id: "marlow-light-fog",
    category: "weather",
    title: "Will fog hide the Marlow light at {closeTime} on {closeDate}?",
    rules:
      "Resolves to the first outcome if the pilot station cannot see the Marlow light at " +
      "{closeTime} on {closeDate}. A light that is switched off or only dimmed counts as " +
      "seen. A missing report resolves to the second outcome. The fog is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated Marlow pilot station",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will fog hide the Marlow light at {closeTime} on {closeDate}?",
        startProbability: 0.25,
      },
    ],
    cadence: { everyMs: HOUR_MS / 4, lastsMs: HOUR_MS, phaseMs: 0 },
    tickSize: "0.01",
    feeRate: "0",
    depth: "thin",
    volatility: "normal",
    glyph: "lighthouse",
  },
] satisfies readonly EventTemplate[];
