import "server-only";
import { createHash } from "node:crypto";
import {
  type Components,
  type JsonSchema,
  getSchemaName,
  resolve,
} from "@/lib/api/operations/json-schema";
import { env } from "@/lib/env";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The market of the examples. Its ids are of no market that exists. */
const SLUG = "orchard-valley-frost-1484";
const digest = (part: string) =>
  createHash("sha256").update(`example/${SLUG}/${part}`).digest("hex");
const TOKENS = [digest("Yes"), digest("No")].map((hex) => BigInt(`0x${hex}`).toString());
const MARKET = `0x${digest("market")}`;
/** A search finds the market by this word. */
export const SAMPLE_WORD = "frost";
const ICON_PATH = "/icons/orchard-valley-frost.svg";
const QUESTION = "Will frost reach the Orchard Valley by 18 December 2026?";
export const SAMPLE_IDS = {
  transactionId: "wtx_01KAJ2V7Q9B1K3N5P7R9T2V4X6",
  orderId: "ord_01KAJ2V7Q4M8X5T0C6R9WDZ3HE",
  marketId: SLUG,
  positionId: TOKENS[0] ?? "",
  webhookId: "whk_01KAJ2V7S4M8X5T0C6R9WDZ3HE",
  deliveryId: "msg_01KAJ2V7T4M8X5T0C6R9WDZ3HE",
};

/** The secret of the endpoint in the examples. */
export const SAMPLE_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

const INSTANT = "2026-11-21T12:00:00.000Z";

/** A short event, for a place without room for an order. */
export const SAMPLE_EVENT = {
  seq: 42,
  previousSeq: 41,
  epoch: 1,
  mode: "paper",
  type: "deposit.created",
  createdAt: INSTANT,
  requestId: null,
  keyId: null,
  data: { deposit: { id: "dep_01KAJ2V7S4M8X5T0C6R9WDZ3HE", amountUsdc: 250 } },
};

/** Returns the history of an order that ended in a state. */
export function listSampleHistory(end: "filled" | "canceled"): Json {
  const build = (type: string): Json => ({
    type,
    keyId: "JTBnexNs",
    detail: {},
    createdAt: INSTANT,
  });
  return [build("received"), build(end)];
}

/**
 * Example values by property name; "Schema.name" goes before "name". A property without a value gets
 * one from its type, so an example always has every field.
 */
