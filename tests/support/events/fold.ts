// Folds an account's log as a program that reads the API would, without a look at our own fold.
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { z } from "zod";
import { getDb, selectRows } from "@/lib/db/client";
import { listEvents } from "@/lib/events/list-events";
import { EventList } from "@/lib/schemas/events";
import { callApi } from "@/tests/support/api/call-api";

interface OrderState {
  id: string;
  status: string;
  filledShares: number;
  fee: number;
  updatedAt: string;
}

interface PositionState {
  id: string;
  shares: number;
  costUsdc: number;
  realizedPnl: number;
}

interface Cash {
  availableUsdc: number | null;
  reservedUsdc: number;
}

/** What the fold gives, and what the books have. Lists are in the order of their ids. */
interface Account {
  cash: Cash;
  positions: PositionState[];
  orders: OrderState[];
}

interface ReceivedEvent {
  seq: number;
  previousSeq: number;
  epoch: number;
  type: string;
  data: {
    balance?: Cash;
    position?: PositionState;
    positions?: PositionState[];
    order?: OrderState;
    openOrders?: OrderState[];
    nextEpoch?: number;
  };
}

const UNSETTLED = ["pending", "submitting", "delayed", "open", "unknown"];
const PAGE = 1000;

/** Reads the whole log with a key, epoch after epoch. Expects numbers without gaps and repeats. */
async function readLog(key: string): Promise<ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for (let epoch: number | null = await findFirstEpoch(key); epoch !== null;) {
    const last = all.at(-1);
    const page = await readPage(key, `?epoch=${epoch}&limit=${PAGE}&after=${last?.seq ?? 0}`);
    for (const event of page.events) {
      expect(event).toMatchObject({ seq: all.length + 1, previousSeq: all.length, epoch });
      all.push(event);
    }
    const end = page.events.at(-1);
    if (end?.data.nextEpoch !== undefined) epoch = end.data.nextEpoch;
    else if (page.events.length < PAGE) {
      expect(page.lastSeq).toBe(all.length);
      epoch = null;
    }
  }
  return all;
}

/** The log of an account from before the log begins in its current epoch, all others in the first. */
async function findFirstEpoch(key: string): Promise<number> {
  const [current] = (await readPage(key, "?limit=1")).events;
  return current?.seq === 1 ? current.epoch : 1;
}

/** Reads the current epoch's part of a log with a key, up to one page. */
export async function readEpoch(key: string): Promise<ReceivedEvent[]> {
  return (await readPage(key, `?limit=${PAGE}`)).events;
}

interface EventPage {
  events: ReceivedEvent[];
  lastSeq: number;
}

async function readPage(key: string, query: string): Promise<EventPage> {
  const { status, text } = await callApi("GET", `/v1/events${query}`, { key });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { data: EventPage }).data;
}

/** Reads the log of a live account in the form of the API, and folds it. */
export async function foldLiveLog(userId: string): Promise<Account> {
  const all: ReceivedEvent[] = [];
  for (;;) {
    const query = { after: all.length, limit: PAGE };
    const page = await listEvents({ userId, mode: "live" }, query);
    const { events, lastSeq } = z.encode(EventList, page) as unknown as EventPage;
    for (const event of events) {
      expect(event).toMatchObject({ seq: all.length + 1, previousSeq: all.length });
      all.push(event);
    }
    if (events.length < PAGE) {
      expect(lastSeq).toBe(all.length);
      const { cash, ...rest } = foldEvents(all);
      return { ...rest, cash: { ...cash, availableUsdc: null } };
    }
  }
}

/** Folds events into an account. */
function foldEvents(events: readonly ReceivedEvent[]): Account {
  let cash: Cash = { availableUsdc: 0, reservedUsdc: 0 };
  const positions = new Map<string, PositionState>();
  const orders = new Map<string, OrderState>();
  for (const { type, data } of events) {
    if (type === "account.reset" || type === "account.snapshot") {
      cash = { availableUsdc: 0, reservedUsdc: 0 };
      positions.clear();
      orders.clear();
    }
    if (data.balance) cash = data.balance;
    for (const each of [...(data.positions ?? []), ...(data.position ? [data.position] : [])]) {
      positions.set(each.id, each);
    }
    for (const each of [...(data.openOrders ?? []), ...(data.order ? [data.order] : [])]) {
      if (UNSETTLED.includes(each.status)) orders.set(each.id, each);
      else orders.delete(each.id);
    }
  }
  const { availableUsdc, reservedUsdc } = cash;
  return {
    cash: { availableUsdc, reservedUsdc },
    positions: [...positions.values()]
      .map(({ id, shares, costUsdc, realizedPnl }) => ({ id, shares, costUsdc, realizedPnl }))
      .filter(({ shares, realizedPnl }) => shares !== 0 || realizedPnl !== 0)
      .toSorted(byId),
    orders: [...orders.values()]
      .map(({ id, status, filledShares, fee, updatedAt }) => ({
        id,
        status,
        filledShares,
        fee,
        updatedAt,
      }))
      .toSorted(byId),
  };
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const toNumber = (micro: string) => Number(micro) / 1e6;

/** Reads the same from the tables. */
export async function readBooks(userId: string, mode: "paper" | "live"): Promise<Account> {
  const db = await getDb();
  const epoch =
    mode === "live" ? sql`0` : sql`(select epoch from users where id = ${userId}::text)`;
  const ofAccount = sql`user_id = ${userId}::text and epoch = ${epoch}`;
  const cash = await selectRows<{ kind: string; balance: string }>(
    db,
    sql`select kind, balance_micro::text as balance from ledger_accounts
        where ${ofAccount} and asset = 'usdc'`,
  );
  const find = (kind: string) => toNumber(cash.find((row) => row.kind === kind)?.balance ?? "0");
  const positions = await selectRows<Record<"id" | "shares" | "cost" | "realized", string>>(
    db,
    sql`select token_id as id, shares_micro::text as shares, cost_micro::text as cost,
          realized_pnl_micro::text as realized
        from positions where ${ofAccount} and (shares_micro <> 0 or realized_pnl_micro <> 0)`,
  );
  const orders = await selectRows<Record<"id" | "status" | "filled" | "fee" | "at", string>>(
    db,
    sql`select id, status, filled_shares_micro::text as filled, fee_micro::text as fee,
          (extract(epoch from updated_at) * 1000)::bigint::text as at
        from orders where ${ofAccount}
          and status in ('pending', 'submitting', 'delayed', 'open', 'unknown')`,
  );
  return {
    cash: {
      availableUsdc: mode === "live" ? null : find("available"),
      reservedUsdc: find("held"),
    },
    positions: positions
      .map(({ id, shares, cost, realized }) => ({
        id,
        shares: toNumber(shares),
        costUsdc: toNumber(cost),
        realizedPnl: toNumber(realized),
      }))
      .toSorted(byId),
    orders: orders
      .map(({ id, status, filled, fee, at }) => ({
        id,
        status,
        filledShares: toNumber(filled),
        fee: toNumber(fee),
        updatedAt: new Date(Number(at)).toISOString(),
      }))
      .toSorted(byId),
  };
}

/** Expects that the log of a paper account, as its owner reads it, gives the books. Returns the log. */
export async function expectLogGivesBooks(user: {
  userId: string;
  apiKey: string;
}): Promise<ReceivedEvent[]> {
  const log = await readLog(user.apiKey);
  expect(foldEvents(log)).toEqual(await readBooks(user.userId, "paper"));
  return log;
}
