import "server-only";
import { randomBytes } from "node:crypto";
import { ZeroHash } from "ethers";
import { now } from "@/lib/clock";
import { worstTakerFee, worstTakerFeeOfAmount } from "@/lib/domain/fees";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import {
  limitAmounts,
  marketBuyAmounts,
  marketSellAmounts,
  type OrderAmounts,
} from "@/lib/polymarket/amounts";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import { orderHash, type OrderStruct, SIGNATURE_TYPE } from "@/lib/polymarket/order-hash";
import { notional, type Price, price } from "@/lib/units";
import type { OrderDraft } from "@/lib/venue/polymarket/draft";
import { clientAmounts, toWireBody } from "@/lib/venue/polymarket/official-client";
import type { OrderSubmission, SignedOrder } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

/**
 * Builds and signs an order with a salt of our own, so that its id is known and stored before
 * anything is sent. The official client's figures must be the same as ours, or nothing is signed.
 */
export async function signOrder(trader: Trader, submission: OrderSubmission): Promise<SignedOrder> {
  const { intent, market, outcome } = submission;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  assert(limit !== null, "a market order has its worst price before it is signed");
  const orderType = orderTypeOf(intent);
  const { tokenId } = market.outcomes[outcome];
  const draft = { intent, tokenId, market, limit, orderType };
  const amounts = amountsOf(draft);
  await checkAgainstClient(draft, amounts);
  const struct = structOf(trader, draft, amounts);
  const domain = exchangeDomain(env().POLYGON_CHAIN_ID, market.isNegRisk);
  const signature = await trader.signOrder(struct, market.isNegRisk);
  assert(trader.credentials, "a trader who signs has credentials at the venue");
  return {
    venueOrderId: orderHash(struct, domain).toLowerCase(),
    body: await toWireBody({ struct, signature, owner: trader.credentials.key, orderType }),
    action: intent.action,
    orderType,
    limit,
    hold: holdOf(intent, limit, market.feeRate),
    endsAtOnce: intent.type === "market",
  };
}

/** Market orders fill and kill, but one for exact shares rests until its rest is canceled (3.8). */
function orderTypeOf(intent: OrderIntent): SignedOrder["orderType"] {
  if (intent.type === "limit") return "GTC";
  return intent.action === "BUY" && intent.shares !== null ? "GTC" : "FAK";
}

function amountsOf({ intent, market, limit, orderType }: OrderDraft): OrderAmounts {
  const { tick } = market;
  if (intent.shares === null) return marketBuyAmounts(intent.amount, limit, tick);
  if (orderType === "FAK") return marketSellAmounts(intent.shares, limit, tick);
  return limitAmounts(intent.action, { price: limit, size: intent.shares, tick });
}

async function checkAgainstClient(draft: OrderDraft, ours: OrderAmounts): Promise<void> {
  const theirs = await clientAmounts(draft);
  if (theirs === null || (theirs.maker === ours.maker && theirs.taker === ours.taker)) return;
  throw new AppError(
    "ORDER_REJECTED",
    "Ante and the venue's client disagree on this order's amounts; nothing was sent",
  );
}

function structOf(trader: Trader, { intent, tokenId }: OrderDraft, amounts: OrderAmounts) {
  const isDepositWallet = trader.signatureType === SIGNATURE_TYPE.depositWallet;
  return {
    salt: randomSalt().toString(),
    maker: trader.funderAddress,
    signer: isDepositWallet ? trader.funderAddress : trader.address,
    tokenId,
    makerAmount: amounts.maker.toString(),
    takerAmount: amounts.taker.toString(),
    side: intent.action,
    signatureType: trader.signatureType,
    timestamp: String(now()),
    metadata: ZeroHash,
    builder: ZeroHash,
  } satisfies OrderStruct;
}

/** 53 random bits: the salt goes over the wire as a JSON number. */
function randomSalt(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 11n;
}

/** What the order may take at most. An amount pays the more fee the lower the price turns out. */
function holdOf(intent: OrderIntent, limit: Price, feeRate: bigint): bigint {
  if (intent.action === "SELL") return intent.shares;
  if (intent.shares === null) {
    return intent.amount + worstTakerFeeOfAmount(intent.amount, price(0n), feeRate);
  }
  return notional(intent.shares, limit, "up") + worstTakerFee(intent.shares, limit, feeRate);
}
