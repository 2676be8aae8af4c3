import "server-only";
import type { Tx } from "@/lib/db/database";
import { isDatabaseUnavailable, isLockTimeout, isTransient } from "@/lib/db/errors";
import { withMarketsTransaction } from "@/lib/db/market-transaction";
import { deferStatement, runBatch } from "@/lib/db/pipeline";
import type { PlacementRecord } from "@/lib/db/placement-record";
import { deleteClaims, insertClaims, storeAnswers } from "@/lib/db/queries/idempotency";
import { lockForOrders, toLocks } from "@/lib/db/queries/lock-for-order";
import { UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import { NoTurn } from "@/lib/db/turns";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readTime } from "@/lib/exchange/clock";
import { commitChanges } from "@/lib/exchange/commit-update";
import {
  assertNotExpired,
  assertOpen,
  createLoadOptions,
  type Decision,
  decideOrder,
  FIRST_DEPTH,
  type PaperSubmission,
  type Placement,
} from "@/lib/exchange/decide-order";
import {
  buildLoads,
  type LoadedMarket,
  MAX_LOADS,
  type PreparedLoad,
  prepareLoad,
  splitRows,
} from "@/lib/exchange/load-market";
import { DueBacklog } from "@/lib/exchange/settle-due";
import type { SubmitResult } from "@/lib/venue/port";

/** The order was not placed and needs a transaction of its own. */
const ALONE = Symbol("alone");

/** While one transaction waits for the database, the orders of the next one are decided. */
const AT_ONCE = 2;

/** An order that waits for a transaction, or is part of one that runs. */
interface Member {
  submission: PaperSubmission;
  record: PlacementRecord<SubmitResult>;
  settle: (result: SubmitResult | typeof ALONE) => void;
  fail: (error: unknown) => void;
}

/** In order of arrival. */
const waiting = new Set<Member>();
/** The number of orders per user and market, because a transaction has one of each. Members and others count. */
const taken = new Map<string, number>();
/** When the order of a user or market that is a member has its result. */
const ends = new Map<string, Promise<unknown>>();
let running = 0;

/**
 * Places an order in one transaction with others that arrive meanwhile, which costs a fraction of a
 * transaction of its own (docs/adr/0071). All its orders have different users and different markets.
 *
 * An order whose user or market has another one under way does not overtake it.
 *
 * @param placeAlone places the order in its own transaction. Called if something else holds its user, its
 *   market or its key, limits apply, the market has due orders, or an order of the transaction failed.
 * @throws NoTurn when the wait takes longer than a request may wait.
 */
export async function submitTogether<Alone>(
  submission: PaperSubmission,
  record: PlacementRecord<SubmitResult>,
  placeAlone: () => Promise<Alone>,
): Promise<SubmitResult | Alone> {
  const ids = listIds(submission);
  const isJoining = submission.simulatedFault === null && !ids.some((id) => taken.has(id));
  const before = ids.map((id) => ends.get(id));
  for (const id of ids) taken.set(id, (taken.get(id) ?? 0) + 1);
  try {
    if (isJoining) {
      const joined = join(submission, record).finally(() => ids.forEach((id) => ends.delete(id)));
      for (const id of ids) ends.set(id, joined);
      const result = await joined;
      if (result !== ALONE) return result;
    } else {
      await waitFor(before);
    }
    return await placeAlone();
  } finally {
    ids.forEach(release);
  }
}

/** Waits for orders that are members. */
function waitFor(before: readonly (Promise<unknown> | undefined)[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const waitMs = env().IN_PROGRESS_WAIT_MS;
    const timer = setTimeout(() => reject(new NoTurn("market", waitMs)), waitMs);
    void Promise.allSettled(before)
      .finally(() => clearTimeout(timer))
      .then(resolve);
  });
}

function release(id: string): void {
  const left = (taken.get(id) ?? 0) - 1;
  if (left > 0) taken.set(id, left);
  else taken.delete(id);
}

