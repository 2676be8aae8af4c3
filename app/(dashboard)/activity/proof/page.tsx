import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { listProofSteps, type LedgerProofWire } from "@/components/activity/proof-steps";
import { ProofTable } from "@/components/activity/proof-table";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { AccountVerdict } from "@/components/system/account-verdict";
import { BooksVerdict } from "@/components/system/books-verdict";
import { OutageCard, OutageNote } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { getLedgerProof } from "@/lib/activity/get-ledger-proof";
import { readBooksState } from "@/lib/ops/books-check";
import { LedgerProof } from "@/lib/schemas/ledger-proof";
import { withStaleReads } from "@/lib/stale-reads";
import type { Mode } from "@/lib/venue/port";

export const metadata: Metadata = { title: "Ledger proof" };

export default async function LedgerProofPage() {
  const { principal } = await requireSession();
  const [read, books] = await Promise.all([
    withStaleReads(() => getLedgerProof(principal)),
    readBooksState(),
  ]);
  if (!read.isKnown) {
    return (
      <>
        <PageHeader title="Ledger proof" />
        <OutageCard outage={read.outage} what="Your balance" />
      </>
    );
  }
  const proof = z.encode(LedgerProof, read.value);
  return (
    <>
      <PageHeader
        title={
          <>
            Every cent of <Money usdc={proof.totalUsdc} />
          </>
        }
        description={
          <>
            Computed from your ledger at <TimeStamp at={proof.at} isRelative={false} />.
            <span className="print:hidden"> Select a row to see its lines.</span>
          </>
        }
        actions={
          <>
            <ButtonLink href="/activity">Activity</ButtonLink>
            <ButtonLink href="/activity/proof">Recompute</ButtonLink>
          </>
        }
      />
      {read.outage && <OutageNote outage={read.outage} />}
      <div className="grid items-start gap-4 xl:grid-cols-[1fr_21.25rem]">
        <Card isFlush>
          <ProofTable steps={listProofSteps(proof, principal.mode)} />
        </Card>
        <div className="flex flex-col gap-4">
          <AccountCard proof={proof} mode={principal.mode} />
          <Card title="All accounts">
            <BooksVerdict check={books} />
          </Card>
        </div>
      </div>
    </>
  );
}

function AccountCard({ proof, mode }: { proof: LedgerProofWire; mode: Mode }) {
  return (
    <Card title="Your account">
      <AccountVerdict verification={proof.verification} />
      {mode === "live" && (
        <p className="mt-2 text-text-2">
          Your cash and positions come from Polymarket. Ante records the trades it knows;
          &ldquo;Outside Ante&rdquo; is the rest of your cash, such as deposits and withdrawals.
        </p>
      )}
    </Card>
  );
}
