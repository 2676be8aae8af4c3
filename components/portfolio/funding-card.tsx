import { ExactUsdc } from "@/components/format/values";
import { shortenId } from "@/components/format/numbers";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import type { Mode } from "@/lib/venue/port";

interface Props {
  funderAddress: string;
  /** Null in live mode, where deposits are unknown. */
  netDeposits: number | null;
  mode: Mode;
}

/** The account's deposits, with a link to add money. */
export function FundingCard({ funderAddress, netDeposits, mode }: Props) {
  return (
    <Card title="Funding">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2">
        {netDeposits !== null && (
          <>
            <dt className="text-text-2">Deposits</dt>
            <dd className="text-right">
              <ExactUsdc usdc={netDeposits} />
            </dd>
          </>
        )}
        <dt className="text-text-2">Funding wallet</dt>
        <dd className="flex items-center gap-1">
          <span title={funderAddress} className="font-mono text-small">
            {shortenId(funderAddress)}
          </span>
          <CopyButton text={funderAddress} label="Copy funding wallet address" />
        </dd>
      </dl>
      <div className="mt-3">
        <ButtonLink href="/wallet" isWide>
          {mode === "paper" ? "Add paper money" : "Wallet"}
        </ButtonLink>
      </div>
    </Card>
  );
}
