import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { DepositForm } from "@/app/(dashboard)/wallet/deposit-form";
import { RecentActivity } from "@/app/(dashboard)/wallet/recent-activity";
import { ResetForm } from "@/app/(dashboard)/wallet/reset-form";
import {
  OpenTransactions,
  readOpenTransactions,
} from "@/app/(dashboard)/_wallet/open-transactions";
import { WalletTransactions } from "@/app/(dashboard)/wallet/wallet-transactions";
import { Money } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { FoldCard } from "@/components/ui/fold-card";
import { PageHeader } from "@/components/ui/page-header";
import { UntilNextAttempt } from "@/components/ui/until-next-attempt";
import { Addresses } from "@/components/wallet/addresses";
import type { WalletWire } from "@/components/wallet/allowance";
import { BalanceCard } from "@/components/wallet/balance-card";
import { TechnicalDetails } from "@/components/wallet/technical-details";
import type { Principal } from "@/lib/auth/principal";
import { newId } from "@/lib/ids";
import { Wallet } from "@/lib/schemas/wallet";
import { getWallet } from "@/lib/accounts/get-wallet";
import { getLiveWallet } from "@/lib/accounts/get-live-wallet";
import { findDeposit } from "@/lib/accounts/deposit-once";
import { withStaleReads } from "@/lib/stale-reads";
import { WELCOME_DEPOSIT } from "@/lib/accounts/sign-up";
import { microToNumber } from "@/lib/units";

export const metadata: Metadata = { title: "Wallet" };

export default async function WalletPage({ searchParams }: PageProps<"/wallet">) {
  const { principal } = await requireSession();
  if (principal.mode === "live") return <LiveAccount principal={principal} />;
  const { done, key, reset } = await searchParams;
  const [wallet, deposited] = await Promise.all([
    getWallet(principal),
    done === "deposit" && typeof key === "string" ? findDeposit(principal.userId, key) : null,
  ]);
  const wire = z.encode(Wallet, wallet);
  // The key of the next deposit or reset. The form is only remounted after one was made, because the
  // error of a failed attempt must survive the page's next render.
  const formKey = newId("dep");
  return (
    <>
      <PageHeader
        title="Wallet"
        description="Paper money, free to add."
        actions={<ButtonLink href="/wallet/live">Live wallet</ButtonLink>}
      />
      <RefreshOnAccountChange />
      {deposited !== null && (
        <UntilNextAttempt key={String(key)}>
          <Deposited amount={microToNumber(deposited)} balance={wire.balanceUsdc} key={formKey} />
        </UntilNextAttempt>
      )}
      {done === "reset" && (
        <UntilNextAttempt key={wallet.epoch}>
          <WasReset wallet={wire} key={formKey} />
        </UntilNextAttempt>
      )}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <BalanceCard wallet={wire} />
        <div id="add-funds" tabIndex={-1} className="grid print:hidden">
          <Card title="Add funds">
            <DepositForm key={typeof key === "string" ? key : "first"} formKey={formKey} />
          </Card>
        </div>
        <div className="lg:col-span-2">
          <RecentActivity principal={principal} />
        </div>
        <div className="lg:col-span-2">
          <ResetCard wallet={wire} formKey={formKey} isOpen={reset === "1"} />
        </div>
        <div className="lg:col-span-2">
          <TechnicalDetails wallet={wire} mode="paper" />
        </div>
      </div>
    </>
  );
}

async function LiveAccount({ principal }: { principal: Principal }) {
  const [read, addresses, transactions] = await Promise.all([
    withStaleReads(() => getWallet(principal)),
    getLiveWallet(principal.userId),
    readOpenTransactions(principal),
  ]);
  const { outage } = read;
  const wallet = read.isKnown ? z.encode(Wallet, read.value) : null;
  return (
    <>
      <PageHeader
        title="Wallet"
        description="Your cash on Polymarket. Deposit and withdraw on polymarket.com."
        actions={<ButtonLink href="/wallet/live">Manage wallet</ButtonLink>}
      />
      {read.isKnown && outage && <OutageNote outage={outage} />}
      <RefreshOnAccountChange />
      <OpenTransactions transactions={transactions} />
      <div className="grid gap-4 lg:grid-cols-2">
        {wallet ? (
          <BalanceCard wallet={wallet} />
        ) : (
          !read.isKnown && <OutageCard outage={read.outage} what="Your balance" />
        )}
        {addresses && <WalletTransactions principal={principal} />}
        {wallet ? (
          <div className="lg:col-span-2">
            <TechnicalDetails wallet={wallet} mode="live" />
          </div>
        ) : (
          addresses && (
            <Card title="Addresses">
              <dl className="flex flex-col gap-4">
                <Addresses wallet={addresses} />
              </dl>
            </Card>
          )
        )}
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
      <Callout tone="success" role="status" title="Your paper account was reset.">
        <p>
          You have <Money usdc={wallet.balanceUsdc} /> in cash. Your API keys still work.
        </p>
      </Callout>
      <RefetchAccount />
    </div>
  );
}

interface ResetProps {
  wallet: WalletWire;
  formKey: string;
  isOpen: boolean;
}

function ResetCard({ wallet, formKey, isOpen }: ResetProps) {
  return (
    <FoldCard title="Start over" id="reset" isOpen={isOpen}>
      <div className="text-text-2">
        <p>
          Reset the paper account to begin again with{" "}
          <Money usdc={microToNumber(WELCOME_DEPOSIT)} /> in cash, as on your first day. This
          can&rsquo;t be undone.
        </p>
        <ul className="mt-2 list-disc space-y-1 pl-5">
          <li>
            Open orders are canceled
            {wallet.openOrders > 0 && <> ({wallet.openOrders} now)</>}.
          </li>
          <li>Cash, positions and activity are cleared.</li>
          <li>API keys, settings and order history are kept.</li>
        </ul>
      </div>
      <ResetForm key={wallet.epoch} formKey={formKey} />
    </FoldCard>
  );
}
