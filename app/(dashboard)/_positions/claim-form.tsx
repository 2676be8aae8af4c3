"use client";

import { type FormAction, useActionForm } from "@/components/ui/action-form";
import { Money } from "@/components/format/values";
import { REDEMPTION_FALLBACKS } from "@/components/portfolio/redemption-focus";
import { PageModeField } from "@/components/shell/page-mode";
import { SubmitButton } from "@/components/ui/submit-button";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import type { PositionWire } from "@/lib/browser/use-positions";

/** Claims the payout of a winning position, or closes a losing one. */
export function ClaimForm({ position, action }: { position: PositionWire; action: FormAction }) {
  const { submit, failure } = useActionForm(action);
  const hasWon = position.value > 0;
  const handover = useFocusHandover({
    kind: hasWon ? "claim" : "close",
    fallbacks: REDEMPTION_FALLBACKS,
  });
  return (
    <form action={submit} className="flex flex-col items-end gap-1">
      <PageModeField />
      <input type="hidden" name="positionId" value={position.id} />
      <SubmitButton
        {...handover}
        size="small"
        className="max-lg:h-11"
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
        <span className="sr-only">
          {" "}
          {position.outcome}, {position.marketTitle}
        </span>
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
