import "server-only";
import type { Tx } from "@/lib/db/database";
import { countLiveOrders } from "@/lib/db/queries/orders";
import { lockOwner, selectAllowance } from "@/lib/db/queries/wallets";
import type { OrderRow } from "@/lib/db/rows";
import { type Refusal, refuseUnfunded } from "@/lib/domain/funding";
import { bookPriceOf, bookSideOf } from "@/lib/domain/settlement";
import { AppError, assert } from "@/lib/errors";
import { available, held, lockAccounts, type Owner, USDC } from "@/lib/ledger/accounts";
import { formatMicro, NO_SHARES, NO_USDC, price } from "@/lib/units";
import { readTime } from "@/lib/venue/paper/clock";
import { commitRound } from "@/lib/venue/paper/commit";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { playDue, playTaker } from "@/lib/venue/paper/play";
import { heldAsset, Round } from "@/lib/venue/paper/round";
import { loadMarket, lockMarket, type Reach } from "@/lib/venue/paper/store";
import { holdOf, isRefusal, sizingOf, type Terms, termsOf } from "@/lib/domain/order-terms";
import type { OrderSubmission, SubmitResult } from "@/lib/venue/port";

/** How long a rehearsed `delayed` order waits before it matches. */
const REHEARSED_DELAY_MS = 3_000;

export interface PaperSubmission extends OrderSubmission {
  market: PaperMarket;
}

/**
 * Takes an order to the paper exchange: locks its market, brings the book up to date, checks what
 * the account can pay, matches, settles and writes, all in the caller's transaction.
 *
 * Throws MARKET_CLOSED, which undoes the claim on the key; every other refusal is an outcome.
 */
export async function submitPaperOrder(tx: Tx, submission: PaperSubmission): Promise<SubmitResult> {
  const { market } = submission;
  const owner = await lockOwner(tx, submission.userId);
  assert(owner, "an authenticated user exists");
  await lockMarket(tx, market);
  const time = readTime();
  assertOpen(market, time.market);
  const loaded = await loadMarket(tx, market, time, reachOf(submission));
  const round = new Round(market, time, loaded);
  playDue(round, loaded);

  const terms = termsOf(sizingOf(submission), market, round.book);
  const row = newRow(submission, owner.epoch);
  if (isRefusal(terms)) return reject(tx, round, row, terms, new Map());
  const accounts = [
    ...round.userAccounts(),
    ...accountsOf(row, owner),
    ...makerAccounts(round, terms),
  ];
  const balances = await lockAccounts(tx, accounts);
  const hold = submission.rehearsal === "delayed" ? delayedHold(submission, terms) : terms.hold;
  const unfunded = await checkFunding(tx, row, owner, hold, balances);
  if (unfunded) return reject(tx, round, row, unfunded, balances);

  round.create({ ...row, held: hold });
  round.hold(round.order(row.id));
  round.tell(row.id, "received", receivedDetail(submission, terms), submission.keyId);
  if (submission.rehearsal === "delayed") delay(round, row.id, terms);
  else playTaker(round, row.id, terms);
  await commitRound(tx, round, balances);
  return accepted(round.order(row.id));
}

export function assertOpen(market: PaperMarket, at: number): void {
  if (at < market.closesAt) return;
  throw new AppError(
    "MARKET_CLOSED",
    `this market closed at ${new Date(market.closesAt).toISOString()}`,
  );
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
  round: Round,
  row: OrderRow,
  refusal: Refusal,
  balances: ReadonlyMap<string, bigint>,
): Promise<SubmitResult> {
  round.create(row);
  round.tell(row.id, "received", {}, row.keyId);
  round.move(row.id, "rejected", "rejected", { code: refusal.code, message: refusal.message });
  await commitRound(tx, round, balances);
  return { outcome: "rejected", ...refusal };
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

/** Reads what the order's owner has, under the locks of its accounts, and checks the hold. */
async function checkFunding(
  tx: Tx,
  row: OrderRow,
  owner: Owner,
  hold: bigint,
  balances: ReadonlyMap<string, bigint>,
): Promise<Refusal | null> {
  const asset = heldAsset(row);
  const token = asset === USDC ? null : asset;
  const account = { userId: owner.userId, mode: "paper" } as const;
  const free = balances.get(available(owner, asset).id) ?? 0n;
  return refuseUnfunded({
    action: row.action,
    hold,
    available: free,
    reserved: balances.get(held(owner, asset).id) ?? 0n,
    reservingOrders: free < hold ? await countLiveOrders(tx, account, token) : 0,
    // Read after the account was locked: a concurrent order of this user has then spent its part.
    allowance: row.action === "BUY" ? await selectAllowance(tx, owner.userId) : null,
  });
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

function accountsOf(row: OrderRow, owner: Owner) {
  const assets = [...new Set([heldAsset(row), row.tokenId, USDC])];
  return assets.flatMap((asset) => [available(owner, asset), held(owner, asset)]);
}

function makerAccounts(round: Round, terms: Terms) {
  return [
    ...terms.result.matches.map(({ maker }) => maker),
    ...terms.result.selfCrossed.map(ownMaker),
  ].flatMap((maker) => {
    if (maker.kind === "house") return [];
    const row = round.order(maker.order.id);
    return accountsOf(row, row);
  });
}

function ownMaker(order: Terms["result"]["selfCrossed"][number]) {
  return { kind: "order" as const, order };
}

function receivedDetail(submission: PaperSubmission, terms: Terms): Record<string, string> {
  return submission.intent.type === "market" ? { worstPrice: formatMicro(terms.limit) } : {};
}
