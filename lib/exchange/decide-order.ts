import "server-only";
import type { SQL } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { countWaiting } from "@/lib/db/queries/approvals";
import type { OrderLimits } from "@/lib/db/queries/limit-bounds";
import { countReservingOrders } from "@/lib/db/queries/orders";
import { buildSettlementInsert } from "@/lib/db/queries/simulated-settlements";
import { type OwnerRow, selectAllowance, UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import type { OrderRow } from "@/lib/db/rows";
import { needsApproval, refuseManyWaiting, setDeadline } from "@/lib/domain/approvals";
import { type Refusal, refuseUnfunded } from "@/lib/domain/funding";
import { findMid } from "@/lib/domain/order-estimate";
import {
  computeLaterHold,
  computeTerms,
  isRefusal,
  type Terms,
  toSizing,
} from "@/lib/domain/order-terms";
import { toBookPrice, toBookSide } from "@/lib/domain/settlement";
import { toSimulatedSettlement } from "@/lib/domain/simulated-settlement";
import { AppError, assert } from "@/lib/errors";
import { applyDue, applyTaker, hasBacklog, meetsUnread } from "@/lib/exchange/apply-orders";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { PaperTime } from "@/lib/exchange/clock";
import { createHoldingKey, type MarketChange, NO_OWNER } from "@/lib/exchange/commit-update";
import {
  type LoadedMarket,
  loadMarket,
  type LoadOptions,
  type PriceBound,
} from "@/lib/exchange/load-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { getHeldAsset, MarketUpdate } from "@/lib/exchange/market-update";
import { DEPTH_FACTOR, DueBacklog } from "@/lib/exchange/settle-due";
import { available, lockAccounts, USDC } from "@/lib/ledger/accounts";
import { listAccounts } from "@/lib/ledger/transfers";
import { formatMicro, NO_SHARES, NO_USDC, notional, sum } from "@/lib/units";
import { createOrderRow, toLimitedOrder } from "@/lib/venue/order-row";
import type { OrderSubmission, SubmitResult } from "@/lib/venue/port";

/** Number of orders per side of the first load. */
export const FIRST_DEPTH = 24;
/** Maximum number of a user's open orders in one market. */
const MAX_OPEN_ORDERS = 1_000;
/** Delay of the simulated fault `delayed` before the order matches. */
const SIMULATED_DELAY_MS = 3_000;

export interface PaperSubmission extends OrderSubmission {
  market: ExchangeMarket;
}

/** An order whose market and owner are locked. */
export interface Placement {
  submission: PaperSubmission;
  owner: OwnerRow;
  /** The limits of the key, the account and the user; null if none apply. */
  limits: OrderLimits | null;
  time: PaperTime;
}

/** The outcome of an order, and what must be written for it. */
export interface Decision {
  result: SubmitResult;
  change: MarketChange;
  statements: SQL[];
}

/**
 * Decides an order: matches it and checks its funds. Writes nothing.
 *
 * @param early the market as loaded under its lock; null to load it.
 * @throws DueBacklog if orders of the market must be settled first.
 */
export async function decideOrder(
  tx: Tx,
  placement: Placement,
  early: LoadedMarket | null,
): Promise<Decision> {
  const { submission, owner, limits } = placement;
  const { loaded, update, terms } = await loadTerms(tx, placement, early);
  if (loaded.due.length > 0 || hasBacklog(update, loaded)) throw new DueBacklog();
  const row = createUnmatchedRow(submission, owner.epoch);
  if (isRefusal(terms)) return rejectOrder(placement, { update, row }, terms);
  const mid = findMid(update.book, submission.outcome);
  const worst = { limit: terms.limit, mid };
  const sizing = { ...toSizing(submission), limit: terms.limit };
  const { market, builder } = submission;
  const laterHold = computeLaterHold(sizing, market.feeRate, builder ?? undefined);
  const holdUnasked = submission.simulatedFault === "delayed" ? laterHold : terms.hold;
  const unasked = toLimitedOrder(submission, { hold: holdUnasked, ...worst, waits: false });
  const subjects = limits ? await limits.readSubjects(tx) : [];
  const waits = submission.canAskOwner && needsApproval(unasked, subjects);
  const hold = waits ? laterHold : holdUnasked;
  applyNew(update, { ...row, held: hold }, { submission, terms, waits });

  const tooMany = waits
    ? refuseManyWaiting(await countWaiting(tx, { userId: row.userId, mode: "paper" }))
    : refuseTooMany(loaded.owner.liveOrders, update.countNewLiveOrders(row.userId));
  // The accounts are not locked yet. If the balance is lower at commit, the transaction is retried.
  const limited = toLimitedOrder(submission, { hold, ...worst, waits });
  const refusal =
    tooMany ??
    (limits && (await limits.refuse(tx, limited))) ??
    (await checkFunding(tx, { ...row, held: hold }, { owner, loaded, update }));
  if (refusal) {
    return rejectOrder(placement, { update: startUpdate(placement, loaded), row }, refusal);
  }
  limits?.count(row.id, limited);
  return {
    result: toAccepted(update.getOrder(row.id)),
    change: {
      update,
      owner: {
        requiredBalance: { account: available(owner, getHeldAsset(row)), amount: hold },
        holdings: new Map([[createHoldingKey(row), loaded.owner.holding]]),
        unlimitedUserId: owner.allowance === UNLIMITED_ALLOWANCE ? owner.userId : null,
      },
    },
    statements: recordSettlement(update.getOrder(row.id), placement, terms),
  };
}

/** Records a rejected order with its reason. It holds nothing. */
function rejectOrder(
  { submission, limits }: Placement,
  { update, row }: { update: MarketUpdate; row: OrderRow },
  refusal: Refusal,
): Decision {
  limits?.noteRefused(row.id);
  update.actor = toActor(submission);
  update.create(row);
  update.recordEvent(row.id, "received", {}, row.keyId);
  update.move(row.id, "rejected", "rejected", { code: refusal.code, message: refusal.message });
  const result = { outcome: "rejected", ...refusal } as const;
  return { result, change: { update, owner: NO_OWNER }, statements: [] };
}

/** Records how the order's trades settle, if a client asked for a fault. */
function recordSettlement(row: OrderRow, { submission }: Placement, terms: Terms): SQL[] {
  const settlement = toSimulatedSettlement(submission.simulatedFault);
  if (settlement === null || terms.result.matches.length === 0) return [];
  const { id: orderId, userId, createdAt } = row;
  const failed = settlement === "failed-settlement" ? sumMatches(row, terms) : NO_TRADE;
  return [buildSettlementInsert({ orderId, userId, settlement, ...failed, createdAt })];
}

const NO_TRADE = { shares: NO_SHARES, notional: NO_USDC };

/** Sums what an order would have filled, in prices of its own token. */
function sumMatches({ outcome }: OrderRow, { result }: Terms): typeof NO_TRADE {
  const parts = result.matches.map(({ price: at, size }) => ({
    shares: size,
    notional: notional(size, toBookPrice(outcome, at), "up"),
  }));
  return {
    shares: sum(parts.map((part) => part.shares)),
    notional: sum(parts.map((part) => part.notional)),
  };
}

/** Computes the order's terms. Loads more of the book if the loaded orders do not suffice. */
export async function loadTerms(
  tx: Tx,
  placement: Pick<Placement, "submission" | "time">,
  early: LoadedMarket | null,
): Promise<{ loaded: LoadedMarket; update: MarketUpdate; terms: Terms | Refusal }> {
  const { submission, time } = placement;
  const { market, intent, outcome, builder } = submission;
  const charged = builder ? { ...market, builderFees: builder } : market;
  const side = toBookSide(intent.action, outcome);
  for (let depth = FIRST_DEPTH; ; depth *= DEPTH_FACTOR) {
    const options = createLoadOptions(submission, depth);
    const firstLoad = depth === FIRST_DEPTH ? early : null;
    const loaded = firstLoad ?? (await loadMarket(tx, market, time, options));
    const update = startUpdate(placement, loaded);
    const terms = computeTerms(toSizing(submission), charged, update.book);
    if (hasBacklog(update, loaded) || !meetsUnread(update, side, terms))
      return { loaded, update, terms };
  }
}

/** Applies due fills and expiries before the new order trades. */
function startUpdate(
  { submission, time }: Pick<Placement, "submission" | "time">,
  loaded: LoadedMarket,
): MarketUpdate {
  const update = new MarketUpdate(submission.market, time, loaded);
  applyDue(update, loaded);
  return update;
}

/** Refuses an order that would exceed the owner's open orders in the market. */
export function refuseTooMany(liveOrders: number, newOrders: number): Refusal | null {
  if (newOrders <= 0 || liveOrders + newOrders <= MAX_OPEN_ORDERS) return null;
  const limit = MAX_OPEN_ORDERS.toLocaleString("en-US");
  return {
    code: "RISK_LIMIT_EXCEEDED",
    message:
      `You can have ${limit} open orders in one market. ` +
      `You have ${liveOrders.toLocaleString("en-US")}. Cancel some first.`,
  };
}

function applyNew(
  update: MarketUpdate,
  row: OrderRow,
  { submission, terms, waits }: { submission: PaperSubmission; terms: Terms; waits: boolean },
): void {
  update.actor = toActor(submission);
  update.create(row);
  update.hold(row);
  update.recordEvent(row.id, "received", createReceivedDetail(submission, terms), submission.keyId);
  if (waits) askOwner(update, row, terms);
  else if (submission.simulatedFault === "delayed") delayOrder(update, row.id, terms);
  else if (fails(submission, terms)) failSettlement(update, row.id);
  else applyTaker(update, row.id, terms);
}

/** Whether the order would trade, and its trades fail to settle. */
const fails = ({ simulatedFault }: PaperSubmission, { result }: Terms) =>
  simulatedFault === "failed-settlement" && result.matches.length > 0;

/**
 * Ends an order whose trades fail to settle. Nothing moves, because nothing settled. Other users' orders stay as
 * they are: the failed trades count as trades with the house.
 */
function failSettlement(update: MarketUpdate, id: string): void {
  update.move(id, "canceled", "canceled", { reason: "settlement_failed" });
}

function toActor({ userId, keyId, requestId = null }: PaperSubmission) {
  return { userId, keyId, requestId };
}

export function assertOpen(market: ExchangeMarket, at: number): void {
  if (getMarketData(market).getState(at).status === "open") return;
  if (market.untradable !== null) throw new AppError("MARKET_CLOSED", market.untradable);
  // Some markets close before their expected end.
  const message =
    at < market.closesAt
      ? "This market takes no orders now."
      : `This market closed at ${new Date(market.closesAt).toISOString()}.`;
  throw new AppError("MARKET_CLOSED", message);
}

/** An order may expire while it waits for the market's lock. */
export function assertNotExpired(expiresAt: number | null, at: number): void {
  if (expiresAt === null || expiresAt > at) return;
  throw new AppError("VALIDATION_ERROR", "expiresAt: must be in the future");
}

function toAccepted(row: OrderRow): SubmitResult {
  const { status } = row;
  assert(
    status === "open" ||
      status === "filled" ||
      status === "canceled" ||
      status === "delayed" ||
      status === "pending_approval",
    `a placed order has a final or open status, not ${status}`,
  );
  return { outcome: "accepted", status, filledShares: row.filledShares };
}

function delayOrder(update: MarketUpdate, id: string, terms: Terms): void {
  update.move(id, "delayed", "delayed");
  update.update(id, {
    price: terms.limit,
    matchAfter: new Date(update.time.now + SIMULATED_DELAY_MS),
  });
}

/** A market order keeps the limit that it would have now. */
function askOwner(update: MarketUpdate, { id, createdAt }: OrderRow, { limit }: Terms): void {
  const until = setDeadline(createdAt).toISOString();
  update.move(id, "pending_approval", "approval_requested", { until });
  update.update(id, { price: limit });
}

/** Checks whether the owner can pay for or deliver what the order holds. */
async function checkFunding(
  tx: Tx,
  row: OrderRow,
  { owner, loaded, update }: { owner: OwnerRow; loaded: LoadedMarket; update: MarketUpdate },
): Promise<Refusal | null> {
  const asset = getHeldAsset(row);
  const token = asset === USDC ? null : asset;
  const account = { userId: owner.userId, mode: "paper" } as const;
  const { available: free, held: reserved } = loaded.owner;
  return refuseUnfunded({
    action: row.action,
    hold: row.held,
    available: free,
    reserved,
    reservingOrders: free < row.held ? await countReservingOrders(tx, account, token) : 0,
    allowance: row.action === "BUY" ? await readAllowance(tx, owner, update) : null,
  });
}

/** Reads a limited allowance under the accounts' locks, after concurrent orders have lowered it. */
async function readAllowance(
  tx: Tx,
  { userId, allowance }: OwnerRow,
  update: MarketUpdate,
): Promise<bigint | null> {
  if (allowance === null || allowance === UNLIMITED_ALLOWANCE) return allowance;
  await lockAccounts(tx, listAccounts({ ...update, events: update.accountEvents }));
  return selectAllowance(tx, userId);
}

function createUnmatchedRow(submission: PaperSubmission, epoch: number): OrderRow {
  const { intent } = submission;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  return createOrderRow(submission, { epoch, price: limit, held: 0n, status: "pending" });
}

export function createLoadOptions(submission: PaperSubmission, depth: number): LoadOptions {
  const { userId, market, outcome, intent } = submission;
  const { tokenId } = market.outcomes[outcome];
  const asset = getHeldAsset({ action: intent.action, tokenId });
  return { takers: [toPriceBound(submission)], depth, owner: { userId, tokenId, asset } };
}

function toPriceBound({ intent, outcome }: PaperSubmission): PriceBound {
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  return {
    side: toBookSide(intent.action, outcome),
    limit: limit === null ? null : toBookPrice(outcome, limit),
  };
}

function createReceivedDetail(submission: PaperSubmission, terms: Terms): Record<string, string> {
  return submission.intent.type === "market" ? { worstPrice: formatMicro(terms.limit) } : {};
}
