import "server-only";
import { getAddress } from "ethers";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectSandboxSessionKey } from "@/lib/db/queries/sandbox-session-keys";
import { selectOrderFills, selectOrdersById } from "@/lib/db/queries/orders";
import { selectSettlements } from "@/lib/db/queries/simulated-settlements";
import { AppError, assert } from "@/lib/errors";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { type ExchangeDomain, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { computeOrderHash, SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import {
  isOwnerOfMaker,
  recoverOwner,
  recoverSession,
} from "@/lib/polymarket/protocol/order-signature";
import { deriveWallets } from "@/lib/sandbox/accounts";
import { chainId, type SandboxCaller } from "@/lib/sandbox/authenticate";
import {
  chooseFault,
  type Conditions,
  isPostOnlyRefusal,
  refuseInPostOnlyMode,
} from "@/lib/sandbox/conditions";
import { refuseAfterCutover, removeAfterCutover } from "@/lib/sandbox/cutover";
import { SandboxError, toSandboxError } from "@/lib/sandbox/error";
import { type OrderPayload, readOrderPayload } from "@/lib/sandbox/order-payload";
import { type OrderTerms, parseTerms } from "@/lib/sandbox/order-terms";
import { findFailure, listTradeIds } from "@/lib/sandbox/orders";
import { type Funds, formatRefusal } from "@/lib/sandbox/refusals";
import { cancelIfRevoked, requireSessionKey } from "@/lib/sandbox/session-keys";
import { NO_FAULTS } from "@/lib/sandbox/switches";
import { assertMakerAllowed, requireApprovedMaker } from "@/lib/sandbox/trading-rules";
import { readTradeIds, toFailedTradeId } from "@/lib/sandbox/wire-trades";
import { requireAccount } from "@/lib/accounts/require-account";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { Builder, Market, SimulatedFault, SubmitResult } from "@/lib/venue/port";
import { chooseExchange } from "@/lib/domain/protocol";
import type { OutcomeIndex } from "@/lib/domain/settlement";

/** The venue's response to an order. */
export interface PlacedOrder {
  success: boolean;
  errorMsg: string;
  orderID: string;
  status: string;
  makingAmount: string;
  takingAmount: string;
  tradeIDs?: string[];
}

/** An order with a valid signature, an open market and valid terms. */
interface CheckedOrder {
  id: string;
  /** Whether a session key signed it. */
  isOfSession: boolean;
  market: Market;
  outcome: OutcomeIndex;
  terms: OrderTerms;
}

/**
 * Submits a signed order to the paper exchange. The order's hash is its id, so the same order is
 * accepted only once; the second time it is refused as a duplicate.
 *
 * @throws SandboxError with the venue's refusal.
 */
export async function placeSandboxOrder(
  caller: SandboxCaller,
  payload: OrderPayload,
  conditions: Conditions = NO_FAULTS,
): Promise<PlacedOrder> {
  refuseInPostOnlyMode(conditions, payload);
  const checked = await checkOrder(caller, payload);
  await refuseAfterCutover(checked.market);
  const userId = await requireApprovedMaker(payload.order, checked.market);
  const simulatedFault = chooseFault(conditions);
  const builder = toBuilder(payload.order, conditions);
  const result = await submit(checked, { userId, apiKey: caller.apiKey, simulatedFault, builder });
  if (result.outcome === "rejected") {
    const { market } = checked;
    const funds = () => readFunds(userId, payload);
    throw new SandboxError(400, await formatRefusal(result, payload.orderType, { market, funds }));
  }
  if (result.status !== "filled") {
    await removeAfterCutover(checked.id, { userId, market: checked.market });
  }
  if (checked.isOfSession) await cancelIfRevoked(getAddress(payload.order.maker), caller.owner);
  return buildReceipt(checked.id, userId, result);
}

/** Serves `POST /orders`: places each order separately, in the order sent. */
export async function placeBatch(
  caller: SandboxCaller,
  items: readonly unknown[],
  conditions: Conditions = NO_FAULTS,
): Promise<PlacedOrder[]> {
  const placed: PlacedOrder[] = [];
  for (const item of items) {
    placed.push(await placeItem(caller, item, { conditions, isFirst: placed.length === 0 }));
  }
  return placed;
}

/** A failure of the service fails the whole batch only at its first order, before any is placed. */
async function placeItem(
  caller: SandboxCaller,
  item: unknown,
  { conditions, isFirst }: { conditions: Conditions; isFirst: boolean },
): Promise<PlacedOrder> {
  try {
    return await placeSandboxOrder(caller, readOrderPayload(item), conditions);
  } catch (error) {
    if (isFirst && !(error instanceof SandboxError)) throw error;
    const empty = { orderID: "", status: "", makingAmount: "", takingAmount: "" };
    const refusal = toSandboxError(error, "POST");
    // The venue reports an order that post-only mode refuses as a success (polymarket.md 2.2).
    return { success: isPostOnlyRefusal(refusal), errorMsg: refusal.message, ...empty };
  }
}

/** Runs the checks that the venue makes before it matches, in the venue's order. */
async function checkOrder(caller: SandboxCaller, payload: OrderPayload): Promise<CheckedOrder> {
  const { order, owner } = payload;
  if (owner !== caller.apiKey) {
    throw new SandboxError(400, "the order owner has to be the owner of the API KEY");
  }
  assertMakerAllowed(order);
  await assertSigner(caller, payload);
  const found = await paperExchange().findMarketByToken(order.tokenId);
  if (!found) throw new SandboxError(400, `the orderbook ${order.tokenId} does not exist`);
  const { market, outcome } = found;
  const domain = getExchangeDomain(chainId(), chooseExchange(market));
  const isOfSession = await verifySignature(caller, order, domain);
  const id = computeOrderHash(order, domain);
  if (paperExchange().getState(market).status !== "open") {
    throw new SandboxError(400, `the orderbook ${order.tokenId} does not exist`);
  }
  return { id, isOfSession, market, outcome, terms: parseTerms(payload, id, market) };
}

async function assertSigner({ owner }: SandboxCaller, { order }: OrderPayload): Promise<void> {
  const signer = getAddress(order.signer);
  const isOwn =
    order.signatureType === SIGNATURE_TYPE.depositWallet
      ? deriveWallets(owner).includes(signer) || (await isOfSessionKey(signer, owner))
      : signer === owner;
  if (isOwn) return;
  throw new SandboxError(400, "the order signer address has to be the address of the API KEY");
}

/** Whether a deposit wallet ever authorized this session key. */
async function isOfSessionKey(wallet: string, address: string): Promise<boolean> {
  return (await selectSandboxSessionKey(await getDb(), wallet, address)) !== null;
}

/**
 * Checks that the caller signed the order: as the maker's owner, or as one of its session keys.
 *
 * @returns whether it is a session key.
 */
async function verifySignature(
  { owner }: SandboxCaller,
  order: OrderPayload["order"],
  domain: ExchangeDomain,
): Promise<boolean> {
  const { signature } = order;
  if (recoverOwner(order, domain, signature) === owner && isOwnerOfMaker(order, owner)) {
    return false;
  }
  const [maker, signer] = [getAddress(order.maker), getAddress(order.signer)];
  if (recoverSession(order, domain, signature) !== owner || maker !== signer) {
    throw new SandboxError(400, "invalid signature");
  }
  await requireSessionKey(maker, owner);
  return true;
}

/** Returns the builder code of an order with the fees that all codes have now; null without one. */
function toBuilder(
  { builder }: OrderPayload["order"],
  { builderFees: { takerBps, makerBps } }: Conditions,
): Builder | null {
  if (BigInt(builder) === 0n) return null;
  return {
    code: builder.toLowerCase(),
    takerBps: BigInt(takerBps),
    makerBps: BigInt(makerBps),
  };
}

async function submit(
  { id, market, outcome, terms }: CheckedOrder,
  {
    userId,
    apiKey,
    simulatedFault,
    builder,
  }: {
    userId: string;
    apiKey: string;
    simulatedFault: SimulatedFault;
    builder: Builder | null;
  },
): Promise<SubmitResult> {
  const duplicate = new SandboxError(400, `order ${id} is invalid. Duplicated.`);
  const keyHash = hashIdempotencyKey(id);
  const receivedAt = now();
  const createdAt = new Date(receivedAt);
  await paperExchange().prepareOrder(market);
  const claim = { userId, keyHash, fingerprint: id, fields: {}, orderId: id, createdAt };
  try {
    const result = await paperExchange().submitOrder(
      {
        orderId: id,
        userId,
        keyId: apiKey,
        market,
        outcome,
        ...terms,
        idempotencyKey: id,
        receivedAt,
        simulatedFault,
        builder,
        canAskOwner: false,
      },
      {
        claim,
        toAnswer: ({ outcome: end }) => ({ status: end === "rejected" ? 400 : 200, body: "" }),
      },
    );
    if (!result) throw duplicate;
    return result;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "MARKET_CLOSED") throw error;
    const { tokenId } = market.outcomes[outcome];
    throw new SandboxError(400, `the orderbook ${tokenId} does not exist`);
  }
}

async function readFunds(userId: string, { order }: OrderPayload): Promise<Funds> {
  const db = await getDb();
  const account = await requireAccount(db, { userId, mode: "paper" });
  const { available, held } =
    order.side === "BUY"
      ? await readCash(db, account)
      : await readShares(db, account, order.tokenId);
  return { owned: available + held, reserved: held, wanted: BigInt(order.makerAmount) };
}

async function buildReceipt(
  id: string,
  userId: string,
  result: Extract<SubmitResult, { outcome: "accepted" }>,
): Promise<PlacedOrder> {
  const base = { success: true, errorMsg: "", orderID: id };
  const db = await getDb();
  const failed = findFailure((await selectSettlements(db, [id])).get(id));
  if (result.filledShares === 0n && !failed) {
    const status = result.status === "delayed" ? "delayed" : "live";
    return { ...base, status, makingAmount: "", takingAmount: "" };
  }
  const [row] = await selectOrdersById(db, { userId, mode: "paper" }, [id]);
  assert(row, "an accepted order exists");
  const fills = await selectOrderFills(db, id);
  const usd = formatMicro(failed?.notional ?? row.filledNotional);
  const size = formatMicro(failed?.shares ?? row.filledShares);
  const [makingAmount, takingAmount] = row.action === "BUY" ? [usd, size] : [size, usd];
  const tradeIDs = failed ? [toFailedTradeId(id)] : listTradeIds(fills, await readTradeIds(fills));
  return { ...base, status: "matched", makingAmount, takingAmount, tradeIDs };
}
