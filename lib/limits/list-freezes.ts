import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { createLabel } from "@/lib/auth/list-keys";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { type ApiKeyRow, selectApiKeys } from "@/lib/db/queries/api-keys";
import { type LimitRuleRow, selectLimitRules } from "@/lib/db/queries/limit-rules";
import type { Freeze, LimitScope } from "@/lib/domain/limits";
import { isFrozenByOperator } from "@/lib/limits/freeze";

export interface ActiveFreeze extends Freeze {
  scope: LimitScope;
  /** The frozen keys, newest first: the rotations of a key share its budget. None for an account or a user. */
  keys: readonly { id: string; label: string }[];
  /** Whether only the operator thaws it. */
  isOperators: boolean;
}

/** Lists what is frozen in an account: the user first, then the account and its working keys. */
export async function listFreezes({
  userId,
  mode,
}: Pick<Principal, "userId" | "mode">): Promise<ActiveFreeze[]> {
  const db = await getDb();
  const frozen = (await selectLimitRules(db, userId)).filter(({ frozenAt }) => frozenAt !== null);
  const hasKeys = frozen.some(({ scope }) => scope === "key");
  const keys = hasKeys ? await selectApiKeys(db, userId) : [];
  const working = keys.filter((key) => key.mode === mode && isTrading(key));
  const freezes: ActiveFreeze[] = [];
  for (const rule of frozen) {
    const own = working.filter(({ id, budgetId }) => (budgetId ?? id) === rule.subject);
    const isShown =
      rule.scope === "user" || (rule.scope === "account" ? rule.subject === mode : own.length > 0);
    if (isShown) freezes.push(await toFreeze(db, rule, own));
  }
  return freezes.toSorted((one, other) => ORDER.indexOf(one.scope) - ORDER.indexOf(other.scope));
}

const ORDER: readonly LimitScope[] = ["user", "account", "key"];

/** A key that can't trade loses nothing by a freeze. */
const isTrading = ({ scopes, revokedAt, expiresAt }: ApiKeyRow) =>
  scopes.includes("trade") &&
  revokedAt === null &&
  (expiresAt === null || expiresAt.getTime() > now());

async function toFreeze(
  tx: Tx,
  rule: LimitRuleRow,
  keys: readonly ApiKeyRow[],
): Promise<ActiveFreeze> {
  return {
    scope: rule.scope,
    at: rule.frozenAt ?? rule.updatedAt,
    reason: rule.frozenReason ?? "",
    keys: keys.map((key) => ({ id: key.id, label: createLabel(key) })),
    isOperators: await isFrozenByOperator(tx, rule),
  };
}
