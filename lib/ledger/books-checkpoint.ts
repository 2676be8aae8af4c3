import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { toJsonRows } from "@/lib/db/batch";
import { pause, takeTurns } from "@/lib/clock";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  booksCheckpoint,
  booksCheckpointBalances,
  booksCheckpointHoldings,
} from "@/lib/db/schema/audit";
import { EMPTY_HOLDING, type Holding } from "@/lib/domain/position";
import { assert } from "@/lib/errors";
import {
  applyMovement,
  type Checkpoint,
  type Movement,
  selectMovements,
  toHolding,
  type VerificationReport,
  verifyFromCheckpoint,
} from "@/lib/ledger/verify-books";
import { verifyChangedLogs } from "@/lib/ledger/verify-logs";

const ONLY_ROW = 1;
/** Maximum number of transfers or fills that one transaction sums. */
const SLICE = 5_000n;
/** Maximum wait for the running transactions to end. */
const SETTLE_MS = 10_000;
const POLL_MS = 100;
/** The last assigned sequence numbers at a moment. */
type Horizon = Omit<Checkpoint, "transfers">;

const FROM_ZERO: Checkpoint = {
  transferSequence: 0n,
  fillSequence: 0n,
  eventId: 0n,
  transfers: 0n,
};

/**
 * Checks the books since the checkpoint. If they agree, moves the checkpoint to the start of this check,
 * so that the next check has little to sum. A mismatch is reported until it is fixed, because the
 * checkpoint does not move past it. Also checks the logs of the accounts that changed.
 */
export async function checkSinceCheckpoint(): Promise<VerificationReport> {
  const horizon = await findHorizon();
  const { checkpoint, ...report } = await verifyFromCheckpoint();
  if (report.ok && horizon) await moveCheckpoint(checkpoint ?? FROM_ZERO, horizon);
  const problems = [...report.problems, ...(await verifyChangedLogs())];
  return { ...report, ok: problems.length === 0, problems };
}

/**
 * Finds sequence numbers up to which no transaction can add a row: reads the last assigned numbers and
 * waits until the transactions that were running then have ended. Returns null if one still runs.
 */
async function findHorizon(): Promise<Horizon | null> {
  const db = await getDb();
  const selectLast = (sequence: string) =>
    sql.raw(`(select case when is_called then last_value else 0 end from ${sequence})::text`);
  const [last] = await selectRows<Record<"transfers" | "fills" | "events", string>>(
    db,
    // Transfers first: the fills of a paid-out position have lower numbers than the payout.
    sql`select ${selectLast("ledger_transfers_sequence_seq")} as transfers,
          ${selectLast("fills_sequence_seq")} as fills, ${selectLast("order_events_id_seq")} as events`,
  );
  assert(last, "sequences have a last value");
  const [{ running } = { running: "0" }] = await selectRows<{ running: string }>(
    db,
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as running`,
  );
  for (let waited = 0; waited <= SETTLE_MS; waited += POLL_MS) {
    const [row] = await selectRows<{ ended: boolean }>(
      db,
      sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${running}::text::xid8 as ended`,
    );
    if (row?.ended) {
      return {
        transferSequence: BigInt(last.transfers),
        fillSequence: BigInt(last.fills),
        eventId: BigInt(last.events),
      };
    }
    await pause(POLL_MS);
  }
  return null;
}

/**
 * Moves the checkpoint in slices of one transaction each: fills first, then the payouts that close their
 * positions. Stops if another process moves the checkpoint.
 */
async function moveCheckpoint(from: Checkpoint, to: Horizon): Promise<void> {
  let at = from;
  while (at.fillSequence < to.fillSequence || at.transferSequence < to.transferSequence) {
    const isAtFills = at.fillSequence < to.fillSequence;
    const slice = isAtFills
      ? { ...at, fillSequence: smallest(at.fillSequence + SLICE, to.fillSequence) }
      : { ...at, transferSequence: smallest(at.transferSequence + SLICE, to.transferSequence) };
    const reached = await withTransaction((tx) => sumSlice(tx, at, slice));
    if (!reached) return;
    at = reached;
    await takeTurns();
  }
  if (at.eventId >= to.eventId) return;
  const end = { ...at, eventId: to.eventId };
  await withTransaction((tx) => moveIfUnchanged(tx, at, end));
}

