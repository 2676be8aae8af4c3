import "server-only";
import { addDay, isDay, toStartOfDay } from "@/lib/domain/days";
import type { StatementFilter } from "@/lib/ledger/statement";
import { StatementType } from "@/lib/schemas/statement";

/** The filters of the activity page, as in its URL. */
export interface StatementQuery {
  type: StatementType | null;
  market: string;
  /** Days such as "2026-11-21", or empty. Both are included. */
  from: string;
  to: string;
}

const MAX_TEXT = 100;

/** Parses the filters. Invalid values are ignored. */
export function parseStatementQuery(read: (name: string) => string | undefined): StatementQuery {
  const day = (name: string) => {
    const text = read(name) ?? "";
    return isDay(text) ? text : "";
  };
  return {
    type: StatementType.nullable().catch(null).parse(read("type")),
    market: (read("market") ?? "").trim().slice(0, MAX_TEXT),
    from: day("from"),
    to: day("to"),
  };
}

/** Converts the filters to instants. Days begin and end in the user's time zone. */
export function toStatementFilter(query: StatementQuery, zone: string): StatementFilter {
  return {
    type: query.type ?? undefined,
    text: query.market === "" ? undefined : query.market,
    from: query.from === "" ? undefined : new Date(toStartOfDay(query.from, zone)),
    to: query.to === "" ? undefined : new Date(toStartOfDay(addDay(query.to), zone)),
  };
}
