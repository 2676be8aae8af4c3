import type { Metadata } from "next";
import { STATUS_NOTES } from "@/app/docs/_lib/status-notes";
import { Article, Chapter, Code } from "@/components/docs/article";
import { TextTable } from "@/components/docs/text-table";
import { isLive, ORDER_STATUSES, TRANSITIONS } from "@/lib/domain/order-status";

export const metadata: Metadata = { title: "Order states" };

export default function OrderStatesPage() {
  return (
    <Article
      title="Order states"
      lead="An order has one status at a time and moves only along the table below, which is the one the service enforces."
      isWide
    >
      <Chapter id="statuses" title="What each status means" isWide>
        <TextTable
          caption="Order statuses"
          head={["Status", "Meaning", "Can still trade", "Can become"]}
          rows={ORDER_STATUSES.map((status) => ({
            key: status,
            cells: [
              <Code key="status">{status}</Code>,
              STATUS_NOTES[status],
              isLive(status) ? "yes" : "no",
              TRANSITIONS[status].length === 0 ? "nothing: final" : TRANSITIONS[status].join(", "),
            ],
          }))}
        />
      </Chapter>
      <Chapter id="partly-filled" title="Partly filled">
        <p>
          There is no status for it. A limit order that filled in part stays <Code>open</Code> and
          shows <Code>filledShares</Code> and <Code>remainingShares</Code>; a market order that
          filled in part ends <Code>canceled</Code>, because what it cannot fill at once is dropped.
        </p>
      </Chapter>
      <Chapter id="biography" title="The biography">
        <p>
          Every change is written down with its time and the key that caused it.{" "}
          <Code>GET /v1/orders/{"{orderId}"}</Code> answers the order with its <Code>events</Code>{" "}
          and <Code>fills</Code>, in any status, for ever. What filled and what was released always
          add up to the order.
        </p>
      </Chapter>
      <Chapter id="canceling" title="Canceling">
        <ul>
          <li>
            An <Code>open</Code> or <Code>delayed</Code> order: 200 with its record, and what it
            reserved is free again.
          </li>
          <li>An order that is canceled already: 200 with the same record.</li>
          <li>
            An order that filled first, or ended in another way: <Code>ORDER_NOT_CANCELABLE</Code>,
            naming the status.
          </li>
          <li>
            No such order, or somebody else&rsquo;s: <Code>ORDER_NOT_FOUND</Code>.
          </li>
        </ul>
      </Chapter>
    </Article>
  );
}
