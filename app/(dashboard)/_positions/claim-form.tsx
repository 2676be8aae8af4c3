"use client";

import { type FormAction, useActionForm } from "@/components/ui/action-form";
import { Money } from "@/components/format/values";
import { REDEMPTION_FALLBACKS } from "@/components/portfolio/redemption-focus";
import { PageModeField } from "@/components/shell/page-mode";
import { Button } from "@/components/ui/button";
import { SubmitButton } from "@/components/ui/submit-button";
import { useIsCutOff } from "@/lib/browser/freshness";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import type { PositionWire } from "@/lib/browser/use-positions";

interface Props {
  position: Pick<PositionWire, "id" | "value" | "outcome" | "marketTitle">;
  action: FormAction;
  /** Whether a claim of its market is in progress, so that it can't be claimed again. */
  isClaiming?: boolean;
}

/** Why nothing can be claimed while the service doesn't respond. */
export const CUT_OFF_TEXT = "You can claim when the connection is back.";

/** Claims the payout of a winning position, or closes a losing one. */
export function ClaimForm({ position, action, isClaiming = false }: Props) {
  const { submit, failure } = useActionForm(action);
  const isCutOff = useIsCutOff();
  const hasWon = position.value > 0;
  const handover = useFocusHandover({
    kind: hasWon ? "claim" : "close",
    fallbacks: REDEMPTION_FALLBACKS,
  });
  if (isClaiming) return <Claiming label={hasWon ? "Claiming…" : "Closing…"} of={position} />;
  return (
    <form action={submit} className="flex flex-col items-end gap-1">
      <PageModeField />
      <input type="hidden" name="positionId" value={position.id} />
      <SubmitButton
        {...handover}
        size="small"
        // In two lines on a phone, which leaves the room to the market's title.
        className="max-lg:h-11 max-md:flex-col max-md:gap-0 max-md:leading-tight"
        isUnavailable={isCutOff}
        title={isCutOff ? CUT_OFF_TEXT : undefined}
        tone={hasWon ? "primary" : "secondary"}
        pendingLabel={hasWon ? "Claiming…" : "Closing…"}
      >
        {hasWon ? (
          <>
            Claim
            <span className="md:hidden">
              <Money usdc={position.value} />
            </span>
          </>
        ) : (
          "Close"
        )}
        <SpokenName of={position} />
      </SubmitButton>
      {failure && (
        <p
          role="alert"
          className="max-w-[24ch] text-right text-small whitespace-normal text-danger"
        >
          {failure.message}
        </p>
      )}
    </form>
  );
}

/** Stands for the button while a live claim goes on, which takes the blockchain some seconds. */
function Claiming({ label, of }: { label: string; of: Props["position"] }) {
  return (
    // Without a spinner it is as wide as the space that the table leaves for it.
    <Button size="small" className="max-lg:h-11" isUnavailable aria-busy>
      {label}
      <SpokenName of={of} />
    </Button>
  );
}

function SpokenName({ of: { outcome, marketTitle } }: { of: Props["position"] }) {
  return (
    <span className="sr-only">
      {" "}
      {outcome}, {marketTitle}
    </span>
  );
}
