import { ExactUsdc, Money } from "@/components/format/values";
import { Allowance, AllowanceNotice, type WalletWire } from "@/components/wallet/allowance";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";

/** Cash in USDC and base units, and the exchange's allowance. */
export function BalanceCard({ wallet }: { wallet: WalletWire }) {
  return (
    <Card title="Balance">
      <p className="text-display">
        <Money usdc={wallet.balanceUsdc} />
      </p>
      <dl className="mt-3 grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2">
        <Line label="Available for orders">
          <ExactUsdc usdc={wallet.availableUsdc} />
        </Line>
        <Line label="Reserved by open buys">
          <ExactUsdc usdc={wallet.reservedUsdc} />
        </Line>
        <Line label="Exchange allowance">
          <Allowance wallet={wallet} />
        </Line>
      </dl>
      <div className="mt-3 empty:hidden">
        <AllowanceNotice state={wallet.allowanceState} />
      </div>
      <details className="mt-2 text-small">
        <summary className="inline-flex min-h-11 items-center text-text-2 underline decoration-dotted underline-offset-4 hover:text-text lg:min-h-7">
          Technical details
        </summary>
        <dl className="mt-1 flex flex-col gap-2">
          <Raw label="balanceUsdc" value={String(wallet.balanceUsdc)} />
          <Raw label="balanceBaseUnit" value={wallet.balanceBaseUnit} />
          <Raw label="allowanceBaseUnit" value={wallet.allowanceBaseUnit ?? "null"} />
          <Raw label="userId" value={wallet.userId} />
          <Raw label="epoch" value={String(wallet.epoch)} />
        </dl>
        <p className="mt-2 text-text-2">One base unit is 0.000001 USDC.</p>
      </details>
    </Card>
  );
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}

/** A value exactly as in the API. */
function Raw({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="font-mono text-caption text-text-3">{label}</dt>
      <dd className="flex items-center gap-2 font-mono break-all">
        {value} <CopyButton text={value} label={`Copy ${label}`} />
      </dd>
    </div>
  );
}
