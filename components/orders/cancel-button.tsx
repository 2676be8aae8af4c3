import { CANCEL_FORM } from "@/components/orders/open-order-row";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

interface Props {
  orderId: string;
  /** The order's description, for the accessible name: "Cancel Buy Yes, Will it rain?". */
  of: string;
  isCanceling: boolean;
  size?: "small" | "normal";
}

/** The button that cancels one order of the form. */
export function CancelButton({ orderId, of, isCanceling, size = "small" }: Props) {
  return (
    <Button
      type="submit"
      form={CANCEL_FORM}
      name="one"
      value={orderId}
      size={size}
      disabled={isCanceling}
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
