import type { z } from "zod";
import { formatCount } from "@/components/format/numbers";
import { RefusalText } from "@/components/format/refusal-text";
import { Callout } from "@/components/ui/callout";
import type { OrderRecord } from "@/lib/schemas/orders";

interface Props {
  rejection: { code: string; message: string };
}

/** Why an order was rejected: "Not enough USDC: needed $9,297.75, had $6,537.07". */
export function Rejection({ rejection }: Props) {
  return (
    <span className="text-small text-danger">
      <RefusalText message={describeRejection(rejection)} />
    </span>
  );
}

const SHORTAGES: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: "Not enough USDC",
  INSUFFICIENT_SHARES: "Not enough shares",
};

/** The message of `refuseUnfunded`. */
const SHORTAGE = /^This order needs ([^;]+?)(?: shares)?; (\S+) (?:is|are) available/;

function describeRejection({ code, message }: Props["rejection"]): string {
  const shortage = SHORTAGES[code];
  const [, needed, had] = SHORTAGE.exec(message) ?? [];
  return shortage === undefined || needed === undefined || had === undefined
    ? message
    : `${shortage}: needed ${groupDigits(needed)}, had ${groupDigits(had)}`;
}

/** 2,000 for 2000. The API's numbers of shares have no separators. */
const groupDigits = (amount: string) =>
  amount.replace(/^\d+/, (whole) => formatCount(Number(whole)));

/** Says at the top of a rejected order why it was rejected. */
export function RejectionNote({ record }: { record: z.input<typeof OrderRecord> }) {
  if (record.status !== "rejected") return null;
  const { message } = record.events.findLast(({ type }) => type === "rejected")?.detail ?? {};
  if (message === undefined) return null;
  return (
    <Callout tone="danger" title="The order was rejected.">
      <RefusalText message={message} />
    </Callout>
  );
}
