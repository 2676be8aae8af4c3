import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { OrderEvent } from "@/lib/db/queries/sandbox-events";
import { selectKeyOwners } from "@/lib/db/queries/sandbox-keys";
import { selectFillsOfOrders, selectOrdersOfWallet } from "@/lib/db/queries/sandbox-orders";
import { selectSettlements } from "@/lib/db/queries/simulated-settlements";
import type { FillRow } from "@/lib/db/rows";
import { assert } from "@/lib/errors";
import { listAccountIds } from "@/lib/sandbox/accounts";
import { authenticateSecret } from "@/lib/sandbox/authenticate";
import { findFailure } from "@/lib/sandbox/orders";
import { OrderTail } from "@/lib/sandbox/stream/order-tail";
import { makePollLoop } from "@/lib/sandbox/stream/poll-loop";
import {
  parseFrame,
  type Peer,
  sendMessages,
  type StreamSession,
} from "@/lib/sandbox/stream/session";
import {
  toOrderMessage,
  toTradeMessage,
  type UserMessage,
} from "@/lib/sandbox/stream/user-messages";
import { listStages, type SettlementStage } from "@/lib/sandbox/settlement";
import {
  readTradeIds,
  toFailedWireTrades,
  toWireTrades,
  type WireTrade,
} from "@/lib/sandbox/wire-trades";
import { paperExchange } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

const STEP_MS = 500;

/** A subscriber of the user channel. */
interface UserListener {
  /** The address whose API keys placed the orders. */
  keyOwner: string;
  userIds: ReadonlySet<string>;
  wantsMarket: (marketId: string) => boolean;
  send: (messages: readonly UserMessage[]) => void;
}

/** A trade whose later stages are not reported yet. */
interface SettlingTrade {
  userId: string;
  keyOwner: string | undefined;
  trade: WireTrade;
  market: Market | undefined;
  matchedAt: number;
  stagesLeft: readonly SettlementStage[];
}

/** A message for the listeners of one account. */
interface AccountMessage {
  userId: string;
  /** The address whose API key placed the order. */
  keyOwner: string | undefined;
  marketId: string;
  message: UserMessage;
  /** The order event behind it; null for a later stage of a trade. */
  eventId: bigint | null;
}

/** Sends every listener the changes of its accounts' orders and trades, in order. */
export class UserFeed {
  /** Each listener with the newest event at the time it subscribed. */
  private readonly listeners = new Map<UserListener, bigint>();
  private readonly tail = new OrderTail();
  private readonly loop = makePollLoop(() => this.step(), STEP_MS);
  private settling: SettlingTrade[] = [];

  subscribe(listener: UserListener): Promise<void> {
    return this.loop.runBetween(async () => {
      this.listeners.set(listener, await this.tail.start());
      this.loop.start();
    });
  }

  unsubscribe(listener: UserListener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.loop.stop();
    this.tail.stop();
    this.settling = [];
  }

  /** Waits for the reads that are running. */
  waitUntilIdle(): Promise<void> {
    return this.loop.waitUntilIdle();
  }

  private async step(): Promise<void> {
    if (this.listeners.size === 0) return;
    const events = (await this.tail.read()).filter(({ userId }) =>
      [...this.listeners.keys()].some(({ userIds }) => userIds.has(userId)),
    );
    const pending = [...this.advanceStages(), ...(await this.toMessages(events))];
    for (const [listener, since] of this.listeners) {
      const messages = pending.flatMap(({ userId, keyOwner, marketId, message, eventId }) => {
        const isFresh = eventId === null || eventId > since;
        const isOwn = listener.userIds.has(userId) && listener.keyOwner === keyOwner;
        const concerns = isOwn && listener.wantsMarket(marketId);
        return isFresh && concerns ? [message] : [];
      });
      if (messages.length > 0) listener.send(messages);
    }
  }

  private async toMessages(events: readonly OrderEvent[]): Promise<AccountMessage[]> {
    const db = await getDb();
    const ids = [...new Set(events.map(({ orderId }) => orderId))];
    const userIds = [...new Set(events.map(({ userId }) => userId))];
    const rows = await selectOrdersOfWallet(db, userIds, ids);
    const fills = await selectFillsOfOrders(db, ids);
    const markets = await paperExchange().getMarkets(events.map(({ marketId }) => marketId));
    const tradeIds = await readTradeIds(fills);
    const keyOwners = await selectKeyOwners(
      db,
      rows.flatMap(({ keyId }) => keyId ?? []),
    );
    const settlements = await selectSettlements(db, ids);
    const messages: AccountMessage[] = [];
    for (const event of events) {
      const { userId, marketId, fillId } = event;
      const row = rows.find(({ id }) => id === event.orderId);
      if (!row) continue;
      const market = markets.get(marketId);
      const keyOwner = keyOwners.get(row.keyId ?? "");
      const base = { userId, keyOwner, marketId, eventId: BigInt(event.id) };
      const fill = fills.find(({ id }) => id === fillId);
      const failed = findFailure(settlements.get(row.id));
      const [wire] = fill
        ? await toWireTrades([fill])
        : await toFailedWireTrades(
            failed && event.type === "canceled" ? [{ order: row, settlement: failed }] : [],
          );
      const matched = { userId, keyOwner, matchedAt: event.at, market };
      const trade = wire && (await this.startTrade(wire, matched));
      if (trade) messages.push({ ...base, message: trade });
      const ofOrder = fills.filter(({ orderId }) => orderId === row.id);
      if (fill && hasMoreFills(fill, ofOrder)) continue;
      const message = toOrderMessage(event, { row, fills: ofOrder, tradeIds, market, failed });
      if (message) messages.push({ ...base, message });
    }
    return messages;
  }

