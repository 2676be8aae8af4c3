import Link from "next/link";
import type { z } from "zod";
import { formatMoney } from "@/components/format/numbers";
import { Money, Shares } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { RECEIPT_ID } from "@/components/portfolio/redemption-focus";
import { RedeemedResult } from "@/components/trading/position/settled-holdings";
import { Callout } from "@/components/ui/callout";
import type { RedemptionReceipt, RedemptionTotal } from "@/lib/schemas/portfolio";

/** The receipt of a claimed or closed position. */
export function RedemptionCallout({ receipt }: { receipt: z.input<typeof RedemptionReceipt> }) {
  const hasWon = receipt.payoutUsdc > 0;
  return (
    <div id={RECEIPT_ID} tabIndex={-1} className="mb-4">
      <Callout
        tone={hasWon ? "success" : "info"}
        role="status"
        title={
          hasWon ? (
            <>
              Claimed <Money usdc={receipt.payoutUsdc} />
            </>
          ) : (
            "Position closed"
          )
        }
      >
        <p>
          <Shares shares={receipt.shares} /> {receipt.outcome} shares of “{receipt.marketTitle}”{" "}
          {hasWon
            ? `paid ${formatMoney(toCents(receipt.payoutUsdc / receipt.shares))} each.`
            : "lost and paid nothing."}{" "}
          <RedeemedResult redemption={receipt} />{" "}
          <Link href="/activity" prefetch={false} className="link">
            See activity
          </Link>
        </p>
      </Callout>
      <RefetchAccount key={receipt.at} />
    </div>
  );
}

/** The receipt of everything that was claimed at once. */
export function RedemptionTotalCallout({ total }: { total: z.input<typeof RedemptionTotal> }) {
  const { payoutUsdc, won, lost } = total;
  return (
    <div id={RECEIPT_ID} tabIndex={-1} className="mb-4">
      <Callout
        tone={won > 0 ? "success" : "info"}
        role="status"
        title={
          won > 0 ? (
            <>
              Claimed <Money usdc={payoutUsdc} /> from {countPositions(won)}
            </>
          ) : (
            `Closed ${countPositions(lost)}`
          )
        }
      >
        <p>
          {won > 0 && lost > 0 && `${countPositions(lost)} lost and closed at $0.00. `}
          <Link href="/activity" prefetch={false} className="link">
            See activity
          </Link>
        </p>
      </Callout>
      <RefetchAccount key={`${won}/${lost}`} />
    </div>
  );
}

const countPositions = (count: number) => `${count} ${count === 1 ? "position" : "positions"}`;

/** The payout of odd shares is rounded down by up to a millionth. */
const toCents = (usdc: number) => Math.round(usdc * 100) / 100;
