import { describe, expect, it } from "vitest";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue/index";
import {
  CATEGORIES,
  DAY_MS,
  HOUR_MS,
  type Category,
  type EventTemplate,
} from "@/lib/exchange/catalogue/template";
import { GLYPHS } from "@/lib/exchange/icons";

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const TICK_SIZES = ["0.1", "0.01", "0.005", "0.0025", "0.001", "0.0001"];
const FEE_RATES: Readonly<Record<Category, string>> = {
  politics: "0.04",
  sports: "0.05",
  crypto: "0.07",
  finance: "0.04",
  economics: "0.05",
  culture: "0.05",
  science: "0.04",
  weather: "0.05",
};

describe("the catalogue as a whole", () => {
  it("lists at least 66 events and offers 230 to 440 markets at any moment", () => {
    const fewest = sum(EVENT_TEMPLATES.map((event) => event.markets.length * fewestOpen(event)));
    const most = sum(EVENT_TEMPLATES.map((event) => event.markets.length * mostOpen(event)));

    expect(EVENT_TEMPLATES.length).toBeGreaterThanOrEqual(66);
    expect(fewest).toBeGreaterThanOrEqual(230);
    expect(most).toBeLessThanOrEqual(440);
  });

  it("fills every category", () => {
    for (const category of CATEGORIES) {
      expect(
        count((event) => event.category === category),
        category,
      ).toBeGreaterThanOrEqual(8);
    }
  });

  it("never reuses an event id, an event title or a market title", () => {
    expectUnique(EVENT_TEMPLATES.map((event) => event.id));
    expectUnique(EVENT_TEMPLATES.map((event) => event.title));
    expectUnique(EVENT_TEMPLATES.flatMap((event) => event.markets.map((market) => market.title)));
  });

  it("uses every tick size, most often one cent", () => {
    for (const tickSize of TICK_SIZES) {
      expect(
        count((event) => event.tickSize === tickSize),
        tickSize,
      ).toBeGreaterThanOrEqual(3);
    }
    expect(count((event) => event.tickSize === "0.01")).toBeGreaterThan(EVENT_TEMPLATES.length / 2);
  });

  it("uses every depth, every volatility and free trading several times", () => {
    for (const depth of ["thin", "normal", "deep"]) {
      expect(
        count((event) => event.depth === depth),
        depth,
      ).toBeGreaterThanOrEqual(10);
    }
    for (const volatility of ["calm", "normal", "wild"]) {
      expect(
        count((event) => event.volatility === volatility),
        volatility,
      ).toBeGreaterThanOrEqual(10);
    }
    expect(count((event) => event.feeRate === "0")).toBeGreaterThanOrEqual(5);
  });

  it("mixes yes/no, named outcomes, elections and threshold ladders", () => {
    const isNamed = (event: EventTemplate) => event.outcomes[0] !== "Yes";
    const isSingle = (event: EventTemplate) => event.markets.length === 1;

    expect(count((event) => isSingle(event) && !isNamed(event))).toBeGreaterThanOrEqual(10);
    expect(count((event) => isSingle(event) && isNamed(event))).toBeGreaterThanOrEqual(10);
    expect(count((event) => event.structure === "negRisk")).toBeGreaterThanOrEqual(10);
    expect(count((event) => event.structure === "independent" && !isSingle(event))).toBeGreaterThan(
      9,
    );
  });

  it("keeps at least 40 events open for a week or longer and 6 for an hour or less", () => {
    expect(count((event) => event.cadence.lastsMs >= 7 * DAY_MS)).toBeGreaterThanOrEqual(40);
    expect(count((event) => event.cadence.lastsMs <= HOUR_MS)).toBeGreaterThanOrEqual(6);
  });

  it("spreads the opening probabilities from long shots to near certainties", () => {
    const all = EVENT_TEMPLATES.flatMap((event) => event.markets.map((m) => m.startProbability));

    for (const [low, high] of [
      [0.03, 0.1],
      [0.1, 0.3],
      [0.3, 0.7],
      [0.7, 0.9],
      [0.9, 0.98],
    ] as const) {
      expect(all.filter((p) => p >= low && p < high).length, `${low}`).toBeGreaterThanOrEqual(8);
    }
  });
});

