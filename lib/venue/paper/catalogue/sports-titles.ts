import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const SPORTS_TITLE_EVENTS = [
  {
    id: "northern-coast-league",
    category: "sports",
    title: "Northern Coast League, season ending {closeMonth}: who is champion?",
    rules:
      "The club at the top of the final Northern Coast League table on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome. Clubs level on points are separated " +
      "by goal difference, then goals scored, then the order listed here; if the season is " +
      "void, the last club listed wins. All results are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Northern Coast League table",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "harbour-gulls",
        label: "Harbour Gulls",
        title: "Will Harbour Gulls win the Northern Coast League in {closeMonth}?",
        startProbability: 0.27,
      },
      {
        id: "kestrel-united",
        label: "Kestrel United",
        title: "Will Kestrel United win the Northern Coast League in {closeMonth}?",
        startProbability: 0.22,
      },
      {
        id: "port-marlow-athletic",
        label: "Port Marlow Athletic",
        title: "Will Port Marlow Athletic win the Northern Coast League in {closeMonth}?",
        startProbability: 0.17,
      },
      {
        id: "saltmere-rovers",
        label: "Saltmere Rovers",
        title: "Will Saltmere Rovers win the Northern Coast League in {closeMonth}?",
        startProbability: 0.12,
      },
      {
        id: "larchmoor-town",
        label: "Larchmoor Town",
        title: "Will Larchmoor Town win the Northern Coast League in {closeMonth}?",
        startProbability: 0.09,
      },
      {
        id: "tern-wanderers",
        label: "Tern Wanderers",
        title: "Will Tern Wanderers win the Northern Coast League in {closeMonth}?",
        startProbability: 0.06,
      },
      {
        id: "fennmark-city",
        label: "Fennmark City",
        title: "Will Fennmark City win the Northern Coast League in {closeMonth}?",
        startProbability: 0.04,
      },
      {
        id: "ostrel-sporting",
        label: "Ostrel Sporting",
        title: "Will Ostrel Sporting win the Northern Coast League in {closeMonth}?",
        startProbability: 0.03,
      },
    ],
    cadence: { everyMs: 365 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 150 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "trophy",
  },
  {
    id: "meridian-tour",
    category: "sports",
    title: "Tour of the Meridian finishing {closeDate}: who wins overall?",
    rules:
      "The rider with the lowest total time after the last stage on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome, and Any other rider covers everyone " +
      "not named. Equal times are decided by the last stage; if the tour is canceled, Any " +
      "other rider wins. The race is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Meridian race office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "matteo-corvane",
        label: "Matteo Corvane",
        title: "Will Matteo Corvane win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.29,
      },
      {
        id: "brannoch-ivers",
        label: "Brannoch Ivers",
        title: "Will Brannoch Ivers win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.22,
      },
      {
        id: "kael-dorrit",
        label: "Kael Dorrit",
        title: "Will Kael Dorrit win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.16,
      },
      {
        id: "ines-valdrac",
        label: "Ines Valdrac",
        title: "Will Ines Valdrac win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.12,
      },
      {
        id: "hamish-torvane",
        label: "Hamish Torvane",
        title: "Will Hamish Torvane win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.08,
      },
      {
        id: "wim-askelund",
        label: "Wim Askelund",
        title: "Will Wim Askelund win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.05,
      },
      {
        id: "any-other-rider",
        label: "Any other rider",
        title: "Will any other rider win the Tour of the Meridian finishing {closeDate}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: 24 * DAY_MS + 16 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "wild",
    glyph: "bike",
  },
  {
    id: "saltmere-chess-masters",
    category: "sports",
    title: "Saltmere Chess Masters ending {closeDate}: who takes first place?",
    rules:
      "The player with the highest score after the final round on {closeDate} wins. Exactly " +
      "one option resolves to its first outcome. Tied players meet in a rapid play-off whose " +
      "winner counts; if the tournament is void, the last player listed wins. The games are " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Saltmere tournament hall",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "irena-holmquay",
        label: "Irena Holmquay",
        title: "Will Irena Holmquay win the Saltmere Chess Masters ending {closeDate}?",
        startProbability: 0.31,
      },
      {
        id: "dov-pellarin",
        label: "Dov Pellarin",
        title: "Will Dov Pellarin win the Saltmere Chess Masters ending {closeDate}?",
        startProbability: 0.26,
      },
      {
        id: "ansel-brackwater",
        label: "Ansel Brackwater",
        title: "Will Ansel Brackwater win the Saltmere Chess Masters ending {closeDate}?",
        startProbability: 0.19,
      },
      {
        id: "mirela-stoyne",
        label: "Mirela Stoyne",
        title: "Will Mirela Stoyne win the Saltmere Chess Masters ending {closeDate}?",
        startProbability: 0.15,
      },
      {
        id: "tadeo-wrenfield",
        label: "Tadeo Wrenfield",
        title: "Will Tadeo Wrenfield win the Saltmere Chess Masters ending {closeDate}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 9 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "pawn",
  },
  {
    id: "keld-sound-regatta",
    category: "sports",
    title: "Keld Sound Regatta, {closeDate}: which yacht wins?",
    rules:
      "The yacht with the best corrected time over all races finished by {closeTime} on " +
      "{closeDate} wins. Exactly one option resolves to its first outcome. A tie goes to the " +
      "yacht that won the last race; if no race is sailed, the last yacht listed wins. The " +
      "races are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Keld Sound race committee",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "second-breakfast",
        label: "Second Breakfast",
        title: "Will Second Breakfast win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.28,
      },
      {
        id: "tidewater-belle",
        label: "Tidewater Belle",
        title: "Will Tidewater Belle win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.23,
      },
      {
        id: "quiet-argument",
        label: "Quiet Argument",
        title: "Will Quiet Argument win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.19,
      },
      {
        id: "silver-plover",
        label: "Silver Plover",
        title: "Will Silver Plover win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.14,
      },
      {
        id: "northern-patience",
        label: "Northern Patience",
        title: "Will Northern Patience win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.1,
      },
      {
        id: "leeward-annie",
        label: "Leeward Annie",
        title: "Will Leeward Annie win the Keld Sound Regatta of {closeDate}?",
        startProbability: 0.06,
      },
    ],
    cadence: { everyMs: 60 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 44 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "normal",
    glyph: "boat",
  },
] satisfies readonly EventTemplate[];
