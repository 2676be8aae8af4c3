import type { ReactNode } from "react";
import type { z } from "zod";
import { formatCount } from "@/components/format/numbers";
import { Callout } from "@/components/ui/callout";
import type { LedgerProof } from "@/lib/schemas/ledger-proof";

interface Props {
  verification: z.input<typeof LedgerProof>["verification"];
}

/** What recomputing the account's own ledger gave. */
export function AccountVerdict({ verification }: Props) {
  const { transfers, accounts, mismatches } = verification;
  if (mismatches > 0) {
    return (
      <Callout tone="danger" title="Your ledger has mismatches">
        {formatCount(mismatches)} of {formatCount(accounts)} balances don&rsquo;t equal the sum of
        their transfers. Contact the operator.
      </Callout>
    );
  }
  return (
    <p className="text-text-2">
      <Strong>{plural(transfers, "transfer")}</Strong> moved your money and shares. Each takes from
      one ledger account exactly what it adds to another, so together they sum to zero.{" "}
      <Strong>{plural(accounts, "balance")}</Strong> recomputed
      <span className="print:hidden"> just now</span>: all match.
    </p>
  );
}

const Strong = ({ children }: { children: ReactNode }) => (
  <strong className="num font-[550] text-text">{children}</strong>
);

const plural = (number: number, noun: string) =>
  `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
