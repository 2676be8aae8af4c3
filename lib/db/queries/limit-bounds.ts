import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Tx } from "@/lib/db/database";
import { runBatch } from "@/lib/db/pipeline";
import { type LimitQuery, selectLimitState, toLimitedSubjects } from "@/lib/db/queries/limit-state";
import type { Refusal } from "@/lib/domain/funding";
import type { AccountEventType } from "@/lib/domain/account-events";
import { type LimitedOrder, type LimitedSubject, refuseByLimits } from "@/lib/domain/limits";
import { assert } from "@/lib/errors";
import { add, type Usdc } from "@/lib/units";

/**
 * Events that raise no usage. A fill turns reserved money into as much spent money, or less; what a sale
 * loses is compared on its own. All other events, and those of later versions, have the usage read.
 */
const HARMLESS = [
  "order.approval_requested",
  "order.approved",
  "order.delayed",
  "order.opened",
  "order.partially_filled",
  "order.filled",
  "order.canceled",
  "order.expired",
  "order.rejected",
  "fill.created",
  "position.changed",
  "balance.changed",
  "deposit.created",
] as const satisfies readonly AccountEventType[];
const HARMLESS_LIST = sql.raw(HARMLESS.map((type) => `'${type}'`).join(", "));

/** Most orders that are counted before the usage is read again. */
const MOST_ORDERS = 500;
/** Most events that are read. Each order of this process reads them, so the next one finds fewer. */
const MOST_EVENTS = 4;
/** More than the clocks of two processes differ, and than a transaction lasts. */
const MARGIN_MS = 5 * 60_000;

/** Upper bounds of a caller's usage, which hold until the log of the account says otherwise. */
interface Bounds {
  subjects: readonly LimitedSubject[];
  /** The bounds within each market that was read, in the order of the subjects. */
  markets: Map<string, readonly MarketBound[]>;
  /** The orders that were counted or refused since the usage was read. */
  orderIds: Set<string>;
  /** The last event of the account that was seen. */
  seq: number;
  /** The losses of sales and resolved markets after `since`. */
  losses: string;
  since: Date;
}

interface MarketBound {
  marketReserved: Usdc;
  marketHeld: Usdc;
}

/** The events of an account's log after a known one. Raw texts. */
interface Changes {
  seq: string;
  is_behind: boolean;
  losses: string;
  /** The first events that may raise the usage, with their orders, as JSON. */
  events: string;
}

/** By user and key. An entry may be wrong only on the high side. */
const known = new LRUCache<string, Bounds>({ max: 10_000 });

/**
 * The limits of one order of a paper account, whose transaction has locked the user's row exclusively.
 *
 * Sums of an account's usage grow with its open orders and positions. So a process remembers the sums of
 * the last order as bounds: it adds the orders that it placed since, gives nothing back, and reads in the
 * account's log whether anything else could have raised them. Only if a bound would refuse an order, or
 * the log has another change, are the sums read again. So no order passes, or is refused, by a bound
 * alone that the sums contradict.
 */
export class OrderLimits {
  readonly #query: LimitQuery;
  readonly #name: string;
  /** The bounds at the time when the statements were sent. */
  #bounds: Bounds | null;
  /** Whether the bounds are the sums. */
  #isExact = false;

  constructor(query: LimitQuery) {
    assert(query.mode === "paper", "live orders read their limits themselves");
    this.#query = query;
    this.#name = `${query.userId}/${query.keyId}`;
    this.#bounds = known.get(this.#name) ?? null;
  }

