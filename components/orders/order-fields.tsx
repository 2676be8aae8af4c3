import type { ReactNode } from "react";
import type { z } from "zod";
import { shortenId } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { ExactUsdc, Money, Price, Shares } from "@/components/format/values";
import { FilledBar } from "@/components/orders/filled-bar";
import { CopyButton } from "@/components/ui/copy-button";
import type { OrderRecord } from "@/lib/schemas/orders";
import type { OrderLine } from "@/lib/schemas/order-views";

interface Props {
  record: z.input<typeof OrderRecord>;
  line: z.input<typeof OrderLine>;
}

/** What is known of an order, field by field. */
export function OrderFields({ record, line }: Props) {
  const { tickSize } = line;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2">
      <Field label="Type">{record.type === "limit" ? "Limit" : "Market"}</Field>
      <Field label={record.type === "limit" ? "Limit price" : "Worst price"}>
        {record.price === null ? (
          "Chosen by Ante"
        ) : (
          <Price price={record.price} tickSize={tickSize} />
        )}
      </Field>
      <Field label="Filled">
        <FilledBar filled={record.filledShares} of={record.shares} />
      </Field>
      <Field label="Average fill">
        <Price price={record.avgFillPrice} tickSize={tickSize} isAverage />
      </Field>
      {record.remainingShares !== null && (
        <Field label="Remaining">
          <Shares shares={record.remainingShares} />
        </Field>
      )}
      {record.amount !== null && (
        <Field label="Amount">
          <Money usdc={record.amount} />
        </Field>
      )}
      <Field label="Value of fills">
        <ExactUsdc usdc={line.value} />
      </Field>
      <Field label="Fee">
        <ExactUsdc usdc={record.fee} />
      </Field>
      <Field label="Placed">
        <TimeStamp at={record.createdAt} isPrecise />
      </Field>
      <Field label="Last change">
        <TimeStamp at={record.updatedAt} isPrecise />
      </Field>
      <Id label="Order id" id={record.id} />
      <Id label="Idempotency key" id={record.idempotencyKey} />
      <Id label="Token id" id={record.tokenId} />
      <Id label="Market id" id={record.marketId} />
    </dl>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="num flex min-w-0 items-center justify-end text-right [&>time]:whitespace-normal">
        {children}
      </dd>
    </>
  );
}

const LONGEST_SHOWN = 36;

function Id({ label, id }: { label: string; id: string }) {
  return (
    <Field label={label}>
      <code title={id} className="min-w-0 font-mono text-caption break-all">
        {id.length > LONGEST_SHOWN ? shortenId(id) : id}
      </code>
      <CopyButton text={id} label={`Copy ${label.toLowerCase()}`} />
    </Field>
  );
}