const VALUES: Record<string, Json> = {
  service: "ante",
  "Health.status": "ok",
  userId: "usr_01KAJ2V6ZB3N7P9D4S8F2YTQ1G",
  address: "0x4eccD7219ae973A1Ba63c8B8F81E9fDE530e415f",
  funderAddress: "0x96482cf90559fc1c303aff9732eBD77400C31d6a",
  funder_address: "0x96482cf90559fc1c303aff9732eBD77400C31d6a",
  balanceBaseUnit: "9937810500",
  allowanceBaseUnit: "1000000000000",
  balanceUsdc: 9937.8105,
  portfolioValue: 9999.8105,
  totalPnl: -0.1895,
  realizedPnl: 0,
  unrealizedPnl: 1,
  fees: 1.1895,
  id: SAMPLE_IDS.orderId,
  orderId: SAMPLE_IDS.orderId,
  "Market.id": MARKET,
  "MarketDetail.id": MARKET,
  "Position.id": TOKENS[0] ?? "",
  "ApiKey.id": "JTBnexNs",
  "KeyWithLimits.id": "JTBnexNs",
  "KeyWithLimits.frozen": null,
  "AmountState.limit": "50",
  "AmountState.used": "12.4",
  "AmountState.reserved": "4.5",
  "AmountState.remaining": "33.1",
  "CountState.limit": 20,
  "CountState.used": 3,
  "CountState.reserved": 0,
  "CountState.remaining": 17,
  resetsAt: null,
  maxDistanceFromMid: { limit: "0.05", scope: "key" },
  approvalAbove: { limit: "25", scope: "key" },
  "LimitStates.markets": { limit: ["category:Weather"], scope: "key" },
  actions: { limit: ["BUY", "SELL", "CANCEL"], scope: "key" },
  ipAllow: { limit: ["203.0.113.0/24"], scope: "key" },
  "LimitsChanged.limits": { perDay: "50" },
  "Fill.id": "fil_01KAJ2V7R1",
  "OrderRecord.fills.id": "fil_01KAJ2V7R1",
  "ActivityLine.id": "lin_01KAJ2V7R2",
  tradeId: "trd_01KAJ2V7R0",
  conditionId: MARKET,
  marketId: MARKET,
  tokenId: TOKENS[0] ?? "",
  "tokenId#1": TOKENS[1] ?? "",
  assetId: TOKENS[0] ?? "",
  positionId: TOKENS[0] ?? "",
  marketTitle: QUESTION,
  marketSlug: SLUG,
  marketRoute: `/markets/${SLUG}`,
  title: QUESTION,
  slug: SLUG,
  eventTitle: QUESTION,
  eventSlug: SLUG,
  category: "weather",
  iconUrl: ICON_PATH,
  "Market.status": "open",
  "MarketDetail.status": "open",
  "OpenOrder.status": "open",
  untradableReason: null,
  winningTokenId: null,
  outcome: "Yes",
  "ApiKey.name": "trading bot",
  "KeyWithLimits.name": "trading bot",
  name: "Yes",
  "name#1": "No",
  side: "YES",
  "side#1": "NO",
  action: "BUY",
  type: "limit",
  role: "taker",
  mode: "paper",
  "ActivityLine.kind": "fee",
  status: "filled",
  "OrderSummary.status": "filled",
  "Webhook.id": SAMPLE_IDS.webhookId,
  "Webhook.status": "active",
  "Webhook.types": null,
  "WebhookWithSecret.id": SAMPLE_IDS.webhookId,
  "WebhookWithSecret.status": "active",
  "WebhookWithSecret.types": null,
  "WebhookDeleted.id": SAMPLE_IDS.webhookId,
  "WebhookDelivery.id": SAMPLE_IDS.deliveryId,
  "WebhookDelivery.status": "delivered",
  "WebhookDelivery.type": "order.filled",
  nextAttemptAt: null,
  acknowledged: true,
  durationMs: 84,
  ordered: true,
  secret: SAMPLE_SECRET,
  url: "https://example.com/hooks/ante",
  disabledReason: null,
  failingSince: null,
  previousSecretEndsAt: null,
  statusCode: 200,
  error: null,
  answer: "",
  "CancelOutcomes.canceled": [SAMPLE_IDS.orderId],
  "CancelOutcomes.notCanceled": [],
  "OrderRecord.events": listSampleHistory("filled"),
  scopes: ["read", "trade"],
  price: 0.62,
  "price#1": 0.38,
  bestBid: 0.61,
  "bestBid#1": 0.37,
  bestAsk: 0.63,
  "bestAsk#1": 0.39,
  "OrderBook.bids.price": 0.61,
  "OrderBook.asks.price": 0.63,
  "OrderRecord.fills.price": 0.61,
  "Fill.price": 0.61,
  avgPrice: 0.61,
  avgFillPrice: 0.61,
  currentPrice: 0.62,
  worstPrice: 0.61,
  limitPrice: 0.62,
  shares: 100,
  filledShares: 100,
  remainingShares: 0,
  restingShares: 0,
  holdShares: 0,
  availableShares: 0,
  amount: 61,
  "OrderRecord.amount": null,
  "OrderSummary.amount": null,
  fee: 1.1895,
  cost: 62.1895,
  holdUsdc: 63.25,
  availableUsdc: 10000,
  amountUsdc: -1.1895,
  payoutUsdc: 100,
  value: 62,
  pnl: 1,
  pnlPercent: 1.639344,
  feeRate: 0.05,
  minOrderShares: 5,
  minMarketBuy: 1,
  tickSize: "0.01",
  negativeRisk: false,
  redeemable: false,
  refusal: null,
  detail: {},
  nextCursor: null,
  expiresAt: null,
  idempotencyKey: "frost-0001",
  message: "Order filled: bought 100 shares.",
  keyId: "JTBnexNs",
  "OrderChanged.type": "order.filled",
  "FillChanged.type": "fill.created",
  "PositionChanged.type": "position.changed",
  "PositionRedeemed.type": "position.redeemed",
  "BalanceChanged.type": "balance.changed",
  "DepositCreated.type": "deposit.created",
  "AccountReset.type": "account.reset",
  "AccountSnapshot.type": "account.snapshot",
  "KeyChanged.type": "key.created",
  "LimitsChanged.type": "limits.changed",
  "TradingFrozen.type": "trading.frozen",
  "TradingThawed.type": "trading.thawed",
  "WalletChanged.type": "wallet.added",
  "WalletKeyEnds.type": "wallet.key_expiring",
  "MarketResolved.type": "market.resolved",
  "VenueChanged.type": "venue.degraded",
  "WebhookDisabled.type": "webhook.disabled",
  "TransactionChanged.type": "transaction.submitted",
  transactionId: SAMPLE_IDS.transactionId,
  "ClaimResult.transactionId": null,
  "ClaimResult.status": "confirmed",
  "EventTransaction.id": SAMPLE_IDS.transactionId,
  "EventTransaction.kind": "split",
  "EventTransaction.status": "submitted",
  "EventTransaction.reason": null,
  "WalletTransaction.id": SAMPLE_IDS.transactionId,
  "WalletTransaction.kind": "split",
  "WalletTransaction.status": "confirmed",
  "WalletTransaction.reason": null,
  "WalletTransaction.redemptions": [],
  "SplitOrMergeBody.idempotencyKey": "split-0001",
  transactionHash: null,
  asset: "usdc",
  spender: "exchange",
  spenderAddress: "0xE111180000d2663C0091e4f400237545B87B996B",
  purpose: "Buy shares.",
  isSet: true,
  isComplete: true,
  "WalletApprovals.transaction": null,
  seq: 42,
  previousSeq: 41,
  lastSeq: 42,
  requestId: "req_01KAJ2V6ZB3N7P9D4S8F2YTQ1H",
  reservedUsdc: 0,
  costUsdc: 61,
  rules:
    "Resolves to “Yes” if the valley station reads below zero degrees Celsius at least once between opening and 07:00 UTC on 18 December 2026.",
  resolutionSource: "The paper exchange's simulated Orchard Valley station",
  opensAt: "2026-11-20T07:00:00.000Z",
  closesAt: "2026-12-18T07:00:00.000Z",
  resolvesAt: "2026-12-18T08:00:00.000Z",
};

