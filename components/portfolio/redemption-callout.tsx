import Link from "next/link";
import type { z } from "zod";
import { Money, Shares } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { Callout } from "@/components/ui/callout";
import type { RedemptionReceipt } from "@/lib/schemas/portfolio";

/** The receipt of a claimed or closed position. */
export function RedemptionCallout({ receipt }: { receipt: z.input<typeof RedemptionReceipt> }) {
  const hasWon = receipt.payoutUsdc > 0;
  return (
    <div className="mb-4">
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
          {hasWon ? "paid $1.00 each." : "lost and paid nothing."}{" "}
          <Link href="/activity" prefetch={false} className="link">
            See activity
          </Link>
        </p>
      </Callout>
      <RefetchAccount key={receipt.at} />
    </div>
  );
}
