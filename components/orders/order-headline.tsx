import type { ReactNode } from "react";
import type { z } from "zod";
import {
  formatMoney,
  formatOrderPrice,
  formatPrice,
  formatShares,
} from "@/components/format/numbers";
import { addExactly } from "@/components/format/sums";
import { Masked } from "@/components/format/values";
import { formatWorstPrice } from "@/components/orders/order-words";
import { DetailsBadge } from "@/components/orders/replaced";
import type { OrderDetails, OrderLine } from "@/lib/schemas/dashboard-orders";

/** The title of an order's page: its result and its status. */
export function OrderTitle({ details }: { details: z.input<typeof OrderDetails> }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        <OrderHeadline line={details.line} />
      </span>
      <DetailsBadge details={details} />
    </span>
  );
}

type Line = z.input<typeof OrderLine>;

/** The result of an order: "Bought 3,310.6 Yes at 45.3¢ for $1,541.02, including a $7.40 fee". */
export function OrderHeadline({ line }: { line: Line }) {
  const { action, outcome, filledShares, shares, status } = line;
  const isBuy = action === "BUY";
  if (filledShares === 0) {
    return (
      <>
        {isBuy ? "Buy" : "Sell"} <Size line={line} /> {outcome}{" "}
        {line.type === "limit"
          ? `at ${formatOrderPrice(line.price, line.tickSize)}`
          : formatWorstPrice(line)}
      </>
    );
  }
  const total = addExactly(line.value, isBuy ? line.fee : -line.fee);
  const isPart = status !== "filled" && shares !== null && filledShares < shares;
  return (
    <>
      {isBuy ? "Bought" : "Sold"} <Masked>{formatShares(filledShares)}</Masked>
      {isPart && (
        <>
          {" "}
          of <Masked>{formatShares(shares)}</Masked>
        </>
      )}{" "}
      {outcome} at {formatPrice(line.avgFillPrice, line.tickSize, 1)} for{" "}
      <Masked>{formatMoney(total)}</Masked>
      {line.fee > 0 && (
        <>
          {isBuy ? ", including a " : " after a "}
          <Masked>{formatMoney(line.fee)}</Masked> fee
        </>
      )}
    </>
  );
}

function Size({ line: { shares, amount } }: { line: Line }): ReactNode {
  if (shares !== null) return <Masked>{formatShares(shares)}</Masked>;
  return (
    <>
      <Masked>{formatMoney(amount)}</Masked> of
    </>
  );
}
