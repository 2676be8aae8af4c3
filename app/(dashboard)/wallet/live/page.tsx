import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { ImportForm } from "@/app/(dashboard)/wallet/live/import-form";
import { RemoveForm } from "@/app/(dashboard)/wallet/live/remove-form";
import { WalletCard } from "@/app/(dashboard)/wallet/live/wallet-card";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { getLiveWallet, isLiveTradingOn } from "@/lib/services/live-wallet/get-live-wallet";

export const metadata: Metadata = { title: "Live wallet" };

export default async function LiveWalletPage({ searchParams }: PageProps<"/wallet/live">) {
  const { email, principal } = await requireSession();
  const { done } = await searchParams;
  const wallet = await getLiveWallet(principal.userId);
  const isOn = isLiveTradingOn();
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader
        title="Live wallet"
        description="The Polymarket wallet that you trade real money with."
        actions={<ButtonLink href="/wallet">Paper wallet</ButtonLink>}
      />
      <div className="flex flex-col gap-4">
        {done === "imported" && wallet && (
          <Callout tone="success" role="status" title="The wallet was imported.">
            <p>Its key is stored encrypted. Delete other copies that you do not need.</p>
          </Callout>
        )}
        {done === "removed" && !wallet && (
          <Callout tone="success" role="status" title="The wallet was removed.">
            <p>Its key and credentials are deleted here. The money is where it was.</p>
          </Callout>
        )}
        {!isOn && <SwitchedOff />}
        {wallet ? (
          <>
            <WalletCard wallet={wallet} />
            <RemoveCard email={email} unsettled={wallet.unsettledOrders} />
          </>
        ) : (
          isOn && <ImportCard email={email} />
        )}
      </div>
    </div>
  );
}

function SwitchedOff() {
  return (
    <Callout tone="warn" title="Live trading is not switched on.">
      <p>
        No wallet can be imported, and nothing trades with real money. Who runs this service
        switches it on by starting it with{" "}
        <code className="font-mono">VENUES=paper,polymarket</code>.
      </p>
    </Callout>
  );
}

function ImportCard({ email }: { email: string }) {
  return (
    <Card title="Import a wallet">
      <div className="mb-5">
        <Callout tone="warn" title="This hands over the key to real money.">
          <p>
            The key is stored encrypted, and signs your orders and the request for API credentials,
            nothing else. Who runs this service could still take it. Use a wallet made for trading,
            with no more in it than you trade with.
          </p>
        </Callout>
      </div>
      <ImportForm email={email} />
    </Card>
  );
}

function RemoveCard({ email, unsettled }: { email: string; unsettled: number }) {
  return (
    <Card title="Remove the wallet">
      <ul className="mb-5 list-disc space-y-1 pl-5 text-text-2">
        <li>The key and the API credentials are deleted from this service.</li>
        <li>Money, positions and Polymarket’s own records stay as they are.</li>
        <li>To trade with another wallet, remove this one and import the other.</li>
        {unsettled > 0 && <li>Orders that may still trade have to be canceled first.</li>}
      </ul>
      <RemoveForm email={email} />
    </Card>
  );
}