/** Properties that most responses lack, and so the examples too. */
const RARE = new Set(["approvalUrl", "builderFee", "sessionKey"]);

/**
 * Returns an example value of a schema, as it arrives in JSON. `own` has values by property name that go
 * before the common ones, so that a response fits its request.
 */
export function buildSample(
  schema: JsonSchema,
  components: Components,
  own: Readonly<Record<string, Json>> = {},
): Json {
  return buildSampleAt(
    { schema, owner: "", place: 0 },
    { components, values: { ...VALUES, ...own } },
  );
}

interface Sources {
  components: Components;
  values: Readonly<Record<string, Json>>;
}

interface Spot {
  schema: JsonSchema;
  /** Path of the value: the named schema and the properties below it. */
  owner: string;
  /** Index of the value in a list of fixed length. */
  place: number;
}

function buildSampleAt({ schema, owner, place }: Spot, sources: Sources): Json {
  const path = getSchemaName(schema) ?? owner;
  const known = findValue(path, place, sources.values);
  if (known !== undefined) return known;
  const shape = resolve(schema, sources.components);
  if (shape.properties) {
    const usual = Object.entries(shape.properties).filter(([name]) => !RARE.has(name));
    const entries = usual.map(([name, property]): [string, Json] => {
      const below = path === "" ? name : `${path}.${name}`;
      return [name, buildSampleAt({ schema: property, owner: below, place }, sources)];
    });
    return Object.fromEntries(entries);
  }
  const { items, minItems = 1 } = shape;
  if (items) {
    return Array.from({ length: minItems }, (_, index) =>
      buildSampleAt({ schema: items, owner: path, place: minItems > 1 ? index : place }, sources),
    );
  }
  const [choice] = shape.anyOf ?? shape.oneOf ?? [];
  return choice
    ? buildSampleAt({ schema: choice, owner: path, place }, sources)
    : buildTypeSample(shape);
}

function findValue(path: string, place: number, values: Sources["values"]): Json | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const names = [path, name].flatMap((key) => (place === 0 ? [key] : [`${key}#${place}`, key]));
  const found = names.find((key) => Object.hasOwn(values, key));
  const value = found === undefined ? undefined : values[found];
  return value === ICON_PATH ? `${env().NEXTAUTH_URL}${ICON_PATH}` : value;
}

function buildTypeSample(schema: JsonSchema): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0] ?? null;
  if (schema.format === "date-time") return INSTANT;
  switch ([schema.type].flat()[0]) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return false;
    case "object":
      return {};
    case "array":
      return [];
    default:
      return "…";
  }
}
