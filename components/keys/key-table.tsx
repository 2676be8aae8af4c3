import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { TimeUntil } from "@/components/format/time-until";
import {
  KeyMode,
  KeyPrefix,
  type KeyLineWire,
  KeyState,
  LastUse,
} from "@/components/keys/key-state";
import { ButtonLink } from "@/components/ui/button";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  caption: string;
  keys: readonly KeyLineWire[];
}

/** API keys as a table, and as cards on a phone. */
export function KeyTable({ caption, keys }: Props) {
  const head = (
    <tr>
      <HeadCell>Name</HeadCell>
      <HeadCell>State</HeadCell>
      <HeadCell>Key</HeadCell>
      <HeadCell>Last used</HeadCell>
      <HeadCell>Expires</HeadCell>
      <HeadCell isNumeric>Requests, 7 days</HeadCell>
      <HeadCell>
        <span className="sr-only">Actions</span>
      </HeadCell>
    </tr>
  );
  return (
    <>
      <Table caption={caption} head={head} hasCards>
        {keys.map((line) => (
          <KeyRow key={line.id} line={line} />
        ))}
      </Table>
      <CardList label={caption}>
        {keys.map((line) => (
          <KeyCard key={line.id} line={line} />
        ))}
      </CardList>
    </>
  );
}

function KeyRow({ line }: { line: KeyLineWire }) {
  return (
    <Row>
      <Cell isRowHeader>
        <span className="block max-w-[32ch] min-w-[10ch] wrap-anywhere">
          <KeyName line={line} />
        </span>
      </Cell>
      <Cell>
        <KeyState line={line} />
      </Cell>
      <Cell>
        <KeyPrefix mode={line.mode} id={line.id} />
        <span className="block text-small text-text-2">{line.scopes.join(", ")}</span>
      </Cell>
      <Cell>
        <LastUse lastUsedAt={line.lastUsedAt} isIdle={line.isIdle && isWorking(line)} />
      </Cell>
      <Cell>
        <Expiry line={line} />
      </Cell>
      <Cell isNumeric>
        <Requests line={line} />
      </Cell>
      <Cell isNumeric isPinned>
        <Actions line={line} />
      </Cell>
    </Row>
  );
}

function KeyCard({ line }: { line: KeyLineWire }) {
  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 break-words">
          <KeyName line={line} />
        </span>
        <KeyState line={line} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-small text-text-2">
        <KeyMode mode={line.mode} />
        <KeyPrefix mode={line.mode} id={line.id} />
        <span>{line.scopes.join(", ")}</span>
      </p>
      <dl className="grid grid-cols-2 gap-x-3 gap-y-1 text-small">
        <dt className="text-text-2">Last used</dt>
        <dd className="text-right">
          <LastUse lastUsedAt={line.lastUsedAt} isIdle={line.isIdle && isWorking(line)} />
        </dd>
        <dt className="text-text-2">Expires</dt>
        <dd className="text-right">
          <Expiry line={line} />
        </dd>
        <dt className="text-text-2">Requests, 7 days</dt>
        <dd className="text-right">
          <Requests line={line} />
        </dd>
      </dl>
      <Actions line={line} />
    </li>
  );
}

/** The name, and when a replaced key ends. */
function KeyName({ line: { id, name, label, state, expiresAt } }: { line: KeyLineWire }) {
  if (state !== "ending" || expiresAt === null) return <KeyLink id={id}>{label}</KeyLink>;
  return (
    <>
      <KeyLink id={id}>{name}</KeyLink>{" "}
      <span className="text-text-2">
        (old, ends{" "}
        <span aria-hidden="true" className="print:hidden">
          in{" "}
        </span>
        <TimeUntil at={expiresAt} now={Date.now()} />)
      </span>
    </>
  );
}

function KeyLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      href={`/keys/${id}`}
      prefetch={false}
      className="link inline-flex min-h-6 items-center font-[550]"
    >
      {children}
    </Link>
  );
}

function Expiry({ line: { expiresAt, revokedAt } }: { line: KeyLineWire }) {
  if (revokedAt !== null) return <TimeStamp at={revokedAt} />;
  return expiresAt === null ? "Never" : <TimeStamp at={expiresAt} />;
}

function Requests({ line: { id, requests } }: { line: KeyLineWire }) {
  if (requests === 0) return <>0</>;
  return (
    <Link
      href={`/keys?tab=requests&key=${id}`}
      prefetch={false}
      className="link inline-flex min-h-6 items-center"
    >
      {formatCount(requests)}
    </Link>
  );
}

function Actions({ line }: { line: KeyLineWire }) {
  if (!isWorking(line)) return null;
  return (
    <span className="flex justify-end gap-2">
      <ButtonLink
        size="small"
        className="max-md:h-11"
        href={`/keys/${line.id}/rename`}
        aria-label={`Rename ${line.name}`}
      >
        Rename
      </ButtonLink>
      {line.state === "active" && (
        <ButtonLink
          size="small"
          className="max-md:h-11"
          href={`/keys/${line.id}/rotate`}
          aria-label={`Rotate ${line.name}`}
        >
          Rotate
        </ButtonLink>
      )}
      <ButtonLink
        size="small"
        className="max-md:h-11"
        tone="danger"
        href={`/keys/${line.id}/revoke`}
        aria-label={`Revoke ${line.name}`}
      >
        Revoke
      </ButtonLink>
    </span>
  );
}

const isWorking = ({ state }: KeyLineWire) => state === "active" || state === "ending";
