import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { DepositForm } from "@/app/(dashboard)/wallet/deposit-form";
import { ResetForm } from "@/app/(dashboard)/wallet/reset-form";
import { Money } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { AddressesCard } from "@/components/wallet/addresses-card";
import type { WalletWire } from "@/components/wallet/allowance";
import { BalanceCard } from "@/components/wallet/balance-card";
import type { Principal } from "@/lib/auth/principal";
import { newId } from "@/lib/ids";
import { Wallet } from "@/lib/schemas/wallet";
import { getWallet } from "@/lib/services/account/get-wallet";
import { getLiveWallet } from "@/lib/services/live-wallet/get-live-wallet";
import { findDeposit } from "@/lib/services/paper/deposit-once";
import { showing } from "@/lib/showing";
import { WELCOME_DEPOSIT } from "@/lib/services/users/sign-up";
import { microToNumber } from "@/lib/units";

export const metadata: Metadata = { title: "Wallet" };

export default async function WalletPage({ searchParams }: PageProps<"/wallet">) {
  const { principal } = await requireSession();
  if (principal.mode === "live") return <LiveAccount principal={principal} />;
  const { done, key } = await searchParams;
  const [wallet, deposited] = await Promise.all([
    getWallet(principal),
    done === "deposit" && typeof key === "string" ? findDeposit(principal.userId, key) : null,
  ]);
  const wire = z.encode(Wallet, wallet);
  // The name of the next deposit. The form itself is new only after one was made: what it shows of a
  // failed try must outlive the page's next rendering.
  const formKey = newId("dep");
  return (
    <>
      <PageHeader
        title="Wallet"
        description="Your paper money, and the addresses it lives at."
        actions={<ButtonLink href="/wallet/live">Live wallet</ButtonLink>}
      />
      {deposited !== null && (
        <Deposited amount={microToNumber(deposited)} balance={wire.balanceUsdc} key={formKey} />
      )}
      {done === "reset" && <WasReset wallet={wire} key={formKey} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <BalanceCard wallet={wire} />
        <Card title="Add paper money">
          <DepositForm key={typeof key === "string" ? key : "first"} formKey={formKey} />
        </Card>
        <AddressesCard wallet={wire} mode="paper" />
        <ResetCard wallet={wire} />
      </div>
    </>
  );
}

async function LiveAccount({ principal }: { principal: Principal }) {
  const [shown, addresses] = await Promise.all([
    showing(() => getWallet(principal)),
    getLiveWallet(principal.userId),
  ]);
  const { silence } = shown;
  return (
    <>
      <PageHeader
        title="Wallet"
        description="Your real money at Polymarket, and the addresses it lives at."
        actions={<ButtonLink href="/wallet/live">Manage the wallet</ButtonLink>}
      />
      {shown.isKnown && silence && <SilenceNote silence={silence} />}
      <div className="grid gap-4 lg:grid-cols-2">
        {shown.isKnown ? (
          <BalanceCard wallet={z.encode(Wallet, shown.value)} />
        ) : (
          <SilentCard silence={shown.silence} what="Your balance" />
        )}
        {addresses && <AddressesCard wallet={addresses} mode="live" />}
      </div>
    </>
  );
}

function Deposited({ amount, balance }: { amount: number; balance: number }) {
  return (
    <div className="mb-4">
      <Callout
        tone="success"
        role="status"
        title={
          <>
            Added <Money usdc={amount} />
          </>
        }
      >
        <p>
          You now have <Money usdc={balance} /> in cash.
        </p>
      </Callout>
      <RefetchAccount />
    </div>
  );
}

function WasReset({ wallet }: { wallet: WalletWire }) {
  return (
    <div className="mb-4">
      <Callout tone="success" role="status" title="The paper account was reset.">
        <p>
          It has <Money usdc={wallet.balanceUsdc} /> in cash. Your API keys work as before.
        </p>
      </Callout>
      <RefetchAccount />
    </div>
  );
}

function ResetCard({ wallet }: { wallet: WalletWire }) {
  return (
    <Card title="Reset the paper account">
      <ul className="mb-4 list-disc space-y-1 pl-5 text-text-2">
        <li>
          Open orders are canceled
          {wallet.openOrders > 0 && <> ({wallet.openOrders} now)</>}.
        </li>
        <li>Cash, positions and activity stay behind; this cannot be undone.</li>
        <li>
          A new epoch begins with <Money usdc={microToNumber(WELCOME_DEPOSIT)} />.
        </li>
        <li>API keys, settings and the record of orders are kept.</li>
      </ul>
      <ResetForm key={wallet.epoch} />
    </Card>
  );
}
