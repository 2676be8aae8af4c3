import "server-only";
import { and, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { markets } from "@/lib/db/schema/trading";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { recordIfError } from "@/lib/stale-reads";
import { getMarketListing } from "@/lib/exchange/choose-source";
import { rebuildMarket } from "@/lib/exchange/listed-markets";
import { toRecordedMarket } from "@/lib/exchange/live-source";
import type { ExchangeMarket } from "@/lib/exchange/market-source";

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
const TOKEN_ID = /^\d{1,78}$/;
const SLUG = /^[a-z0-9-]{1,200}$/;

/** Finds a market by condition id or slug: a listed market, or a delisted one that was traded. */
export async function findPaperMarket(idOrSlug: string): Promise<ExchangeMarket | null> {
  const listed = await recordIfError(
    () => getMarketListing().find(idOrSlug),
    () => findRecorded(or(eq(markets.id, idOrSlug), eq(markets.slug, idOrSlug))),
  );
  if (listed) return listed;
  if (CONDITION_ID.test(idOrSlug)) return findTraded(eq(markets.id, idOrSlug));
  return SLUG.test(idOrSlug) ? findTraded(eq(markets.slug, idOrSlug)) : null;
}

/** Finds the market of a token and the outcome that the token stands for. */
export async function findPaperMarketByToken(
  tokenId: string,
): Promise<{ market: ExchangeMarket; outcome: OutcomeIndex } | null> {
  if (!TOKEN_ID.test(tokenId)) return null;
  const hasToken = or(eq(markets.firstToken, tokenId), eq(markets.secondToken, tokenId));
  const listed = await recordIfError(
    () => getMarketListing().findByToken(tokenId),
    () => findRecorded(hasToken),
  );
  const market = listed ?? (await findTraded(hasToken));
  if (!market) return null;
  return { market, outcome: market.outcomes[0].tokenId === tokenId ? 0 : 1 };
}

/** Returns markets by condition id. Every id must exist. */
export async function getPaperMarkets(
  ids: readonly string[],
): Promise<Map<string, ExchangeMarket>> {
  const requested = [...new Set(ids)];
  const found = await getMarketListing().findKnown(requested);
  const others = requested.filter((id) => !found.has(id));
  if (others.length === 0) return found;
  const db = await getDb();
  for (const row of await db.select().from(markets).where(inArray(markets.id, others))) {
    found.set(row.id, toRecordedMarket(row));
  }
  assert(found.size === requested.length, "every market id refers to a market");
  return found;
}

async function findRecorded(condition: SQL | undefined): Promise<ExchangeMarket | null> {
  const db = await getDb();
  const [row] = await db.select().from(markets).where(condition).limit(1);
  return row ? toRecordedMarket(row) : null;
}

async function findTraded(condition: SQL | undefined): Promise<ExchangeMarket | null> {
  const db = await getDb();
  const [row] = await db
    .select()
    .from(markets)
    .where(and(condition, isNotNull(markets.templateId)))
    .limit(1);
  return row ? rebuildMarket(row) : null;
}
