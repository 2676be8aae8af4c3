import "server-only";
import { and, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { markets } from "@/lib/db/schema/trading";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { paperNow } from "@/lib/venue/paper/clock";
import { listingAt, rebuildMarket } from "@/lib/venue/paper/listing";
import type { PaperMarket } from "@/lib/venue/paper/market";
import type { Market } from "@/lib/venue/port";

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
const TOKEN_ID = /^\d{1,78}$/;
const SLUG = /^[a-z0-9-]{1,200}$/;

/** Finds a market by condition id or slug, listed or traded before. */
export async function findPaperMarket(idOrSlug: string): Promise<PaperMarket | null> {
  const listing = listingAt(paperNow());
  const listed = listing.byId.get(idOrSlug) ?? listing.bySlug.get(idOrSlug);
  if (listed) return listed;
  if (CONDITION_ID.test(idOrSlug)) return findTraded(eq(markets.id, idOrSlug));
  return SLUG.test(idOrSlug) ? findTraded(eq(markets.slug, idOrSlug)) : null;
}

/** Finds the market of a token, and which of its outcomes the token is. */
export async function findPaperMarketByToken(
  tokenId: string,
): Promise<{ market: PaperMarket; outcome: OutcomeIndex } | null> {
  if (!TOKEN_ID.test(tokenId)) return null;
  const market =
    listingAt(paperNow()).byToken.get(tokenId) ??
    (await findTraded(or(eq(markets.firstToken, tokenId), eq(markets.secondToken, tokenId))));
  if (!market) return null;
  return { market, outcome: market.outcomes[0].tokenId === tokenId ? 0 : 1 };
}

/** Many markets by condition id, which must exist. */
export async function getPaperMarkets(ids: readonly string[]): Promise<Map<string, PaperMarket>> {
  const { byId } = listingAt(paperNow());
  const found = new Map<string, PaperMarket>();
  const unlisted: string[] = [];
  for (const id of new Set(ids)) {
    const listed = byId.get(id);
    if (listed) found.set(id, listed);
    else unlisted.push(id);
  }
  if (unlisted.length === 0) return found;
  const db = await getDb();
  for (const row of await db.select().from(markets).where(inArray(markets.id, unlisted))) {
    found.set(row.id, rebuildMarket(row));
  }
  assert(found.size === new Set(ids).size, "every market id refers to a market");
  return found;
}

/** The paper exchange's own description of a market it handed out. */
export function asPaperMarket(market: Market): PaperMarket {
  assert("template" in market && "event" in market, "a paper market came from the paper exchange");
  return market as PaperMarket;
}

async function findTraded(condition: SQL | undefined): Promise<PaperMarket | null> {
  const db = await getDb();
  const [row] = await db
    .select()
    .from(markets)
    .where(and(condition, isNotNull(markets.templateId)))
    .limit(1);
  return row ? rebuildMarket(row) : null;
}
