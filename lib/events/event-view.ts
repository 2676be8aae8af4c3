import "server-only";
import { LimitsInput } from "@/lib/schemas/limits";
import { toFill } from "@/lib/activity/list-fills";
import type { AccountEventRow, JoinedEvent } from "@/lib/db/queries/account-events";
import type { MarketRow, OrderRow } from "@/lib/db/rows";
import type {
  CashState,
  KeyState,
  OrderState,
  PositionState,
  StoredEventData,
} from "@/lib/db/schema/account-events";
import type { AccountEventType } from "@/lib/domain/account-events";
import { assert } from "@/lib/errors";
import { toOrderSummary } from "@/lib/orders/order-views";
import { buildIconUrl } from "@/lib/public-url";
import type { AccountEvent } from "@/lib/schemas/events";
import { add, averagePrice, shares, usdc } from "@/lib/units";

interface Wallet {
  address: string;
  funderAddress: string;
}

/** The rows that events refer to. */
export interface EventContext {
  /** The account's wallet; empty addresses if it never had one. */
  wallet: Wallet;
  /** Markets and orders of snapshots, by id. */
  markets: ReadonlyMap<string, MarketRow>;
  orders: ReadonlyMap<string, OrderRow>;
}

/** Returns the ids of the markets and orders that a snapshot refers to. */
export function listSnapshotIds({ event }: JoinedEvent): { markets: string[]; orders: string[] } {
  if (event.type !== "account.snapshot") return { markets: [], orders: [] };
  const { positions, orders } = readData(event, event.type);
  return {
    markets: positions.map(({ marketId }) => marketId),
    orders: orders.map(({ id }) => id),
  };
}

/** Maps an event to its form in the API. `previousSeq` is the number of the event given before. */
export function toAccountEvent(
  joined: JoinedEvent,
  previousSeq: number,
  context: EventContext,
): AccountEvent {
  const { event } = joined;
  const { seq, epoch, mode, createdAt, requestId, keyId } = event;
  const common = { seq, previousSeq, epoch, mode, createdAt, requestId, keyId };
  return { ...common, ...toTypeAndData(joined, context) } as AccountEvent;
}

type TypeAndData = Pick<AccountEvent, "type" | "data">;

function toTypeAndData(
  { event, order, fill, market, replacementKey }: JoinedEvent,
  context: EventContext,
): TypeAndData {
  const { type, userId } = event;
  switch (type) {
    case "account.snapshot":
      return { type, data: toSnapshot(event, readData(event, type), context) };
    case "account.reset":
      return { type, data: readData(event, type) };
    case "fill.created":
    case "fill.reversed":
      assert(fill, "a fill is kept as long as its event");
      return { type, data: { fill: toFill(fill) } };
    case "position.changed":
    case "position.redeemable":
      return { type, data: { position: toEventPosition(readData(event, type), market) } };
    case "position.redeemed": {
      const { tokenId, shares: size, payout } = readData(event, type);
      const redemption = {
        positionId: tokenId,
        shares: shares(BigInt(size)),
        payoutUsdc: usdc(BigInt(payout)),
      };
      return { type, data: { redemption } };
    }
    case "balance.changed":
      return { type, data: { balance: toEventBalance(event, readData(event, type), context) } };
    case "deposit.created": {
      const { id, amount } = readData(event, type);
      return { type, data: { deposit: { id, amountUsdc: usdc(BigInt(amount)) } } };
    }
    case "key.created":
    case "key.rotated":
    case "key.revoked":
      return { type, data: { key: toEventKey(userId, readData(event, type)) } };
    case "limits.changed": {
      const { limits, ...subject } = readData(event, type);
      return { type, data: { ...subject, limits: LimitsInput.parse(limits) } };
    }
    case "trading.frozen":
      return { type, data: readData(event, type) };
    case "trading.thawed":
      return { type, data: readData(event, type) };
    case "wallet.added":
    case "wallet.removed":
      return { type, data: { wallet: readData(event, type) } };
    case "wallet.key_expiring":
    case "wallet.key_expired": {
      const { expiresAt, ...wallet } = readData(event, type);
      return { type, data: { wallet, expiresAt: new Date(expiresAt) } };
    }
    case "market.resolved":
      return { type, data: { market: toEventMarket(readData(event, type), market) } };
    case "venue.degraded":
    case "venue.recovered":
      return { type, data: {} };
    case "webhook.disabled":
      return { type, data: readData(event, type) };
    case "transaction.waiting":
    case "transaction.submitted":
    case "transaction.unknown":
    case "transaction.confirmed":
    case "transaction.failed": {
      const { shares: size, notifiesOwner: _, ...transaction } = readData(event, type);
      const pairs = size === null ? null : shares(BigInt(size));
      return { type, data: { transaction: { ...transaction, shares: pairs } } };
    }
    default: {
      assert(order, "an order is kept as long as its events");
      const { detail: stored, ...state } = readData(event, type);
      const detail = replacementKey === null ? stored : { ...stored, replacementKey };
      return { type, data: { order: toOrderAfter(order, state, context.wallet), detail } };
    }
  }
}

