import type { ReactNode } from "react";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Price, Shares } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import { LinkedOrder } from "@/components/orders/linked-order";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = z.input<typeof OrderDetails>;
type Event = Details["record"]["events"][number];

/** The history of an order: its events, their times and who requested them. */
export function OrderTimeline({ details }: { details: Details }) {
  const { events } = details.record;
  return (
    <ol className="flex flex-col">
      {events.map((event, index) => {
        const isLast = index === events.length - 1;
        return (
          // Events are append-only, so their index is a stable key.
          <li key={index} className="relative flex gap-3 pb-4 last:pb-0">
            <span
              aria-hidden="true"
              className={`mt-1.5 size-2 shrink-0 rounded-pill ${isLast ? "bg-text" : "bg-control"}`}
            />
            {!isLast && (
              <span
                aria-hidden="true"
                className="absolute top-4 bottom-0 left-[3.5px] w-px bg-border"
              />
            )}
            <div className="min-w-0 flex-1">
              <p>
                <span className="font-[550]">
                  {isReplacement(event, details) ? "Replaced" : WORDS[event.type]}
                </span>{" "}
                <Detail event={event} details={details} />
              </p>
              <p className="text-small text-text-2">
                <TimeStamp at={event.createdAt} isPrecise />
                {isRequested(event) && <> · {formatRequester(event, details.keyNames)}</>}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const WORDS: Record<Event["type"], string> = {
  received: "Received",
  approval_requested: "Waiting for approval",
  approved: "Approved",
  delayed: "Delayed",
  opened: "On the book",
  matched: "Matched",
  filled: "Filled",
  canceled: "Canceled",
  expired: "Expired",
  rejected: "Rejected",
  submitted: "Sent to the venue",
  unknown: "No clear response yet",
  cancel_requested: "Cancel requested",
  abandoned: "Never arrived",
  reversed: "Fill reversed",
};

const REASONS: Record<string, string> = {
  self_trade_prevention: "because it would have traded with another of your orders",
  not_filled: "because nothing was available at its price",
  fee_raised: "because the market’s fee rose above what it had reserved",
  remainder_dropped: "for the unfilled rest",
  market_closed: "because the market closed",
  frozen: "because trading was frozen",
  by_venue: "by the venue",
  declined: "because it was declined",
  approval_expired: "because it was not approved in time",
};

/** Returns whether the event canceled an order to place another one instead. */
const isReplacement = (event: Event, { replacedBy }: Details) =>
  event.type === "canceled" && replacedBy !== null;

function Detail({ event, details }: { event: Event; details: Details }): ReactNode {
  const { line, replacedBy, replaces } = details;
  const { tickSize } = line;
  const { price, shares, reason, code, message } = event.detail;
  if (event.type === "received" && replaces !== null) {
    return (
      <>
        in place of <LinkedOrder line={line} linked={replaces} />
      </>
    );
  }
  if (isReplacement(event, details) && replacedBy !== null) {
    return (
      <>
        by <LinkedOrder line={line} linked={replacedBy} />
      </>
    );
  }
  if (event.type === "matched" && price !== undefined && shares !== undefined) {
    return (
      <>
        <Shares shares={Number(shares)} /> shares at{" "}
        <Price price={Number(price)} tickSize={tickSize} />
      </>
    );
  }
  if (event.type === "rejected" && code !== undefined) {
    return (
      <>
        <code className="font-mono text-caption">{code}</code>:{" "}
        <RefusalText message={message ?? ""} />
      </>
    );
  }
  return reason === undefined ? null : (REASONS[reason] ?? null);
}

/** Returns whether the user requested the event. All others come from the exchange. */
function isRequested({ type, detail }: Event): boolean {
  return type === "received" || (type === "canceled" && detail["reason"] === "requested");
}

function formatRequester({ keyId }: Event, keyNames: Record<string, string>): ReactNode {
  if (keyId === null) return "in the dashboard";
  return (
    <>
      with key {keyNames[keyId] ?? "of another account"}{" "}
      <code className="font-mono text-caption">{keyId}</code>
    </>
  );
}
