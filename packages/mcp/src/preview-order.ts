import { z } from "zod";
import { answer, READ } from "./answer.ts";
import { TERMS, toOrder } from "./parameters.ts";
import { describeSpending, SPENDING } from "./spending.ts";
import type { Toolbox } from "./toolbox.ts";

const Nullable = z.string().nullable();

const Preview = z.object({
  ...SPENDING,
  mostItCanCostUsdc: z.string().describe("worst case with fees"),
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  needsApproval: z.boolean(),
  sharesNow: z.string(),
  sharesLater: z.string().describe("stay open on the book"),
  avgPrice: Nullable,
  worstPrice: Nullable,
  costUsdc: z.string().describe("of the shares that fill now"),
  feeUsdc: z.string(),
  availableUsdc: z.string(),
  availableShares: z.string(),
});

/** Adds the tool that previews orders. */
export function addPreviewOrder(tools: Toolbox): void {
  const { server, ante } = tools;
  server.registerTool(
    "preview_order",
    {
      title: "Preview an order",
      description: "Returns what place_order with the same arguments would do now. Places nothing.",
      annotations: READ,
      inputSchema: z.strictObject(TERMS),
      outputSchema: Preview,
    },
    answer(tools, Preview, async (terms) => {
      const [key, preview] = await Promise.all([
        ante.key.get(),
        ante.orders.preview(toOrder(terms)),
      ]);
      return {
        ...describeSpending(key),
        mostItCanCostUsdc: preview.holdUsdc,
        refusal: preview.refusal,
        needsApproval: preview.needsApproval,
        sharesNow: preview.shares,
        sharesLater: preview.restingShares,
        avgPrice: preview.avgPrice,
        worstPrice: preview.worstPrice,
        costUsdc: preview.cost,
        feeUsdc: preview.fee,
        availableUsdc: preview.availableUsdc,
        availableShares: preview.availableShares,
      };
    }),
  );
}