describe.each(EVENT_TEMPLATES.map((event) => [event.id, event] as const))("%s", (_id, event) => {
  it("has kebab-case ids, a known glyph and the fee of its category", () => {
    expect(event.id).toMatch(KEBAB_CASE);
    for (const market of event.markets) expect(market.id).toMatch(KEBAB_CASE);
    expectUnique(event.markets.map((market) => market.id));
    expect(GLYPHS).toContain(event.glyph);
    expect(TICK_SIZES).toContain(event.tickSize);
    expect([FEE_RATES[event.category], "0"]).toContain(event.feeRate);
    expectUnique(event.outcomes);
  });

  it("labels its markets if and only if there are several", () => {
    const labels = event.markets.map((market) => market.label);

    if (labels.length === 1) expect(labels).toEqual([null]);
    else for (const label of labels) expect(label).toMatch(/\S/);
    expectUnique(labels);
  });

  it("opens every market on the price grid, with sums and ladders that make sense", () => {
    const probabilities = event.markets.map((market) => market.startProbability);
    const tick = Number(event.tickSize);

    for (const probability of probabilities) {
      expect(probability).toBeGreaterThanOrEqual(Math.max(0.03, tick));
      expect(probability).toBeLessThanOrEqual(Math.min(0.97, 1 - tick));
    }
    if (event.structure === "negRisk") {
      expect(event.outcomes).toEqual(["Yes", "No"]);
      expect(probabilities.length).toBeGreaterThanOrEqual(3);
      expect(probabilities.length).toBeLessThanOrEqual(9);
      expect(sum(probabilities)).toBeGreaterThan(0.98);
      expect(sum(probabilities)).toBeLessThan(1.02);
    } else {
      for (const [index, probability] of probabilities.slice(1).entries()) {
        expect(probability).toBeLessThan(probabilities[index] ?? 0);
      }
    }
  });

  it("always has an instance open, never more than four, and only small events are short", () => {
    const { everyMs, lastsMs, phaseMs } = event.cadence;

    for (const value of [everyMs, lastsMs, phaseMs]) expect(Number.isSafeInteger(value)).toBe(true);
    expect(lastsMs).toBeGreaterThanOrEqual(everyMs);
    expect(mostOpen(event)).toBeLessThanOrEqual(4);
    expect(phaseMs).toBeGreaterThanOrEqual(0);
    expect(phaseMs).toBeLessThan(everyMs);
    if (lastsMs < DAY_MS) expect(event.markets.length).toBeLessThanOrEqual(3);
  });

  it("uses known placeholders, and only in titles and rules", () => {
    const known = Object.keys(placeholders(event, 0));
    const filled = [event.title, event.rules, ...event.markets.map((market) => market.title)];
    const fixed = [event.resolutionSource, ...event.outcomes, ...event.markets.map((m) => m.label)];

    for (const [placeholder] of filled.join(" ").matchAll(/\{[^}]*\}?|\}/g)) {
      expect(known).toContain(placeholder);
    }
    expect(fixed.join(" ")).not.toMatch(/[{}]/);
  });

  it("gives every instance titles of its own, none longer than 110 characters", () => {
    const instances = nearbyInstances(event);

    for (const title of [event.title, ...event.markets.map((market) => market.title)]) {
      const rendered = instances.map((instance) => fill(title, placeholders(event, instance)));
      expectUnique(rendered);
      for (const text of rendered) expect(text.length, text).toBeLessThanOrEqual(110);
    }
  });

  it("states the source, the time and ties or voids in two to four sentences", () => {
    const sentences = event.rules.split(/(?<=[.!?])\s/);

    expect(event.rules.length).toBeLessThanOrEqual(700);
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences.length).toBeLessThanOrEqual(4);
    expect(event.rules).toContain("{closeDate}");
    expect(event.rules).toMatch(/simulated by the paper exchange\.$/);
    expect(event.rules).not.toMatch(/(?:first|second) outcome/);
    expect(event.rules).toContain(
      event.structure === "negRisk"
        ? "Exactly one option resolves to “Yes”"
        : `“${event.outcomes[1]}”`,
    );
    expect(event.resolutionSource).toMatch(/^The paper exchange's simulated /);
  });
});

function fewestOpen({ cadence }: EventTemplate): number {
  return Math.floor(cadence.lastsMs / cadence.everyMs);
}

function mostOpen({ cadence }: EventTemplate): number {
  return Math.ceil(cadence.lastsMs / cadence.everyMs);
}

function count(predicate: (event: EventTemplate) => boolean): number {
  return EVENT_TEMPLATES.filter(predicate).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function expectUnique(values: readonly unknown[]): void {
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
}

/** Up to 400 consecutive instances: 33 hours of the fastest cadence, twenty years of the slowest. */
function nearbyInstances({ cadence }: EventTemplate): number[] {
  const first = Math.ceil((Date.UTC(2026, 0, 1) - cadence.phaseMs) / cadence.everyMs);
  const length = Math.min(400, Math.floor((20 * 365 * DAY_MS) / cadence.everyMs));
  return Array.from({ length }, (_, index) => first + index);
}

function placeholders({ cadence }: EventTemplate, instance: number): Record<string, string> {
  const opensAt = cadence.phaseMs + instance * cadence.everyMs;
  const close = new Date(opensAt + cadence.lastsMs);
  const month = MONTHS[close.getUTCMonth()] ?? "";
  return {
    "{closeDate}": `${close.getUTCDate()} ${month} ${close.getUTCFullYear()}`,
    "{closeMonth}": `${month} ${close.getUTCFullYear()}`,
    "{closeYear}": `${close.getUTCFullYear()}`,
    "{closeTime}": `${close.toISOString().slice(11, 16)} UTC`,
    "{openTime}": `${new Date(opensAt).toISOString().slice(11, 16)} UTC`,
  };
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\w+\}/g, (placeholder) => values[placeholder] ?? placeholder);
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
