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

/**
 * Events as a table, which is also printed, without the column of their JSON, and as cards on a phone. Each
 * opens to its JSON, over the width of its list.
 */
export function EventTable({ events, markets, keyNames }: Props) {
  const head = (
    <tr className="print:[&>:last-child]:hidden">
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
      <Table caption="Events" head={head} hasCards hasGroups>
        {events.map((event) => (
          <EventRows key={event.seq} event={event} markets={markets} keyNames={keyNames} />
        ))}
      </Table>
      <CardList label="Events">
        {events.map((event) => (
          <EventCard key={event.seq} event={event} markets={markets} keyNames={keyNames} />
        ))}
      </CardList>
    </>
  );
}

interface ItemProps extends Omit<Props, "events"> {
  event: AccountEventWire;
}

/**
 * An event's row, and below it the row of its JSON. A `details` can't have a row, so the second row
 * shows while the `details` of the first one is open.
 */
function EventRows({ event, markets, keyNames }: ItemProps) {
  const json = formatJson(event);
  const id = `event-${event.seq}`;
  return (
    <tbody className="event print:[&>tr:first-child>:last-child]:hidden">
      <Row>
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
          {json === null ? (
            <ReadByNumber seq={event.seq} />
          ) : (
            <details>
              <summary
                aria-label={`JSON of event ${event.seq}`}
                aria-controls={id}
                className="link inline-flex min-h-11 cursor-pointer items-center text-small lg:min-h-7"
              >
                JSON
              </summary>
            </details>
          )}
        </Cell>
      </Row>
      {json !== null && (
        <tr id={id} className="hidden bg-surface with-json:table-row">
          <td colSpan={COLUMNS} className="px-3 pb-3">
            {/* Long lines must not widen the table. */}
            <div className="w-0 min-w-full">
              <CodeBlock label={`event ${event.seq}`} code={json} />
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}

const COLUMNS = 6;

/** Two lines that open to the event's links and its JSON. */
function EventCard({ event, markets, keyNames }: ItemProps) {
  const json = formatJson(event);
  return (
    <li>
      <details>
        <summary className="flex min-h-18 cursor-pointer flex-col justify-center gap-1 px-3 py-2">
          <span className="flex items-center justify-between gap-x-3">
            <span className="flex shrink-0 items-center gap-x-2">
              <span className="num text-small text-text-2">{event.seq}</span>
              <EventType type={event.type} />
            </span>
            <span className="num flex min-w-0 gap-x-1 text-caption text-text-2">
              <span className="truncate">{nameCause(event, keyNames)}</span>
              <span aria-hidden="true">·</span>
              <TimeStamp at={event.createdAt} />
            </span>
          </span>
          <span className="truncate">
            <EventSubject event={event} markets={markets} keyNames={keyNames} isText />
          </span>
        </summary>
        <div className="flex flex-col gap-2 px-3 pb-3">
          <EventSubject event={event} markets={markets} keyNames={keyNames} />
          <p className="num text-small text-text-2">
            <TimeStamp at={event.createdAt} isPrecise />
          </p>
          <Cause event={event} keyNames={keyNames} />
          {json === null ? (
            <ReadByNumber seq={event.seq} />
          ) : (
            <CodeBlock label={`event ${event.seq}`} code={json} />
          )}
        </div>
      </details>
    </li>
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

/** Names the key, the owner's browser or the service as the cause of an event. */
function nameCause({ keyId, requestId }: AccountEventWire, keyNames: Props["keyNames"]): string {
  if (keyId !== null) return keyNames[keyId] ?? keyId;
  return requestId === null ? "Ante" : "You, dashboard";
}

/** The cause of an event, with links to its key and request. */
function Cause({ event, keyNames }: CauseProps) {
  const { keyId, requestId } = event;
  if (keyId === null) return <span className="text-text-2">{nameCause(event, keyNames)}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-small">
      <Link
        href={`/keys?tab=requests&key=${encodeURIComponent(keyId)}`}
        prefetch={false}
        className="link inline-flex items-center wrap-anywhere max-lg:min-h-11"
      >
        {nameCause(event, keyNames)}
      </Link>
      {requestId !== null && (
        <span className="inline-flex items-center">
          <Link
            href={`/keys?tab=requests&request=${requestId}`}
            prefetch={false}
            className="link inline-flex items-center max-lg:min-h-11"
          >
            <code title={requestId} className="font-mono text-caption whitespace-nowrap">
              …{requestId.slice(-8)}
            </code>
          </Link>
          <CopyButton text={requestId} label={`Copy request id ${requestId}`} />
        </span>
      )}
    </span>
  );
}

/** A snapshot can have thousands of orders. */
const MAX_SHOWN = 20_000;

/** Returns null for an event that is too long to be shown. */
function formatJson(event: AccountEventWire): string | null {
  const json = JSON.stringify(event, null, 2);
  return json.length > MAX_SHOWN ? null : json;
}

/** The request that returns an event. */
function ReadByNumber({ seq }: { seq: number }) {
  return (
    <code className="font-mono text-caption wrap-anywhere">
      GET /v1/events?after={seq - 1}&amp;limit=1
    </code>
  );
}
