import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { SessionKeyNotice } from "@/app/(dashboard)/_wallet/session-key-notice";
import { requireSession } from "@/app/_lib/require-session";
import { ImportForm } from "@/app/(dashboard)/wallet/live/import-form";
import { RemoveForm } from "@/app/(dashboard)/wallet/live/remove-form";
import { WalletCard } from "@/app/(dashboard)/wallet/live/wallet-card";
import type { FormProof } from "@/components/security/proof-fields";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { getLiveWallet, isLiveTradingOn } from "@/lib/accounts/get-live-wallet";

export const metadata: Metadata = { title: "Live wallet" };

export default async function LiveWalletPage({ searchParams }: PageProps<"/wallet/live">) {
  const session = await requireSession();
  const { principal } = session;
  const { done } = await searchParams;
  const wallet = await getLiveWallet(principal.userId);
  const isOn = isLiveTradingOn();
  return (
    <div className="mx-auto max-w-180">
      <PageHeader
        title="Live wallet"
        description="The Polymarket wallet you trade real money with."
        actions={<ButtonLink href="/wallet">Paper wallet</ButtonLink>}
      />
      {/* The layout shows it on live pages. */}
      {principal.mode === "paper" && <SessionKeyNotice userId={principal.userId} />}
      <div className="flex flex-col gap-4">
        {done === "imported" && wallet && (
          <Callout tone="success" role="status" title="The wallet was imported.">
            <p>Its key is stored encrypted. Delete any other copies you don&rsquo;t need.</p>
          </Callout>
        )}
        {done === "removed" && !wallet && (
          <Callout tone="success" role="status" title="The wallet was removed.">
            <p>We deleted its key and credentials. Your money hasn&rsquo;t moved.</p>
          </Callout>
        )}
        {!isOn && <SwitchedOff />}
        {wallet ? (
          <>
            <WalletCard wallet={wallet} />
            <RemoveCard
              proof={await loadProof(session, "remove_wallet")}
              unsettled={wallet.unsettledOrders}
            />
          </>
        ) : (
          isOn && <ImportCard proof={await loadProof(session, "import_wallet")} />
        )}
      </div>
    </div>
  );
}

function SwitchedOff() {
  return (
    <>
      <Callout tone="warn" title="Live trading is off on this server.">
        <p>
          You can&rsquo;t import a wallet or trade real money. To turn it on, the operator sets{" "}
          <code className="font-mono">VENUES=paper,polymarket</code>.
        </p>
      </Callout>
      <Card title="How live trading works">
        <ul className="flex list-disc flex-col gap-2 pl-5 text-text-2">
          <li>
            You import the key of a Polymarket wallet, or a session key that can&rsquo;t withdraw.
          </li>
          <li>You switch this browser between paper and real money in the account menu.</li>
          <li>
            API keys, limits and approvals work the same. A live key uses only the live wallet, and
            a paper key only paper money.
          </li>
        </ul>
        <div className="mt-4 flex flex-wrap gap-2">
          <ButtonLink href="/docs/paper-and-live">Paper and live trading</ButtonLink>
          <ButtonLink href="/wallet">Paper wallet</ButtonLink>
        </div>
      </Card>
    </>
  );
}

function ImportCard({ proof }: { proof: FormProof }) {
  return (
    <Card title="Import wallet">
      <p className="mb-5 text-text-2">
        We store the key encrypted and use it only to sign your orders, claims and approvals, and
        the request for API credentials. It never signs a transfer or a withdrawal. The operator of
        this server could still access it. Use a separate trading wallet and keep only the money you
        trade with in it.
      </p>
      <ImportForm proof={proof} />
    </Card>
  );
}

function RemoveCard({ proof, unsettled }: { proof: FormProof; unsettled: number }) {
  return (
    <Card title="Remove wallet">
      <ul className="mb-5 list-disc space-y-1 pl-5 text-text-2">
        <li>We delete the key and the API credentials from this server.</li>
        <li>Your money, positions and Polymarket records don&rsquo;t change.</li>
        <li>To use another wallet, remove this one, then import the other.</li>
        {unsettled > 0 && <li>Cancel orders that can still trade first.</li>}
      </ul>
      <RemoveForm proof={proof} />
    </Card>
  );
}
