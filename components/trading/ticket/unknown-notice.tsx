"use client";

import type { Placement } from "@/components/trading/ticket/use-placement";
import { UNKNOWN_TEXT } from "@/components/trading/ticket/wording";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Spinner } from "@/components/ui/spinner";

/** An order whose answer got lost: the ticket is locked until its fate is known. */
export function UnknownNotice({ placement }: { placement: Placement }) {
  const { phase } = placement;
  if (phase.kind !== "unknown") return null;
  return (
    <Callout tone="warn" role="alert" title={UNKNOWN_TEXT}>
      {phase.isChecking ? (
        <p className="mt-1 flex items-center gap-2 text-text-2">
          <Spinner /> Checking…
        </p>
      ) : (
        <>
          <p className="mt-1 text-text-2">
            It has not been seen yet. Trying again is safe: the same order is placed once only.
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={placement.checkAgain}>Check again</Button>
            <Button onClick={placement.retry}>Retry safely</Button>
          </div>
        </>
      )}
    </Callout>
  );
}
