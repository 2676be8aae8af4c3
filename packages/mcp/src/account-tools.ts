import type { EventType } from "@ante/client";
import { z } from "zod";
import { answer, READ } from "./answer.ts";
import type { Toolbox } from "./toolbox.ts";
import { omitUndefined } from "./omit-undefined.ts";
import { PAGE } from "./parameters.ts";
import { describeSpending, SPENDING } from "./spending.ts";
import { markUntrusted, markUntrustedFields } from "./untrusted.ts";

/** Clients wait a minute for a tool. */
const MAX_WAIT_SECONDS = 20;

const Positions = z.object({
  balanceUsdc: z.string(),
  portfolioValueUsdc: z.string(),
  totalPnlUsdc: z.string(),
  positions: z.array(
    z.object({
      tokenId: z.string(),
      marketId: z.string(),
      title: z.string(),
      outcome: z.string(),
      shares: z.string(),
      avgPrice: z.string(),
      currentPrice: z.string(),
      valueUsdc: z.string(),
      pnlUsdc: z.string(),
      redeemable: z.boolean(),
    }),
  ),
});

const Balance = z.object({
  balanceUsdc: z.string().describe("cash, with what open buys reserve"),
  address: z.string(),
  funderAddress: z.string(),
});

const Activity = z.object({
  lines: z.array(
    z.object({
      kind: z.enum(["deposit", "trade", "fee", "redeem"]),
      amountUsdc: z.string(),
      balanceUsdc: z.string(),
      orderId: z.string().nullable(),
      marketId: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

const Events = z.object({
  events: z.array(
    z.object({
      seq: z.number(),
      type: z.string(),
      createdAt: z.string(),
      data: z.looseObject({}),
    }),
  ),
  lastSeq: z.number(),
});

const Key = z.object({
  ...SPENDING,
  keyId: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.string().nullable(),
  limits: z.looseObject({}).describe("limit, used, reserved, remaining, resetsAt"),
  frozenSince: z.string().nullable(),
});

/** Adds the tools that read the account and the key. */
export function addAccountTools(tools: Toolbox): void {
  const { server, ante } = tools;
  server.registerTool(
    "get_positions",
    {
      title: "Positions",
      description: "Returns the value of the portfolio, profit and loss, and every position.",
      annotations: READ,
      inputSchema: z.strictObject({}),
      outputSchema: Positions,
    },
    answer(tools, Positions, async () => {
      const { balanceUsdc, portfolioValue, totalPnl, positions } = await ante.positions.list();
      return {
        balanceUsdc,
        portfolioValueUsdc: portfolioValue,
        totalPnlUsdc: totalPnl,
        positions: positions.map((position) => ({
          tokenId: position.id,
          marketId: position.conditionId,
          title: markUntrusted(position.marketTitle),
          outcome: markUntrusted(position.outcome),
          shares: position.shares,
          avgPrice: position.avgPrice,
          currentPrice: position.currentPrice,
          valueUsdc: position.value,
          pnlUsdc: position.pnl,
          redeemable: position.redeemable,
        })),
      };
    }),
  );
  server.registerTool(
    "get_balance",
    {
      title: "Balance",
      description: "Returns the cash and the addresses of the account.",
      annotations: READ,
      inputSchema: z.strictObject({}),
      outputSchema: Balance,
    },
    answer(tools, Balance, async () => {
      const { balanceUsdc, address, funderAddress } = await ante.account.balance();
      return { balanceUsdc, address, funderAddress };
    }),
  );
  server.registerTool(
    "list_activity",
    {
      title: "Activity",
      description: "Lists every change of the cash, newest first, with the balance after it.",
      annotations: READ,
      inputSchema: z.strictObject(PAGE),
      outputSchema: Activity,
    },
    answer(tools, Activity, async ({ limit, cursor }) => {
      const { lines, nextCursor } = await ante.account
        .activity(omitUndefined({ limit, nextCursor: cursor }))
        .page();
      return { lines: lines.map(({ id: _id, ...line }) => line), nextCursor };
    }),
  );
  server.registerTool(
    "list_events",
    {
      title: "Events since",
      description:
        "Lists what happened to the account after an event, oldest first: orders, fills, limits, approvals.",
      annotations: READ,
      inputSchema: z.strictObject({
        after: z.int().min(0).optional().describe("seq of the last event you know"),
        types: z.array(z.string()).optional().describe("such as order.filled"),
        waitSeconds: z
          .int()
          .min(0)
          .max(MAX_WAIT_SECONDS)
          .optional()
          .describe("if there is none yet"),
        limit: PAGE.limit,
      }),
      outputSchema: Events,
    },
    answer(tools, Events, async (query) => {
      // The service refuses types that it doesn't know.
      const types = query.types as EventType[] | undefined;
      const { events, lastSeq } = await ante.events.read(omitUndefined({ ...query, types }));
      return {
        events: events.map(({ seq, type, createdAt, data }) => ({
          seq,
          type,
          createdAt,
          data: markUntrustedFields(data) as Record<string, unknown>,
        })),
        lastSeq,
      };
    }),
  );
  server.registerTool(
    "get_key",
    {
      title: "Key and limits",
      description:
        "Returns the mode of the key that these tools use, what it may do and may still spend.",
      annotations: READ,
      inputSchema: z.strictObject({}),
      outputSchema: Key,
    },
    answer(tools, Key, async () => {
      const key = await ante.key.get();
      const { id, scopes, expiresAt, limits, frozen } = key;
      const frozenSince = frozen?.at ?? null;
      return { ...describeSpending(key), keyId: id, scopes, expiresAt, limits, frozenSince };
    }),
  );
}
