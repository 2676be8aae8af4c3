import "server-only";
import { PRIZE_EVENTS } from "@/lib/venue/paper/catalogue/culture-prizes";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const CULTURE_EVENTS = [
  ...PRIZE_EVENTS,
  {
    id: "winter-circuit-score",
    category: "culture",
    title: "Critics' score of Winter Circuit by Juniper Static on {closeDate}",
    rules:
      "Each market resolves to the first outcome if the album's average critics' score at " +
      "{closeTime} on {closeDate} is at or above its threshold. The unrounded average of all " +
      "published reviews decides. With fewer than five reviews every market resolves to the " +
      "second outcome. Reviews are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated review digest",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "at-least-70",
        label: "70 or more",
        title: "Will Winter Circuit score 70 or more with critics on {closeDate}?",
        startProbability: 0.87,
      },
      {
        id: "at-least-75",
        label: "75 or more",
        title: "Will Winter Circuit score 75 or more with critics on {closeDate}?",
        startProbability: 0.63,
      },
      {
        id: "at-least-80",
        label: "80 or more",
        title: "Will Winter Circuit score 80 or more with critics on {closeDate}?",
        startProbability: 0.32,
      },
      {
        id: "at-least-85",
        label: "85 or more",
        title: "Will Winter Circuit score 85 or more with critics on {closeDate}?",
        startProbability: 0.1,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 7 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "normal",
    glyph: "music",
  },
  {
    id: "kettle-and-crown",
    category: "culture",
    title: "Kettle & Crown, episode of {closeDate}: which baker leaves?",
    rules:
      "The baker sent home in the episode that ends by {closeTime} on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome. If several leave the one listed " +
      "first wins, and if nobody leaves the last baker listed wins. The episode is simulated " +
      "by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Kettle & Crown episode guide",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "perpetua-dunnock",
        label: "Perpetua Dunnock",
        title: "Will Perpetua Dunnock leave Kettle & Crown on {closeDate}?",
        startProbability: 0.35,
      },
      {
        id: "gil-hasperland",
        label: "Gil Hasperland",
        title: "Will Gil Hasperland leave Kettle & Crown on {closeDate}?",
        startProbability: 0.29,
      },
      {
        id: "roswitha-kemble",
        label: "Roswitha Kemble",
        title: "Will Roswitha Kemble leave Kettle & Crown on {closeDate}?",
        startProbability: 0.21,
      },
      {
        id: "teddy-vaskin",
        label: "Teddy Vaskin",
        title: "Will Teddy Vaskin leave Kettle & Crown on {closeDate}?",
        startProbability: 0.15,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 5 * DAY_MS + 21 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "wild",
    glyph: "mask",
  },
  {
    id: "harbour-city-museum",
    category: "culture",
    title: "Harbour City museum, week ending {closeDate}: over or under 10,000 visitors?",
    rules:
      "Resolves to the first outcome if the museum counts more than 10,000 visitors in the " +
      "seven days before {closeTime} on {closeDate}. Exactly 10,000, or a week in which the " +
      "museum stays closed, resolves to the second outcome. The count is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated museum turnstile",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Harbour City museum, week ending {closeDate}: over or under 10,000 visitors?",
        startProbability: 0.59,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 4 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "building",
  },
  {
    id: "hollow-orchard-release",
    category: "culture",
    title: "Will the game Hollow Orchard be released by {closeDate}?",
    rules:
      "Resolves to the first outcome if anyone can buy and play the finished game before " +
      "{closeTime} on {closeDate}. Demos and early access do not count, and a withdrawn " +
      "release resolves to the second outcome. The release is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated games catalog",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the game Hollow Orchard be released by {closeDate}?",
        startProbability: 0.42,
      },
    ],
    cadence: { everyMs: 60 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 36 * DAY_MS + 15 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "gamepad",
  },
  {
    id: "courier-crossword",
    category: "culture",
    title: "Will readers rate the Norvale Courier crossword of {closeDate} as hard?",
    rules:
      "Resolves to the first outcome if more than half of the readers who vote by " +
      "{closeTime} on {closeDate} choose hard. A tied vote, or a day without a crossword, " +
      "resolves to the second outcome. The vote is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale Courier reader poll",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will readers rate the Norvale Courier crossword of {closeDate} as hard?",
        startProbability: 0.4,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 20 * HOUR_MS },
    tickSize: "0.1",
    feeRate: "0",
    depth: "thin",
    volatility: "normal",
    glyph: "book",
  },
  {
    id: "radio-tern-requests",
    category: "culture",
    title: "Radio Tern requests, {openTime} to {closeTime} on {closeDate}: strings or brass?",
    rules:
      "Resolves to the first outcome if listeners request more pieces for strings than for " +
      "brass before {closeTime} on {closeDate}. Equal numbers, or an hour without a program, " +
      "resolve to the second outcome. The requests are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Radio Tern request line",
    structure: "independent",
    outcomes: ["Strings", "Brass"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Radio Tern requests, {openTime} to {closeTime} on {closeDate}: strings or brass?",
        startProbability: 0.55,
      },
    ],
    cadence: { everyMs: HOUR_MS, lastsMs: HOUR_MS, phaseMs: 0 },
    tickSize: "0.01",
    feeRate: "0",
    depth: "thin",
    volatility: "normal",
    glyph: "music",
  },
  {
    id: "tide-clerk-run",
    category: "culture",
    title: "Will the play The Tide Clerk still be running on {closeDate}?",
    rules:
      "Resolves to the first outcome if a public performance of The Tide Clerk ends in the " +
      "last seven days before {closeTime} on {closeDate}. A pause of more than a week counts " +
      "as the end of the run, and a void record resolves to the second outcome. The run is " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City playbill",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the play The Tide Clerk still be running on {closeDate}?",
        startProbability: 0.83,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 17 * DAY_MS + 23 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "mask",
  },
] satisfies readonly EventTemplate[];
