import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { CsvCell } from "@/lib/domain/csv";
import type { StatementFilter } from "@/lib/ledger/statement";
import { StatementLine } from "@/lib/schemas/statement";
import { listStatement } from "@/lib/activity/list-statement";
import { parseStatementQuery, toStatementFilter } from "@/lib/activity/statement-query";
import { MAX_ROWS } from "@/lib/schemas/page-size";
import { parseZone } from "@/lib/query-zone";

/** The most lines of one file, newest first. */
const MAX_EXPORTED = 10_000;

export const STATEMENT_COLUMNS = [
  "time_utc",
  "type",
  "market",
  "outcome",
  "shares",
  "price",
  "amount_usdc",
  "fee_usdc",
  "balance_usdc",
  "order_id",
  "id",
] as const;

/** Exports the activity page's filtered lines as CSV rows, page by page, newest first. */
export function exportStatement(
  principal: Principal,
  query: URLSearchParams,
): AsyncGenerator<CsvCell[][]> {
  const parsed = parseStatementQuery((name) => query.get(name) ?? undefined);
  // Outside the generator, so that an invalid query fails before the file begins.
  return exportPages(principal, toStatementFilter(parsed, parseZone(query)));
}

async function* exportPages(
  principal: Principal,
  filter: StatementFilter,
): AsyncGenerator<CsvCell[][]> {
  let cursor: string | undefined;
  for (let exported = 0; exported < MAX_EXPORTED; exported += MAX_ROWS) {
    const page = await listStatement(principal, filter, { limit: MAX_ROWS, cursor });
    yield page.lines.map((line) => toRow(z.encode(StatementLine, line)));
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

function toRow(line: z.input<typeof StatementLine>): CsvCell[] {
  return [
    line.createdAt,
    line.kind,
    line.market?.title ?? null,
    line.market?.outcome ?? null,
    line.shares,
    line.price,
    line.amountUsdc,
    line.feeUsdc,
    line.balanceUsdc,
    line.orderId,
    line.id,
  ];
}
