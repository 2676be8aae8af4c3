import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const ELECTION_EVENTS = [
  {
    id: "norvale-presidency",
    category: "politics",
    title: "Norvale presidential election, {closeMonth}: who wins?",
    rules:
      "The candidate who leads the final count of the Norvale presidential election on " +
      "{closeDate}, run-off included, wins. Exactly one option resolves to its first " +
      "outcome. In a tie the tied candidate listed first wins; if the election is void, " +
      "Another candidate wins. The count is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale Electoral Office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "ilse-tarrow",
        label: "Ilse Tarrow",
        title: "Will Ilse Tarrow win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.34,
      },
      {
        id: "corin-vadt",
        label: "Corin Vadt",
        title: "Will Corin Vadt win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.27,
      },
      {
        id: "petra-lindmoor",
        label: "Petra Lindmoor",
        title: "Will Petra Lindmoor win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.18,
      },
      {
        id: "josper-hale",
        label: "Josper Hale",
        title: "Will Josper Hale win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.11,
      },
      {
        id: "anwen-strake",
        label: "Anwen Strake",
        title: "Will Anwen Strake win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.06,
      },
      {
        id: "another-candidate",
        label: "Another candidate",
        title: "Will another candidate win the Norvale presidential election in {closeMonth}?",
        startProbability: 0.04,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 40 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "normal",
    glyph: "ballot",
  },
  {
    id: "aldermark-largest-party",
    category: "politics",
    title: "Aldermark parliament, {closeMonth}: which party wins the most seats?",
    rules:
      "The party with the most seats when the Aldermark count closes on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome; joint lists count for the party " +
      "named first on the ballot. In a tie the party with more votes wins, and if the " +
      "election is void the last party listed wins. The count is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark Returning Office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "lantern-party",
        label: "Lantern Party",
        title: "Will the Lantern Party win the most seats in Aldermark in {closeMonth}?",
        startProbability: 0.36,
      },
      {
        id: "harbour-league",
        label: "Harbour League",
        title: "Will the Harbour League win the most seats in Aldermark in {closeMonth}?",
        startProbability: 0.31,
      },
      {
        id: "green-meridian",
        label: "Green Meridian",
        title: "Will the Green Meridian win the most seats in Aldermark in {closeMonth}?",
        startProbability: 0.17,
      },
      {
        id: "orchard-party",
        label: "Orchard Party",
        title: "Will the Orchard Party win the most seats in Aldermark in {closeMonth}?",
        startProbability: 0.11,
      },
      {
        id: "new-compass",
        label: "New Compass",
        title: "Will the New Compass win the most seats in Aldermark in {closeMonth}?",
        startProbability: 0.05,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 121 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "calm",
    glyph: "parliament",
  },
  {
    id: "harbour-city-mayor",
    category: "politics",
    title: "Harbour City mayoral election, {closeMonth}: who wins?",
    rules:
      "The candidate declared mayor of Harbour City after the count on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome. In a tie the tied candidate listed " +
      "first wins; if the election is void, the last candidate listed wins. The declaration " +
      "is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City clerk",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "edda-fairmile",
        label: "Edda Fairmile",
        title: "Will Edda Fairmile be elected mayor of Harbour City in {closeMonth}?",
        startProbability: 0.42,
      },
      {
        id: "rufus-pennick",
        label: "Rufus Pennick",
        title: "Will Rufus Pennick be elected mayor of Harbour City in {closeMonth}?",
        startProbability: 0.33,
      },
      {
        id: "odile-marchbank",
        label: "Odile Marchbank",
        title: "Will Odile Marchbank be elected mayor of Harbour City in {closeMonth}?",
        startProbability: 0.17,
      },
      {
        id: "sunniva-thorle",
        label: "Sunniva Thorle",
        title: "Will Sunniva Thorle be elected mayor of Harbour City in {closeMonth}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 90 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 33 * DAY_MS + 20 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "ballot",
  },
  {
    id: "tern-coinage-referendum",
    category: "politics",
    title: "Will the Isle of Tern vote to keep its own coinage in the referendum of {closeDate}?",
    rules:
      "Resolves to the first outcome if more than half of the valid votes counted by " +
      "{closeTime} on {closeDate} are for keeping the coinage. If the vote is exactly tied, " +
      "void or postponed, this resolves to the second outcome. The referendum is simulated " +
      "by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tern Electoral Board",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title:
          "Will the Isle of Tern vote to keep its own coinage in the referendum of {closeDate}?",
        startProbability: 0.62,
      },
    ],
    cadence: { everyMs: 60 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 19 * DAY_MS + 21 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "ballot",
  },
  {
    id: "saltmere-turnout",
    category: "politics",
    title: "Turnout in the Saltmere council election of {closeDate}",
    rules:
      "Each market compares the turnout published at {closeTime} on {closeDate} with its " +
      "threshold and resolves to the first outcome if turnout is at or above it. A spoiled " +
      "ballot counts as a vote. If the election is void, every market resolves to the second " +
      "outcome. Turnout is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Saltmere council register",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "at-least-45",
        label: "45% or more",
        title: "Will turnout in Saltmere on {closeDate} be 45% or more?",
        startProbability: 0.9,
      },
      {
        id: "at-least-50",
        label: "50% or more",
        title: "Will turnout in Saltmere on {closeDate} be 50% or more?",
        startProbability: 0.66,
      },
      {
        id: "at-least-55",
        label: "55% or more",
        title: "Will turnout in Saltmere on {closeDate} be 55% or more?",
        startProbability: 0.35,
      },
      {
        id: "at-least-60",
        label: "60% or more",
        title: "Will turnout in Saltmere on {closeDate} be 60% or more?",
        startProbability: 0.12,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 56 * DAY_MS, phaseMs: 13 * DAY_MS + 22 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "calm",
    glyph: "ballot",
  },
  {
    id: "ostrel-speaker",
    category: "politics",
    title: "Speaker of the Ostrel house, {closeMonth}: Sabra Keld or Tobin Quillon?",
    rules:
      "Resolves to the candidate with more votes in the ballot of members closing on " +
      "{closeDate}. If the ballot is tied, void or not held, this resolves to the second " +
      "outcome. The ballot is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel house journal",
    structure: "independent",
    outcomes: ["Sabra Keld", "Tobin Quillon"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Speaker of the Ostrel house, {closeMonth}: Sabra Keld or Tobin Quillon?",
        startProbability: 0.47,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 66 * DAY_MS + 15 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "calm",
    glyph: "gavel",
  },
] satisfies readonly EventTemplate[];
