import "server-only";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { marketsOf } from "@/lib/venue/polymarket/catalogue";
import { readJson } from "@/lib/venue/polymarket/http";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";
import { WireEvents, WireFound } from "@/lib/venue/polymarket/wire/markets";

/** Somebody types; everybody who types the same within a minute shares the answer. */
const FRESH_MS = 60_000;
const MAX_KEPT = 300;
/** The listed markets are there without it, so that nobody waits long. */
const TIMEOUT_MS = 2_500;
const MAX_EVENTS = "20";
const MAX_TEXT = 100;

const kept = new ExpiringCache<RemoteMarket[]>({ max: MAX_KEPT, freshMs: FRESH_MS });

/**
 * What the venue's own search finds, or the markets of an event, beyond the events that are traded
 * most. None while it does not answer: then a search is one of what is listed.
 */
export async function findUnlisted(
  by: "search" | "event",
  text: string,
): Promise<readonly RemoteMarket[]> {
  const wanted = text.trim().slice(0, MAX_TEXT);
  if (wanted === "") return [];
  try {
    return await kept.get(`${by}/${wanted.toLowerCase()}`, () =>
      by === "search" ? search(wanted) : loadEvent(wanted),
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
  return marketsOf(events ?? []);
}

async function loadEvent(slug: string): Promise<RemoteMarket[]> {
  const query = { slug };
  const request = { service: "gamma", method: "GET", path: "/events", query } as const;
  return marketsOf(await readJson(request, WireEvents, TIMEOUT_MS));
}
