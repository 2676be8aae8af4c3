import type { ReactNode } from "react";
import { showReserved } from "@/components/format/sums";
import { Money } from "@/components/format/values";
import { AllowanceNotice, type WalletWire } from "@/components/wallet/allowance";
import { Card } from "@/components/ui/card";

/** Cash, and how much of it is free. */
export function BalanceCard({ wallet }: { wallet: WalletWire }) {
  return (
    <Card title="Cash">
      <p className="text-display">
        <Money usdc={wallet.balanceUsdc} />
      </p>
      <dl className="mt-3 grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2">
        <Line label="Available for orders">
          <Money usdc={wallet.availableUsdc} />
        </Line>
        <Line label="Reserved by open buys">
          <Money usdc={showReserved(wallet)} />
        </Line>
      </dl>
      <div className="mt-3 empty:hidden">
        <AllowanceNotice state={wallet.allowanceState} />
      </div>
    </Card>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}
