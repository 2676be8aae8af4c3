import "server-only";
import { randomBytes } from "node:crypto";
import { ZeroHash } from "ethers";
import { now } from "@/lib/clock";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { computeLaterHold, toBudget } from "@/lib/domain/order-terms";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { getBuilder } from "@/lib/polymarket/builder";
import {
  computeLimitAmounts,
  computeMarketBuyAmounts,
  computeMarketSellAmounts,
  type OrderAmounts,
} from "@/lib/polymarket/protocol/amounts";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import {
  computeOrderHash,
  type OrderStruct,
  SIGNATURE_TYPE,
} from "@/lib/polymarket/protocol/order-hash";
import { formatMicro, MAX_REQUEST_MICRO } from "@/lib/units";
import {
  type OrderDraft,
  computeClientAmounts,
  toWireBody,
} from "@/lib/polymarket/official-client";
import type { Builder, OrderConditions, OrderSubmission, SignedOrder } from "@/lib/venue/port";
import { chooseExchange } from "@/lib/domain/protocol";
import type { Trader } from "@/lib/venue/trader";

const EXPIRY_MARGIN_S = 60;

/**
 * Builds and signs an order with Ante's own salt, so that its id is known and stored before it is
 * sent. Nothing is signed unless the official client computes the same amounts.
 */
export async function signOrder(trader: Trader, submission: OrderSubmission): Promise<SignedOrder> {
  const { intent, market, outcome, conditions } = submission;
  assert(market.untradable === null, "an order is signed only for a tradable market");
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  assert(limit !== null, "a market order has a worst price before it is signed");
  const orderType = chooseOrderType(intent, conditions);
  const { tokenId } = market.outcomes[outcome];
  const { action } = intent;
  const draft = { intent, tokenId, market, limit, orderType };
  const amounts = computeAmounts(draft);
  requireSignable(amounts);
  await checkAgainstClient(draft, amounts);
  const builder = await getBuilder();
  const struct = buildStruct(trader, draft, { amounts, builder });
  const exchange = chooseExchange(market);
  const domain = getExchangeDomain(env().POLYGON_CHAIN_ID, exchange);
  const signature = await trader.signOrder(struct, exchange);
  assert(trader.credentials, "a trader who signs has credentials at the venue");
  return {
    venueOrderId: computeOrderHash(struct, domain).toLowerCase(),
    body: await toWireBody({
      struct,
      signature,
      owner: trader.credentials.key,
      orderType,
      expiration: toExpiration(conditions),
      isPostOnly: conditions.isPostOnly,
    }),
    action,
    orderType,
    limit,
    builder,
    // An order for an amount pays a higher fee at a lower price, so the worst case is a price of 0.
    hold: computeLaterHold(
      { action, budget: toBudget(intent), limit },
      market.feeRate,
      builder ?? undefined,
    ),
    endsAtOnce: intent.type === "market",
  };
}

/** Market orders are FAK, except a buy of exact shares: it rests until it is canceled (3.8). */
function chooseOrderType(
  intent: OrderIntent,
  { expiresAt, isFillOrKill }: OrderConditions,
): SignedOrder["orderType"] {
  if (intent.type === "limit") return expiresAt === null ? "GTC" : "GTD";
  if (isFillOrKill) return "FOK";
  return intent.action === "BUY" && intent.shares !== null ? "GTC" : "FAK";
}

function computeAmounts({ intent, market, limit, orderType }: OrderDraft): OrderAmounts {
  const { tick } = market;
  if (intent.shares === null) return computeMarketBuyAmounts(intent.amount, limit, tick);
  if (orderType === "FAK" || orderType === "FOK")
    return computeMarketSellAmounts(intent.shares, limit, tick);
  return computeLimitAmounts(intent.action, { price: limit, size: intent.shares, tick });
}

/** Returns Unix seconds. The venue expires an order this long before its expiration (polymarket.md 5.4). */
function toExpiration({ expiresAt }: OrderConditions): string {
  return expiresAt === null ? "0" : String(Math.floor(expiresAt / 1000) + EXPIRY_MARGIN_S);
}

/** Rejects amounts that custody would refuse to sign, with a message that the caller understands. */
function requireSignable({ maker, taker }: OrderAmounts): void {
  if (maker <= MAX_REQUEST_MICRO && taker <= MAX_REQUEST_MICRO) return;
  const most = formatMicro(MAX_REQUEST_MICRO);
  throw new AppError("VALIDATION_ERROR", `An order is limited to ${most} shares or USDC.`);
}

async function checkAgainstClient(draft: OrderDraft, ours: OrderAmounts): Promise<void> {
  const theirs = await computeClientAmounts(draft);
  if (theirs === null || (theirs.maker === ours.maker && theirs.taker === ours.taker)) return;
  throw new AppError(
    "ORDER_REJECTED",
    "Ante and the venue's client computed different amounts for this order. It was not sent.",
  );
}

function buildStruct(
  trader: Trader,
  { intent, tokenId }: OrderDraft,
  { amounts, builder }: { amounts: OrderAmounts; builder: Builder | null },
) {
  const isDepositWallet = trader.signatureType === SIGNATURE_TYPE.depositWallet;
  return {
    salt: createSalt().toString(),
    maker: trader.funderAddress,
    signer: isDepositWallet ? trader.funderAddress : trader.address,
    tokenId,
    makerAmount: amounts.maker.toString(),
    takerAmount: amounts.taker.toString(),
    side: intent.action,
    signatureType: trader.signatureType,
    timestamp: String(now()),
    metadata: ZeroHash,
    builder: builder?.code ?? ZeroHash,
  } satisfies OrderStruct;
}

/** Returns 53 random bits, because the salt is sent as a JSON number. */
function createSalt(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 11n;
}
