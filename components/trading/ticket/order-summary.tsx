import { MaskedText } from "@/components/format/masked-text";
import { describeOrder } from "@/components/trading/describe-order";
import { type Clock, listOptionTexts } from "@/components/trading/wording";
import type { TicketOrder, TicketRules } from "@/lib/domain/ticket/context";

interface Props {
  order: TicketOrder;
  rules: TicketRules;
  clock: Clock;
}

/** An order in sentences, for the review. */
export function OrderSummary({ order, rules, clock }: Props) {
  const options = listOptionTexts(order.options, clock);
  return (
    <div className="flex flex-col gap-1">
      <p>
        <MaskedText text={describeOrder(order, rules)} />
      </p>
      {options.length > 0 && <p className="num font-[550]">{options.join(" · ")}</p>}
    </div>
  );
}
