import "server-only";
import { z } from "zod";
import { env } from "@/lib/env";
import { ExpiringCache } from "@/lib/expiring-cache";
import { errorFields, log } from "@/lib/log";
import { toMarketDetail } from "@/lib/markets/get-market";
import { MarketDetail } from "@/lib/schemas/markets";
import { type Price, price } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { getVenue } from "@/lib/venues";

export type ExampleMarket = z.input<typeof MarketDetail>;

/** The tick, fee rate and limit price of the documentation's samples. */
const TICK = price(10_000n);
const FEE_RATE = 50_000n;
const LIMIT = price(620_000n);
/** Candidates whose quotes are read. */
const MAX_QUOTED = 20;
const MAX_WAIT_MS = 1_000;

const cache = new ExpiringCache<ExampleMarket | null>({
  max: 1,
  freshMs: 60_000,
  staleMs: 3_600_000,
});

/**
 * Returns an open market in which the sample orders of the documentation do what their sample responses
 * say. Null if there is none, or if it can't be read within a second: the documentation is shown anyway.
 */
export async function findExampleMarket(): Promise<ExampleMarket | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, MAX_WAIT_MS, null).unref());
  try {
    return await Promise.race([cache.get("", loadExampleMarket), late]);
  } catch (error) {
    log.warn("the documentation names no market of this server", errorFields(error));
    return null;
  }
}

async function loadExampleMarket(): Promise<ExampleMarket | null> {
  const venue = getVenue(env().VENUES.includes("paper") ? "paper" : "live");
  const all = await venue.listMarkets();
  const candidates = all
    .filter((market) => venue.getState(market).status === "open" && fitsSamples(market))
    .toSorted((a, b) => countFee(b) - countFee(a) || b.closesAt - a.closesAt)
    .slice(0, MAX_QUOTED);
  const quotes = await venue.getQuotes(candidates);
  for (const market of candidates) {
    const quote = quotes.get(market.id);
    if (quote && quote.bid !== null && isWithinLimit(quote.ask)) {
      return z.encode(MarketDetail, toMarketDetail(venue, market, quote));
    }
  }
  return null;
}

/** Yes and No, on the samples' tick: the samples name both. */
const fitsSamples = ({ outcomes, tick, isNegRisk }: Market) =>
  tick === TICK && !isNegRisk && outcomes[0].name === "Yes" && outcomes[1].name === "No";

const countFee = ({ feeRate }: Market) => (feeRate === FEE_RATE ? 1 : 0);

/** Whether the sample limit order fills. */
const isWithinLimit = (ask: Price | null) => ask !== null && ask <= LIMIT;
