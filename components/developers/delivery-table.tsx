import Link from "next/link";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { NextAttempt } from "@/components/developers/next-attempt";
import { Badge } from "@/components/ui/badge";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { Delivery } from "@/lib/schemas/webhooks";
import type { DeliveryQueue } from "@/lib/domain/delivery-queue";

export type DeliveryWire = z.input<typeof Delivery>;

interface Props {
  webhookId: string;
  deliveries: readonly DeliveryWire[];
  queue: DeliveryQueue;
}

/** Deliveries as a table, and as cards on a phone. */
export function DeliveryTable({ webhookId, deliveries, queue }: Props) {
  const head = (
    <tr>
      <HeadCell>Event</HeadCell>
      <HeadCell isNumeric>Number</HeadCell>
      <HeadCell>State</HeadCell>
      <HeadCell isNumeric>Attempts</HeadCell>
      <HeadCell>Last response</HeadCell>
      <HeadCell>Next attempt</HeadCell>
      <HeadCell>Created</HeadCell>
    </tr>
  );
  return (
    <>
      <Table caption="Deliveries" head={head} hasCards>
        {deliveries.map((delivery) => (
          <Row key={delivery.id}>
            <Cell isRowHeader>
              <DeliveryLink webhookId={webhookId} delivery={delivery} />
            </Cell>
            <Cell isNumeric>{delivery.seq}</Cell>
            <Cell>
              <DeliveryState delivery={delivery} />
            </Cell>
            <Cell isNumeric>
              {delivery.attemptCount}
              {isSentAgain(delivery) && (
                <span className="block text-small text-text-2">since sent again</span>
              )}
            </Cell>
            <Cell>
              <LastResponse delivery={delivery} />
            </Cell>
            <Cell>
              {delivery.nextAttemptAt === null ? (
                "–"
              ) : (
                <NextAttempt webhookId={webhookId} delivery={delivery} queue={queue} />
              )}
            </Cell>
            <Cell>
              <TimeStamp at={delivery.createdAt} />
            </Cell>
          </Row>
        ))}
      </Table>
      <CardList label="Deliveries">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-col px-3 pt-1 pb-3">
            <div className="flex items-center justify-between gap-3">
              <DeliveryLink webhookId={webhookId} delivery={delivery} />
              <DeliveryState delivery={delivery} />
            </div>
            <p className="text-small text-text-2">
              Event {delivery.seq} · {delivery.attemptCount}{" "}
              {delivery.attemptCount === 1 ? "attempt" : "attempts"}
              {isSentAgain(delivery) && " since sent again"} · <TimeStamp at={delivery.createdAt} />
            </p>
            {delivery.attempts.length > 0 && (
              <p className="mt-1 text-small">
                <LastResponse delivery={delivery} />
              </p>
            )}
            {delivery.nextAttemptAt !== null && (
              <p className="mt-1 text-small">
                <NextAttempt webhookId={webhookId} delivery={delivery} queue={queue} isNamed />
              </p>
            )}
          </li>
        ))}
      </CardList>
    </>
  );
}

/** Whether the count of attempts began again, so that it leaves out those before. */
const isSentAgain = ({ attemptCount, attempts }: DeliveryWire) => attempts.length > attemptCount;

const STATES = {
  pending: <Badge tone="warn">Pending</Badge>,
  delivered: <Badge tone="up">Delivered</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
} as const;

export const DeliveryState = ({ delivery }: { delivery: DeliveryWire }) => STATES[delivery.status];

function DeliveryLink({ webhookId, delivery }: { webhookId: string; delivery: DeliveryWire }) {
  return (
    <Link
      href={`/developers/webhooks/${webhookId}/deliveries/${delivery.id}`}
      prefetch={false}
      className="link inline-flex min-h-11 items-center lg:min-h-7"
    >
      {delivery.type}
      <span className="sr-only">, event {delivery.seq}</span>
    </Link>
  );
}

function LastResponse({ delivery: { attempts } }: { delivery: DeliveryWire }) {
  const last = attempts.at(-1);
  if (!last) return "–";
  return last.statusCode === null ? last.error : `Status ${last.statusCode}`;
}
