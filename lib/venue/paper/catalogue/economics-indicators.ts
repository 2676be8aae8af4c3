import "server-only";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const INDICATOR_EVENTS = [
  {
    id: "norvale-inflation",
    category: "economics",
    title: "Norvale inflation in the figures of {closeDate}",
    rules:
      "Each market resolves to the first outcome if the yearly inflation rate published at " +
      "{closeTime} on {closeDate} is strictly above its threshold. The first published " +
      "figure decides and later revisions do not. A rate exactly on the threshold, or no " +
      "publication, resolves to the second outcome. The figure is simulated by the paper " +
      "exchange.",
    resolutionSource: "The paper exchange's simulated Norvale Statistics Bureau",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-2-0",
        label: "Above 2.0%",
        title: "Will Norvale inflation be above 2.0% on {closeDate}?",
        startProbability: 0.89,
      },
      {
        id: "above-2-5",
        label: "Above 2.5%",
        title: "Will Norvale inflation be above 2.5% on {closeDate}?",
        startProbability: 0.61,
      },
      {
        id: "above-3-0",
        label: "Above 3.0%",
        title: "Will Norvale inflation be above 3.0% on {closeDate}?",
        startProbability: 0.3,
      },
      {
        id: "above-3-5",
        label: "Above 3.5%",
        title: "Will Norvale inflation be above 3.5% on {closeDate}?",
        startProbability: 0.1,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 60 * DAY_MS, phaseMs: 13 * DAY_MS + 8 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "deep",
    volatility: "normal",
    glyph: "basket",
  },
  {
    id: "aldermark-unemployment",
    category: "economics",
    title: "Aldermark unemployment rate in the report of {closeDate}",
    rules:
      "The band that contains the unemployment rate published at {closeTime} on {closeDate}, " +
      "rounded to one decimal, wins. Exactly one option resolves to its first outcome. The " +
      "first published rate decides; if no report appears, the rate of the previous report " +
      "decides. The report is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Aldermark Labor Office",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "to-3-8",
        label: "3.8% or less",
        title: "Will Aldermark unemployment be 3.8% or less in the report of {closeDate}?",
        startProbability: 0.1,
      },
      {
        id: "3-9-to-4-1",
        label: "3.9% to 4.1%",
        title: "Will Aldermark unemployment be 3.9% to 4.1% in the report of {closeDate}?",
        startProbability: 0.28,
      },
      {
        id: "4-2-to-4-4",
        label: "4.2% to 4.4%",
        title: "Will Aldermark unemployment be 4.2% to 4.4% in the report of {closeDate}?",
        startProbability: 0.34,
      },
      {
        id: "4-5-to-4-7",
        label: "4.5% to 4.7%",
        title: "Will Aldermark unemployment be 4.5% to 4.7% in the report of {closeDate}?",
        startProbability: 0.19,
      },
      {
        id: "from-4-8",
        label: "4.8% or more",
        title: "Will Aldermark unemployment be 4.8% or more in the report of {closeDate}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 30 * DAY_MS, phaseMs: 4 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "calm",
    glyph: "factory",
  },
  {
    id: "norvale-jobs",
    category: "economics",
    title: "Norvale jobs report of {closeDate}: over or under 42,000 new jobs?",
    rules:
      "Resolves to the first outcome if the net number of new jobs published at {closeTime} " +
      "on {closeDate} is above 42,000. Exactly 42,000, or no report in time, resolves to the " +
      "second outcome. The report is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale Statistics Bureau",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Norvale jobs report of {closeDate}: over or under 42,000 new jobs?",
        startProbability: 0.5,
      },
    ],
    cadence: { everyMs: 28 * DAY_MS, lastsMs: 28 * DAY_MS, phaseMs: 15 * DAY_MS + 9 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "factory",
  },
  {
    id: "meridian-six-growth",
    category: "economics",
    title: "Fastest growing economy of the Meridian Six in the half-year to {closeMonth}",
    rules:
      "The economy with the highest growth rate in the table published by {closeTime} on " +
      "{closeDate} wins. Exactly one option resolves to its first outcome. Equal rates go to " +
      "the economy listed first; if no table is published, the last economy listed wins. The " +
      "table is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Meridian Six growth table",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "norvale",
        label: "Norvale",
        title: "Will Norvale lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.29,
      },
      {
        id: "fennmark",
        label: "Fennmark",
        title: "Will Fennmark lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.23,
      },
      {
        id: "aldermark",
        label: "Aldermark",
        title: "Will Aldermark lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.18,
      },
      {
        id: "kestrel-islands",
        label: "Kestrel Islands",
        title:
          "Will the Kestrel Islands lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.14,
      },
      {
        id: "isle-of-tern",
        label: "Isle of Tern",
        title: "Will the Isle of Tern lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.1,
      },
      {
        id: "ostrel",
        label: "Ostrel",
        title: "Will Ostrel lead Meridian Six growth in the half-year to {closeMonth}?",
        startProbability: 0.06,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 101 * DAY_MS + 10 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "calm",
    glyph: "chart",
  },
  {
    id: "harbour-city-houses",
    category: "economics",
    title: "Harbour City house prices in the half-year to {closeDate}",
    rules:
      "Each market resolves to the first outcome if the Harbour City house price index has " +
      "grown by more than its threshold between opening and {closeTime} on {closeDate}. " +
      "Growth exactly on the threshold, or a missing index, resolves to the second outcome. " +
      "The index is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Harbour City land registry",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-0",
        label: "Above 0%",
        title: "Will Harbour City house prices rise at all by {closeDate}?",
        startProbability: 0.83,
      },
      {
        id: "above-2",
        label: "Above 2%",
        title: "Will Harbour City house prices rise more than 2% by {closeDate}?",
        startProbability: 0.57,
      },
      {
        id: "above-4",
        label: "Above 4%",
        title: "Will Harbour City house prices rise more than 4% by {closeDate}?",
        startProbability: 0.26,
      },
      {
        id: "above-6",
        label: "Above 6%",
        title: "Will Harbour City house prices rise more than 6% by {closeDate}?",
        startProbability: 0.08,
      },
    ],
    cadence: { everyMs: 90 * DAY_MS, lastsMs: 180 * DAY_MS, phaseMs: 58 * DAY_MS + 10 * HOUR_MS },
    tickSize: "0.005",
    feeRate: "0.05",
    depth: "thin",
    volatility: "calm",
    glyph: "house",
  },
  {
    id: "port-marlow-containers",
    category: "economics",
    title: "Port Marlow in the week ending {closeDate}: over or under 18,500 containers?",
    rules:
      "Resolves to the first outcome if more than 18,500 containers are unloaded at Port " +
      "Marlow in the seven days before {closeTime} on {closeDate}. Exactly 18,500, or a void " +
      "count after a strike, resolves to the second outcome. The count is simulated by the " +
      "paper exchange.",
    resolutionSource: "The paper exchange's simulated Port Marlow quay log",
    structure: "independent",
    outcomes: ["Over", "Under"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Port Marlow in the week ending {closeDate}: over or under 18,500 containers?",
        startProbability: 0.56,
      },
    ],
    cadence: { everyMs: 7 * DAY_MS, lastsMs: 14 * DAY_MS, phaseMs: 3 * DAY_MS + 18 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.05",
    depth: "normal",
    volatility: "normal",
    glyph: "crane",
  },
] satisfies readonly EventTemplate[];
