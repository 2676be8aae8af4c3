import "server-only";
import { type Column, eq, type SQL, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { ApiKeyRow } from "@/lib/db/queries/api-keys";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { shareStatement } from "@/lib/db/share-statement";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Mode } from "@/lib/venue/port";

/** The owner of an API key, with the version of the account at that moment. */
export interface CallerRow {
  key: ApiKeyRow;
  userStatus: "active" | "disabled";
  /** Whether limits or a freeze may apply. */
  isLimited: boolean;
  /** The limits ipAllow of the key, its account and its user. */
  addressLists: string[][];
  /**
   * The number of the account's last event: it changes whenever the account does. Null while a process
   * of a version without events changes the account.
   */
  version: string | null;
  /** When a live account was last reconciled; null on paper and before the first time. */
  comparedAt: Date | null;
}

const POSITION = sql<number>`wanted.position`;
// A subselect hides the list's length from the planner. If it knew it, it would plan every run anew.
const WANTED = sql`unnest((select ${sql.placeholder("keyIds")}::text::text[]))
  with ordinality as wanted (key_id, position)`;

/**
 * Looks up the requested key in a lateral subquery. `offset 0` stops the planner from merging it into
 * the join, where it would scan a thousand keys, and more without statistics.
 */
const selectKey = (tx: Tx, mode: Mode) =>
  tx
    .select()
    .from(apiKeys)
    .where(sql`${apiKeys.id} = wanted.key_id and ${eq(apiKeys.mode, mode)} offset 0`)
    .as("api_keys");

/** Joins the account's cash row, which counts its events. Its id is that of lib/ledger/accounts. */
const isCashRow = (epoch: SQL | Column) =>
  eq(ledgerAccounts.id, sql`${users.id} || '/' || ${epoch} || '/usdc/available'`);

const VERSION = sql<
  string | null
>`case when not ${ledgerAccounts.isBehind} then ${ledgerAccounts.version}::text end`;

/** Evaluated for limited users only. */
const ADDRESS_LISTS = sql<string[][]>`case when ${users.isLimited} then (
    select coalesce(json_agg(rule.limits -> 'ipAllow'), '[]') from limit_rules as rule
    where rule.user_id = ${users.id} and rule.limits ? 'ipAllow' and (rule.scope = 'user'
      or (rule.scope = 'account' and rule.subject = ${apiKeys.mode})
      or (rule.scope = 'key' and rule.subject = coalesce(${apiKeys.budgetId}, ${apiKeys.id}))))
  else '[]'::json end`;

const selectPaperCallers = prepareOnce((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      isLimited: users.isLimited,
      addressLists: ADDRESS_LISTS,
      version: VERSION,
      comparedAt: sql<Date | null>`null`,
    })
    .from(WANTED)
    .innerJoinLateral(selectKey(tx, "paper"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(ledgerAccounts, isCashRow(users.epoch))
    .prepare("paper_callers"),
);

const selectLiveCallers = prepareOnce((tx) =>
  tx
    .select({
      position: POSITION,
      key: apiKeys,
      userStatus: users.status,
      isLimited: users.isLimited,
      addressLists: ADDRESS_LISTS,
      version: VERSION,
      comparedAt: reconciliations.succeededAt,
    })
    .from(WANTED)
    .innerJoinLateral(selectKey(tx, "live"), sql`true`)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(ledgerAccounts, isCashRow(sql.raw(String(LIVE_EPOCH))))
    .leftJoin(reconciliations, eq(reconciliations.userId, users.id))
    .prepare("live_callers"),
);

const findByMode = {
  paper: makeFinder(selectPaperCallers),
  live: makeFinder(selectLiveCallers),
};

/** Finds a key of a mode with its owner and the account's version; null for an unknown id. */
export function findCaller(mode: Mode, keyId: string): Promise<CallerRow | null> {
  return findByMode[mode](keyId);
}

function makeFinder(select: typeof selectPaperCallers | typeof selectLiveCallers) {
  return shareStatement<string, CallerRow>((db, keyIds) =>
    select(db).execute({ keyIds: toTextArray(keyIds) }),
  );
}
