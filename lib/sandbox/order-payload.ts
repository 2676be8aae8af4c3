import "server-only";
import { SandboxError } from "@/lib/sandbox/error";
import { isAddress } from "ethers";
import { z } from "zod";

const Digits = z.string().regex(/^\d{1,78}$/);
const Address = z.string().refine((text) => isAddress(text));
const Bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** The body of `POST /order` (polymarket.md 2.1). Fields of other versions are ignored. */
const OrderPayload = z.object({
  order: z.object({
    // A JSON number. A larger one would lose digits and no longer be the signed number.
    salt: z.int().min(0).transform(String),
    maker: Address,
    signer: Address,
    tokenId: Digits,
    makerAmount: Digits,
    takerAmount: Digits,
    side: z.enum(["BUY", "SELL"]),
    signatureType: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    timestamp: Digits,
    expiration: Digits.default("0"),
    metadata: Bytes32,
    builder: Bytes32,
    signature: z.string().regex(/^0x[0-9a-fA-F]+$/),
  }),
  owner: z.string(),
  orderType: z.enum(["GTC", "GTD", "FOK", "FAK"]).default("GTC"),
  postOnly: z.boolean().default(false),
  deferExec: z.boolean().default(false),
});
export type OrderPayload = z.output<typeof OrderPayload>;

const MAX_BATCH = 15;

/** Reads one order from parsed JSON. Throws the venue's refusals for anything but a V2 order. */
export function readOrderPayload(value: unknown): OrderPayload {
  if (isFirstVersion(value)) throw new SandboxError(400, "order_version_mismatch");
  const parsed = OrderPayload.safeParse(value);
  if (!parsed.success) throw new SandboxError(400, "Invalid order payload");
  return parsed.data;
}

/** Reads a body as JSON. */
export function readJsonBody(body: string, refusal = "Invalid order payload"): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new SandboxError(400, refusal);
  }
}

/** Reads the items of `POST /orders`. Each may still be refused separately. */
export function readBatch(body: string): unknown[] {
  const items = readJsonBody(body);
  if (!Array.isArray(items) || items.length === 0) {
    throw new SandboxError(400, "Invalid order payload");
  }
  if (items.length <= MAX_BATCH) return items;
  const message = `Too many orders in payload: ${items.length}, max allowed: ${MAX_BATCH}`;
  throw new SandboxError(400, message);
}

/** V1 orders have a nonce and no timestamp. */
function isFirstVersion(value: unknown): boolean {
  const order =
    typeof value === "object" && value !== null && "order" in value ? value.order : null;
  if (typeof order !== "object" || order === null) return false;
  return "nonce" in order && !("timestamp" in order);
}

const MAX_IDS = 1_000;
const OrderId = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const OrderRef = z.object({ orderID: OrderId });
const CancelScope = z.object({ market: z.string().optional(), asset_id: z.string().optional() });

/** Reads the body of `DELETE /order`. */
export function readOrderId(body: string): string {
  const parsed = OrderRef.safeParse(readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid orderID");
  return parsed.data.orderID;
}

/** Reads the body of `DELETE /orders`. */
export function readOrderIds(body: string): string[] {
  const parsed = z.array(OrderId).safeParse(readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid order payload");
  if (parsed.data.length <= MAX_IDS) return parsed.data;
  throw new SandboxError(400, `Too many orders in payload, max allowed: ${MAX_IDS}`);
}

/** Reads the body of `DELETE /cancel-market-orders`. Without a field it cancels every order. */
export function readCancelScope(body: string): {
  marketId: string | undefined;
  tokenId: string | undefined;
} {
  const parsed = CancelScope.safeParse(body === "" ? {} : readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid order payload");
  return { marketId: parsed.data.market || undefined, tokenId: parsed.data.asset_id || undefined };
}
