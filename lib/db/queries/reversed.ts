import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { fillSettlements } from "@/lib/db/schema/remote-orders";
import { fills } from "@/lib/db/schema/trading";

/** Builds the condition that a fill counts: a remote fill whose settlement failed was reversed. */
export function isNotReversed(): SQL {
  return sql`not exists (
    select 1 from ${fillSettlements}
    where ${fillSettlements.fillId} = ${fills.id} and ${fillSettlements.status} = 'failed'
  )`;
}
