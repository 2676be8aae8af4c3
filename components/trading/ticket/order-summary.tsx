import { MaskedText } from "@/components/format/masked-text";
import { type Clock, listOptionTexts, describeOrder } from "@/components/trading/ticket/wording";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Price } from "@/lib/units";

interface Props {
  order: TicketOrder;
  tick: Price;
  clock: Clock;
}

/** An order in sentences, for the review. */
export function OrderSummary({ order, tick, clock }: Props) {
  const options = listOptionTexts(order.options, clock);
  return (
    <div className="flex flex-col gap-1">
      <p>
        <MaskedText text={describeOrder(order, tick)} />
      </p>
      {options.length > 0 && <p className="num font-[550]">{options.join(" · ")}</p>}
    </div>
  );
}
