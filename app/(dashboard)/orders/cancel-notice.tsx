import type { ReactNode } from "react";
import { parseCount } from "@/app/_lib/search-params";
import { writeApostrophes } from "@/components/format/typographic";
import { describeCanceled } from "@/components/orders/cancel-report";
import { Callout } from "@/components/ui/callout";
import { ERROR_GUIDE, isErrorCode } from "@/lib/domain/error-guide";

/** The result of a cancel without JavaScript, from the URL. */
export function CancelNotice({ query }: { query: URLSearchParams }) {
  const problem = query.get("problem");
  if (problem !== null && isErrorCode(problem)) {
    return (
      <Notice>
        <Callout tone="danger" role="alert" title="Nothing was canceled.">
          {writeApostrophes(ERROR_GUIDE[problem].meaning)}
        </Callout>
      </Notice>
    );
  }
  if (query.has("switched")) {
    return (
      <Notice>
        <Callout tone="danger" role="alert" title="Nothing was canceled.">
          You switched this browser to the other account in another tab. These are its orders.
        </Callout>
      </Notice>
    );
  }
  if (query.has("none")) {
    return (
      <Notice>
        <Callout role="status">Select at least one order to cancel.</Callout>
      </Notice>
    );
  }
  const [canceled, late] = [parseCount(query, "canceled"), parseCount(query, "late")];
  if (canceled === null || late === null || canceled + late === 0) return null;
  return (
    <Notice>
      <Callout tone={late > 0 ? "warn" : "success"} role="status">
        {describeCanceled(canceled, late)}
      </Callout>
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return <div className="mb-4">{children}</div>;
}