  /** The statements to run once the user's row is locked. */
  get statements(): readonly SQL[] {
    if (!this.#bounds) return this.#selectSums();
    return [selectChanges(this.#query, this.#bounds)];
  }

  /** Takes the rows of the statements. */
  receive([changes, state]: readonly (readonly unknown[])[]): void {
    if (!this.#bounds) this.#learn(toChanges(changes), state);
    else if (!keepsBounds(this.#bounds, toChanges(changes))) this.#forget();
  }

  /** Returns whose limits apply, and which. A change of them is in the log, so they are always current. */
  async readSubjects(tx: Tx): Promise<readonly Pick<LimitedSubject, "scope" | "limits">[]> {
    const bounds = this.#bounds ?? (await this.#readSums(tx));
    return bounds.subjects;
  }

  /** Refuses an order that is over a limit or whose key, account or user is frozen. */
  async refuse(tx: Tx, order: LimitedOrder): Promise<Refusal | null> {
    const bounds = this.#bounds ?? (await this.#readSums(tx));
    const refusal = refuseByLimits(order, this.#toSubjects(bounds));
    if (refusal === null || this.#isExact) return refusal;
    return refuseByLimits(order, this.#toSubjects(await this.#readSums(tx)));
  }

  /** Adds the worst case of an order that the transaction accepts. */
  count(orderId: string, { cost }: LimitedOrder): void {
    const bounds = this.#bounds;
    if (!bounds) return;
    bounds.subjects = bounds.subjects.map(({ usage, ...subject }) => ({
      ...subject,
      usage: {
        ...usage,
        reserved: add(usage.reserved, cost),
        openOrders: usage.openOrders + 1,
        ordersThisMinute: usage.ordersThisMinute + 1,
      },
    }));
    const { marketId } = this.#query;
    const inMarket = marketId === null ? undefined : bounds.markets.get(marketId);
    if (marketId !== null && inMarket) {
      const raised = inMarket.map((bound) => ({
        ...bound,
        marketReserved: add(bound.marketReserved, cost),
      }));
      bounds.markets.set(marketId, raised);
    }
    this.noteRefused(orderId);
  }

  /** Notes an order that the transaction refuses, so that its event does not count as a change. */
  noteRefused(orderId: string): void {
    if (!this.#bounds) return;
    this.#bounds.orderIds.add(orderId);
    if (this.#bounds.orderIds.size > MOST_ORDERS) this.#forget();
  }

  async #readSums(tx: Tx): Promise<Bounds> {
    const [changes, state] = await runBatch(tx, this.#selectSums());
    return this.#learn(toChanges(changes), state);
  }

  /** The log is read first: a change before the sums are read is in them, and is then read once more. */
  #selectSums(): SQL[] {
    return [selectChanges(this.#query, null), selectLimitState(this.#query)];
  }

  #learn(changes: Changes, state: readonly unknown[] = []): Bounds {
    const subjects = toLimitedSubjects(state);
    const former = this.#bounds;
    const bounds: Bounds = {
      subjects,
      // Without a change, the bounds of other markets remain.
      markets: new Map(former?.markets),
      orderIds: new Set(),
      seq: Number(changes.seq),
      losses: changes.losses,
      since: startOf(this.#query),
    };
    const { marketId } = this.#query;
    if (marketId !== null) {
      const inMarket = subjects.map(({ usage: { marketReserved, marketHeld } }) => ({
        marketReserved,
        marketHeld,
      }));
      bounds.markets.set(marketId, inMarket);
    }
    this.#bounds = bounds;
    this.#isExact = true;
    // A process of a version without the log has written something.
    if (changes.is_behind) known.delete(this.#name);
    else known.set(this.#name, bounds);
    return bounds;
  }

  #forget(): void {
    known.delete(this.#name);
    this.#bounds = null;
  }

  /** Returns the subjects as of the order's market. A market that was not read has at most everything. */
  #toSubjects({ subjects, markets }: Bounds): LimitedSubject[] {
    const { marketId } = this.#query;
    const inMarket = marketId === null ? undefined : markets.get(marketId);
    return subjects.map((subject, index) => {
      const { reserved, held } = subject.usage;
      const bound = inMarket?.[index] ?? { marketReserved: reserved, marketHeld: held };
      return { ...subject, usage: { ...subject.usage, ...bound } };
    });
  }
}

const startOf = ({ now }: LimitQuery) => new Date(now - MARGIN_MS);

/** Selects what happened to a user's paper account after an event. The account has one, with its cash. */
function selectChanges(query: LimitQuery, bounds: Bounds | null): SQL {
  const { userId } = query;
  const since = (bounds?.since ?? startOf(query)).toISOString();
  const events = bounds
    ? sql`(select coalesce(json_agg(json_build_array(type, order_id)), '[]')::text
        from (select type, order_id from account_events
          where user_id = ${userId}::text and mode = 'paper' and seq > ${bounds.seq.toString()}::bigint
            and type not in (${HARMLESS_LIST})
          order by seq limit ${sql.raw(String(MOST_EVENTS))}) as found)`
    : sql`'[]'`;
  return sql`select cash.version::text as seq, cash.is_behind, ${events} as events,
      (select coalesce(string_agg(lost_micro::text, ' ' order by minute, budget_id), '')
        from budget_minutes
        where user_id = owner.id and epoch = owner.epoch and minute > ${since}::timestamptz
          and lost_micro <> 0) as losses
    from users as owner
      join ledger_accounts as cash on cash.id = owner.id || '/' || owner.epoch || '/usdc/available'
    where owner.id = ${userId}::text`;
}

function toChanges([row]: readonly unknown[] = []): Changes {
  assert(row, "a paper account has cash");
  return row as Changes;
}

/** Returns whether the bounds hold after these changes, and notes how far the log was read. */
function keepsBounds(bounds: Bounds, changes: Changes): boolean {
  if (changes.is_behind || changes.losses !== bounds.losses) return false;
  const events = JSON.parse(changes.events) as [AccountEventType, string | null][];
  const isOwn = ([type, orderId]: (typeof events)[number]) =>
    type === "order.received" && orderId !== null && bounds.orderIds.has(orderId);
  if (events.length === MOST_EVENTS || !events.every(isOwn)) return false;
  bounds.seq = Number(changes.seq);
  return true;
}
