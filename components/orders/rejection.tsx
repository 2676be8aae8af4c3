import { RefusalText } from "@/components/format/refusal-text";

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
    : `${shortage}: needed ${needed}, had ${had}`;
}
