import type { ReactNode } from "react";
import { HourBars } from "@/components/charts/hour-bars";
import { formatCount } from "@/components/format/numbers";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { RequestSummary } from "@/lib/api/middleware/summarize-requests";

/** How the API has responded to the user's own programs during the last day. */
export function RequestSummaryCard({ summary }: { summary: RequestSummary }) {
  const { hours, total, failed, medianMs, slowMs, isCut } = summary;
  return (
    <Card
      title="Your API requests, last 24 hours"
      actions={
        <ButtonLink size="small" href="/keys?tab=requests">
          Request log
        </ButtonLink>
      }
    >
      {total === 0 ? (
        <p className="text-text-2">
          No requests yet. Once your programs use the API, their success rate and response times
          appear here.
        </p>
      ) : (
        <>
          <dl className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
            <Figure label="Requests">{formatCount(total)}</Figure>
            <Figure label="Served">{formatServed(total, failed)}</Figure>
            <Figure label="Median response">{formatMs(medianMs)}</Figure>
            <Figure label="95 % within">{formatMs(slowMs)}</Figure>
          </dl>
          <HourBars hours={hours} label="Your API requests per hour" />
          <p className="mt-3 text-small text-text-2">
            {failed === 0
              ? "No request failed on our side."
              : `${formatCount(failed)} of ${formatCount(total)} requests failed on our side or the venue’s (red).`}{" "}
            Requests that the API refused, for example for a missing balance, count as served.
            {isCut && " The log keeps your newest 10,000 requests."}
          </p>
        </>
      )}
    </Card>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="num text-heading">{children}</dd>
    </div>
  );
}

const formatMs = (ms: number | null) => (ms === null ? "—" : `${formatCount(ms)} ms`);

/** "99.98%", rounded down, so that a single failure shows. */
function formatServed(total: number, failed: number): string {
  if (failed === 0) return "100%";
  const hundredths = Math.floor(((total - failed) / total) * 10_000);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}
