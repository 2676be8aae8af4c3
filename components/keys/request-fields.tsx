import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { BreakablePath } from "@/components/keys/breakable-path";
import { TimeStamp } from "@/components/format/time-stamp";
import { CopyButton } from "@/components/ui/copy-button";
import type { ApiRequest } from "@/lib/schemas/key-views";

interface Props {
  request: z.input<typeof ApiRequest>;
  keyName: string;
  /** The key of the order that the request placed; null for other requests. */
  idempotencyKey: string | null;
}

/** The facts of an API request. */
export function RequestFields({ request, keyName, idempotencyKey }: Props) {
  const { id, keyId, method, path, status, durationMs, orderId, createdAt } = request;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2">
      <Field label="Time">
        <TimeStamp at={createdAt} isPrecise />
      </Field>
      <Field label="Method and path">
        <code className="font-mono text-caption wrap-anywhere">
          {method} <BreakablePath path={path} />
        </code>
      </Field>
      <Field label="Status">{status ?? "Response lost"}</Field>
      <Field label="Latency">{durationMs} ms</Field>
      <Field label="Key">
        <Link href={`/keys/${keyId}`} prefetch={false} className="link min-w-0 break-words">
          {keyName}
        </Link>
      </Field>
      {orderId !== null && (
        <Field label="Order">
          <Link
            href={`/orders/${orderId}`}
            prefetch={false}
            className="link min-w-0 font-mono text-caption break-all"
          >
            {orderId}
          </Link>
        </Field>
      )}
      {idempotencyKey !== null && <Id label="Idempotency key" id={idempotencyKey} />}
      <Id label="Request id" id={id} />
    </dl>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="num flex min-h-8 min-w-0 items-center justify-end text-right">{children}</dd>
    </>
  );
}

function Id({ label, id }: { label: string; id: string }) {
  return (
    <Field label={label}>
      <code className="min-w-0 font-mono text-caption break-all">{id}</code>
      <CopyButton text={id} label={`Copy ${label.toLowerCase()}`} />
    </Field>
  );
}
