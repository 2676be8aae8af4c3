import { AddressRow } from "@/components/wallet/address-row";
import type { WalletWire } from "@/components/wallet/allowance";
import { QrCode } from "@/components/wallet/qr-code";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import type { Mode } from "@/lib/venue/port";

interface Props {
  wallet: Pick<WalletWire, "address" | "funderAddress">;
  mode: Mode;
}

/** The account's two addresses, with a QR code of the funding address. */
export function AddressesCard({ wallet, mode }: Props) {
  return (
    <Card title="Addresses">
      <div className="flex flex-col gap-4 sm:flex-row">
        <dl className="flex min-w-0 flex-1 flex-col gap-4">
          {wallet.address === wallet.funderAddress ? (
            <AddressRow
              label="Wallet"
              purpose="Signs your orders, holds your USDC and pays for your orders."
              address={wallet.address}
            />
          ) : (
            <>
              <AddressRow
                label="Wallet"
                purpose="Signs your orders. Doesn&rsquo;t hold money."
                address={wallet.address}
              />
              <AddressRow
                label="Funding wallet"
                purpose="Holds your USDC and pays for your orders."
                address={wallet.funderAddress}
              />
            </>
          )}
        </dl>
        <div className="shrink-0">
          <QrCode
            text={wallet.funderAddress}
            label={`QR code of the funding wallet ${wallet.funderAddress}`}
          />
          <p className="mt-1 text-caption text-text-3">Funding wallet</p>
        </div>
      </div>
      <div className="mt-4">
        {mode === "paper" ? (
          <Callout tone="warn" title="Paper account: not connected to a blockchain.">
            <p>
              USDC sent to these addresses will be lost. Use the form to add paper money instead.
            </p>
          </Callout>
        ) : (
          <Callout tone="warn" title="Deposit and withdraw on polymarket.com.">
            <p>
              Trading uses Polymarket USD on Polygon. USDC sent here directly can&rsquo;t be used
              until it&rsquo;s wrapped.
            </p>
          </Callout>
        )}
      </div>
    </Card>
  );
}
