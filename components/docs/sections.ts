import type { NavSection } from "@/components/docs/docs-nav";
import type { DocsPath } from "@/components/docs/pages";

/** The sections of the pages that list no operations, for their tables of contents and the search. */
export const SECTIONS = {
  "/docs": [
    { id: "first-trade", label: "First trade" },
    { id: "requests", label: "Requests" },
    { id: "responses", label: "Responses" },
    { id: "pages", label: "Lists" },
    { id: "limits", label: "Limits" },
    { id: "simulated-failures", label: "Simulating failures" },
    { id: "operations", label: "All operations" },
  ],
  "/docs/order-states": [
    { id: "statuses", label: "Statuses" },
    { id: "partly-filled", label: "Partial fills" },
    { id: "order-history", label: "Order history" },
    { id: "canceling", label: "Canceling" },
  ],
  "/docs/retries": [
    { id: "three-answers", label: "Three kinds of responses" },
    { id: "recipe", label: "Retry after a timeout" },
    { id: "cases", label: "Idempotency keys" },
    { id: "other-requests", label: "Other requests" },
    { id: "test", label: "Test it" },
  ],
  "/docs/event-types": [
    { id: "event", label: "An event" },
    { id: "follow", label: "Follow without gaps" },
    { id: "choosing", label: "Choosing types" },
    { id: "types", label: "Types" },
  ],
  "/docs/receiving-webhooks": [
    { id: "message", label: "A message" },
    { id: "verify", label: "Verify the signature" },
    { id: "responses", label: "Responding" },
    { id: "attempts", label: "Attempts" },
    { id: "disabled", label: "When an endpoint is disabled" },
  ],
  "/docs/errors": [],
  "/docs/money": [
    { id: "units", label: "Units" },
    { id: "precision", label: "Precision and ticks" },
    { id: "rounding", label: "Rounding" },
    { id: "fees", label: "Fees" },
    { id: "holds", label: "Reserved funds" },
    { id: "figures", label: "Portfolio figures" },
    { id: "ledger", label: "The ledger" },
  ],
  "/docs/paper-and-live": [
    { id: "modes", label: "Two separate modes" },
    { id: "same", label: "The same in both modes" },
    { id: "failures", label: "Simulated failures" },
    { id: "live-accounts", label: "Live accounts" },
    { id: "live-books", label: "Polymarket’s markets" },
    { id: "paper", label: "The paper exchange" },
    { id: "not-simulated", label: "Not simulated" },
  ],
} as const satisfies Partial<Record<DocsPath, readonly NavSection[]>>;
