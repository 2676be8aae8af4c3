import {
  type Acknowledgement,
  type Ante,
  createIdempotencyKey,
  type KeyWithLimits,
  OutcomeUnknown,
} from "@ante/client";
import {
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { answer } from "./answer.ts";
import { ToolFailure } from "./failure.ts";
import { TERMS, toOrder } from "./parameters.ts";
import { describeSpending, SPENDING } from "./spending.ts";
import type { Toolbox } from "./toolbox.ts";

/** Clients wait a minute for a tool. */
const DEADLINE_MS = 40_000;
/** How long a user may take to open the page of an approval before the tool returns without it. */
const ASK_MS = 45_000;

const Nullable = z.string().nullable();

const Placed = z.object({
  ...SPENDING,
  mostItCanCostUsdc: Nullable.describe("worst case with fees; null: not known for a repeated call"),
  orderId: z.string(),
  idempotencyKey: z.string(),
  status: z.string(),
  message: z.string(),
  filledShares: Nullable,
  avgFillPrice: Nullable,
  feeUsdc: Nullable,
  approvalUrl: Nullable.describe("for the owner, within 15 minutes"),
});

/** Adds the tool that places orders. */
export function addPlaceOrder(tools: Toolbox): void {
  const { server, ante } = tools;
  server.registerTool(
    "place_order",
    {
      title: "Place an order",
      description:
        "Places an order exactly once. Every call without idempotencyKey is another order. After the error " +
        "OUTCOME_UNKNOWN, repeat the call with the idempotencyKey that it returned, which finishes the order.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      inputSchema: z.strictObject({
        ...TERMS,
        idempotencyKey: z.string().min(1).max(128).optional().describe("only to repeat a call"),
      }),
      outputSchema: Placed,
    },
    answer(tools, Placed, async ({ idempotencyKey: given, ...terms }, call) => {
      const repeated = readState(call) ?? given;
      const idempotencyKey = repeated ?? createIdempotencyKey();
      const order = toOrder(terms);
      const [key, preview] = await Promise.all([
        ante.key.get(),
        ante.orders.preview(order).catch((error: unknown) => {
          // The order of a repeated call can exist where a new one would be refused by now.
          if (repeated === undefined) throw error;
          return null;
        }),
      ]);
      const placed = await ante.orders
        .place(order, { idempotencyKey, deadlineMs: DEADLINE_MS })
        .catch((error: unknown) => {
          throw describeUnplaced(error, { idempotencyKey, key, most: preview?.holdUsdc ?? null });
        });
      const question = await askOwner(tools, call, placed);
      if (question) return question;
      const most = preview?.holdUsdc ?? null;
      return { ...(await describePlaced(ante, key, placed)), mostItCanCostUsdc: most };
    }),
  );
}

/** Reads the idempotency key that a client returns after it has shown the page of an approval. */
function readState({ mcpReq }: ServerContext): string | undefined {
  const state: unknown = mcpReq.requestState();
  return typeof state === "string" ? state : undefined;
}

/** Describes a placement that was refused, and so costs nothing, or whose outcome is not known. */
function describeUnplaced(
  error: unknown,
  {
    idempotencyKey,
    key,
    most,
  }: { idempotencyKey: string; key: KeyWithLimits; most: string | null },
): ToolFailure {
  const mostItCanCostUsdc = error instanceof OutcomeUnknown ? most : "0";
  return new ToolFailure(error, { ...describeSpending(key), mostItCanCostUsdc, idempotencyKey });
}

/**
 * Shows the owner the page that approves an order, if the client can. A client of the protocol of 2026 gets
 * a question, and repeats the call with the order's key as its state. An older one is asked during the call.
 *
 * @returns the question for a client of 2026; null if there is nothing to ask, or it was asked.
 */
async function askOwner(
  { server: { server } }: Toolbox,
  { mcpReq }: ServerContext,
  { approvalUrl, idempotencyKey, message }: Acknowledgement,
): Promise<InputRequiredResult | null> {
  const canOpen = server.getClientCapabilities()?.elicitation?.url !== undefined;
  if (approvalUrl === undefined || !canOpen || mcpReq.inputResponses) return null;
  if (mcpReq.envelope) {
    const approval = inputRequired.elicitUrl({ url: approvalUrl, message });
    return inputRequired({ inputRequests: { approval }, requestState: idempotencyKey });
  }
  const elicitationId = idempotencyKey;
  const question = { mode: "url", elicitationId, url: approvalUrl, message } as const;
  // Without an answer, the user still finds the URL in the output.
  await mcpReq.elicitInput(question, { timeout: ASK_MS }).catch(() => undefined);
  return null;
}

/** Describes a placed order. A read that fails now doesn't hide that it was placed. */
async function describePlaced(
  ante: Ante,
  keyBefore: KeyWithLimits,
  placed: Acknowledgement,
): Promise<Omit<z.output<typeof Placed>, "mostItCanCostUsdc">> {
  const [order, key] = await Promise.all([
    ante.orders.get(placed.orderId).catch(() => null),
    ante.key.get().catch(() => keyBefore),
  ]);
  return {
    ...describeSpending(key),
    orderId: placed.orderId,
    idempotencyKey: placed.idempotencyKey,
    status: order?.status ?? placed.status,
    message: placed.message,
    filledShares: order?.filledShares ?? null,
    avgFillPrice: order?.avgFillPrice ?? null,
    feeUsdc: order?.fee ?? null,
    approvalUrl: placed.approvalUrl ?? null,
  };
}
