import { formatAfter } from "@/components/format/sums";
import { Masked } from "@/components/format/values";
import { type EstimateRow, buildEstimateRows } from "@/components/trading/ticket/estimate-rows";
import { formatMicroMoney, formatMicroShares } from "@/components/trading/ticket/wording";
import type { TicketContext, TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import { type Projection, computeSharesAfter } from "@/lib/domain/ticket/projection";
import { microToNumber } from "@/lib/units";

interface Props {
  order: TicketOrder | null;
  estimate: Estimate | null;
  projection: Projection | null;
  context: TicketContext;
  /** Why there is no estimate for filled-in fields. */
  reason?: string | null;
}

/** The order's estimate on the current book, and the account's funds after it. */
export function EstimateList({ order, estimate, projection, context, reason = null }: Props) {
  if (!context.book) return <NoEstimate>No estimate: order book unavailable.</NoEstimate>;
  if (reason !== null) return <NoEstimate>{reason}</NoEstimate>;
  if (!order || !estimate || !projection) return null;
  const { rules, funds } = context;
  const hasFee = rules.feeRate > 0n;
  const rows = buildEstimateRows({ order, estimate, projection, tick: rules.tick, hasFee });
  return (
    <div className="flex flex-col gap-2 text-small">
      <dl className="flex flex-col gap-1">
        {rows.map((row) => (
          <EstimateLine key={row.label} row={row} />
        ))}
      </dl>
      {funds && (
        <p className="flex flex-wrap justify-between gap-x-4 border-t border-border pt-2 text-text-2">
          <span>
            Cash{" "}
            <Masked>
              {formatMicroMoney(funds.available, "down")} →{" "}
              {formatCashAfter(order, projection, funds)}
            </Masked>
          </span>
          <span>
            Shares{" "}
            <Masked>
              {formatMicroShares(funds.free)} →{" "}
              {formatMicroShares(computeSharesAfter(order, projection, funds))}
            </Masked>
          </span>
        </p>
      )}
    </div>
  );
}

/** Matches the cost that is shown above. */
function formatCashAfter(
  { action }: TicketOrder,
  { money }: Projection,
  { available }: TicketFunds,
): string {
  const change = microToNumber(action === "BUY" ? -money : money);
  return formatAfter(microToNumber(available), change);
}

function NoEstimate({ children }: { children: string }) {
  return <p className="text-small text-text-2">{children}</p>;
}

function EstimateLine({ row }: { row: EstimateRow }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-text-2">{row.label}</dt>
      <dd className={`num text-right ${row.isStrong ? "text-body font-[550]" : ""}`}>
        {row.isPrivate ? <Masked>{row.value}</Masked> : row.value}
      </dd>
    </div>
  );
}
