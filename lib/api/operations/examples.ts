import "server-only";
import {
  type Components,
  type JsonSchema,
  getSchemaName,
  resolve,
} from "@/lib/api/operations/json-schema";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const TOKENS = [
  "6426558110348026279543633757214084903649229969865081876974267375625312207151",
  "68101070333424852643921942613284142828218611491665014172857645087248190891689",
];
const MARKET = "0x900cf5abb71f821ff3dbc3de7148473f3c829977f6cf2ca52dd723bc0fe31a04";
export const SAMPLE_IDS = {
  orderId: "ord_01KAJ2V7Q4M8X5T0C6R9WDZ3HE",
  marketId: "long-rains-start-early",
  positionId: TOKENS[0] ?? "",
  webhookId: "whk_01KAJ2V7S4M8X5T0C6R9WDZ3HE",
  deliveryId: "msg_01KAJ2V7T4M8X5T0C6R9WDZ3HE",
};

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
  balanceBaseUnit: "9938450000",
  allowanceBaseUnit: "1000000000000",
  balanceUsdc: 9938.45,
  portfolioValue: 10_001.45,
  totalPnl: 1.45,
  realizedPnl: 0,
  unrealizedPnl: 1.5,
  fees: 0.05,
  id: SAMPLE_IDS.orderId,
  orderId: SAMPLE_IDS.orderId,
  "Market.id": MARKET,
  "MarketDetail.id": MARKET,
  "Position.id": TOKENS[0] ?? "",
  "ApiKey.id": "JTBnexNs",
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
  marketTitle: "Will the long rains start before 10 March?",
  marketSlug: SAMPLE_IDS.marketId,
  marketRoute: `/markets/${SAMPLE_IDS.marketId}`,
  title: "Will the long rains start before 10 March?",
  slug: SAMPLE_IDS.marketId,
  eventTitle: "Start of the long rains",
  eventSlug: "long-rains-start",
  category: "weather",
  iconUrl: "http://127.0.0.1:3000/icons/long-rains.svg",
  "Market.status": "open",
  "MarketDetail.status": "open",
  "OpenOrder.status": "open",
  winningTokenId: null,
  outcome: "Yes",
  "ApiKey.name": "trading bot",
  name: "Yes",
  "name#1": "No",
  side: "YES",
  "side#1": "NO",
  action: "BUY",
  type: "limit",
  role: "taker",
  mode: "paper",
  kind: "trade",
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
  "WebhookDelivery.type": "fill.created",
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  url: "https://example.com/hooks/ante",
  disabledReason: null,
  failingSince: null,
  previousSecretEndsAt: null,
  statusCode: 200,
  error: null,
  answer: "",
  "CancelOutcomes.notCanceled.status": "filled",
  "CancelOutcomes.canceled": [SAMPLE_IDS.orderId],
  "CancelOutcomes.notCanceled.id": "ord_01KAJ2V7Q9B1K3N5P7R9T2V4X6",
  "OrderRecord.events.type": "filled",
  scopes: ["read", "trade"],
  price: 0.62,
  "price#1": 0.39,
  bestBid: 0.61,
  "bestBid#1": 0.37,
  bestAsk: 0.63,
  "bestAsk#1": 0.39,
  "OrderBook.bids.price": 0.61,
  "OrderBook.asks.price": 0.63,
  "OrderRecord.fills.price": 0.615,
  "Fill.price": 0.615,
  avgPrice: 0.615,
  avgFillPrice: 0.615,
  currentPrice: 0.63,
  worstPrice: 0.62,
  limitPrice: 0.62,
  shares: 100,
  filledShares: 100,
  remainingShares: 0,
  restingShares: 0,
  holdShares: 0,
  availableShares: 0,
  amount: 61.5,
  "OrderRecord.amount": null,
  "OrderSummary.amount": null,
  fee: 0.05,
  cost: 61.55,
  holdUsdc: 62.05,
  availableUsdc: 9938.45,
  amountUsdc: -61.5,
  payoutUsdc: 100,
  value: 63,
  pnl: 1.5,
  pnlPercent: 2.439024,
  feeRate: 0.002,
  minOrderShares: 5,
  minMarketBuy: 1,
  tickSize: "0.01",
  negativeRisk: false,
  redeemable: false,
  refusal: null,
  detail: {},
  nextCursor: null,
  expiresAt: null,
  idempotencyKey: "rain-0001",
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
  "WalletChanged.type": "wallet.added",
  "MarketResolved.type": "market.resolved",
  "VenueChanged.type": "venue.degraded",
  "WebhookDisabled.type": "webhook.disabled",
  seq: 42,
  previousSeq: 41,
  lastSeq: 42,
  requestId: "req_01KAJ2V6ZB3N7P9D4S8F2YTQ1H",
  reservedUsdc: 0,
  costUsdc: 61.5,
  rules: "Yes if the weather service announces the start of the long rains before 10 March.",
  resolutionSource: "The weather service's seasonal bulletin",
  opensAt: "2026-11-01T00:00:00.000Z",
  closesAt: "2027-03-10T00:00:00.000Z",
  resolvesAt: "2027-03-10T06:00:00.000Z",
};
const INSTANT = "2026-11-21T12:00:00.000Z";

/** Returns an example value of a schema, as it arrives in JSON. */
export function buildSample(schema: JsonSchema, components: Components): Json {
  return buildSampleAt({ schema, owner: "", place: 0 }, components);
}

interface Spot {
  schema: JsonSchema;
  /** Path of the value: the named schema and the properties below it. */
  owner: string;
  /** Index of the value in a list of fixed length. */
  place: number;
}

function buildSampleAt({ schema, owner, place }: Spot, components: Components): Json {
  const path = getSchemaName(schema) ?? owner;
  const known = findValue(path, place);
  if (known !== undefined) return known;
  const shape = resolve(schema, components);
  if (shape.properties) {
    const entries = Object.entries(shape.properties).map(([name, property]): [string, Json] => {
      const below = path === "" ? name : `${path}.${name}`;
      return [name, buildSampleAt({ schema: property, owner: below, place }, components)];
    });
    return Object.fromEntries(entries);
  }
  const { items, minItems = 1 } = shape;
  if (items) {
    return Array.from({ length: minItems }, (_, index) =>
      buildSampleAt(
        { schema: items, owner: path, place: minItems > 1 ? index : place },
        components,
      ),
    );
  }
  const [choice] = shape.anyOf ?? shape.oneOf ?? [];
  return choice
    ? buildSampleAt({ schema: choice, owner: path, place }, components)
    : buildTypeSample(shape);
}

function findValue(path: string, place: number): Json | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const names = [path, name].flatMap((key) => (place === 0 ? [key] : [`${key}#${place}`, key]));
  const found = names.find((key) => Object.hasOwn(VALUES, key));
  return found === undefined ? undefined : VALUES[found];
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