function readData<Type extends AccountEventType>(
  event: AccountEventRow,
  type: Type,
): StoredEventData[Type] {
  assert(event.type === type, `event ${event.seq} is of type ${type}`);
  return event.data as StoredEventData[Type];
}

/** Returns an order as it was after an event. */
function toOrderAfter(row: OrderRow, state: OrderState, wallet: Wallet) {
  const former = {
    ...row,
    status: state.status,
    filledShares: shares(BigInt(state.filledShares)),
    filledNotional: usdc(BigInt(state.filledNotional)),
    fee: usdc(BigInt(state.fee)),
    updatedAt: new Date(state.updatedAt),
  };
  return toOrderSummary(former, wallet);
}

function toEventPosition(state: PositionState, market: MarketRow | null | undefined) {
  assert(market, "the market of a position is kept");
  const size = shares(BigInt(state.shares));
  const cost = usdc(BigInt(state.cost));
  return {
    id: state.tokenId,
    conditionId: market.id,
    marketTitle: market.title,
    marketSlug: market.slug,
    iconUrl: buildIconUrl(market.icon),
    outcome: state.tokenId === market.firstToken ? market.firstOutcome : market.secondOutcome,
    shares: size,
    negativeRisk: market.isNegRisk,
    avgPrice: size === 0n ? null : averagePrice(cost, size),
    costUsdc: cost,
    realizedPnl: usdc(BigInt(state.realizedPnl)),
  };
}

function toEventBalance(
  { userId, mode }: Pick<AccountEventRow, "userId" | "mode">,
  state: CashState,
  { wallet: { address, funderAddress } }: EventContext,
) {
  const [free, reserved] = [usdc(BigInt(state.available)), usdc(BigInt(state.held))];
  const isPaper = mode === "paper";
  return {
    userId,
    address,
    funderAddress,
    balanceUsdc: isPaper ? add(free, reserved) : null,
    availableUsdc: isPaper ? free : null,
    reservedUsdc: reserved,
  };
}

function toSnapshot(
  event: AccountEventRow,
  data: StoredEventData["account.snapshot"],
  context: EventContext,
) {
  const { positions, orders } = data;
  return {
    balance: toEventBalance(event, data, context),
    positions: positions.map((state) =>
      toEventPosition(state, context.markets.get(state.marketId)),
    ),
    openOrders: orders.map(({ id, ...state }) => {
      const row = context.orders.get(id);
      assert(row, "an order is kept as long as its events");
      return toOrderAfter(row, state, context.wallet);
    }),
  };
}

function toEventKey(userId: string, { scopes, ...key }: KeyState) {
  return {
    ...key,
    userId,
    scopes: [...scopes],
    createdAt: new Date(key.createdAt),
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    lastUsedAt: key.lastUsedAt === null ? null : new Date(key.lastUsedAt),
  };
}

function toEventMarket({ winner }: StoredEventData["market.resolved"], market: MarketRow | null) {
  assert(market, "the market of a position is kept");
  const { id, title, slug, firstOutcome, secondOutcome, firstToken, secondToken } = market;
  return {
    id,
    title,
    slug,
    winner: winner === null ? null : ([firstOutcome, secondOutcome][winner] ?? null),
    winningTokenId: winner === null ? null : ([firstToken, secondToken][winner] ?? null),
  };
}
