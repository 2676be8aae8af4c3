"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { Money } from "@/components/format/values";
import { SubmitButton } from "@/components/ui/submit-button";
import type { PositionWire } from "@/lib/client/use-positions";

export type ClaimAction = (state: ActionState, form: FormData) => Promise<ActionState>;

/** Takes the payout of a position that won, or closes one that lost. */
export function ClaimForm({ position, action }: { position: PositionWire; action: ClaimAction }) {
  const [state, submit] = useActionState<ActionState, FormData>(action, { status: "idle" });
  const hasWon = position.value > 0;
  return (
    <form action={submit} className="flex flex-col items-end gap-1">
      <input type="hidden" name="positionId" value={position.id} />
      <SubmitButton
        size="small"
        className="max-lg:h-11"
        tone={hasWon ? "primary" : "secondary"}
        pendingLabel={hasWon ? "Claiming…" : "Closing…"}
      >
        {hasWon ? (
          <>
            Claim <Money usdc={position.value} />
          </>
        ) : (
          "Close"
        )}
        <span className="sr-only">
          {" "}
          {position.outcome}, {position.marketTitle}
        </span>
      </SubmitButton>
      {state.status === "failed" && (
        <p
          role="alert"
          className="max-w-[24ch] text-right text-small whitespace-normal text-danger"
        >
          {state.message}
        </p>
      )}
    </form>
  );
}
