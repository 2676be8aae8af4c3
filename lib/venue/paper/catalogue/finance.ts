import "server-only";
import { INDEX_EVENTS } from "@/lib/venue/paper/catalogue/finance-indices";
import { DAY_MS, HOUR_MS, type EventTemplate } from "@/lib/venue/paper/catalogue/template";

export const FINANCE_EVENTS = [
  ...INDEX_EVENTS,
  {
    id: "norvale-largest-company",
    category: "finance",
    title: "Largest listed company in Norvale at the close of {closeDate}",
    rules:
      "The company with the highest market value at {closeTime} on {closeDate} wins. Exactly " +
      "one option resolves to its first outcome, and Any other company covers those not " +
      "named. Equal values go to the company listed first; if values are void, Any other " +
      "company wins. Values are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale stock list",
    structure: "negRisk",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "verrin-robotics",
        label: "Verrin Robotics",
        title: "Will Verrin Robotics be Norvale's largest listed company on {closeDate}?",
        startProbability: 0.38,
      },
      {
        id: "ostrel-shipping",
        label: "Ostrel Shipping",
        title: "Will Ostrel Shipping be Norvale's largest listed company on {closeDate}?",
        startProbability: 0.27,
      },
      {
        id: "pellwick-foods",
        label: "Pellwick Foods",
        title: "Will Pellwick Foods be Norvale's largest listed company on {closeDate}?",
        startProbability: 0.19,
      },
      {
        id: "cobbet-motors",
        label: "Cobbet Motors",
        title: "Will Cobbet Motors be Norvale's largest listed company on {closeDate}?",
        startProbability: 0.11,
      },
      {
        id: "any-other-company",
        label: "Any other company",
        title: "Will any other company be Norvale's largest listed company on {closeDate}?",
        startProbability: 0.05,
      },
    ],
    cadence: { everyMs: 30 * DAY_MS, lastsMs: 30 * DAY_MS, phaseMs: 18 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "deep",
    volatility: "calm",
    glyph: "building",
  },
  {
    id: "quenby-listing",
    category: "finance",
    title: "Will Quenby Batteries list its shares by {closeDate}?",
    rules:
      "Resolves to the first outcome if Quenby Batteries shares trade on a public market " +
      "before {closeTime} on {closeDate}. A published prospectus without a trade is not " +
      "enough, and a withdrawn or void listing resolves to the second outcome. The listing " +
      "is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Norvale stock list",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Quenby Batteries list its shares by {closeDate}?",
        startProbability: 0.37,
      },
    ],
    cadence: { everyMs: 45 * DAY_MS, lastsMs: 90 * DAY_MS, phaseMs: 31 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "bell",
  },
  {
    id: "pellwick-results",
    category: "finance",
    title: "Will Pellwick Foods beat its profit forecast in the results of {closeDate}?",
    rules:
      "Resolves to the first outcome if quarterly profit per share published by {closeTime} " +
      "on {closeDate} is above the average forecast. A profit equal to the forecast, or " +
      "results that are not published in time, resolve to the second outcome. The results " +
      "are simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Pellwick Foods report",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Pellwick Foods beat its profit forecast in the results of {closeDate}?",
        startProbability: 0.66,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 91 * DAY_MS, phaseMs: 47 * DAY_MS + 7 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "normal",
    volatility: "normal",
    glyph: "building",
  },
  {
    id: "ferries-shipping-merger",
    category: "finance",
    title: "Will Saltmere Ferries and Ostrel Shipping agree to merge by {closeMonth}?",
    rules:
      "Resolves to the first outcome if the boards of both companies announce a signed " +
      "merger agreement before {closeTime} on {closeDate}. Talks alone do not count, and an " +
      "agreement declared void in that time resolves to the second outcome. The announcement " +
      "is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated company news wire",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Saltmere Ferries and Ostrel Shipping agree to merge by {closeMonth}?",
        startProbability: 0.09,
      },
    ],
    cadence: { everyMs: 180 * DAY_MS, lastsMs: 365 * DAY_MS, phaseMs: 84 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.0025",
    feeRate: "0.04",
    depth: "normal",
    volatility: "calm",
    glyph: "rings",
  },
  {
    id: "cobbet-deliveries",
    category: "finance",
    title: "Cobbet Motors deliveries in the two quarters to {closeDate}",
    rules:
      "Each market resolves to the first outcome if the vehicles delivered from opening to " +
      "{closeDate} are strictly above its threshold. Leased vehicles count and returned ones " +
      "are not deducted. If no figure is published, every market resolves to the second " +
      "outcome. The figure is simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated Cobbet Motors bulletin",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "above-160000",
        label: "Above 160,000",
        title: "Will Cobbet Motors deliver more than 160,000 vehicles by {closeDate}?",
        startProbability: 0.81,
      },
      {
        id: "above-180000",
        label: "Above 180,000",
        title: "Will Cobbet Motors deliver more than 180,000 vehicles by {closeDate}?",
        startProbability: 0.5,
      },
      {
        id: "above-200000",
        label: "Above 200,000",
        title: "Will Cobbet Motors deliver more than 200,000 vehicles by {closeDate}?",
        startProbability: 0.19,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 182 * DAY_MS, phaseMs: 5 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.01",
    feeRate: "0.04",
    depth: "thin",
    volatility: "normal",
    glyph: "factory",
  },
  {
    id: "verrin-dividend",
    category: "finance",
    title: "Will Verrin Robotics pay a dividend in the quarter ending {closeDate}?",
    rules:
      "Resolves to the first outcome if Verrin Robotics pays any cash dividend before " +
      "{closeTime} on {closeDate}. A declared dividend whose payment date lies later does " +
      "not count, and a void payment resolves to the second outcome. The payment is " +
      "simulated by the paper exchange.",
    resolutionSource: "The paper exchange's simulated company news wire",
    structure: "independent",
    outcomes: ["Yes", "No"],
    markets: [
      {
        id: "main",
        label: null,
        title: "Will Verrin Robotics pay a dividend in the quarter ending {closeDate}?",
        startProbability: 0.3,
      },
    ],
    cadence: { everyMs: 91 * DAY_MS, lastsMs: 91 * DAY_MS, phaseMs: 68 * DAY_MS + 17 * HOUR_MS },
    tickSize: "0.1",
    feeRate: "0",
    depth: "thin",
    volatility: "calm",
    glyph: "robot",
  },
] satisfies readonly EventTemplate[];
