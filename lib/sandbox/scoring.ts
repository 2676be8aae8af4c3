import "server-only";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/error";
import { readJsonBody } from "@/lib/sandbox/order-payload";

const MAX_IDS = 500;
const OrderId = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** `GET /order-scoring`: the paper exchange rewards nobody for resting orders, so none scores. */
export function readScoring(query: URLSearchParams): { scoring: boolean } {
  if (!OrderId.safeParse(query.get("order_id")).success) {
    throw new SandboxError(400, "Invalid order_id");
  }
  return { scoring: false };
}

/** `POST /orders-scoring`: the same of many. */
export function readScorings(body: string): Record<string, boolean> {
  const parsed = z.array(OrderId).max(MAX_IDS).safeParse(readJsonBody(body, "Invalid payload"));
  if (!parsed.success) throw new SandboxError(400, "Invalid payload");
  return Object.fromEntries(parsed.data.map((id) => [id, false]));
}
