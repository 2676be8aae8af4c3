import { setLimitsAction } from "@/app/(dashboard)/_limits/actions";
import { ChangeNote } from "@/app/(dashboard)/_limits/change-note";
import { FreezePart } from "@/app/(dashboard)/_limits/freeze-part";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { hasLimits, LimitList } from "@/components/limits/limit-list";
import { LimitsForm } from "@/components/limits/limits-form";
import { Card } from "@/components/ui/card";
import type { Session } from "@/lib/auth/session";
import { writeLimitTexts } from "@/lib/domain/limit-texts";
import { listFreezes } from "@/lib/limits/list-freezes";
import { listLimitedSubjects } from "@/lib/limits/list-subjects";

interface Props {
  session: Session;
  query: URLSearchParams;
}

/**
 * The limits of the account with what is used of them, and freezes. A freeze comes first, as the reason that
 * nothing trades.
 */
export async function LimitsSection({ session, query }: Props) {
  const { principal } = session;
  const { userId, mode } = principal;
  const [subjects, freezes] = await Promise.all([
    listLimitedSubjects({ userId, mode, keyId: null }),
    listFreezes(principal),
  ]);
  const account = subjects.find(({ scope }) => scope === "account");
  const operator = subjects.find((subject) => subject.scope === "user" && hasLimits(subject));
  const ofUser = freezes.find(({ scope }) => scope === "user") ?? null;
  const ofAccount = account?.frozen ?? null;
  const isFrozen = ofAccount !== null || ofUser !== null;
  const freezeCards = (
    <div className={`grid gap-4 xl:grid-cols-2 ${isFrozen ? "" : "print:hidden"}`}>
      <Card title={`Freeze this ${mode} account`}>
        <FreezePart session={session} subject="account" freeze={ofAccount} name="this account" />
      </Card>
      <Card title="Freeze everything">
        <FreezePart
          session={session}
          subject="user"
          freeze={ofUser}
          isOperators={ofUser?.isOperators ?? false}
          name="everything"
        />
      </Card>
    </div>
  );
  return (
    <div className="flex flex-col gap-4">
      <ChangeNote query={query} what="Trading" isFrozen={isFrozen} />
      {isFrozen && freezeCards}
      {operator && (
        <Card title="Limits set by the operator">
          <LimitList subject={operator} />
        </Card>
      )}
      <Card title={`Limits of this ${mode} account`}>
        <div className="flex flex-col gap-5">
          <p className="text-text-2">
            They apply to orders from the dashboard and from every key together.
            <span className="print:hidden"> An empty field limits nothing.</span>
          </p>
          {account && hasLimits(account) && <LimitList subject={account} />}
          <LimitsForm
            action={setLimitsAction}
            subject="account"
            texts={writeLimitTexts(account?.limits ?? {})}
            proof={await loadProof(session, "raise_limit")}
          />
        </div>
      </Card>
      {!isFrozen && freezeCards}
    </div>
  );
}
