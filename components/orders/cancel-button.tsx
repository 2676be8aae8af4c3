import { CANCEL_FORM, HEADING_ID } from "@/components/orders/open-order-row";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";

interface Props {
  orderId: string;
  /** The order's description, for the accessible name: "Cancel Buy Yes at 17¢, Will it rain?". */
  of: string;
  isCanceling: boolean;
  size?: "small" | "normal";
}

/** The button that cancels one order of the form. */
export function CancelButton({ orderId, of, isCanceling, size = "small" }: Props) {
  // Not the next Cancel: a second press of Enter would cancel another order.
  const handover = useFocusHandover({ kind: "cancel", heir: "details", fallbacks: [HEADING_ID] });
  return (
    <Button
      {...handover}
      type="submit"
      form={CANCEL_FORM}
      name="one"
      value={orderId}
      size={size}
      isUnavailable={isCanceling}
      aria-busy={isCanceling}
      aria-label={isCanceling ? `Canceling ${of}` : `Cancel ${of}`}
    >
      {/* Has the same width in both states, so that nothing moves. */}
      <span className="grid min-w-[7ch] place-items-center">
        {isCanceling ? <Spinner /> : "Cancel"}
      </span>
    </Button>
  );
}
