import "server-only";
import type { SQL } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { claimAndLock } from "@/lib/db/queries/claim-and-lock";
import { answerWrite } from "@/lib/db/queries/idempotency";
import { countLiveOrders } from "@/lib/db/queries/orders";
import { type OwnerRow, selectAllowance, UNLIMITED_ALLOWANCE } from "@/lib/db/queries/wallets";
import type { OrderRow } from "@/lib/db/rows";
import { type Refusal, refuseUnfunded } from "@/lib/domain/funding";
import { crosses, oppositeSide } from "@/lib/domain/matching";
import { holdOf, isRefusal, sizingOf, type Terms, termsOf } from "@/lib/domain/order-terms";
import { bookPriceOf, bookSideOf } from "@/lib/domain/settlement";
import { AppError, assert } from "@/lib/errors";
import { available, held, lockAccounts, USDC } from "@/lib/ledger/accounts";
import { accountsOf } from "@/lib/ledger/transfers";
import { formatMicro, NO_SHARES, NO_USDC, price } from "@/lib/units";
import { type PaperTime, readTime } from "@/lib/venue/paper/clock";
import { commitRound, holdingKey } from "@/lib/venue/paper/commit";
import { type LoadedMarket, loadMarket, type Reach } from "@/lib/venue/paper/load";
import { playDue, playTaker } from "@/lib/venue/paper/play";
import { heldAsset, Round } from "@/lib/venue/paper/round";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { lockMarket } from "@/lib/venue/paper/store";
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
  const claimed = await claimAndLock(tx, claim, market.id);
  if (!claimed) return null;
  const { owner, isMarketLocked } = claimed;
  assert(owner, "an authenticated user exists");
  if (!isMarketLocked) await lockMarket(tx, market);
  const time = readTime();
  assertOpen(market, time.market);
  const answer = (result: SubmitResult) => answerWrite(claim, answerOf(result));
  return place(tx, { submission, owner, time, answer });
}

async function place(tx: Tx, placing: Placing): Promise<SubmitResult> {
  const { submission, owner, answer } = placing;
  const { loaded, round, terms } = await findTerms(tx, placing);
  const row = newRow(submission, owner.epoch);
  if (isRefusal(terms)) return reject(tx, placing, { round, row }, terms);
  const hold = submission.rehearsal === "delayed" ? delayedHold(submission, terms) : terms.hold;
  playNew(round, { ...row, held: hold }, { submission, terms });

  // Every account that the order moves, and all of them at once; only then is known what they hold.
  const balances = await lockAccounts(tx, accountsOf(round.transfers));
  const unfunded = await checkFunding(tx, { ...row, held: hold }, owner, balances);
  if (unfunded) {
    return reject(tx, placing, { round: beginRound(placing, loaded), row }, unfunded);
  }
  const result = accepted(round.order(row.id));
  const holdings = new Map([[holdingKey(row), loaded.holding]]);
  await commitRound(tx, round, { areAccountsLocked: true, holdings, also: [answer(result)] });
  return result;
}

/** What the order would do; a taker that uses up the orders that were read reads on. */
async function findTerms(
  tx: Tx,
  placing: Placing,
): Promise<{ loaded: LoadedMarket; round: Round; terms: Terms | Refusal }> {
  const { submission, owner, time } = placing;
  const { market, outcome } = submission;
  const holding = { owner, tokenId: market.outcomes[outcome].tokenId };
  for (let depth = FIRST_DEPTH; ; depth *= DEEPER) {
    const wish = { taker: reachOf(submission), depth, holding };
    const loaded = await loadMarket(tx, market, time, wish);
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
    areAccountsLocked: false,
    holdings: new Map(),
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

/** Checks what the order's owner has, under the locks of its accounts, against what it holds. */
async function checkFunding(
  tx: Tx,
  row: OrderRow,
  owner: OwnerRow,
  balances: ReadonlyMap<string, bigint>,
): Promise<Refusal | null> {
  const asset = heldAsset(row);
  const token = asset === USDC ? null : asset;
  const account = { userId: owner.userId, mode: "paper" } as const;
  const free = balances.get(available(owner, asset).id) ?? 0n;
  return refuseUnfunded({
    action: row.action,
    hold: row.held,
    available: free,
    reserved: balances.get(held(owner, asset).id) ?? 0n,
    reservingOrders: free < row.held ? await countLiveOrders(tx, account, token) : 0,
    allowance: row.action === "BUY" ? await readAllowance(tx, owner) : null,
  });
}

/** A limited one is read under the account's lock: a concurrent order has then spent its part. */
async function readAllowance(tx: Tx, { userId, allowance }: OwnerRow): Promise<bigint | null> {
  const isLimited = allowance !== null && allowance !== UNLIMITED_ALLOWANCE;
  return isLimited ? selectAllowance(tx, userId) : allowance;
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
