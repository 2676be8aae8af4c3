import Link from "next/link";
import type { ReactNode } from "react";
import { ROUNDED } from "@/components/format/rounding-note";
import { missesTotal } from "@/components/format/sums";
import { Money } from "@/components/format/values";
import { AllowanceNotice, type WalletWire } from "@/components/wallet/allowance";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";

interface Props {
  wallet: WalletWire;
}

/** Cash, and how much of it is free. */
export function BalanceCard({ wallet }: Props) {
  return (
    <Card title="Cash">
      <p className="text-display">
        <Money usdc={wallet.balanceUsdc} />
      </p>
      <ReservedBar wallet={wallet} />
      <dl className="mt-3 grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2">
        <Line label="Available for orders">
          <Money usdc={wallet.availableUsdc} />
        </Line>
        <Line
          label={
            <Link href="/orders" className="link">
              Reserved by open buys
            </Link>
          }
        >
          <Money usdc={wallet.reservedUsdc} />
        </Line>
      </dl>
      {missesTotal(wallet.balanceUsdc, [wallet.availableUsdc, wallet.reservedUsdc]) && (
        <p className="mt-2 text-small text-text-2">{ROUNDED}</p>
      )}
      <div className="mt-3 empty:hidden">
        <AllowanceNotice state={wallet.allowanceState} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink href="/activity">Statement</ButtonLink>
        <ButtonLink href="/activity/proof">Ledger proof</ButtonLink>
      </div>
    </Card>
  );
}

/** The available part of the cash, as a bar. What is reserved is its light end. */
function ReservedBar({ wallet: { availableUsdc, balanceUsdc } }: Props) {
  if (balanceUsdc <= 0) return null;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="mt-3 h-1.5 w-full rounded-pill bg-surface-3"
    >
      <rect width={(100 * availableUsdc) / balanceUsdc} height="1" className="fill-accent" />
    </svg>
  );
}

function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}
