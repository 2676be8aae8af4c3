import "server-only";
import { SPACE_EVENTS } from "@/lib/venue/paper/catalogue/science-space";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const SCIENCE_EVENTS = [
  ...SPACE_EVENTS,
  {
    id: "meridian-medal",
    category: "science",
    title: "Meridian Medal for science, {closeMonth}: which field wins?",
    rules:
      "The field of the work honored with the Meridian Medal by {closeTime} on {closeDate} " +
      "wins, as named in the citation. Exactly one option resolves to its first outcome. A " +
      "citation naming several fields counts for the first one named; if no medal is given, " +
      "the last field listed wins. The award is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Meridian Academy",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "medicine",
        label: "Medicine",
        title: "Will the Meridian Medal of {closeMonth} go to medicine?",
        startProbability: 0.28,
      },
      {
        id: "physics",
        label: "Physics",
        title: "Will the Meridian Medal of {closeMonth} go to physics?",
        startProbability: 0.25,
      },
      {
        id: "chemistry",
        label: "Chemistry",
        title: "Will the Meridian Medal of {closeMonth} go to chemistry?",
        startProbability: 0.2,
      },
      {
        id: "mathematics",
        label: "Mathematics",
        title: "Will the Meridian Medal of {closeMonth} go to mathematics?",
        startProbability: 0.15,
      },
      {
        id: "geology",
        label: "Geology",
        title: "Will the Meridian Medal of {closeMonth} go to geology?",
        startProbability: 0.12,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 90 * DAY_MS + 11 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "calm",
    glyph: "medal",
  },
  {
    id: "quenby-battery",
    category: "science",
    title: "Will the Quenby solid battery pass 1,000 charge cycles by {closeDate}?",
    rules:
      "Resolves to the first outcome if the test cell keeps at least 80% of its capacity " +
      "after cycle 1,000, and that cycle ends before {closeTime} on {closeDate}. A replaced " +
      "cell starts again from zero. A void or interrupted test resolves to the second " +
      "outcome. The test is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Larchmoor test bench",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Quenby solid battery pass 1,000 charge cycles by {closeDate}?",
        startProbability: 0.46,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 182 * DAY_MS, phaseMs: 40 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "normal",
    glyph: "battery",
  },
  {
    id: "fennmark-reasoning-table",
    category: "science",
    title: "Top model of the Fennmark Reasoning Table on {closeDate}",
    rules:
      "The model in first place of the table at {closeTime} on {closeDate} wins. Exactly one " +
      "option resolves to its first outcome, and Any other model covers those not named. " +
      "Models with equal scores rank in the order listed here; if the table is offline, Any " +
      "other model wins. The table is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Fennmark Reasoning Table",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "abacus-prime",
        label: "Abacus Prime",
        title: "Will Abacus Prime lead the Fennmark Reasoning Table on {closeDate}?",
        startProbability: 0.35,
      },
      {
        id: "kitestring",
        label: "Kitestring",
        title: "Will Kitestring lead the Fennmark Reasoning Table on {closeDate}?",
        startProbability: 0.27,
      },
      {
        id: "marginalia",
        label: "Marginalia",
        title: "Will Marginalia lead the Fennmark Reasoning Table on {closeDate}?",
        startProbability: 0.18,
      },
      {
        id: "lodestone-nine",
        label: "Lodestone Nine",
        title: "Will Lodestone Nine lead the Fennmark Reasoning Table on {closeDate}?",
        startProbability: 0.13,
      },
      {
        id: "any-other-model",
        label: "Any other model",
        title: "Will any other model lead the Fennmark Reasoning Table on {closeDate}?",
        startProbability: 0.07,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 30 * DAY_MS, phaseMs: 14 * DAY_MS + 16 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "wild",
    glyph: "robot",
  },
  {
    id: "whimbrel-species",
    category: "science",
    title: "Research ship Whimbrel to {closeDate}: over or under 12.5 new species?",
    rules:
      "Resolves to the first outcome if the Whimbrel logs 13 or more species new to science " +
      "between opening and {closeTime} on {closeDate}. The half rules out a tie. A voyage " +
      "cut short counts with what it logged, and a lost log resolves to the second outcome. " +
      "The voyage is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated log of the Whimbrel",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Research ship Whimbrel to {closeDate}: over or under 12.5 new species?",
        startProbability: 0.52,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 56 * DAY_MS, phaseMs: 23 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "normal",
    glyph: "fish",
  },
  {
    id: "larchmoor-plasma",
    category: "science",
    title: "Will the Larchmoor reactor hold plasma for one hour by {closeMonth}?",
    rules:
      "Resolves to the first outcome if one plasma pulse of 60 minutes or more ends before " +
      "{closeTime} on {closeDate}. Pulses are not added together, and a disputed or void " +
      "pulse resolves to the second outcome. The reactor is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Larchmoor control room",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Larchmoor reactor hold plasma for one hour by {closeMonth}?",
        startProbability: 0.12,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 20 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.04",
    depth: "normal",
    volatility: "calm",
    glyph: "atom",
  },
  {
    id: "kestrel-seismometer",
    category: "science",
    title: "Will the Kestrel Islands record a magnitude 5 quake by {closeDate}?",
    rules:
      "Resolves to the first outcome if the Kestrel Islands seismometer records magnitude " +
      "5.0 or more between opening and {closeTime} on {closeDate}. The first published " +
      "magnitude decides and later revisions do not. If the instrument is offline, this " +
      "resolves to the second outcome. The readings are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Kestrel Islands seismometer",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Kestrel Islands record a magnitude 5 quake by {closeDate}?",
        startProbability: 0.28,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 12 * DAY_MS },
    tickSize: "0.001",
    feeRate: "0.04",
    depth: "normal",
    volatility: "wild",
    glyph: "seismograph",
  },
  {
    id: "larchmoor-counter",
    category: "science",
    title: "Larchmoor particle counter at {closeTime} on {closeDate}: odd or even?",
    rules:
      "Resolves to the first outcome if the number of particles counted from {openTime} to " +
      "{closeTime} on {closeDate} is odd. Zero is even. If the counter fails, this resolves " +
      "to the second outcome. The count is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Larchmoor counter",
    structure: "independent",
    outcomes: ["Odd", "Even"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Larchmoor particle counter at {closeTime} on {closeDate}: odd or even?",
        startProbability: 0.5,
      },
    ],
    cadence: { everyMs: HOUR_MS / 12, lastsMs: HOUR_MS / 4, phaseMs: HOUR_MS / 30 },
    tickSize: "0.1",
    feeRate: "0",
    depth: "normal",
    volatility: "calm",
    glyph: "atom",
  },
] satisfies readonly EventTemplate[];
