import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { MaskedText } from "@/components/format/masked-text";
import { Masked } from "@/components/format/values";
import {
  buildDetails,
  buildTotals,
  type EstimateRow,
  listEmptyTotals,
  type TotalRow,
} from "@/components/trading/ticket/estimate-rows";
import type { Action } from "@/lib/domain/settlement";
import type { TicketContext, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import type { Projection } from "@/lib/domain/ticket/projection";

interface Props {
  action: Action;
  order: TicketOrder | null;
  estimate: Estimate | null;
  projection: Projection | null;
  context: TicketContext;
  /** Why there is no estimate for filled-in fields. */
  reason?: string | null;
  /** Whether the details are open at first, as in a review. */
  isReview?: boolean;
}

/**
 * The order's totals on the current book, with details to unfold. Before there is an order, dashes take
 * their place, so that the button below doesn't move while one types.
 */
export function EstimateList({
  action,
  order,
  estimate,
  projection,
  context,
  reason = null,
  isReview = false,
}: Props) {
  if (!context.book) return <NoEstimate>No estimate: order book unavailable.</NoEstimate>;
  if (reason !== null)
    return (
      <NoEstimate>
        <MaskedText text={reason} />
      </NoEstimate>
    );
  if (!order || !estimate || !projection) return <Totals rows={listEmptyTotals(action)} />;
  const details = buildDetails({ order, estimate, projection }, context);
  return (
    <Totals rows={buildTotals({ order, estimate, projection })}>
      <details open={isReview} className="group mt-1.5 text-small">
        <summary className="inline-flex min-h-11 items-center gap-1 text-text-2 hover:text-text lg:min-h-6">
          <ChevronRight
            aria-hidden="true"
            className="size-3.5 transition-[rotate] duration-[120ms] group-open:rotate-90"
          />
          Details
        </summary>
        <dl className="mt-1 flex flex-col gap-1 border-t border-border pt-2">
          {details.map((row) => (
            <Detail key={row.label} row={row} />
          ))}
        </dl>
      </details>
    </Totals>
  );
}

interface TotalsProps {
  rows: readonly TotalRow[];
  /** The details. */
  children?: ReactNode;
}

function Totals({ rows, children = <div className="mt-1.5 h-11 lg:h-6" /> }: TotalsProps) {
  return (
    <div className="rounded-control bg-surface-2 px-3 py-2.5">
      <dl className="flex flex-col gap-1">
        {rows.map((row, index) => (
          <Total key={row.label} row={row} isFirst={index === 0} />
        ))}
      </dl>
      {children}
    </div>
  );
}

function NoEstimate({ children }: { children: ReactNode }) {
  return <p className="text-small text-text-2">{children}</p>;
}

function Total({ row, isFirst }: { row: TotalRow; isFirst: boolean }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className={`whitespace-nowrap ${isFirst ? "font-[550]" : "text-text-2"}`}>{row.label}</dt>
      <dd className="num flex min-w-0 flex-wrap items-baseline justify-end gap-x-1.5 text-right">
        <span className={isFirst ? "text-title" : "font-[550]"}>
          <Masked>{row.value}</Masked>
        </span>
        {row.note !== "" && (
          <span className="text-small text-text-2">
            <Masked>({row.note})</Masked>
          </span>
        )}
      </dd>
    </div>
  );
}

function Detail({ row }: { row: EstimateRow }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-text-2">{row.label}</dt>
      <dd className="num text-right">{row.isPrivate ? <Masked>{row.value}</Masked> : row.value}</dd>
    </div>
  );
}
