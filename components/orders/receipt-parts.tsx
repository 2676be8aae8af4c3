import type { z } from "zod";
import { formatMoney, formatOrderPrice } from "@/components/format/numbers";
import { addExactly } from "@/components/format/sums";
import { Masked, Money, Shares } from "@/components/format/values";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { SideLabel } from "@/components/orders/order-words";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";

interface Props {
  line: z.input<typeof OrderLine>;
}

/** Whether a limit order waits on the book and nothing of it has filled. */
const isResting = ({ type, status, filledShares }: Props["line"]) =>
  type === "limit" && status === "open" && filledShares === 0;

/** The title of a receipt: "Limit order open: buy 20 Yes at 40¢", or the side and a badge. */
export function ReceiptTitle({ line }: Props) {
  const { action, outcome, shares, price, tickSize, status, filledShares } = line;
  if (isResting(line)) {
    return (
      <>
        Limit order open: {action === "BUY" ? "buy" : "sell"} <Shares shares={shares} /> {outcome}{" "}
        at {formatOrderPrice(price, tickSize)}
      </>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <SideLabel action={action} outcome={outcome} />
      <OrderStatusBadge status={status} filledShares={filledShares} />
    </span>
  );
}

/** The amount that an order reserves while it rests. Afterwards, the money that it moved, with its fee. */
export function ReceiptTotal({ line }: Props) {
  const isBuy = line.action === "BUY";
  const label = isResting(line) ? "Reserved" : isBuy ? "Total paid" : "Total received";
  const fee = formatMoney(line.fee);
  return (
    <dl className="mb-3 flex items-baseline justify-between gap-3 border-b border-border pb-3">
      <dt className="font-[550]">{label}</dt>
      <dd className="num text-right">
        <span className="text-title">
          <Total line={line} />
        </span>{" "}
        {line.fee > 0 && (
          <span className="text-small text-text-2">
            <Masked>({isBuy ? `incl. ${fee} fee` : `after ${fee} fee`})</Masked>
          </span>
        )}
      </dd>
    </dl>
  );
}

function Total({ line }: Props) {
  const isBuy = line.action === "BUY";
  if (!isResting(line)) {
    return <Money usdc={addExactly(line.value, isBuy ? line.fee : -line.fee)} />;
  }
  if (isBuy) return <Money usdc={line.reserved} />;
  return (
    <>
      <Shares shares={line.shares} /> shares
    </>
  );
}
