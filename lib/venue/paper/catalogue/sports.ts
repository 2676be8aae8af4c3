import "server-only";
import { SPORTS_TITLE_EVENTS } from "@/lib/venue/paper/catalogue/sports-titles";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const SPORTS_EVENTS = [
  ...SPORTS_TITLE_EVENTS,
  {
    id: "gulls-v-kestrel",
    category: "sports",
    title: "Harbour Gulls v Kestrel United, {closeDate}: who wins?",
    rules:
      "Resolves to the club ahead at the end of normal time in the match that ends by " +
      "{closeTime} on {closeDate}. If the match is drawn, abandoned or postponed, this " +
      "resolves to the second outcome, Kestrel United. The match is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated match report",
    structure: "independent",
    outcomes: ["Harbour Gulls", "Kestrel United"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Harbour Gulls v Kestrel United, {closeDate}: who wins?",
        startProbability: 0.44,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 2 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "ball",
  },
  {
    id: "foxes-v-owls",
    category: "sports",
    title: "Fennmark Foxes v Ostrel Owls, {closeDate}: who wins?",
    rules:
      "Resolves to the team with more points in the basketball game that ends by {closeTime} " +
      "on {closeDate}, overtime included. If the game is void or cannot be finished, this " +
      "resolves to the second outcome, Ostrel Owls. The game is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated game sheet",
    structure: "independent",
    outcomes: ["Fennmark Foxes", "Ostrel Owls"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Fennmark Foxes v Ostrel Owls, {closeDate}: who wins?",
        startProbability: 0.58,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 22 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "wild",
    glyph: "hoop",
  },
  {
    id: "sails-v-tritons-points",
    category: "sports",
    title: "Saltmere Sails v Tern Tritons, {closeDate}: over or under 212.5 points?",
    rules:
      "Resolves to the first outcome if both teams together score 213 points or more by " +
      "{closeTime} on {closeDate}, overtime included. The half point rules out a tie. If the " +
      "game is abandoned before that total is reached, this resolves to the second outcome. " +
      "The game is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated game sheet",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Saltmere Sails v Tern Tritons, {closeDate}: over or under 212.5 points?",
        startProbability: 0.5,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: 2 * DAY_MS, phaseMs: 21 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "hoop",
  },
  {
    id: "tern-open-final",
    category: "sports",
    title: "Tern Open final, {closeDate}: Odile Marrowby or Yara Fennick?",
    rules:
      "Resolves to the player who wins the match that ends by {closeTime} on {closeDate}. A " +
      "retirement counts as a win for the other player; if the final is not played, this " +
      "resolves to the second outcome. The match is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tern Open scoreboard",
    structure: "independent",
    outcomes: ["Odile Marrowby", "Yara Fennick"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Tern Open final, {closeDate}: Odile Marrowby or Yara Fennick?",
        startProbability: 0.53,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 10 * DAY_MS + 16 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "tennis",
  },
  {
    id: "lynx-v-gales",
    category: "sports",
    title: "Larchmoor Lynx v Gantry Gales, {closeDate}: who lifts the ice cup?",
    rules:
      "Resolves to the team that wins the ice hockey final ending by {closeTime} on " +
      "{closeDate}, overtime and shoot-out included. If the final is void or unfinished, " +
      "this resolves to the second outcome, Gantry Gales. The match is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated match report",
    structure: "independent",
    outcomes: ["Larchmoor Lynx", "Gantry Gales"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Larchmoor Lynx v Gantry Gales, {closeDate}: who lifts the ice cup?",
        startProbability: 0.63,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 3 * DAY_MS + 20 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "trophy",
  },
  {
    id: "snail-sprint",
    category: "sports",
    title: "Garden snail sprint to {closeTime} on {closeDate}: Comet or Biscuit?",
    rules:
      "Resolves to the snail that is farther along the lettuce track at {closeTime} on " +
      "{closeDate}. If the two are level or the race is void, this resolves to the second " +
      "outcome, Biscuit. The race is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated lettuce track",
    structure: "independent",
    outcomes: ["Comet", "Biscuit"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Garden snail sprint to {closeTime} on {closeDate}: Comet or Biscuit?",
        startProbability: 0.5,
      },
    ],
    cadence: { everyMs: HOUR_MS / 4, lastsMs: HOUR_MS, phaseMs: 0 },
    tickSize: "0.1",
    feeRate: "0",
    depth: "thin",
    volatility: "wild",
    glyph: "flag",
  },
  {
    id: "harbour-city-marathon",
    category: "sports",
    title: "Harbour City Marathon of {closeDate}: the winning time",
    rules:
      "Each market resolves to the first outcome if the first runner's official time on " +
      "{closeDate} is strictly below its threshold. A disqualified winner is replaced by the " +
      "next finisher. If the race is canceled or nobody finishes, every market resolves to " +
      "the second outcome. The race is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City timing mat",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "under-2-12",
        label: "Under 2:12:00",
        title: "Will the Harbour City Marathon of {closeDate} be won in under 2:12:00?",
        startProbability: 0.92,
      },
      {
        id: "under-2-10",
        label: "Under 2:10:00",
        title: "Will the Harbour City Marathon of {closeDate} be won in under 2:10:00?",
        startProbability: 0.64,
      },
      {
        id: "under-2-08",
        label: "Under 2:08:00",
        title: "Will the Harbour City Marathon of {closeDate} be won in under 2:08:00?",
        startProbability: 0.29,
      },
      {
        id: "under-2-06",
        label: "Under 2:06:00",
        title: "Will the Harbour City Marathon of {closeDate} be won in under 2:06:00?",
        startProbability: 0.07,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 91 * DAY_MS, phaseMs: 73 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "calm",
    glyph: "stopwatch",
  },
  {
    id: "gulls-unbeaten",
    category: "sports",
    title: "Will Harbour Gulls stay unbeaten in the league until {closeDate}?",
    rules:
      "Resolves to the first outcome if Harbour Gulls lose no league match that ends between " +
      "opening and {closeTime} on {closeDate}. Draws do not end the run and cup matches do " +
      "not count. If the league is suspended or void, this resolves to the second outcome. " +
      "The matches are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Northern Coast League table",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Harbour Gulls stay unbeaten in the league until {closeDate}?",
        startProbability: 0.17,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 21 * DAY_MS + 22 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "ball",
  },
] satisfies readonly EventTemplate[];
