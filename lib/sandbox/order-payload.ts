import "server-only";
import { isAddress } from "ethers";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/error";

const Digits = z.string().regex(/^\d{1,78}$/);
const Address = z.string().refine((text) => isAddress(text));
const Bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** The body of `POST /order` (polymarket.md 2.1). Fields of other versions are ignored. */
const OrderPayload = z.object({
  order: z.object({
    // A JSON number: a larger one would not be the number that was signed.
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

/** Reads one order from parsed JSON. Throws the venue's refusals of what is no V2 order. */
export function readOrderPayload(value: unknown): OrderPayload {
  if (isOfFirstVersion(value)) throw new SandboxError(400, "order_version_mismatch");
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

/** Reads the legs of `POST /orders`; each may still be refused by itself. */
export function readBatch(body: string): unknown[] {
  const legs = readJsonBody(body);
  if (!Array.isArray(legs) || legs.length === 0) {
    throw new SandboxError(400, "Invalid order payload");
  }
  if (legs.length <= MAX_BATCH) return legs;
  const message = `Too many orders in payload: ${legs.length}, max allowed: ${MAX_BATCH}`;
  throw new SandboxError(400, message);
}

/** Orders of the first version name a taker and a nonce, and have no creation time. */
function isOfFirstVersion(value: unknown): boolean {
  const order =
    typeof value === "object" && value !== null && "order" in value ? value.order : null;
  if (typeof order !== "object" || order === null) return false;
  return "nonce" in order && !("timestamp" in order);
}
