import "server-only";
import { requireKey } from "@/lib/auth/manage-keys";
import { getDb } from "@/lib/db/client";
import { selectApiKeys } from "@/lib/db/queries/api-keys";
import { assert } from "@/lib/errors";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import type { LimitRuleId } from "@/lib/db/queries/limit-rules";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { lockOwner } from "@/lib/db/queries/wallets";
import type { StoredEventData } from "@/lib/db/schema/account-events";
import type { LimitScope } from "@/lib/domain/limits";
import type { Cause, EventDraft } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import type { Mode } from "@/lib/venue/port";

/** The subject of limits or a freeze. */
export type Subject =
  { scope: "key"; keyId: string } | { scope: "account"; mode: Mode } | { scope: "user" };

/** A subject with the row of its rule and the accounts whose logs tell of a change. */
export interface FoundSubject {
  id: LimitRuleId;
  keyId: string | null;
  keyName: string | null;
  modes: readonly Mode[];
}

/** Finds a subject of a user. Throws INVALID_API_KEY for a key that is unknown or revoked. */
export async function findSubject(tx: Tx, userId: string, subject: Subject): Promise<FoundSubject> {
  if (subject.scope === "key") {
    const key = await requireKey(tx, userId, subject.keyId);
    const id = { userId, scope: "key", subject: key.budgetId ?? key.id } as const;
    return { id, keyId: key.id, keyName: key.name, modes: [key.mode] };
  }
  if (subject.scope === "account") {
    const id = { userId, scope: "account", subject: subject.mode } as const;
    return { id, keyId: null, keyName: null, modes: [subject.mode] };
  }
  const hasLive = (await selectLiveWallet(tx, userId)) !== null;
  const id = { userId, scope: "user", subject: "" } as const;
  return { id, keyId: null, keyName: null, modes: hasLive ? ["paper", "live"] : ["paper"] };
}

/** Names the subject of a rule. Of a rotated key, that is the newest one that isn't revoked. */
export async function toSubject({ userId, scope, subject }: LimitRuleId): Promise<Subject> {
  if (scope === "user") return { scope };
  if (scope === "account") return { scope, mode: subject === "live" ? "live" : "paper" };
  const keys = await selectApiKeys(await getDb(), userId);
  const key = keys.find(
    ({ id, budgetId, revokedAt }) => (budgetId ?? id) === subject && revokedAt === null,
  );
  assert(key, "a rule of revoked keys is not used");
  return { scope, keyId: key.id };
}

type SubjectEvent =
  | { type: "limits.changed"; limits: StoredEventData["limits.changed"]["limits"] }
  | { type: "trading.frozen"; reason: string }
  | { type: "trading.thawed" };

/** Adds an event about a subject to the logs of its accounts. */
export async function recordSubjectEvent(
  tx: Tx,
  { id: { userId, scope }, keyId, modes }: FoundSubject,
  event: SubjectEvent,
  cause: Cause,
): Promise<void> {
  for (const mode of modes) {
    const epoch = mode === "live" ? LIVE_EPOCH : (await lockOwner(tx, userId))?.epoch;
    if (epoch === undefined) continue;
    const draft = toDraft(event, { scope, keyId }, { owner: { userId, epoch }, cause });
    await post(tx, { transfers: [], events: [draft] }, new Date(now()));
  }
}

function toDraft(
  event: SubjectEvent,
  subject: { scope: LimitScope; keyId: string | null },
  of: Pick<EventDraft, "owner" | "cause">,
): EventDraft {
  switch (event.type) {
    case "limits.changed": {
      const { type, limits } = event;
      return { ...of, type, data: { ...subject, limits } };
    }
    case "trading.frozen": {
      const { type, reason } = event;
      return { ...of, type, data: { ...subject, reason } };
    }
    case "trading.thawed":
      return { ...of, type: event.type, data: subject };
  }
}
