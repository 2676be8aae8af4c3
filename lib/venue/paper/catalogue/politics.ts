import "server-only";
import { ELECTION_EVENTS } from "@/lib/venue/paper/catalogue/politics-elections";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const POLITICS_EVENTS = [
  ...ELECTION_EVENTS,
  {
    id: "norvale-approval",
    category: "politics",
    title: "Norvale presidential approval in the Monitor poll of {closeDate}",
    rules:
      "Each market resolves to the first outcome if approval in the Norvale Monitor poll " +
      "published at {closeTime} on {closeDate} is at or above its threshold. The unrounded " +
      "figure decides. If no poll is published, every market resolves to the second outcome. " +
      "The poll is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale Monitor poll",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "at-least-40",
        label: "40% or more",
        title: "Will Norvale presidential approval be 40% or more on {closeDate}?",
        startProbability: 0.91,
      },
      {
        id: "at-least-44",
        label: "44% or more",
        title: "Will Norvale presidential approval be 44% or more on {closeDate}?",
        startProbability: 0.68,
      },
      {
        id: "at-least-48",
        label: "48% or more",
        title: "Will Norvale presidential approval be 48% or more on {closeDate}?",
        startProbability: 0.36,
      },
      {
        id: "at-least-52",
        label: "52% or more",
        title: "Will Norvale presidential approval be 52% or more on {closeDate}?",
        startProbability: 0.11,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 5 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "megaphone",
  },
  {
    id: "ostrel-coalition",
    category: "politics",
    title: "Will Ostrel's governing coalition still hold on {closeDate}?",
    rules:
      "Resolves to the first outcome if every party now in the Ostrel coalition still sits " +
      "in government at {closeTime} on {closeDate}. A caretaker government counts as the end " +
      "of the coalition, and an unclear status resolves to the second outcome. Events in " +
      "Ostrel are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel gazette",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Ostrel's governing coalition still hold on {closeDate}?",
        startProbability: 0.78,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 11 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "parliament",
  },
  {
    id: "aldermark-port-budget",
    category: "politics",
    title: "Will the Aldermark assembly pass the port budget by {closeDate}?",
    rules:
      "Resolves to the first outcome if the assembly adopts the port budget in a final vote " +
      "before {closeTime} on {closeDate}. A tied vote is a defeat, and a withdrawn or void " +
      "bill resolves to the second outcome. The vote is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark assembly record",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Aldermark assembly pass the port budget by {closeDate}?",
        startProbability: 0.55,
      },
    ],
    cadence: { everyMs: 14 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: 8 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "wild",
    glyph: "gavel",
  },
  {
    id: "norvale-reshuffle",
    category: "politics",
    title: "Will a minister leave the Norvale cabinet in the week ending {closeDate}?",
    rules:
      "Resolves to the first outcome if at least one full minister resigns or is dismissed " +
      "between opening and {closeTime} on {closeDate}. A move between ministries does not " +
      "count. If the record is void or unclear, this resolves to the second outcome. Cabinet " +
      "changes are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale cabinet register",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will a minister leave the Norvale cabinet in the week ending {closeDate}?",
        startProbability: 0.14,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: DAY_MS + 18 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.04",
    depth: "thin",
    volatility: "normal",
    glyph: "megaphone",
  },
  {
    id: "fennmark-agenda",
    category: "politics",
    title: "Will the Fennmark council finish its agenda on {closeDate}?",
    rules:
      "Resolves to the first outcome if the last item on the day's agenda is closed before " +
      "{closeTime} on {closeDate}. A postponed item is unfinished, and a canceled sitting " +
      "resolves to the second outcome. The sitting is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Fennmark council minutes",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Fennmark council finish its agenda on {closeDate}?",
        startProbability: 0.6,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 19 * HOUR_MS },
    tickSize: "0.1",
    feeRate: "0",
    depth: "thin",
    volatility: "wild",
    glyph: "parliament",
  },
  {
    id: "customs-union",
    category: "politics",
    title: "Will Norvale and Aldermark join their customs unions by {closeMonth}?",
    rules:
      "Resolves to the first outcome if both parliaments ratify a joint customs treaty " +
      "before {closeTime} on {closeDate}. A treaty that is signed but not ratified is not " +
      "enough, and a void ratification resolves to the second outcome. Both parliaments are " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated treaty register",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Norvale and Aldermark join their customs unions by {closeMonth}?",
        startProbability: 0.04,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 96 * DAY_MS + 16 * HOUR_MS },
    tickSize: "0.001",
    feeRate: "0.04",
    depth: "deep",
    volatility: "calm",
    glyph: "flag",
  },
] satisfies readonly EventTemplate[];
