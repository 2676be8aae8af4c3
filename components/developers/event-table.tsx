import Link from "next/link";
import {
  type AccountEventWire,
  type EventMarkets,
  EventSubject,
} from "@/components/developers/event-subject";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  events: readonly AccountEventWire[];
  markets: EventMarkets;
  /** The names of the account's keys, by id. */
  keyNames: Readonly<Record<string, string>>;
}

/** Events as a table, and as cards on a phone. Each opens to its JSON. */
export function EventTable({ events, markets, keyNames }: Props) {
  const head = (
    <tr>
      <HeadCell isNumeric>Number</HeadCell>
      <HeadCell>Time</HeadCell>
      <HeadCell>Event</HeadCell>
      <HeadCell>About</HeadCell>
      <HeadCell>Cause</HeadCell>
      <HeadCell>Data</HeadCell>
    </tr>
  );
  return (
    <>
      <Table caption="Events" head={head} hasCards>
        {events.map((event) => (
          <Row key={event.seq}>
            <Cell isNumeric>{event.seq}</Cell>
            <Cell>
              <TimeStamp at={event.createdAt} isPrecise />
            </Cell>
            <Cell isRowHeader>
              <EventType type={event.type} />
            </Cell>
            <Cell>
              <EventSubject event={event} markets={markets} keyNames={keyNames} />
            </Cell>
            <Cell>
              <Cause event={event} keyNames={keyNames} />
            </Cell>
            <Cell>
              <EventData event={event} />
            </Cell>
          </Row>
        ))}
      </Table>
      <CardList label="Events">
        {events.map((event) => (
          <li key={event.seq} className="flex flex-col gap-1.5 px-3 py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <EventType type={event.type} />
              <span className="num text-small text-text-2">
                {event.seq} · <TimeStamp at={event.createdAt} isPrecise />
              </span>
            </div>
            <p>
              <EventSubject event={event} markets={markets} keyNames={keyNames} />
            </p>
            <Cause event={event} keyNames={keyNames} />
            <EventData event={event} />
          </li>
        ))}
      </CardList>
    </>
  );
}

const TONES: Readonly<Record<string, BadgeTone>> = {
  "order.filled": "up",
  "order.partially_filled": "up",
  "fill.created": "up",
  "order.rejected": "warn",
  "order.unknown": "warn",
  "order.delayed": "warn",
  "fill.reversed": "danger",
  "venue.degraded": "danger",
  "webhook.disabled": "danger",
  "wallet.key_expiring": "warn",
  "wallet.key_expired": "danger",
  "limits.changed": "info",
  "trading.frozen": "danger",
  "trading.thawed": "up",
};

function EventType({ type }: { type: AccountEventWire["type"] }) {
  return <Badge tone={TONES[type] ?? "neutral"}>{type}</Badge>;
}

interface CauseProps {
  event: AccountEventWire;
  keyNames: Props["keyNames"];
}

/** The key and the request that caused an event. */
function Cause({ event: { keyId, requestId }, keyNames }: CauseProps) {
  if (keyId === null && requestId === null) return <span className="text-text-2">Ante</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-small">
      {keyId === null ? (
        "Dashboard"
      ) : (
        <Link
          href={`/keys?tab=requests&key=${encodeURIComponent(keyId)}`}
          prefetch={false}
          className="link wrap-anywhere"
        >
          {keyNames[keyId] ?? keyId}
        </Link>
      )}
      {requestId !== null && (
        <span className="inline-flex items-center">
          <RequestLink id={requestId} isLogged={keyId !== null} />
          <CopyButton text={requestId} label={`Copy request id ${requestId}`} />
        </span>
      )}
    </span>
  );
}

/** A request, with its line in the log of requests if it came with a key. */
function RequestLink({ id, isLogged }: { id: string; isLogged: boolean }) {
  const shown = (
    <code title={id} className="font-mono text-caption whitespace-nowrap">
      …{id.slice(-8)}
    </code>
  );
  if (!isLogged) return shown;
  return (
    <Link href={`/keys?tab=requests&request=${id}`} prefetch={false} className="link">
      {shown}
    </Link>
  );
}

/** A snapshot can have thousands of orders. */
const MAX_SHOWN = 20_000;

function EventData({ event }: { event: AccountEventWire }) {
  const json = JSON.stringify(event, null, 2);
  if (json.length > MAX_SHOWN) {
    return (
      <code className="font-mono text-caption">
        GET /v1/events?after={event.seq - 1}&amp;limit=1
      </code>
    );
  }
  return (
    <details className="max-w-[min(80vw,36rem)]">
      <summary
        aria-label={`JSON of event ${event.seq}`}
        className="link inline-flex min-h-11 cursor-pointer items-center text-small lg:min-h-7"
      >
        JSON
      </summary>
      <CodeBlock label={`event ${event.seq}`} code={json} />
    </details>
  );
}