function join(
  submission: PaperSubmission,
  record: PlacementRecord<SubmitResult>,
): Promise<SubmitResult | typeof ALONE> {
  return new Promise((resolve, reject) => {
    const waitMs = env().IN_PROGRESS_WAIT_MS;
    const timer = setTimeout(() => {
      if (waiting.delete(member)) reject(new NoTurn("market", waitMs));
    }, waitMs);
    const member: Member = {
      submission,
      record,
      settle: (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      fail: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    };
    waiting.add(member);
    // Requests that are read in the same turn of the event loop share a transaction.
    setImmediate(startNext);
  });
}

const listIds = ({ userId, market }: PaperSubmission): string[] => [userId, market.id];

function startNext(): void {
  if (running === AT_ONCE || waiting.size === 0) return;
  const members = [...waiting].slice(0, MAX_LOADS);
  for (const member of members) waiting.delete(member);
  running += 1;
  void run(members).finally(() => {
    running -= 1;
    startNext();
  });
}

/** Runs the transaction of these orders, and tells each of them its result. */
async function run(members: readonly Member[]): Promise<void> {
  try {
    const results = await submitAll(members);
    for (const member of members) member.settle(results.get(member) ?? ALONE);
  } catch (error) {
    const isUndone = changedNothing(error);
    for (const member of members) {
      if (isUndone) member.settle(ALONE);
      else member.fail(error);
    }
  }
}

/** Whether it is certain that a transaction that failed with this error was not committed. */
function changedNothing(error: unknown): boolean {
  if (isLockTimeout(error) || isTransient(error)) return true;
  return !(error instanceof NoTurn) && !isDatabaseUnavailable(error);
}

/** Places the orders that need nothing special. The others are not in the result, and leave no trace. */
async function submitAll(members: readonly Member[]): Promise<Map<Member, SubmitResult>> {
  const loads: { member: Member; load: PreparedLoad }[] = [];
  for (const member of members) {
    const { market } = member.submission;
    const options = createLoadOptions(member.submission, FIRST_DEPTH);
    const load = prepareLoad(market, readTime(), options);
    if (load) loads.push({ member, load });
  }
  if (loads.length === 0) return new Map();
  const marketIds = loads.map(({ member }) => member.submission.market.id);
  return withMarketsTransaction(marketIds, async (tx) => {
    const decisions = await decideAll(tx, loads);
    return new Map([...decisions].map(([member, { result }]) => [member, result]));
  });
}

/** Claims, locks and loads in one trip, and writes everything in the next one, with the commit. */
async function decideAll(
  tx: Tx,
  loads: readonly { member: Member; load: PreparedLoad }[],
): Promise<Map<Member, Decision>> {
  const claims = loads.map(({ member }) => member.record.claim);
  const orders = loads.map(({ member: { submission } }) => ({
    userId: submission.userId,
    marketId: submission.market.id,
  }));
  const [claimRows = [], lockRows = [], loadedRows = []] = await runBatch(tx, [
    insertClaims(claims),
    lockForOrders(orders),
    buildLoads(loads.map(({ load }) => load)),
  ]);
  const loaded = splitRows(loadedRows, loads.length);
  const claimed = new Set(claimRows.map((row) => (row as { order_id: string }).order_id));
  const { owners, marketIds } = toLocks(lockRows);
  const time = readTime();
  const decisions = new Map<Member, Decision>();
  const unused: Member[] = [];
  for (const [index, { member, load }] of loads.entries()) {
    const { submission, record } = member;
    if (!claimed.has(record.claim.orderId)) continue;
    const owner = owners.get(submission.userId);
    const market = marketIds.has(submission.market.id)
      ? load.decode(loaded[index] ?? [], time)
      : null;
    const decision =
      owner && market && (await decide(tx, { submission, owner, limits: null, time }, market));
    if (decision) decisions.set(member, decision);
    else unused.push(member);
  }
  await write(tx, decisions, unused);
  return decisions;
}

/** Returns null for an order that needs a transaction of its own. */
async function decide(
  tx: Tx,
  placement: Placement,
  market: LoadedMarket,
): Promise<Decision | null> {
  const { submission, owner, time } = placement;
  // A limited allowance is read under the locks of the accounts, which are taken in one order.
  if (owner.allowance !== null && owner.allowance !== UNLIMITED_ALLOWANCE) return null;
  try {
    assertOpen(submission.market, time.market);
    assertNotExpired(submission.conditions.expiresAt, time.now);
    return await decideOrder(tx, placement, market);
  } catch (error) {
    if (error instanceof DueBacklog || error instanceof AppError) return null;
    throw error;
  }
}

async function write(
  tx: Tx,
  decisions: ReadonlyMap<Member, Decision>,
  unused: readonly Member[],
): Promise<void> {
  const freed = unused.length > 0 ? [deleteClaims(unused.map(({ record }) => record.claim))] : [];
  if (decisions.size === 0) {
    for (const statement of freed) await deferStatement(tx, statement);
    return;
  }
  const answers = [...decisions].map(([{ record }, { result }]) => ({
    claim: record.claim,
    answer: record.toAnswer(result),
  }));
  const changes = [...decisions.values()].map(({ change }) => change);
  const statements = [...decisions.values()].flatMap((decision) => decision.statements);
  await commitChanges(tx, changes, [storeAnswers(answers), ...freed, ...statements]);
}
