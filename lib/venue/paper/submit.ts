import "server-only";
import type { SQL } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { claimAndLock, toEntry } from "@/lib/db/queries/claim-and-lock";
import { answerWrite } from "@/lib/db/queries/idempotency";
import { countLiveOrders } from "@/lib/db/queries/orders";
import { type OwnerRow, selectAllowance, UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import type { OrderRow } from "@/lib/db/rows";
import { type Refusal, refuseUnfunded } from "@/lib/domain/funding";
import { crosses, oppositeSide } from "@/lib/domain/matching";
import { holdOf, isRefusal, sizingOf, type Terms, termsOf } from "@/lib/domain/order-terms";
import { bookPriceOf, bookSideOf } from "@/lib/domain/settlement";
import { AppError, assert } from "@/lib/errors";
import { available, lockAccounts, USDC } from "@/lib/ledger/accounts";
import { accountsOf } from "@/lib/ledger/transfers";
import { formatMicro, NO_SHARES, NO_USDC, price } from "@/lib/units";
import { type PaperTime, readTime } from "@/lib/venue/paper/clock";
import { commitRound, holdingKey } from "@/lib/venue/paper/commit";
import { enterMarket } from "@/lib/venue/paper/enter";
import { loadMarket, type Reach, type Wish } from "@/lib/venue/paper/load";
import type { LoadedMarket } from "@/lib/venue/paper/loaded";
import { playDue, playTaker } from "@/lib/venue/paper/play";
import { heldAsset, Round } from "@/lib/venue/paper/round";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { lockNewMarket } from "@/lib/venue/paper/store";
import type { OrderKey } from "@/lib/venue/order-key";
import type { OrderSubmission, SubmitResult } from "@/lib/venue/port";

/** How many orders of a side are read at first, and how many times as many when they are used up. */
const FIRST_DEPTH = 24;
const DEEPER = 16;
/** How long a rehearsed `delayed` order waits before it matches. */
const REHEARSED_DELAY_MS = 3_000;

export interface PaperSubmission extends OrderSubmission {
  market: ExchangeMarket;
}

/** An order about to be placed, in the transaction that has claimed its key and locked its market. */
interface Placing {
  submission: PaperSubmission;
  owner: OwnerRow;
  time: PaperTime;
  /** Keeps an outcome's answer with the key. */
  answer: (result: SubmitResult) => SQL;
}

/**
 * Takes an order to the paper exchange: claims its key, locks its market, brings the book up to
 * date, matches, checks what the account can pay, settles and writes, all in the caller's
 * transaction. Null when the key was claimed before.
 *
 * Throws MARKET_CLOSED, which undoes the claim on the key; every other refusal is an outcome.
 */
export async function submitPaperOrder(
  tx: Tx,
  submission: PaperSubmission,
  { claim, answerOf }: OrderKey<SubmitResult>,
): Promise<SubmitResult | null> {
  const { market } = submission;
  const locking = claimAndLock(claim, market.id);
  const wish = wishOf(submission, FIRST_DEPTH);
  const { found, loadedAt } = await enterMarket(tx, market, { locking, wish });
  const entry = toEntry(found);
  if (!entry) return null;
  const { owner, isMarketLocked } = entry;
  assert(owner, "an authenticated user exists");
  if (!isMarketLocked) await lockNewMarket(tx, market);
  const time = readTime();
  assertOpen(market, time.market);
  const answer = (result: SubmitResult) => answerWrite(claim, answerOf(result));
  const early = isMarketLocked ? await loadedAt(time) : null;
  return place(tx, { submission, owner, time, answer }, early);
}

async function place(tx: Tx, placing: Placing, early: LoadedMarket | null): Promise<SubmitResult> {
  const { submission, owner, answer } = placing;
  const { loaded, round, terms } = await findTerms(tx, placing, early);
  const row = newRow(submission, owner.epoch);
  if (isRefusal(terms)) return reject(tx, placing, { round, row }, terms);
  const hold = submission.rehearsal === "delayed" ? delayedHold(submission, terms) : terms.hold;
  playNew(round, { ...row, held: hold }, { submission, terms });

  // The accounts are not locked yet. Should less be there when the round is written, all starts over.
  const unfunded = await checkFunding(tx, { ...row, held: hold }, { owner, loaded, round });
  if (unfunded) {
    return reject(tx, placing, { round: beginRound(placing, loaded), row }, unfunded);
  }
  const result = accepted(round.order(row.id));
  await commitRound(tx, round, {
    need: { account: available(owner, heldAsset(row)), amount: hold },
    holdings: new Map([[holdingKey(row), loaded.own.holding]]),
    unlimited: owner.allowance === UNLIMITED_ALLOWANCE ? owner.userId : null,
    also: [answer(result)],
  });
  return result;
}

/** What the order would do; a taker that uses up the orders that were read reads on. */
async function findTerms(
  tx: Tx,
  placing: Placing,
  early: LoadedMarket | null,
): Promise<{ loaded: LoadedMarket; round: Round; terms: Terms | Refusal }> {
  const { submission, time } = placing;
  const { market } = submission;
  for (let depth = FIRST_DEPTH; ; depth *= DEEPER) {
    const known = depth === FIRST_DEPTH ? early : null;
    const loaded = known ?? (await loadMarket(tx, market, time, wishOf(submission, depth)));
    const round = beginRound(placing, loaded);
    const terms = termsOf(sizingOf(submission), market, round.book);
    if (!goesOn(submission, loaded, terms)) return { loaded, round, terms };
  }
}

/** A round in which everything due has been played, before anybody new trades. */
function beginRound({ submission, time }: Placing, loaded: LoadedMarket): Round {
  const round = new Round(submission.market, time, loaded);
  playDue(round, loaded);
  return round;
}

/** Whether orders that were not read could change what the order does. */
function goesOn(
  { intent, outcome }: PaperSubmission,
  { readTo }: LoadedMarket,
  terms: Terms | Refusal,
): boolean {
  const side = bookSideOf(intent.action, outcome);
  const stoppedAt = readTo[oppositeSide(side)];
  if (stoppedAt === null) return false;
  if (isRefusal(terms)) return terms.code === "NO_LIQUIDITY" || terms.code === "ORDER_NOT_FILLED";
  return !terms.result.isComplete && crosses(side, terms.taker.limit, stoppedAt);
}

function playNew(
  round: Round,
  row: OrderRow,
  { submission, terms }: { submission: PaperSubmission; terms: Terms },
): void {
  round.create(row);
  round.hold(row);
  round.tell(row.id, "received", receivedDetail(submission, terms), submission.keyId);
  if (submission.rehearsal === "delayed") delay(round, row.id, terms);
  else playTaker(round, row.id, terms);
}

export function assertOpen(market: ExchangeMarket, at: number): void {
  if (originOf(market).getState(at).status === "open") return;
  // The end of some markets is only an expectation, so that they may close before it.
  const closed =
    at < market.closesAt
      ? "takes no orders now"
      : `closed at ${new Date(market.closesAt).toISOString()}`;
  throw new AppError("MARKET_CLOSED", `this market ${closed}`);
}

function accepted(row: OrderRow): SubmitResult {
  const { status } = row;
  assert(
    status === "open" || status === "filled" || status === "canceled" || status === "delayed",
    `a placed order is not ${status}`,
  );
  return { outcome: "accepted", status, filledShares: row.filledShares };
}

/** Keeps a refused order on record, with its reason; nothing was held for it. */
async function reject(
  tx: Tx,
  { answer }: Placing,
  { round, row }: { round: Round; row: OrderRow },
  refusal: Refusal,
): Promise<SubmitResult> {
  round.create(row);
  round.tell(row.id, "received", {}, row.keyId);
  round.move(row.id, "rejected", "rejected", { code: refusal.code, message: refusal.message });
  const result = { outcome: "rejected", ...refusal } as const;
  await commitRound(tx, round, {
    need: null,
    holdings: new Map(),
    unlimited: null,
    also: [answer(result)],
  });
  return result;
}

function delay(round: Round, id: string, terms: Terms): void {
  round.move(id, "delayed", "delayed");
  round.update(id, {
    price: terms.limit,
    matchAfter: new Date(round.time.now + REHEARSED_DELAY_MS),
  });
}

/** A delayed order meets a book that nobody has seen yet: its fee may be that of any price. */
function delayedHold(submission: PaperSubmission, terms: Terms): bigint {
  return holdOf(sizingOf(submission), terms.limit, price(0n), submission.market.feeRate);
}

/** Checks what the order's owner has against what the order holds. */
async function checkFunding(
  tx: Tx,
  row: OrderRow,
  { owner, loaded, round }: { owner: OwnerRow; loaded: LoadedMarket; round: Round },
): Promise<Refusal | null> {
  const asset = heldAsset(row);
  const token = asset === USDC ? null : asset;
  const account = { userId: owner.userId, mode: "paper" } as const;
  const { available: free, held: reserved } = loaded.own;
  return refuseUnfunded({
    action: row.action,
    hold: row.held,
    available: free,
    reserved,
    reservingOrders: free < row.held ? await countLiveOrders(tx, account, token) : 0,
    allowance: row.action === "BUY" ? await readAllowance(tx, owner, round) : null,
  });
}

/** A limited one is read under the accounts' locks: a concurrent order has then spent its part. */
async function readAllowance(
  tx: Tx,
  { userId, allowance }: OwnerRow,
  round: Round,
): Promise<bigint | null> {
  if (allowance === null || allowance === UNLIMITED_ALLOWANCE) return allowance;
  await lockAccounts(tx, accountsOf(round.transfers));
  return selectAllowance(tx, userId);
}

function newRow(submission: PaperSubmission, epoch: number): OrderRow {
  const { intent, conditions, market, outcome, receivedAt } = submission;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  const at = new Date(receivedAt);
  return {
    id: submission.orderId,
    userId: submission.userId,
    epoch,
    keyId: submission.keyId,
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    outcome,
    action: intent.action,
    type: intent.type,
    price: limit,
    shares: intent.shares,
    amount: intent.amount,
    status: "pending",
    filledShares: NO_SHARES,
    filledNotional: NO_USDC,
    fee: NO_USDC,
    held: 0n,
    bookSide: bookSideOf(intent.action, outcome),
    bookPrice: intent.type === "limit" ? bookPriceOf(outcome, intent.price) : null,
    sequence: NEWEST,
    isFillOrKill: conditions.isFillOrKill,
    isPostOnly: conditions.isPostOnly,
    expiresAt: conditions.expiresAt === null ? null : new Date(conditions.expiresAt),
    matchAfter: null,
    idempotencyKeyJson: JSON.stringify(submission.idempotencyKey),
    createdAt: at,
    updatedAt: at,
  };
}

/** Until the database numbers it, a new order stands behind every order there is. */
const NEWEST = 2n ** 63n - 1n;

function wishOf(submission: PaperSubmission, depth: number): Wish {
  const { userId, market, outcome, intent } = submission;
  const { tokenId } = market.outcomes[outcome];
  const asset = heldAsset({ action: intent.action, tokenId });
  return { taker: reachOf(submission), depth, own: { userId, tokenId, asset } };
}

function reachOf({ intent, outcome }: PaperSubmission): Reach {
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  return {
    side: bookSideOf(intent.action, outcome),
    limit: limit === null ? null : bookPriceOf(outcome, limit),
  };
}

function receivedDetail(submission: PaperSubmission, terms: Terms): Record<string, string> {
  return submission.intent.type === "market" ? { worstPrice: formatMicro(terms.limit) } : {};
}
