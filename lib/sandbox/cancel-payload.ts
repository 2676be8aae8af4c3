import "server-only";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";

const MAX_IDS = 1_000;
const OrderId = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const One = z.object({ orderID: OrderId });
const Scope = z.object({ market: z.string().optional(), asset_id: z.string().optional() });

/** The body of `DELETE /order`. */
export function readOrderId(body: string): string {
  const parsed = One.safeParse(readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid orderID");
  return parsed.data.orderID;
}

/** The body of `DELETE /orders`. */
export function readOrderIds(body: string): string[] {
  const parsed = z.array(OrderId).safeParse(readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid order payload");
  if (parsed.data.length <= MAX_IDS) return parsed.data;
  throw new SandboxError(400, `Too many orders in payload, max allowed: ${MAX_IDS}`);
}

/** The body of `DELETE /cancel-market-orders`: neither field means everything. */
export function readCancelScope(body: string): {
  marketId: string | undefined;
  tokenId: string | undefined;
} {
  const parsed = Scope.safeParse(body === "" ? {} : readJsonBody(body));
  if (!parsed.success) throw new SandboxError(400, "Invalid order payload");
  return { marketId: parsed.data.market || undefined, tokenId: parsed.data.asset_id || undefined };
}
