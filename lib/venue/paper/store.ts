import "server-only";
import { and, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { toMarketRow } from "@/lib/db/queries/market-row";
import { ofMode } from "@/lib/db/queries/mode";
import { markets, orders } from "@/lib/db/schema/trading";
import { type Book, type HouseLevel, uncross } from "@/lib/domain/matching";
import { assert } from "@/lib/errors";
import { toResting } from "@/lib/venue/paper/round";
import { loadHouses } from "@/lib/venue/paper/source/houses";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { isTemplateMarket } from "@/lib/venue/paper/source/templates";

/** Locks the market's row, if it has one, and returns it. */
export const lockingOf = (market: ExchangeMarket): SQL =>
  sql`select id from markets where id = ${market.id}::text for update`;

/** Writes the row of a market that nobody traded before, and locks it. */
export async function lockNewMarket(tx: Tx, market: ExchangeMarket): Promise<void> {
  await tx.insert(markets).values(toRow(market)).onConflictDoNothing();
  const rows = await selectRows(tx, lockingOf(market));
  assert(rows.length === 1, "a market row was just written");
}

/** Reads the whole book of a market for display, as others may see it. */
export async function readBook(tx: Tx, market: ExchangeMarket, at: number): Promise<Book> {
  const house = (await loadHouse(tx, market, at)) ?? [];
  const rows = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.marketId, market.id), eq(orders.status, "open"), isPaper(), isStanding()));
  return uncross({ orders: rows.map(toResting), house });
}

async function loadHouse(tx: Tx, market: ExchangeMarket, at: number): Promise<HouseLevel[] | null> {
  return (await loadHouses(tx, [market], at)).get(market.id) ?? null;
}

/** Orders of this exchange: a live order of the same market stands in another book. */
const isPaper = () => ofMode(orders.epoch, "paper");

/** Orders whose time is not over, although nobody may have noticed yet that another's is. */
function isStanding(): SQL | undefined {
  return or(isNull(orders.expiresAt), gt(orders.expiresAt, new Date(now())));
}

function toRow(market: ExchangeMarket): typeof markets.$inferInsert {
  const row = toMarketRow(market);
  if (!isTemplateMarket(market)) return row;
  const { event, template, instance } = market;
  return { ...row, templateId: event.id, templateMarketId: template.id, instance };
}
