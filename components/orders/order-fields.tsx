import type { ReactNode } from "react";
import type { z } from "zod";
import { formatPrice, shortenId } from "@/components/format/numbers";
import { addExactly, missesTotal } from "@/components/format/sums";
import { TimeStamp } from "@/components/format/time-stamp";
import { Amount, Money, Price, Shares } from "@/components/format/values";
import { Distance } from "@/components/orders/distance";
import { FilledBar } from "@/components/orders/filled-bar";
import { TIME_IN_FORCE } from "@/components/orders/order-words";
import { CopyButton } from "@/components/ui/copy-button";
import { isClosed } from "@/lib/domain/order-status";
import { DEFAULT_PRICE_PROTECTION } from "@/lib/domain/order-terms";
import type { OrderRecord } from "@/lib/schemas/orders";
import type { OrderLineAtMarket } from "@/lib/schemas/dashboard-orders";
import { microToNumber } from "@/lib/units";

interface Props {
  record: z.input<typeof OrderRecord>;
  line: z.input<typeof OrderLineAtMarket>;
  /** Whether all amounts have all their decimals. */
  isExact?: boolean;
}

/** The fields of an order. Amounts that nothing has filled yet are left out. */
export function OrderFields({ record, line, isExact = false }: Props) {
  const { tickSize } = line;
  const isFilled = record.filledShares > 0;
  const isEnded = isClosed(record.status);
  return (
    <>
      <dl className={GRID}>
        <Field label="Type">{record.type === "limit" ? "Limit" : "Market"}</Field>
        <Field label={record.type === "limit" ? "Limit price" : "Worst price"}>
          <Bound record={record} tickSize={tickSize} />
        </Field>
        {line.marketPrice !== null && (
          <Field label={record.action === "BUY" ? "Best offer now" : "Best bid now"}>
            <span className="flex flex-wrap items-center justify-end gap-x-3">
              <Price price={line.marketPrice} tickSize={tickSize} />
              <Distance order={line} isNamed />
            </span>
          </Field>
        )}
        <Field label="Time in force">{TIME_IN_FORCE[record.timeInForce]}</Field>
        {record.expiresAt !== null && (
          <Field label="Expires">
            <TimeStamp at={record.expiresAt} isPrecise />
          </Field>
        )}
        {record.postOnly && <Field label="Post only">Yes</Field>}
        <Field label="Filled">
          <FilledBar filled={record.filledShares} of={record.shares} />
        </Field>
        {isFilled && (
          <Field label="Average price">
            <Price price={record.avgFillPrice} tickSize={tickSize} isAverage />
          </Field>
        )}
        {record.remainingShares !== null && record.remainingShares > 0 && (
          <Field label={isEnded ? "Not filled" : "Remaining"}>
            <Shares shares={record.remainingShares} />
          </Field>
        )}
        {record.amount !== null && (
          <Field label="Amount">
            <Money usdc={record.amount} />
          </Field>
        )}
        {line.isLive && line.openValue !== null && record.amount === null && (
          <Field label="Open value">
            <Amount usdc={line.openValue} isExact={isExact} />
          </Field>
        )}
        {line.reserved > 0 && (
          <Field label="Reserved">
            <Amount usdc={line.reserved} isExact={isExact} />
          </Field>
        )}
        {isFilled && <MoneyFields line={line} isBuy={record.action === "BUY"} isExact={isExact} />}
        <Field label="Placed">
          <TimeStamp at={record.createdAt} isPrecise />
        </Field>
        {record.updatedAt !== record.createdAt && (
          <Field label={isEnded ? "Closed" : "Updated"}>
            <TimeStamp at={record.updatedAt} isPrecise />
          </Field>
        )}
        {record.idempotencyKey === null && (
          <Field label="Placed with">Another app using this wallet</Field>
        )}
      </dl>
      <details data-printed="whole" className="mt-2">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center lg:min-h-7">
          Technical details
        </summary>
        <dl className={GRID}>
          <Id label="Order id" id={record.id} />
          {record.idempotencyKey !== null && (
            <Id label="Idempotency key" id={record.idempotencyKey} />
          )}
          <Id label="Token id" id={record.tokenId} />
          <Id label="Market id" id={record.marketId} />
        </dl>
      </details>
    </>
  );
}

// Paper is so wide that a value would be far from its label.
const GRID =
  "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2 print:max-w-130 print:gap-y-1";

interface MoneyProps {
  line: Props["line"];
  isBuy: boolean;
  isExact: boolean;
}

/** The value, fee and total of the fills. They are exact where cents would not add up. */
function MoneyFields({ line: { value, fee }, isBuy, isExact }: MoneyProps) {
  const change = isBuy ? fee : -fee;
  const total = addExactly(value, change);
  const style = {
    others: [value, fee, total],
    isExact: isExact || missesTotal(total, [value, change]),
  };
  return (
    <>
      <Field label="Filled value">
        <Amount usdc={value} {...style} />
      </Field>
      <Field label="Fee">
        <Amount usdc={fee} {...style} />
      </Field>
      <Field label={isBuy ? "Total paid" : "Total received"}>
        <Amount usdc={total} {...style} />
      </Field>
    </>
  );
}

/** The limit, or the worst price and where it comes from: "50¢ (default: best price + 5¢)". */
function Bound({ record, tickSize }: { record: Props["record"]; tickSize: string }) {
  const { price, type, action, events } = record;
  if (type === "limit") return <Price price={price} tickSize={tickSize} />;
  const applied = events[0]?.detail["worstPrice"];
  const worst = price ?? (applied === undefined ? null : Number(applied));
  const isSent = events.some((event) => event.type === "submitted");
  const rule = `default: best price ${action === "BUY" ? "+" : "−"} ${PROTECTION}`;
  // Ante can derive the worst price of an order before it sends it to a venue.
  const source = price === null ? rule : isSent ? null : "set with the order";
  if (worst === null) return <>{rule.replace("default", "Default")}</>;
  return (
    <span>
      <Price price={worst} tickSize={tickSize} />
      {source !== null && ` (${source})`}
    </span>
  );
}

const PROTECTION = formatPrice(microToNumber(DEFAULT_PRICE_PROTECTION));

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
        {id.length > LONGEST_SHOWN ? (
          <>
            <span className="print:hidden">{shortenId(id)}</span>
            {/* Paper has no button that copies the whole id. */}
            <span className="hidden print:inline">{id}</span>
          </>
        ) : (
          id
        )}
      </code>
      <CopyButton text={id} label={`Copy ${label.toLowerCase()}`} />
    </Field>
  );
}
