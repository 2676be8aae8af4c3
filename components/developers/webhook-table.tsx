import Link from "next/link";
import {
  FailingSince,
  WebhookState,
  WebhookTypes,
  type WebhookWire,
} from "@/components/developers/webhook-state";
import { TimeStamp } from "@/components/format/time-stamp";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** Endpoints as a table, and as cards on a phone. */
export function WebhookTable({ webhooks }: { webhooks: readonly WebhookWire[] }) {
  const head = (
    <tr>
      <HeadCell>Address</HeadCell>
      <HeadCell>State</HeadCell>
      <HeadCell>Events</HeadCell>
      <HeadCell>Order</HeadCell>
      <HeadCell>Failing since</HeadCell>
      <HeadCell>Created</HeadCell>
    </tr>
  );
  return (
    <>
      <Table caption="Endpoints" head={head} hasCards>
        {webhooks.map((webhook) => (
          <Row key={webhook.id}>
            <Cell isRowHeader>
              <Address webhook={webhook} />
            </Cell>
            <Cell>
              <WebhookState {...webhook} />
            </Cell>
            <Cell>
              <WebhookTypes types={webhook.types} />
            </Cell>
            <Cell>{nameOrder(webhook)}</Cell>
            <Cell>
              <FailingSince failingSince={webhook.failingSince} />
            </Cell>
            <Cell>
              <TimeStamp at={webhook.createdAt} />
            </Cell>
          </Row>
        ))}
      </Table>
      <CardList label="Endpoints">
        {webhooks.map((webhook) => (
          <li key={webhook.id} className="flex flex-col gap-1.5 px-3 py-3">
            <div className="flex items-center justify-between gap-3">
              <Address webhook={webhook} />
              <WebhookState {...webhook} />
            </div>
            <p className="text-small text-text-2">
              <WebhookTypes types={webhook.types} /> · {nameOrder(webhook)}
            </p>
          </li>
        ))}
      </CardList>
    </>
  );
}

const nameOrder = ({ ordered }: WebhookWire) => (ordered ? "In order" : "Not in order");

function Address({ webhook: { id, url } }: { webhook: WebhookWire }) {
  return (
    <Link
      href={`/developers/webhooks/${id}`}
      prefetch={false}
      className="link inline-flex min-h-11 items-center font-mono text-caption break-all lg:min-h-7"
    >
      {url}
    </Link>
  );
}
