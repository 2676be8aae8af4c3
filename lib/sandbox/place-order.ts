import "server-only";
import { getAddress } from "ethers";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectOrderFills, selectOrdersById } from "@/lib/db/queries/orders";
import { AppError, assert } from "@/lib/errors";
import { readCash, readShares } from "@/lib/ledger/balances";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import { orderHash, SIGNATURE_TYPE } from "@/lib/polymarket/order-hash";
import { isMakersOwner, recoverOwner } from "@/lib/polymarket/order-signature";
import { ensureAccount, walletsOf } from "@/lib/sandbox/accounts";
import { chainId, type SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import type { OrderPayload } from "@/lib/sandbox/order-payload";
import { type OrderTerms, termsOfPayload } from "@/lib/sandbox/order-terms";
import { type Funds, refusalText } from "@/lib/sandbox/refusals";
import { requireAccount } from "@/lib/services/account/require-account";
import { hashIdempotencyKey } from "@/lib/services/orders/idempotency";
import { formatMicro } from "@/lib/units";
import { paperExchange } from "@/lib/venue";
import type { Market, SubmitResult } from "@/lib/venue/port";
import type { OutcomeIndex } from "@/lib/domain/settlement";

/** What the venue answers an order that it took. */
export interface PlacedOrder {
  success: boolean;
  errorMsg: string;
  orderID: string;
  status: string;
  makingAmount: string;
  takingAmount: string;
  tradeIDs?: string[];
}

/** An order whose signature, market and terms are in order. */
interface Checked {
  id: string;
  market: Market;
  outcome: OutcomeIndex;
  terms: OrderTerms;
}

/**
 * Takes a signed order to the paper exchange under the id that its signature gives it. The same
 * order is taken once, for ever: a second time it is refused as a duplicate.
 */
export async function placeSandboxOrder(
  caller: SandboxCaller,
  payload: OrderPayload,
): Promise<PlacedOrder> {
  const checked = await check(caller, payload);
  const userId = await ensureAccount(getAddress(payload.order.maker));
  const result = await submit(checked, { userId, apiKey: caller.apiKey });
  if (result.outcome === "rejected") {
    const { market } = checked;
    const funds = () => fundsOf(userId, payload);
    throw new SandboxError(400, await refusalText(result, payload.orderType, { market, funds }));
  }
  return receipt(checked.id, userId, result);
}

/** Everything that the venue checks before it looks at the book, in its order. */
async function check(caller: SandboxCaller, payload: OrderPayload): Promise<Checked> {
  const { order, owner } = payload;
  if (owner !== caller.apiKey) {
    throw new SandboxError(400, "the order owner has to be the owner of the API KEY");
  }
  assertSigner(caller, payload);
  const found = await paperExchange().findMarketByToken(order.tokenId);
  if (!found) throw new SandboxError(400, `the orderbook ${order.tokenId} does not exist`);
  const { market, outcome } = found;
  const domain = exchangeDomain(chainId(), market.isNegRisk);
  const signer = recoverOwner(order, domain, order.signature);
  if (signer !== caller.owner || !isMakersOwner(order, caller.owner)) {
    throw new SandboxError(400, "invalid signature");
  }
  const id = orderHash(order, domain);
  if (paperExchange().getState(market).status !== "open") {
    throw new SandboxError(400, `the orderbook ${order.tokenId} does not exist`);
  }
  return { id, market, outcome, terms: termsOfPayload(payload, id, market) };
}

function assertSigner({ owner }: SandboxCaller, { order }: OrderPayload): void {
  const signer = getAddress(order.signer);
  const isOwn =
    order.signatureType === SIGNATURE_TYPE.depositWallet
      ? walletsOf(owner).includes(signer)
      : signer === owner;
  if (isOwn) return;
  throw new SandboxError(400, "the order signer address has to be the address of the API KEY");
}

async function submit(
  { id, market, outcome, terms }: Checked,
  { userId, apiKey }: { userId: string; apiKey: string },
): Promise<SubmitResult> {
  const duplicate = new SandboxError(400, `order ${id} is invalid. Duplicated.`);
  const keyHash = hashIdempotencyKey(id);
  const receivedAt = now();
  const createdAt = new Date(receivedAt);
  await paperExchange().prepareOrder(market);
  const claim = { userId, keyHash, fingerprint: id, fields: {}, orderId: id, createdAt };
  try {
    const result = await withTransaction((tx) =>
      paperExchange().submitOrder(
        tx,
        {
          orderId: id,
          userId,
          keyId: apiKey,
          market,
          outcome,
          ...terms,
          idempotencyKey: id,
          receivedAt,
          rehearsal: null,
        },
        {
          claim,
          answerOf: ({ outcome: end }) => ({ status: end === "rejected" ? 400 : 200, body: "" }),
        },
      ),
    );
    if (!result) throw duplicate;
    return result;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "MARKET_CLOSED") throw error;
    const { tokenId } = market.outcomes[outcome];
    throw new SandboxError(400, `the orderbook ${tokenId} does not exist`);
  }
}

async function fundsOf(userId: string, { order }: OrderPayload): Promise<Funds> {
  const db = await getDb();
  const account = await requireAccount(db, { userId, mode: "paper" });
  const { available, held } =
    order.side === "BUY"
      ? await readCash(db, account)
      : await readShares(db, account, order.tokenId);
  return { owned: available + held, reserved: held, wanted: BigInt(order.makerAmount) };
}

async function receipt(
  id: string,
  userId: string,
  result: Extract<SubmitResult, { outcome: "accepted" }>,
): Promise<PlacedOrder> {
  const base = { success: true, errorMsg: "", orderID: id };
  if (result.filledShares === 0n) {
    const status = result.status === "delayed" ? "delayed" : "live";
    return { ...base, status, makingAmount: "", takingAmount: "" };
  }
  const db = await getDb();
  const [row] = await selectOrdersById(db, { userId, mode: "paper" }, [id]);
  assert(row, "an accepted order is there");
  const fills = await selectOrderFills(db, id);
  const [usd, size] = [formatMicro(row.filledNotional), formatMicro(row.filledShares)];
  const [makingAmount, takingAmount] = row.action === "BUY" ? [usd, size] : [size, usd];
  const tradeIDs = [...new Set(fills.map(({ tradeId }) => tradeId))];
  return { ...base, status: "matched", makingAmount, takingAmount, tradeIDs };
}
