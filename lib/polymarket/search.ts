import "server-only";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { parseMarkets } from "@/lib/polymarket/catalogue";
import { readJson } from "@/lib/polymarket/http";
import type { RemoteMarket } from "@/lib/polymarket/markets";
import { WireEvents, WireFound } from "@/lib/polymarket/wire/markets";

/** Equal searches share one result for a minute. */
const FRESH_MS = 60_000;
const MAX_ENTRIES = 300;
/** Short, because listed markets are found without the venue's search. */
const TIMEOUT_MS = 2_500;
const MAX_EVENTS = "20";
const MAX_TEXT = 100;

const cache = new ExpiringCache<RemoteMarket[]>({ max: MAX_ENTRIES, freshMs: FRESH_MS });

/**
 * Returns markets outside of the catalogue: the results of the venue's search, or the markets of an
 * event. Empty if the venue does not respond, so that a search then covers the catalogue only.
 */
export async function findUnlisted(
  by: "search" | "event",
  text: string,
): Promise<readonly RemoteMarket[]> {
  const trimmed = text.trim().slice(0, MAX_TEXT);
  if (trimmed === "") return [];
  try {
    return await cache.get(`${by}/${trimmed.toLowerCase()}`, () =>
      by === "search" ? search(trimmed) : loadEvent(trimmed),
    );
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function search(text: string): Promise<RemoteMarket[]> {
  const query = { q: text, limit_per_type: MAX_EVENTS, events_status: "active" };
  const path = "/public-search";
  const request = { service: "gamma", method: "GET", path, query } as const;
  const { events } = await readJson(request, WireFound, TIMEOUT_MS);
  return parseMarkets(events ?? []);
}

async function loadEvent(slug: string): Promise<RemoteMarket[]> {
  const query = { slug };
  const request = { service: "gamma", method: "GET", path: "/events", query } as const;
  return parseMarkets(await readJson(request, WireEvents, TIMEOUT_MS));
}
