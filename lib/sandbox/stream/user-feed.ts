import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { OrderNews } from "@/lib/db/queries/sandbox-events";
import { selectFillsOfOrders, selectOrdersOf } from "@/lib/db/queries/sandbox-orders";
import type { FillRow } from "@/lib/db/rows";
import { assert } from "@/lib/errors";
import { OrderTail } from "@/lib/sandbox/stream/order-tail";
import { makePacer } from "@/lib/sandbox/stream/pacer";
import {
  orderMessage,
  tradeMessage,
  type TradeStage,
  type UserMessage,
} from "@/lib/sandbox/stream/user-messages";
import {
  CONFIRMED_AFTER_MS,
  MINED_AFTER_MS,
  toWireTrades,
  type WireTrade,
} from "@/lib/sandbox/trades";
import { paperExchange } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

const STEP_MS = 500;
const STAGES: { stage: TradeStage; afterMs: number }[] = [
  { stage: "MINED", afterMs: MINED_AFTER_MS },
  { stage: "CONFIRMED", afterMs: CONFIRMED_AFTER_MS },
];

/** Who listens to the user channel. */
export interface UserListener {
  userIds: ReadonlySet<string>;
  wantsMarket: (marketId: string) => boolean;
  send: (messages: readonly UserMessage[]) => void;
}

/** A trade on its way to its last stage. */
interface Settling {
  userId: string;
  trade: WireTrade;
  market: Market | undefined;
  matchedAt: number;
  left: readonly (typeof STAGES)[number][];
}

/** Something to tell the listeners of one account. */
interface Told {
  userId: string;
  marketId: string;
  message: UserMessage;
  /** The line it comes from; null when time alone brought it about. */
  eventId: bigint | null;
}

/** Tells every listener what happens to the orders and trades of its accounts, in order. */
export class UserFeed {
  /** Each listener with the newest line that was there before it. */
  private readonly listeners = new Map<UserListener, bigint>();
  private readonly tail = new OrderTail();
  private readonly pacer = makePacer(() => this.step(), STEP_MS);
  private settling: Settling[] = [];

  subscribe(listener: UserListener): Promise<void> {
    return this.pacer.between(async () => {
      this.listeners.set(listener, await this.tail.begin());
      this.pacer.start();
    });
  }

  unsubscribe(listener: UserListener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.pacer.stop();
    this.tail.end();
    this.settling = [];
  }

  /** Waits for the reads under way. */
  idle(): Promise<void> {
    return this.pacer.idle();
  }

  private async step(): Promise<void> {
    if (this.listeners.size === 0) return;
    const own = (await this.tail.read()).filter(({ userId }) =>
      [...this.listeners.keys()].some(({ userIds }) => userIds.has(userId)),
    );
    const told = [...this.settle(), ...(await this.tell(own))];
    for (const [listener, since] of this.listeners) {
      const messages = told.flatMap(({ userId, marketId, message, eventId }) => {
        const isFresh = eventId === null || eventId > since;
        const concerns = listener.userIds.has(userId) && listener.wantsMarket(marketId);
        return isFresh && concerns ? [message] : [];
      });
      if (messages.length > 0) listener.send(messages);
    }
  }

  private async tell(own: readonly OrderNews[]): Promise<Told[]> {
    const db = await getDb();
    const ids = [...new Set(own.map(({ orderId }) => orderId))];
    const userIds = [...new Set(own.map(({ userId }) => userId))];
    const rows = await selectOrdersOf(db, userIds, ids);
    const fills = await selectFillsOfOrders(db, ids);
    const markets = await paperExchange().getMarkets(own.map(({ marketId }) => marketId));
    const told: Told[] = [];
    for (const news of own) {
      const { userId, marketId, fillId } = news;
      const row = rows.find(({ id }) => id === news.orderId);
      if (!row) continue;
      const market = markets.get(marketId);
      const base = { userId, marketId, eventId: BigInt(news.id) };
      const fill = fills.find(({ id }) => id === fillId);
      if (fill) told.push({ ...base, message: await this.match(fill, market) });
      const its = fills.filter(({ orderId }) => orderId === row.id);
      const message = orderMessage(news, { row, fills: its, market });
      if (message) told.push({ ...base, message });
    }
    return told;
  }

  /** Tells of a new trade, and remembers to tell how it goes on. */
  private async match(fill: FillRow, market: Market | undefined): Promise<UserMessage> {
    const [trade] = await toWireTrades([fill]);
    assert(trade, "a fill is part of a trade");
    const matchedAt = fill.createdAt.getTime();
    this.settling.push({ userId: fill.userId, trade, market, matchedAt, left: STAGES });
    return tradeMessage(trade, "MATCHED", { at: matchedAt, market });
  }

  /** The stages that trades have reached since the last time. */
  private settle(): Told[] {
    const at = now();
    const told: Told[] = [];
    this.settling = this.settling.flatMap((settling) => {
      const { userId, trade, market, matchedAt } = settling;
      const isReached = ({ afterMs }: (typeof STAGES)[number]) => at - matchedAt >= afterMs;
      for (const { stage, afterMs } of settling.left.filter(isReached)) {
        const message = tradeMessage(trade, stage, { at: matchedAt + afterMs, market });
        told.push({ userId, marketId: trade.market, message, eventId: null });
      }
      const left = settling.left.filter((stage) => !isReached(stage));
      return left.length === 0 ? [] : [{ ...settling, left }];
    });
    return told;
  }
}
