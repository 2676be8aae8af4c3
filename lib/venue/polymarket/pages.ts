import "server-only";
import type { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { authorize } from "@/lib/venue/polymarket/auth";
import { readJson } from "@/lib/venue/polymarket/http";
import { pageSchema } from "@/lib/venue/polymarket/wire/orders";
import type { Trader } from "@/lib/venue/trader";

const FIRST = "MA==";
const END = "LTE=";
const MAX_PAGES = 500;

/**
 * Every row of a list of the account. A cursor that comes back, or lists without an end, are the
 * venue's mistake and fail: half a list would look like orders that are gone.
 */
export async function readAllPages<Row extends z.ZodType>(
  trader: Trader,
  path: string,
  query: Record<string, string>,
  row: Row,
): Promise<z.output<Row>[]> {
  const schema = pageSchema(row);
  const rows: z.output<Row>[] = [];
  const seen = new Set<string>();
  let cursor = FIRST;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    seen.add(cursor);
    const request = authorize(trader, {
      service: "clob",
      method: "GET",
      path,
      query: { ...query, next_cursor: cursor },
    });
    const { data, next_cursor: next } = await readJson(
      request,
      schema,
      env().SUBMIT_ATTEMPT_TIMEOUT_MS,
    );
    rows.push(...data);
    if (next === null || next === undefined || next === "" || next === END) return rows;
    if (seen.has(next)) break;
    cursor = next;
  }
  throw new AppError("UPSTREAM_BAD_RESPONSE", "the venue's list has no end");
}
