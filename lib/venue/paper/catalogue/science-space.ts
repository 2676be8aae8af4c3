import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const SPACE_EVENTS = [
  {
    id: "thistledown-orbit",
    category: "science",
    title: "Will the Thistledown satellite reach orbit by {closeDate}?",
    rules:
      "Resolves to the first outcome if Thistledown completes one full orbit before " +
      "{closeTime} on {closeDate}. A launch that fails, is postponed or ends below orbital " +
      "height does not count, and a void record resolves to the second outcome. The launch " +
      "is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Cape Fennimore range log",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will the Thistledown satellite reach orbit by {closeDate}?",
        startProbability: 0.71,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 3 * DAY_MS + 14 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "rocket",
  },
  {
    id: "comet-harrow-landing",
    category: "science",
    title: "First agency to land a probe on Comet Harrow by {closeMonth}",
    rules:
      "The agency whose probe is the first to send data from the surface of Comet Harrow " +
      "before {closeTime} on {closeDate} wins. Exactly one option resolves to its first " +
      "outcome. If two land in the same hour the one listed first wins, and with no landing " +
      "Nobody wins. The landings are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated deep space network",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "heron-launch-cooperative",
        label: "Heron Launch Cooperative",
        title:
          "Will the Heron Launch Cooperative be first to land on Comet Harrow by {closeMonth}?",
        startProbability: 0.27,
      },
      {
        id: "norvale-space-office",
        label: "Norvale Space Office",
        title: "Will the Norvale Space Office be first to land on Comet Harrow by {closeMonth}?",
        startProbability: 0.24,
      },
      {
        id: "aldermark-orbital",
        label: "Aldermark Orbital",
        title: "Will Aldermark Orbital be first to land on Comet Harrow by {closeMonth}?",
        startProbability: 0.15,
      },
      {
        id: "nobody",
        label: "Nobody",
        title: "Will nobody land on Comet Harrow by {closeMonth}?",
        startProbability: 0.34,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 115 * DAY_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "calm",
    glyph: "planet",
  },
  {
    id: "longacre-planets",
    category: "science",
    title: "Planets confirmed by the Longacre survey in the half-year to {closeDate}",
    rules:
      "Each market resolves to the first outcome if the survey confirms at least the stated " +
      "number of new planets between opening and {closeTime} on {closeDate}. A planet later " +
      "withdrawn still counts. If the survey publishes nothing, every market resolves to the " +
      "second outcome. The survey is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Longacre survey list",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "at-least-20",
        label: "20 or more",
        title: "Will Longacre confirm 20 or more planets by {closeDate}?",
        startProbability: 0.8,
      },
      {
        id: "at-least-30",
        label: "30 or more",
        title: "Will Longacre confirm 30 or more planets by {closeDate}?",
        startProbability: 0.45,
      },
      {
        id: "at-least-40",
        label: "40 or more",
        title: "Will Longacre confirm 40 or more planets by {closeDate}?",
        startProbability: 0.15,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 182 * DAY_MS, phaseMs: 80 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "calm",
    glyph: "planet",
  },
  {
    id: "ostrel-sunspots",
    category: "science",
    title: "Sunspot number at Ostrel Observatory for the month to {closeDate}",
    rules:
      "Each market resolves to the first outcome if the mean daily sunspot number from " +
      "opening to {closeTime} on {closeDate} is strictly above its threshold. Days without " +
      "observations are left out. A mean exactly on the threshold, or no observations, " +
      "resolves to the second outcome. The counts are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel Observatory",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-80",
        label: "Above 80",
        title: "Will the sunspot number be above 80 for the month to {closeDate}?",
        startProbability: 0.93,
      },
      {
        id: "above-100",
        label: "Above 100",
        title: "Will the sunspot number be above 100 for the month to {closeDate}?",
        startProbability: 0.67,
      },
      {
        id: "above-120",
        label: "Above 120",
        title: "Will the sunspot number be above 120 for the month to {closeDate}?",
        startProbability: 0.33,
      },
      {
        id: "above-140",
        label: "Above 140",
        title: "Will the sunspot number be above 140 for the month to {closeDate}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 30 * DAY_MS, phaseMs: 27 * DAY_MS + 12 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.04",
    depth: "thin",
    volatility: "normal",
    glyph: "sun",
  },
  {
    id: "tern-meteors",
    category: "science",
    title: "Will Tern observers count 20 meteors in the night ending {closeDate}?",
    rules:
      "Resolves to the first outcome if the Tern observers together log 20 or more meteors " +
      "in the 24 hours before {closeTime} on {closeDate}. A meteor seen by several observers " +
      "counts once. A clouded or void night resolves to the second outcome. The log is " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tern observers' log",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Tern observers count 20 meteors in the night ending {closeDate}?",
        startProbability: 0.45,
      },
    ],
    cadence: { everyMs: DAY_MS, lastsMs: DAY_MS, phaseMs: 5 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "wild",
    glyph: "meteor",
  },
  {
    id: "pebble-88-flyby",
    category: "science",
    title: "Will asteroid Pebble 88 pass inside the Moon's orbit by {closeMonth}?",
    rules:
      "Resolves to the first outcome if the tracked distance of Pebble 88 falls below the " +
      "mean distance of the Moon before {closeTime} on {closeDate}. A distance exactly " +
      "equal, or a lost track, resolves to the second outcome. The orbit is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated Ostrel Observatory",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will asteroid Pebble 88 pass inside the Moon's orbit by {closeMonth}?",
        startProbability: 0.05,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 172 * DAY_MS + 6 * HOUR_MS },
    tickSize: "0.0001",
    feeRate: "0.04",
    depth: "normal",
    volatility: "calm",
    glyph: "meteor",
  },
] satisfies readonly EventTemplate[];
