import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const PRIZE_EVENTS = [
  {
    id: "gilded-heron-best-film",
    category: "culture",
    title: "Gilded Heron Awards, {closeMonth}: which film is best picture?",
    rules:
      "The film named best picture at the Gilded Heron ceremony on {closeDate} wins. Exactly " +
      "one option resolves to its first outcome. If the prize is shared, the sharing film " +
      "listed first wins; if the ceremony is canceled, the last film listed wins. The " +
      "ceremony is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Gilded Heron academy",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "the-lighthouse-ledger",
        label: "The Lighthouse Ledger",
        title: "Will The Lighthouse Ledger win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.31,
      },
      {
        id: "nine-quiet-bridges",
        label: "Nine Quiet Bridges",
        title: "Will Nine Quiet Bridges win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.22,
      },
      {
        id: "salt-and-static",
        label: "Salt and Static",
        title: "Will Salt and Static win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.16,
      },
      {
        id: "a-winter-in-ostrel",
        label: "A Winter in Ostrel",
        title: "Will A Winter in Ostrel win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.12,
      },
      {
        id: "paper-harbour",
        label: "Paper Harbour",
        title: "Will Paper Harbour win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.09,
      },
      {
        id: "the-understudys-map",
        label: "The Understudy's Map",
        title: "Will The Understudy's Map win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.06,
      },
      {
        id: "minor-weather",
        label: "Minor Weather",
        title: "Will Minor Weather win the Gilded Heron for best picture in {closeMonth}?",
        startProbability: 0.04,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 77 * DAY_MS + 22 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "film",
  },
  {
    id: "tern-prize-novel",
    category: "culture",
    title: "Tern Prize for the novel, {closeMonth}: which book wins?",
    rules:
      "The novel announced as the winner of the Tern Prize by {closeTime} on {closeDate} " +
      "wins. Exactly one option resolves to its first outcome. If the jury splits the prize, " +
      "the winning title listed first wins; if no prize is given, the last title listed " +
      "wins. The jury is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tern Prize jury",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "the-salt-cellar-letters",
        label: "The Salt Cellar Letters",
        title: "Will The Salt Cellar Letters win the Tern Prize in {closeMonth}?",
        startProbability: 0.28,
      },
      {
        id: "orchards-at-low-tide",
        label: "Orchards at Low Tide",
        title: "Will Orchards at Low Tide win the Tern Prize in {closeMonth}?",
        startProbability: 0.23,
      },
      {
        id: "an-inventory-of-gates",
        label: "An Inventory of Gates",
        title: "Will An Inventory of Gates win the Tern Prize in {closeMonth}?",
        startProbability: 0.19,
      },
      {
        id: "mother-compass",
        label: "Mother Compass",
        title: "Will Mother Compass win the Tern Prize in {closeMonth}?",
        startProbability: 0.13,
      },
      {
        id: "the-slow-post",
        label: "The Slow Post",
        title: "Will The Slow Post win the Tern Prize in {closeMonth}?",
        startProbability: 0.1,
      },
      {
        id: "eleven-umbrellas",
        label: "Eleven Umbrellas",
        title: "Will Eleven Umbrellas win the Tern Prize in {closeMonth}?",
        startProbability: 0.07,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 143 * DAY_MS + 19 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "book",
  },
  {
    id: "saltmere-lights-headliner",
    category: "culture",
    title: "Saltmere Lights festival, {closeMonth}: who headlines?",
    rules:
      "The act that plays last on the main stage on {closeDate} wins. Exactly one option " +
      "resolves to its first outcome, and Any other act covers those not named. If two acts " +
      "close the stage together the one listed first wins; if the festival is canceled, Any " +
      "other act wins. The festival is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Saltmere Lights running order",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "the-drift-choir",
        label: "The Drift Choir",
        title: "Will The Drift Choir headline Saltmere Lights in {closeMonth}?",
        startProbability: 0.39,
      },
      {
        id: "juniper-static",
        label: "Juniper Static",
        title: "Will Juniper Static headline Saltmere Lights in {closeMonth}?",
        startProbability: 0.28,
      },
      {
        id: "oda-merrow",
        label: "Oda Merrow",
        title: "Will Oda Merrow headline Saltmere Lights in {closeMonth}?",
        startProbability: 0.2,
      },
      {
        id: "any-other-act",
        label: "Any other act",
        title: "Will any other act headline Saltmere Lights in {closeMonth}?",
        startProbability: 0.13,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 55 * DAY_MS + 23 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "music",
  },
  {
    id: "tidewater-number-one",
    category: "culture",
    title: "Number one song on the Tidewater Chart of {closeDate}",
    rules:
      "The song at the top of the chart published at {closeTime} on {closeDate} wins. " +
      "Exactly one option resolves to its first outcome, and Any other song covers those not " +
      "named. A shared first place goes to the song listed first; if no chart is published, " +
      "Any other song wins. The chart is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Tidewater Chart",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "slow-ferry",
        label: "Slow Ferry",
        title: "Will Slow Ferry top the Tidewater Chart of {closeDate}?",
        startProbability: 0.33,
      },
      {
        id: "paper-lanterns-out",
        label: "Paper Lanterns Out",
        title: "Will Paper Lanterns Out top the Tidewater Chart of {closeDate}?",
        startProbability: 0.25,
      },
      {
        id: "borrowed-coat",
        label: "Borrowed Coat",
        title: "Will Borrowed Coat top the Tidewater Chart of {closeDate}?",
        startProbability: 0.17,
      },
      {
        id: "half-past-always",
        label: "Half Past Always",
        title: "Will Half Past Always top the Tidewater Chart of {closeDate}?",
        startProbability: 0.14,
      },
      {
        id: "any-other-song",
        label: "Any other song",
        title: "Will any other song top the Tidewater Chart of {closeDate}?",
        startProbability: 0.11,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: DAY_MS + 12 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "wild",
    glyph: "music",
  },
  {
    id: "norvale-box-office",
    category: "culture",
    title: "Norvale box office in the week ending {closeDate}: which film leads?",
    rules:
      "The film with the highest ticket sales in the seven days before {closeTime} on " +
      "{closeDate} wins. Exactly one option resolves to its first outcome, and Any other " +
      "film covers those not named. A tie goes to the film listed first; if sales are not " +
      "published, Any other film wins. Sales are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale box office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "paper-harbour",
        label: "Paper Harbour",
        title: "Will Paper Harbour lead the Norvale box office in the week ending {closeDate}?",
        startProbability: 0.36,
      },
      {
        id: "captain-marigold",
        label: "Captain Marigold",
        title: "Will Captain Marigold lead the Norvale box office in the week ending {closeDate}?",
        startProbability: 0.24,
      },
      {
        id: "the-long-picnic",
        label: "The Long Picnic",
        title: "Will The Long Picnic lead the Norvale box office in the week ending {closeDate}?",
        startProbability: 0.16,
      },
      {
        id: "midnight-at-keld-pass",
        label: "Midnight at Keld Pass",
        title:
          "Will Midnight at Keld Pass lead the Norvale box office in the week ending {closeDate}?",
        startProbability: 0.13,
      },
      {
        id: "any-other-film",
        label: "Any other film",
        title: "Will any other film lead the Norvale box office in the week ending {closeDate}?",
        startProbability: 0.11,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 7 * DAY_MS, phaseMs: 3 * DAY_MS + 22 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "film",
  },
] satisfies readonly EventTemplate[];
