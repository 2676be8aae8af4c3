import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import {
  createBinaryPositions,
  createNegRiskPositions,
  toPositionConditionId,
} from "@/lib/polymarket/protocol/position-id";
import { parseMicro, price, shares, usdc } from "@/lib/units";
import type { Market, MarketState, Outcome } from "@/lib/venue/port";
import {
  DAY_MS,
  type EventTemplate,
  HOUR_MS,
  type MarketTemplate,
} from "@/lib/exchange/catalogue/template";
import { determineWinner } from "@/lib/exchange/reference-price";
import type { PaperSeed } from "@/lib/exchange/seed";

/** An instance of a market of the catalogue. */
export interface PaperMarket extends Market {
  event: EventTemplate;
  template: MarketTemplate;
  instance: number;
  seed: PaperSeed;
}

const MIN_ORDER_SHARES = shares(5_000_000n);
const MIN_BUY_AMOUNT = usdc(1_000_000n);
const MIN_RESOLUTION_DELAY_MS = 30_000;
/** With lots of 0.01 share, multiples of this tick make every notional a whole micro-USDC. */
const FINEST_TICK = 100n;

/** Builds instance `instance` of a market, a pure function of the seed and the template. */
export function buildMarket(
  seed: PaperSeed,
  event: EventTemplate,
  template: MarketTemplate,
  instance: number,
): PaperMarket {
  const { id, tokenIds } = createIds(seed, event, template, instance);
  const opensAt = event.cadence.phaseMs + instance * event.cadence.everyMs;
  const closesAt = opensAt + event.cadence.lastsMs;
  const words = formatDates(opensAt, closesAt);
  const eventSlug = `${event.id}-${instance}`;
  const tick = toMicro(event.tickSize);
  const createOutcome = (index: OutcomeIndex): Outcome => ({
    name: event.outcomes[index],
    tokenId: tokenIds[index],
  });
  assert(tick % FINEST_TICK === 0n, `tick of ${event.id} keeps notionals whole`);
  return {
    id,
    slug: event.markets.length === 1 ? eventSlug : `${eventSlug}-${template.id}`,
    title: fillPlaceholders(template.title, words),
    eventSlug,
    eventTitle: fillPlaceholders(event.title, words),
    series: event.id,
    label: template.label === null ? null : fillPlaceholders(template.label, words),
    category: event.category,
    rules: fillPlaceholders(event.rules, words),
    resolutionSource: event.resolutionSource,
    icon: `${event.id}.svg`,
    outcomes: [createOutcome(0), createOutcome(1)],
    untradable: null,
    tick: price(tick),
    minOrderShares: MIN_ORDER_SHARES,
    minBuyAmount: MIN_BUY_AMOUNT,
    feeRate: toMicro(event.feeRate),
    isNegRisk: event.structure === "negRisk",
    protocol: event.protocol,
    popularity: computePopularity(event, template),
    figures: null,
    opensAt,
    closesAt,
    resolvesAt: closesAt + computeResolutionDelay(event.cadence.lastsMs),
    event,
    template,
    instance,
    seed,
  };
}

interface MarketIds {
  id: string;
  tokenIds: readonly [string, string];
}

/** Derives the condition id and the token ids. They identify positions and orders, so they never change. */
function createIds(
  seed: PaperSeed,
  event: EventTemplate,
  template: MarketTemplate,
  instance: number,
): MarketIds {
  const identity = `${event.id}/${instance}/${template.id}`;
  if (event.protocol === "v2") {
    const isNegRisk = event.structure === "negRisk";
    const hash = seed.digest("condition", isNegRisk ? `${event.id}/${instance}` : identity);
    const base = BigInt(`0x${hash}`);
    const tokenIds = isNegRisk
      ? createNegRiskPositions(base, event.markets.length, event.markets.indexOf(template))
      : createBinaryPositions(base);
    return { id: toPositionConditionId(tokenIds[0]), tokenIds };
  }
  const createToken = (index: OutcomeIndex) =>
    BigInt(`0x${seed.digest("token", `${identity}/${index}`)}`).toString();
  return {
    id: `0x${seed.digest("condition", identity)}`,
    tokenIds: [createToken(0), createToken(1)],
  };
}

/** Returns whether a market is open, closed or resolved, and its winner. */
export function computeState(market: PaperMarket, at: number): MarketState {
  if (at < market.closesAt) return { status: "open", winner: null };
  if (at < market.resolvesAt) return { status: "closed", winner: null };
  return { status: "resolved", winner: determineWinner(market) };
}

export function getToken(market: Market, index: OutcomeIndex): string {
  return market.outcomes[index].tokenId;
}

function toMicro(text: string): bigint {
  const parsed = parseMicro(text);
  assert(parsed.ok, `"${text}" is a decimal number`);
  return parsed.micro;
}

/** Returns a twentieth of the market's life, between half a minute and an hour. */
function computeResolutionDelay(lastsMs: number): number {
  return Math.min(HOUR_MS, Math.max(MIN_RESOLUTION_DELAY_MS, Math.floor(lastsMs / 20)));
}

/** Ranks deep, long-lived and undecided markets first, so that lists begin with good markets to try. */
function computePopularity(event: EventTemplate, template: MarketTemplate): number {
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

function formatDates(opensAt: number, closesAt: number): Record<string, string> {
  return {
    closeDate: DATE.format(closesAt),
    closeMonth: MONTH.format(closesAt),
    closeYear: YEAR.format(closesAt),
    closeTime: `${TIME.format(closesAt)} UTC`,
    openTime: `${TIME.format(opensAt)} UTC`,
  };
}

function fillPlaceholders(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}
