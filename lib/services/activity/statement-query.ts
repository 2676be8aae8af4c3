import "server-only";
import { dayAfter, isDay, startOfDay } from "@/lib/domain/days";
import type { StatementFilter } from "@/lib/ledger/statement";
import { StatementKind } from "@/lib/schemas/statement";

/** What the activity page's form asks for, as its address carries it. */
export interface StatementQuery {
  type: StatementKind | null;
  market: string;
  /** Days such as "2026-11-21", or empty. Both are included. */
  from: string;
  to: string;
}

const MAX_TEXT = 100;

/** Reads the form's fields; what makes no sense is as if it were not given. */
export function parseStatementQuery(read: (name: string) => string | undefined): StatementQuery {
  const day = (name: string) => {
    const text = read(name) ?? "";
    return isDay(text) ? text : "";
  };
  return {
    type: StatementKind.nullable().catch(null).parse(read("type")),
    market: (read("market") ?? "").trim().slice(0, MAX_TEXT),
    from: day("from"),
    to: day("to"),
  };
}

/** The same as instants: days begin and end where the reader is. */
export function toStatementFilter(query: StatementQuery, zone: string): StatementFilter {
  return {
    kind: query.type ?? undefined,
    text: query.market === "" ? undefined : query.market,
    from: query.from === "" ? undefined : new Date(startOfDay(query.from, zone)),
    to: query.to === "" ? undefined : new Date(startOfDay(dayAfter(query.to), zone)),
  };
}
