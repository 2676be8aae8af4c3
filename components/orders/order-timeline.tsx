import type { ReactNode } from "react";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Price, Shares } from "@/components/format/values";
import type { OrderRecord } from "@/lib/schemas/orders";

type Event = z.input<typeof OrderRecord>["events"][number];

interface Props {
  events: readonly Event[];
  /** What the user calls the keys, by id. */
  keyNames: Record<string, string>;
  tickSize: string;
}

/** The biography of an order: what happened, when, and who asked for it. */
export function OrderTimeline({ events, keyNames, tickSize }: Props) {
  return (
    <ol className="flex flex-col">
      {events.map((event, index) => {
        const isLast = index === events.length - 1;
        return (
          // Events are only ever added at the end.
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
                <span className="font-[550]">{WORDS[event.type]}</span>{" "}
                <Detail event={event} tickSize={tickSize} />
              </p>
              <p className="text-small text-text-2">
                <TimeStamp at={event.createdAt} isPrecise />
                {isAsked(event) && <> · {askerOf(event, keyNames)}</>}
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
  delayed: "Delayed",
  opened: "On the book",
  matched: "Matched",
  filled: "Filled",
  canceled: "Canceled",
  expired: "Expired",
  rejected: "Rejected",
  submitted: "Sent to the venue",
  unknown: "No clear answer yet",
  cancel_requested: "Cancel requested",
  abandoned: "Never arrived",
  reversed: "Fill reversed",
};

const REASONS: Record<string, string> = {
  self_trade_prevention: "because it would have traded with another order of yours",
  not_filled: "because nothing could be traded at its price",
  remainder_dropped: "for the rest, which nobody took",
  market_closed: "because the market closed",
};

function Detail({ event, tickSize }: { event: Event; tickSize: string }): ReactNode {
  const { price, shares, reason, code, message } = event.detail;
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
        <code className="font-mono text-caption">{code}</code>: {message}
      </>
    );
  }
  return reason === undefined ? null : (REASONS[reason] ?? null);
}

/** Somebody asked for it; everything else the exchange does by itself. */
function isAsked({ type, detail }: Event): boolean {
  return type === "received" || (type === "canceled" && detail["reason"] === "requested");
}

function askerOf({ keyId }: Event, keyNames: Record<string, string>): ReactNode {
  if (keyId === null) return "in the dashboard";
  return (
    <>
      with key {keyNames[keyId] ?? "of another account"}{" "}
      <code className="font-mono text-caption">{keyId}</code>
    </>
  );
}
