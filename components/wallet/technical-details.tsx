import type { ReactNode } from "react";
import { Addresses } from "@/components/wallet/addresses";
import { Allowance, type WalletWire } from "@/components/wallet/allowance";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { FoldCard } from "@/components/ui/fold-card";
import type { Mode } from "@/lib/venue/port";

interface Props {
  wallet: WalletWire;
  mode: Mode;
}

/** What programs and block explorers need, and a trader doesn't: addresses and the API's values. */
export function TechnicalDetails({ wallet, mode }: Props) {
  return (
    <FoldCard title="Technical details">
      <div>
        <AddressWarning mode={mode} />
        <dl className="mt-3 flex flex-col gap-4">
          <Addresses wallet={wallet} />
        </dl>
      </div>
      <div>
        <dl className="flex flex-col gap-2">
          <div>
            <dt className="text-caption text-text-3">Spending approved for the exchange</dt>
            <dd>
              <Allowance wallet={wallet} />
            </dd>
          </div>
          <Raw label="balanceUsdc" value={String(wallet.balanceUsdc)} />
          <Raw label="balanceBaseUnit" value={wallet.balanceBaseUnit} />
          <Raw label="allowanceBaseUnit" value={wallet.allowanceBaseUnit ?? "null"} />
          <Raw label="userId" value={wallet.userId} />
        </dl>
        <p className="mt-2 text-small text-text-2">
          Values as in the API. One base unit is 0.000001 USDC.
        </p>
      </div>
    </FoldCard>
  );
}

function AddressWarning({ mode }: { mode: Mode }): ReactNode {
  if (mode === "paper") {
    return (
      <Callout tone="warn" title="Don&rsquo;t send money to these addresses.">
        <p>This paper account isn&rsquo;t connected to a blockchain. Anything sent here is lost.</p>
      </Callout>
    );
  }
  return (
    <Callout tone="warn" title="Deposit and withdraw on polymarket.com.">
      <p>
        Trading uses Polymarket USD on Polygon. USDC sent here directly can&rsquo;t be used until
        it&rsquo;s wrapped.
      </p>
    </Callout>
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