  /**
   * Builds the message about a new trade and schedules its later stages. Null for a trade that was
   * reported already: one trade can have several makers.
   */
  private async startTrade(
    trade: WireTrade,
    matched: Pick<SettlingTrade, "userId" | "keyOwner" | "matchedAt" | "market">,
  ): Promise<UserMessage | null> {
    const isReported = this.settling.some(
      (known) =>
        known.userId === matched.userId &&
        known.keyOwner === matched.keyOwner &&
        known.trade.id === trade.id &&
        known.trade.trader_side === trade.trader_side,
    );
    if (isReported) return null;
    const takerId = trade.taker_order_id;
    const simulated = (await selectSettlements(await getDb(), [takerId])).get(takerId);
    const [first, ...stagesLeft] = listStages(simulated?.settlement ?? null);
    assert(first, "every trade is matched first");
    this.settling.push({ ...matched, trade, stagesLeft });
    return toTradeMessage(trade, first, { at: matched.matchedAt, market: matched.market });
  }

  /** Builds messages about the stages that trades reached since the last step. */
  private advanceStages(): AccountMessage[] {
    const at = now();
    const messages: AccountMessage[] = [];
    this.settling = this.settling.flatMap((settling) => {
      const { userId, keyOwner, trade, market, matchedAt } = settling;
      const isReached = ({ afterMs }: SettlementStage) => at - matchedAt >= afterMs;
      for (const stage of settling.stagesLeft.filter(isReached)) {
        const message = toTradeMessage(trade, stage, { at: matchedAt + stage.afterMs, market });
        messages.push({ userId, keyOwner, marketId: trade.market, message, eventId: null });
      }
      const stagesLeft = settling.stagesLeft.filter((stage) => !isReached(stage));
      return stagesLeft.length === 0 ? [] : [{ ...settling, stagesLeft }];
    });
    return messages;
  }
}

/** Returns whether the order took more in the same match. Its state is sent once, after all fills. */
function hasMoreFills(fill: FillRow, ofOrder: readonly FillRow[]): boolean {
  return (
    fill.role === "taker" &&
    ofOrder.some(
      ({ role, sequence, createdAt }) =>
        role === "taker" &&
        sequence > fill.sequence &&
        createdAt.getTime() === fill.createdAt.getTime(),
    )
  );
}

/** Bad credentials are not reported. The connection stays silent this long and is closed. */
const SILENCE_MS = 5_000;
/** How often the API key is checked. A deleted key's connection is closed. */
const KEY_CHECK_MS = 30_000;
const MAX_MARKETS = 500;

const Markets = z.array(z.string().max(66)).max(MAX_MARKETS);
const Credentials = z.object({ apiKey: z.string(), secret: z.string(), passphrase: z.string() });
const Frame = z.object({
  auth: Credentials.optional(),
  operation: z.enum(["subscribe", "unsubscribe"]).optional(),
  markets: Markets.optional(),
});
type Frame = z.output<typeof Frame>;

/** Opens a session on the user channel (polymarket.md 8.2). */
export function openUserSession(peer: Peer, feed: UserFeed): StreamSession {
  let listener: UserListener | null = null;
  let isRefused = false;
  let isClosed = false;
  const timers: NodeJS.Timeout[] = [];
  /** Null means every market. */
  let markets: Set<string> | null = null;

  const authenticate = async ({ auth, markets: named = [] }: Frame) => {
    const caller = auth && (await authenticateSecret(auth));
    const userIds = new Set(caller ? await listAccountIds(caller) : []);
    if (isClosed) return;
    if (!caller) {
      isRefused = true;
      timers.push(setTimeout(peer.close, SILENCE_MS).unref());
      return;
    }
    if (named.length > 0) markets = new Set(named);
    listener = {
      keyOwner: caller.owner,
      userIds,
      wantsMarket: (id) => markets === null || markets.has(id),
      send: (messages) => sendMessages(peer, messages),
    };
    const check = async () => {
      if (!(await authenticateSecret(auth))) peer.close();
    };
    // A check that fails because the database is down is repeated.
    timers.push(setInterval(() => void check().catch(() => undefined), KEY_CHECK_MS).unref());
    await feed.subscribe(listener);
    // The client may have disconnected meanwhile.
    if (isClosed) feed.unsubscribe(listener);
  };
  const change = ({ operation, markets: named = [] }: Frame) => {
    for (const id of named) {
      if (operation === "unsubscribe") markets?.delete(id);
      else if (operation === "subscribe" && (markets?.size ?? 0) < MAX_MARKETS) markets?.add(id);
    }
  };
  return {
    receive: async (text) => {
      if (isRefused) return;
      if (text === "PING") return peer.send("PONG");
      const frame = Frame.safeParse(parseFrame(text));
      if (listener) return frame.success ? change(frame.data) : undefined;
      await authenticate(frame.success ? frame.data : {});
    },
    close: () => {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      if (listener) feed.unsubscribe(listener);
    },
  };
}
