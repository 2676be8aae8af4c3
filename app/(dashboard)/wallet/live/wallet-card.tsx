import Link from "next/link";
import type { ReactNode } from "react";
import { kindName } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import { TimeStamp } from "@/components/format/time-stamp";
import { Card } from "@/components/ui/card";
import { AddressRow } from "@/components/wallet/address-row";
import { Callout } from "@/components/ui/callout";
import type { LiveWalletView } from "@/lib/accounts/get-live-wallet";
import type { SessionKey, SessionScope } from "@/lib/domain/session-key";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";

/** The live wallet without its secrets. */
export function WalletCard({ wallet }: { wallet: LiveWalletView }) {
  const { signatureType, sessionKey, createdAt, hasCredentials, unsettledOrders } = wallet;
  return (
    <Card title="Your Polymarket wallet">
      <dl className="flex flex-col gap-4">
        <AddressRow
          label="Funding wallet"
          purpose="Holds your USDC and shares, and pays for your orders."
          address={wallet.funderAddress}
        />
        <AddressRow
          label={sessionKey ? "Session key" : "Owner"}
          purpose={
            sessionKey
              ? "Stored here. It signs your orders and can’t withdraw."
              : "Its key is stored here and signs your orders."
          }
          address={wallet.address}
        />
      </dl>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        <Fact term="Type">
          {kindName(signatureType)} (type {signatureType})
        </Fact>
        {sessionKey && <SessionKeyFacts sessionKey={sessionKey} />}
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
      {!sessionKey && <OwnerKeyWarning signatureType={signatureType} />}
    </Card>
  );
}

const SCOPE_NAMES: Readonly<Record<SessionScope, string>> = {
  CLOB: "Orders (CLOB)",
  COMBOSRFQ: "Combos (COMBOSRFQ)",
  ALL: "Everything but withdrawals (ALL)",
};

function SessionKeyFacts({ sessionKey: { scopes, expiresAt } }: { sessionKey: SessionKey }) {
  return (
    <>
      <Fact term="Scope">{scopes.map((scope) => SCOPE_NAMES[scope]).join(", ")}</Fact>
      <Fact term="Expires">
        <TimeStamp at={expiresAt.toISOString()} isRelative={false} />
      </Fact>
    </>
  );
}

function OwnerKeyWarning({ signatureType }: Pick<LiveWalletView, "signatureType">) {
  return (
    <div className="mt-4">
      <Callout tone="warn" title="The stored key can do everything with this wallet.">
        <p>
          It is the owner’s key: anyone who has it can withdraw all money.
          {signatureType === SIGNATURE_TYPE.depositWallet &&
            " A session key of this wallet can only trade. To use one, remove this wallet and import the session key."}
        </p>
      </Callout>
    </div>
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
