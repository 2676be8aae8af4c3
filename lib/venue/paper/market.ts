import "server-only";
import { createHash } from "node:crypto";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { parseMicro, price, shares, usdc } from "@/lib/units";
import type { Market, MarketState, Outcome } from "@/lib/venue/port";
import {
  DAY_MS,
  type EventTemplate,
  type MarketTemplate,
} from "@/lib/venue/paper/catalogue/template";
import { winnerOf } from "@/lib/venue/paper/reference-price";

/** One instance of one market of the catalogue. */
export interface PaperMarket extends Market {
  event: EventTemplate;
  template: MarketTemplate;
  instance: number;
  seed: string;
}

const MIN_ORDER_SHARES = shares(5_000_000n);
const MIN_BUY_AMOUNT = usdc(1_000_000n);
const HOUR_MS = DAY_MS / 24;
const MIN_RESOLUTION_DELAY_MS = 30_000;
/** Lots are 0.01 share; with such ticks every notional is a whole micro-USDC. */
const FINEST_TICK = 100n;

/** Describes instance `instance` of a market: a pure function of the seed and the template. */
export function buildMarket(
  seed: string,
  event: EventTemplate,
  template: MarketTemplate,
  instance: number,
): PaperMarket {
  const identity = `${seed}/${event.id}/${instance}/${template.id}`;
  const opensAt = event.cadence.phaseMs + instance * event.cadence.everyMs;
  const closesAt = opensAt + event.cadence.lastsMs;
  const words = dateWords(opensAt, closesAt);
  const eventSlug = `${event.id}-${instance}`;
  const tick = micro(event.tickSize);
  assert(tick % FINEST_TICK === 0n, `tick of ${event.id} keeps notionals whole`);
  return {
    id: `0x${digest(`condition/${identity}`)}`,
    slug: event.markets.length === 1 ? eventSlug : `${eventSlug}-${template.id}`,
    title: fill(template.title, words),
    eventSlug,
    eventTitle: fill(event.title, words),
    label: template.label === null ? null : fill(template.label, words),
    category: event.category,
    rules: fill(event.rules, words),
    resolutionSource: event.resolutionSource,
    icon: `${event.id}.svg`,
    outcomes: [outcome(identity, event, 0), outcome(identity, event, 1)],
    tick: price(tick),
    minOrderShares: MIN_ORDER_SHARES,
    minBuyAmount: MIN_BUY_AMOUNT,
    feeRate: micro(event.feeRate),
    isNegRisk: event.structure === "negRisk",
    popularity: popularity(event, template),
    opensAt,
    closesAt,
    resolvesAt: closesAt + resolutionDelay(event.cadence.lastsMs),
    event,
    template,
    instance,
    seed,
  };
}

/** Whether a market trades, waits for its result, or has one. */
export function stateAt(market: PaperMarket, at: number): MarketState {
  if (at < market.closesAt) return { status: "open", winner: null };
  if (at < market.resolvesAt) return { status: "closed", winner: null };
  return { status: "resolved", winner: winnerOf(market) };
}

export function tokenOf(market: Market, index: OutcomeIndex): string {
  return market.outcomes[index].tokenId;
}

function outcome(identity: string, event: EventTemplate, index: OutcomeIndex): Outcome {
  return {
    name: event.outcomes[index],
    tokenId: BigInt(`0x${digest(`token/${identity}/${index}`)}`).toString(),
  };
}

function digest(text: string): string {
  return createHash("sha256").update(`ante-paper/${text}`).digest("hex");
}

function micro(text: string): bigint {
  const parsed = parseMicro(text);
  assert(parsed.ok, `"${text}" is a decimal number`);
  return parsed.micro;
}

/** A twentieth of the market's life, between half a minute and an hour. */
function resolutionDelay(lastsMs: number): number {
  return Math.min(HOUR_MS, Math.max(MIN_RESOLUTION_DELAY_MS, Math.floor(lastsMs / 20)));
}

/** Deep markets that last come first, so that the first of a list is a good one to try. */
function popularity(event: EventTemplate, template: MarketTemplate): number {
  const depth = { thin: 0, normal: 1_000, deep: 2_000 }[event.depth];
  const days = Math.min(365, event.cadence.lastsMs / DAY_MS);
  const balance = 200 * (1 - Math.abs(template.startProbability - 0.5) * 2);
  return Math.round(depth + days + balance);
}

const utcFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const DATE = utcFormat({ day: "numeric", month: "long", year: "numeric" });
const MONTH = utcFormat({ month: "long", year: "numeric" });
const YEAR = utcFormat({ year: "numeric" });
const TIME = utcFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function dateWords(opensAt: number, closesAt: number): Record<string, string> {
  return {
    closeDate: DATE.format(closesAt),
    closeMonth: MONTH.format(closesAt),
    closeYear: YEAR.format(closesAt),
    closeTime: `${TIME.format(closesAt)} UTC`,
    openTime: `${TIME.format(opensAt)} UTC`,
  };
}

function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}
