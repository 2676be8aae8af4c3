import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  type LimitQuery,
  readLimitedSubjects,
  selectFullestMarket,
} from "@/lib/db/queries/limit-state";
import {
  AMOUNT_LIMITS,
  computeAmountState,
  computeCountState,
  COUNT_LIMITS,
  type LimitedSubject,
} from "@/lib/domain/limits";
import type { FreezeState, LimitStates } from "@/lib/schemas/limits";

type States = z.output<typeof LimitStates>;

interface CallerLimits {
  limits: States;
  frozen: z.output<typeof FreezeState> | null;
}

/** Returns the limits that apply to a caller with what is used of them, and its freeze. */
export async function getLimitStates(principal: Principal): Promise<CallerLimits> {
  const { userId, mode, keyId } = principal;
  const query = { userId, mode, keyId, marketId: null, now: now() };
  const subjects = await readWithFullestMarket(await getDb(), query);
  const frozen = subjects.find((subject) => subject.frozen !== null);
  return {
    limits: combineStates(subjects),
    frozen: frozen?.frozen ? { scope: frozen.scope, ...frozen.frozen } : null,
  };
}

/** Reads the subjects, and for the limit perMarket what counts in the fullest market of each. */
async function readWithFullestMarket(tx: Tx, query: LimitQuery): Promise<LimitedSubject[]> {
  const subjects = await readLimitedSubjects(tx, query);
  const read = async ({ scope, limits }: LimitedSubject) => {
    if (limits.perMarket === undefined) return null;
    const marketId = await selectFullestMarket(tx, query, scope === "key");
    const filled = marketId === null ? [] : await readLimitedSubjects(tx, { ...query, marketId });
    return filled.find((subject) => subject.scope === scope) ?? null;
  };
  return Promise.all(subjects.map(async (subject) => (await read(subject)) ?? subject));
}

/** Of several limits with one name, the one with the least left is shown. */
function combineStates(subjects: readonly LimitedSubject[]): States {
  const states: States = {};
  for (const { scope, limits, usage } of subjects) {
    for (const name of AMOUNT_LIMITS) {
      const state = computeAmountState(name, limits, usage);
      if (state && state.remaining < (states[name]?.remaining ?? Infinity))
        states[name] = { ...state, scope };
    }
    for (const name of COUNT_LIMITS) {
      const state = computeCountState(name, limits, usage);
      if (state && state.remaining < (states[name]?.remaining ?? Infinity))
        states[name] = { ...state, scope };
    }
    const distance = limits.maxDistanceFromMid;
    if (distance !== undefined && distance < (states.maxDistanceFromMid?.limit ?? Infinity))
      states.maxDistanceFromMid = { limit: distance, scope };
    const unasked = limits.approvalAbove;
    if (unasked !== undefined && unasked < (states.approvalAbove?.limit ?? Infinity))
      states.approvalAbove = { limit: unasked, scope };
    for (const name of ["markets", "actions", "ipAllow"] as const) {
      const allowed = limits[name];
      // A shorter list of another subject applies as well; the first one is the key's own.
      if (allowed) states[name] ??= { limit: [...allowed], scope };
    }
  }
  return states;
}
