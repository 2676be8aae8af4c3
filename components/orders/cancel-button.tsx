import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

interface Props {
  orderId: string;
  /** What is canceled, for its accessible name: "Cancel Buy Yes, Will it rain?". */
  of: string;
  isCanceling: boolean;
  size?: "small" | "normal";
}

/** Asks for one order of the surrounding form to be canceled. */
export function CancelButton({ orderId, of, isCanceling, size = "small" }: Props) {
  return (
    <Button
      type="submit"
      name="one"
      value={orderId}
      size={size}
      disabled={isCanceling}
      aria-busy={isCanceling}
      aria-label={isCanceling ? `Canceling ${of}` : `Cancel ${of}`}
    >
      {/* As wide in both states: nothing beside it may move. */}
      <span className="grid min-w-[7ch] place-items-center">
        {isCanceling ? <Spinner /> : "Cancel"}
      </span>
    </Button>
  );
}
