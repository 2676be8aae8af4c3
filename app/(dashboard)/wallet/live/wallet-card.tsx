import Link from "next/link";
import type { ReactNode } from "react";
import { kindName } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import { TimeStamp } from "@/components/format/time-stamp";
import { Card } from "@/components/ui/card";
import { AddressRow } from "@/components/wallet/address-row";
import type { LiveWalletView } from "@/lib/accounts/get-live-wallet";

/** The live wallet without its secrets. */
export function WalletCard({ wallet }: { wallet: LiveWalletView }) {
  const { signatureType, createdAt, hasCredentials, unsettledOrders } = wallet;
  return (
    <Card title="Your Polymarket wallet">
      <dl className="flex flex-col gap-4">
        <AddressRow
          label="Funding wallet"
          purpose="Holds your USDC and shares, and pays for your orders."
          address={wallet.funderAddress}
        />
        <AddressRow
          label="Owner"
          purpose="Its key is stored here and signs your orders."
          address={wallet.address}
        />
      </dl>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        <Fact term="Type">
          {kindName(signatureType)} (type {signatureType})
        </Fact>
        <Fact term="Imported">
          <TimeStamp at={createdAt.toISOString()} />
        </Fact>
        <Fact term="Polymarket API credentials">
          {hasCredentials ? "Stored encrypted" : "Not created yet"}
        </Fact>
        <Fact term="Orders that can still trade">
          {unsettledOrders === 0 ? (
            "None"
          ) : (
            <Link href="/orders" className="link">
              {unsettledOrders}
            </Link>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-[550]">{term}</dt>
      <dd className="text-text-2">{children}</dd>
    </div>
  );
}
