import "server-only";
import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { TextTable } from "@/components/docs/text-table";
import { SECTIONS } from "@/components/docs/sections";
import { isLive, ORDER_STATUSES, type OrderStatus, TRANSITIONS } from "@/lib/domain/order-status";

export const metadata: Metadata = { title: "Order states" };

export default function OrderStatesPage() {
  return (
    <Article
      path="/docs/order-states"
      sections={SECTIONS["/docs/order-states"]}
      title="Order states"
      lead="An order has one status at a time. The service allows only the transitions in this table."
    >
      <Chapter id="statuses" title="Statuses" isWide>
        <TextTable
          caption="Order statuses"
          head={["Status", "Meaning", "Can still trade", "Can become"]}
          rows={ORDER_STATUSES.map((status) => ({
            key: status,
            cells: [
              <Code key="status">{status}</Code>,
              STATUS_NOTES[status],
              isLive(status) ? "yes" : "no",
              TRANSITIONS[status].length === 0 ? "nothing (final)" : TRANSITIONS[status].join(", "),
            ],
          }))}
        />
      </Chapter>
      <Chapter id="partly-filled" title="Partial fills">
        <p>
          Partial fills don&rsquo;t have a status. A partly filled limit order stays{" "}
          <Code>open</Code> and shows <Code>filledShares</Code> and <Code>remainingShares</Code>. A
          partly filled market order ends as <Code>canceled</Code>, because anything it can&rsquo;t
          fill immediately is canceled.
        </p>
      </Chapter>
      <Chapter id="order-history" title="Order history">
        <p>
          Every change is recorded with its time and the key that caused it.{" "}
          <Code>GET /v1/orders/{"{orderId}"}</Code> returns the order with its <Code>events</Code>{" "}
          and <Code>fills</Code>, in any status, forever. Filled and released amounts always add up
          to the order.
        </p>
      </Chapter>
      <Chapter id="canceling" title="Canceling">
        <ul>
          <li>
            Open, delayed or waiting for approval: returns 200 with the order and releases its
            reserved funds.
          </li>
          <li>Already canceled: returns 200 with the same order.</li>
          <li>
            Filled, expired or rejected: returns <Code>ORDER_NOT_CANCELABLE</Code> and names the
            status.
          </li>
          <li>
            Not found, or not in your account: returns <Code>ORDER_NOT_FOUND</Code>.
          </li>
        </ul>
      </Chapter>
    </Article>
  );
}

/** The meaning of every order status, in one line each. */
const STATUS_NOTES: Record<OrderStatus, string> = {
  pending: "Recorded, but not sent yet. Its funds are reserved.",
  pending_approval: "Waits up to 15 minutes for its owner to approve it. Its funds are reserved.",
  submitting: "Sent to the exchange. Waiting for the response.",
  delayed: "Accepted. The exchange matches it after a few seconds.",
  open: "Open on the book. filledShares shows how much has filled so far.",
  filled: "Completely filled.",
  canceled:
    "Ended before it filled completely. You canceled it, or it was a market order and its unfilled rest was canceled.",
  expired: "Ended because the order expired or its market closed. Existing fills stay.",
  rejected: "Rejected by Ante or the exchange. It had no effect.",
  unknown:
    "Sent, but no response arrived. The service keeps checking, and its funds stay reserved.",
  abandoned: "Never reached the exchange and was abandoned. Its reserved funds are released.",
};