/** Returns null if another process has moved the checkpoint. */
async function sumSlice(tx: Tx, from: Checkpoint, to: Checkpoint): Promise<Checkpoint | null> {
  const [counted] = await selectRows<{ count: string }>(
    tx,
    sql`select count(*)::text as count from ledger_transfers
        where sequence > ${from.transferSequence.toString()}::bigint
          and sequence <= ${to.transferSequence.toString()}::bigint`,
  );
  const reached = { ...to, transfers: from.transfers + BigInt(counted?.count ?? 0) };
  if (!(await moveIfUnchanged(tx, from, reached))) return null;
  await addBalances(tx, from, to);
  await addHoldings(tx, from, to);
  return reached;
}

/** Moves the checkpoint if it is still at `from`. Returns whether it was. */
async function moveIfUnchanged(tx: Tx, from: Checkpoint, to: Checkpoint): Promise<boolean> {
  const { id, transferSequence, fillSequence, eventId } = booksCheckpoint;
  const isUnchanged = and(
    eq(transferSequence, from.transferSequence),
    eq(fillSequence, from.fillSequence),
    eq(eventId, from.eventId),
  );
  await tx
    .insert(booksCheckpoint)
    .values({ id: ONLY_ROW, ...FROM_ZERO })
    .onConflictDoNothing();
  const moved = await tx.update(booksCheckpoint).set(to).where(isUnchanged).returning({ id });
  return moved.length === 1;
}

async function addBalances(tx: Tx, from: Checkpoint, to: Checkpoint): Promise<void> {
  const isIn = sql.raw(
    `sequence > ${from.transferSequence} and sequence <= ${to.transferSequence}`,
  );
  await tx.execute(sql`insert into ${booksCheckpointBalances} as known (account_id, balance_micro)
    select account, sum(amount) from (
      select credit_account as account, amount_micro as amount from ledger_transfers where ${isIn}
      union all select debit_account, -amount_micro from ledger_transfers where ${isIn}) moved
    group by account
    on conflict (account_id)
      do update set balance_micro = known.balance_micro + excluded.balance_micro`);
}

type HoldingStep = Pick<Movement, "action" | "shares" | "notional" | "start"> & {
  user_id: string;
  epoch: number;
  token_id: string;
};

async function addHoldings(tx: Tx, from: Checkpoint, to: Checkpoint): Promise<void> {
  const steps = await selectRows<HoldingStep>(
    tx,
    sql`select m.user_id, m.epoch, m.token_id, m.action, m.shares_micro::text as shares,
          m.notional_micro::text as notional, case when h.token_id is not null then
            json_build_array(h.shares_micro::text, h.cost_micro::text, h.realized_pnl_micro::text)
          end as start
        from (${selectMovements(from, to)}) as m left join ${booksCheckpointHoldings} h
          on h.user_id = m.user_id and h.epoch = m.epoch and h.token_id = m.token_id
        order by m.step, m.sequence`,
  );
  if (steps.length === 0) return;
  const holdings = new Map<string, HoldingStep & { holding: Holding }>();
  for (const step of steps) {
    const key = `${step.user_id}/${step.epoch}/${step.token_id}`;
    const previous =
      holdings.get(key)?.holding ?? (step.start ? toHolding(step.start) : EMPTY_HOLDING);
    const holding = applyMovement(previous, step);
    assert(holding, "the books agreed up to here");
    holdings.set(key, { ...step, holding });
  }
  const rows = [...holdings.values()].map(({ user_id, epoch, token_id, holding }) => ({
    user_id,
    epoch,
    token_id,
    ...holding,
  }));
  await tx.execute(sql`insert into ${booksCheckpointHoldings}
      (user_id, epoch, token_id, shares_micro, cost_micro, realized_pnl_micro)
    select user_id, epoch, token_id, shares, cost, "realizedPnl"
    from json_to_recordset(${toJsonRows(rows)}::text::json) as v (user_id text, epoch integer,
      token_id text, shares bigint, cost bigint, "realizedPnl" bigint)
    on conflict (user_id, epoch, token_id) do update set shares_micro = excluded.shares_micro,
      cost_micro = excluded.cost_micro, realized_pnl_micro = excluded.realized_pnl_micro`);
}

const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b);
