import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { selectLastScopeEvent } from "@/lib/db/queries/audit";
import {
  type LimitRuleId,
  selectFrozenOrders,
  type FrozenOrder,
  selectLimitRule,
  selectReachedLosses,
  writeLimitRule,
} from "@/lib/db/queries/limit-rules";
import { lockLimits } from "@/lib/db/queries/limit-state";
import { describeLoss, nameSubject } from "@/lib/domain/limits";
import { isClosed } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import {
  findSubject,
  type FoundSubject,
  recordSubjectEvent,
  type Subject,
  toSubject,
} from "@/lib/limits/subject";
import { type Cause, causeOfSession, toCause } from "@/lib/ledger/account-log";
import { errorFields, log } from "@/lib/log";
import { cancelEach } from "@/lib/orders/cancel-order";
import type { FrozenKey } from "@/lib/schemas/limits";
import { startJob, type StopJob } from "@/lib/schedule";
import type { Mode } from "@/lib/venue/port";

/** How often the orders of frozen keys are looked for, which another process may have left open. */
const SWEEP_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Most orders that one pass cancels. */
const SWEEP_SIZE = 1_000;

interface FreezeRequest {
  userId: string;
  subject: Subject;
  /** Why, as a sentence for the owner. */
  reason: string;
  sessionId?: string | undefined;
  /** The cause of the event; by default the session. */
  cause?: Cause;
}

/** The orders that were open when a freeze canceled them. */
export interface FrozenOrders {
  canceled: number;
  /** Filled or ended before they could be canceled. */
  late: number;
  /** Still open. The service goes on canceling them. */
  waiting: number;
}

/**
 * Freezes a key, an account or a user, and cancels what rests. From the commit on, nothing new is
 * accepted. Live cancels go on until the venue has proved them. A frozen subject stays as it is.
 */
export async function freeze(
  request: FreezeRequest,
): Promise<{ frozenAt: Date; orders: FrozenOrders }> {
  const frozenAt = await withTransaction(async (tx) => {
    await lockLimits(tx, request.userId);
    return freezeLocked(tx, request);
  });
  return { frozenAt, orders: await cancelFrozenOrders(request.userId) };
}

/** Freezes the API key of the request. */
export async function freezeOwnKey(principal: Principal): Promise<z.output<typeof FrozenKey>> {
  const { userId, keyId } = principal;
  assert(keyId !== null, "the caller has an API key");
  const subject = { scope: "key", keyId } as const;
  const reason = "The key froze itself.";
  const cause = toCause(principal);
  const { frozenAt } = await freeze({ userId, subject, reason, cause });
  return { keyId, frozenAt };
}

async function freezeLocked(
  tx: Tx,
  { userId, subject, reason, sessionId, cause = causeOfSession(sessionId) }: FreezeRequest,
): Promise<Date> {
  const found = await findSubject(tx, userId, subject);
  const row = await selectLimitRule(tx, found.id);
  if (row?.frozenAt) return row.frozenAt;
  const at = new Date(now());
  const freezing = { frozenAt: at, frozenReason: reason, updatedAt: at };
  await writeLimitRule(tx, { ...found.id, limits: row?.limits ?? {}, ...freezing });
  await recordSubjectEvent(tx, found, { type: "trading.frozen", reason }, cause);
  await recordSecurityEvent(tx, {
    userId,
    kind: "trading_frozen",
    sessionId,
    detail: { scope: found.id.scope, reason, ...nameKey(found) },
    ...(found.keyId !== null && { keyId: found.keyId }),
  });
  return at;
}

/**
 * Lets a frozen key, account or user trade again. Its canceled orders stay canceled.
 *
 * @throws TRADING_FROZEN if a session asks for it and the operator froze the user.
 */
export async function thaw({
  userId,
  subject,
  sessionId,
}: Omit<FreezeRequest, "reason">): Promise<void> {
  await withTransaction(async (tx) => {
    await lockLimits(tx, userId);
    const found = await findSubject(tx, userId, subject);
    const row = await selectLimitRule(tx, found.id);
    if (!row?.frozenAt) return;
    if (sessionId !== undefined && (await isFrozenByOperator(tx, found.id))) {
      throw new AppError(
        "TRADING_FROZEN",
        "The operator froze this, and only the operator thaws it.",
      );
    }
    const updatedAt = new Date(now());
    await writeLimitRule(tx, { ...row, frozenAt: null, frozenReason: null, updatedAt });
    await recordSubjectEvent(tx, found, { type: "trading.thawed" }, causeOfSession(sessionId));
    const event = { userId, kind: "trading_thawed", sessionId } as const;
    const detail = { scope: found.id.scope, ...nameKey(found) };
    const keyId = found.keyId === null ? {} : { keyId: found.keyId };
    await recordSecurityEvent(tx, { ...event, detail, ...keyId });
  });
}

const nameKey = ({ keyName }: FoundSubject) => (keyName === null ? {} : { name: keyName });

/** The operator freezes users without a session. The owner does it in the dashboard only. */
export async function isFrozenByOperator(
  tx: Tx,
  { userId, scope }: Pick<LimitRuleId, "userId" | "scope">,
): Promise<boolean> {
  if (scope !== "user") return false;
  const event = await selectLastScopeEvent(tx, userId, { kind: "trading_frozen", scope });
  return event?.sessionId == null;
}

/** Cancels the open orders of frozen keys, accounts and users: of one user, or of all. */
export async function cancelFrozenOrders(userId?: string): Promise<FrozenOrders> {
  const filter = { ...(userId !== undefined && { userId }), limit: SWEEP_SIZE };
  const frozen = await selectFrozenOrders(await getDb(), filter);
  const accounts = new Map<string, { userId: string; mode: Mode; orders: FrozenOrder[] }>();
  for (const order of frozen.orders) {
    const { userId: owner, mode } = order;
    const key = `${owner}/${mode}`;
    const account = accounts.get(key) ?? { userId: owner, mode, orders: [] };
    account.orders.push(order);
    accounts.set(key, account);
  }
  const result = { canceled: 0, late: 0, waiting: frozen.total };
  for (const { orders, ...owner } of accounts.values()) {
    await isolate(owner, async () => {
      const principal = { ...owner, keyId: null, scopes: ["cancel" as const] };
      const { canceled, notCanceled } = await cancelEach(principal, orders, "frozen");
      const late = notCanceled.filter(({ status }) => isClosed(status)).length;
      result.canceled += canceled.length;
      result.late += late;
      result.waiting -= canceled.length + late;
    });
  }
  return result;
}

/** Runs work for one user. A failure is logged and waits for the next sweep, so others are not held up. */
async function isolate(about: { userId: string }, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error("freeze not finished", { userId: about.userId, ...errorFields(error) });
  }
}

/** Freezes every key, account and user that has lost as much as its limit dailyLoss allows. */
export async function freezeLosers(): Promise<void> {
  const since = new Date(now() - DAY_MS - MINUTE_MS);
  for (const { lost, limit, ...id } of await selectReachedLosses(await getDb(), since)) {
    const reason = `${nameSubject(id.scope)} ${describeLoss(lost, limit)}`;
    await isolate(id, async () =>
      freeze({ userId: id.userId, subject: await toSubject(id), reason }),
    );
  }
}

/** Freezes losers, and cancels orders that a freeze left open because its process died. */
export async function sweepFreezes(): Promise<void> {
  await freezeLosers();
  await cancelFrozenOrders();
}

export const startFreezeSweep = (): StopJob =>
  startJob({ name: "freeze sweep", everyMs: SWEEP_EVERY_MS }, sweepFreezes);
