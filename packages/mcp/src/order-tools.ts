import type { Order, OrderSummary } from "@ante/client";
import { z } from "zod";
import { answer, READ } from "./answer.ts";
import { omitUndefined } from "./omit-undefined.ts";
import { OrderId, PAGE } from "./parameters.ts";
import { describeSpending, SPENDING } from "./spending.ts";
import type { Toolbox } from "./toolbox.ts";

/** A cancel spends nothing. */
const NO_COST = "0";

const Nullable = z.string().nullable();

const Orders = z.object({
  orders: z.array(
    z.object({
      orderId: z.string(),
      status: z.string(),
      action: z.enum(["BUY", "SELL"]),
      orderType: z.enum(["limit", "market"]),
      tokenId: z.string(),
      marketId: z.string(),
      price: Nullable,
      shares: Nullable,
      amountUsdc: Nullable,
      filledShares: z.string(),
      avgFillPrice: Nullable,
      feeUsdc: z.string(),
      idempotencyKey: Nullable,
      createdAt: z.string(),
    }),
  ),
  nextCursor: Nullable,
});

const Canceled = z.object({
  ...SPENDING,
  mostItCanCostUsdc: z.string(),
  orderId: z.string(),
  status: z.string(),
  filledShares: z.string().describe("filled before the cancel"),
});

const AllCanceled = z.object({
  ...SPENDING,
  mostItCanCostUsdc: z.string(),
  canceled: z.array(z.string()),
  notCanceled: z.array(z.object({ orderId: z.string(), status: z.string() })),
});

/** Repeating a cancel changes nothing more. */
const CANCEL = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

/** Adds the tools that list and cancel orders. */
export function addOrderTools(tools: Toolbox): void {
  const { server, ante } = tools;
  server.registerTool(
    "list_orders",
    {
      title: "Orders",
      description:
        "Lists orders, newest first: those of a state or a market, or one by its id or key.",
      annotations: READ,
      inputSchema: z.strictObject({
        orderId: OrderId.optional(),
        idempotencyKey: z.string().min(1).optional(),
        status: z
          .enum([
            "open",
            "pending_approval",
            "filled",
            "canceled",
            "expired",
            "rejected",
            "unknown",
          ])
          .optional(),
        marketId: z.string().min(1).optional(),
        ...PAGE,
      }),
      outputSchema: Orders,
    },
    answer(tools, Orders, async ({ orderId, marketId, cursor, ...filters }) => {
      if (orderId !== undefined) {
        const order = await ante.orders.get(orderId);
        return { orders: [toOrderLine(order)], nextCursor: null };
      }
      const query = omitUndefined({ ...filters, market: marketId, nextCursor: cursor });
      const { orders, nextCursor } = await ante.orders.list(query).page();
      return { orders: orders.map(toOrderLine), nextCursor };
    }),
  );
  server.registerTool(
    "cancel_order",
    {
      title: "Cancel an order",
      description: "Cancels an open order. What it reserved is available again.",
      annotations: CANCEL,
      inputSchema: z.strictObject({ orderId: OrderId }),
      outputSchema: Canceled,
    },
    answer(tools, Canceled, async ({ orderId }) => {
      const { status, filledShares } = await ante.orders.cancel(orderId);
      const spending = describeSpending(await ante.key.get());
      return { ...spending, mostItCanCostUsdc: NO_COST, orderId, status, filledShares };
    }),
  );
  server.registerTool(
    "cancel_all_orders",
    {
      title: "Cancel all orders",
      description: "Cancels every open order of the account, or of one market.",
      annotations: CANCEL,
      inputSchema: z.strictObject({
        marketId: z.string().min(1).optional().describe("default: all"),
      }),
      outputSchema: AllCanceled,
    },
    answer(tools, AllCanceled, async ({ marketId }) => {
      const outcomes = await ante.orders.cancelAll(omitUndefined({ market: marketId }));
      return {
        ...describeSpending(await ante.key.get()),
        mostItCanCostUsdc: NO_COST,
        canceled: outcomes.canceled,
        notCanceled: outcomes.notCanceled.map(({ id, status }) => ({ orderId: id, status })),
      };
    }),
  );
}

function toOrderLine(order: Order | OrderSummary): z.output<typeof Orders>["orders"][number] {
  return {
    orderId: order.id,
    status: order.status,
    action: order.action,
    orderType: order.type,
    tokenId: order.tokenId,
    marketId: order.marketId,
    price: order.price,
    shares: order.shares,
    amountUsdc: order.amount,
    filledShares: order.filledShares,
    avgFillPrice: order.avgFillPrice,
    feeUsdc: order.fee,
    idempotencyKey: order.idempotencyKey,
    createdAt: order.createdAt,
  };
}
