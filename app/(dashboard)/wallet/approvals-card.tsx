import { ApprovalsForm } from "@/app/(dashboard)/wallet/approvals-form";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import type { Principal } from "@/lib/auth/principal";
import { withStaleReads } from "@/lib/stale-reads";
import type { WalletApproval } from "@/lib/venue/wallet-relay";
import { getApprovals } from "@/lib/wallet-transactions/set-approvals";

const ASSET: Record<WalletApproval["asset"], string> = {
  usdc: "USDC",
  shares_v1: "Shares",
  shares_v2: "Shares (Protocol V2)",
};

/** Which of Polymarket's contracts the live wallet has approved, and a button for the missing ones. */
export async function ApprovalsCard({ principal }: { principal: Principal }) {
  const read = await withStaleReads(() => getApprovals(principal));
  if (!read.isKnown) {
    return (
      <Card title="Contract approvals">
        <p className="text-text-2">We can&rsquo;t read your approvals now. {read.outage.message}</p>
      </Card>
    );
  }
  const { approvals, isComplete, transaction } = read.value;
  const missing = approvals.filter(({ isSet }) => !isSet).length;
  const missingFirst = approvals.toSorted((a, b) => Number(a.isSet) - Number(b.isSet));
  return (
    <Card title="Contract approvals">
      <p className="mb-3 text-text-2">
        {isComplete
          ? "Your wallet has approved every Polymarket contract that trading needs."
          : "Polymarket’s contracts can move your USDC and shares only with your approval."}
      </p>
      <details className="mb-3" open={!isComplete}>
        <summary className="flex min-h-11 items-center text-text-2 hover:text-text">
          <span className="underline decoration-dotted underline-offset-4">
            {approvals.length - missing} of {approvals.length} set
          </span>
        </summary>
        <ul className="divide-y divide-border">
          {missingFirst.map(({ asset, spender, spenderAddress, purpose, isSet }) => (
            <li key={`${asset}/${spender}`} className="flex items-center gap-3 py-2">
              <span className="min-w-0 flex-1">
                {ASSET[asset]}: {purpose}
                <span className="block truncate font-mono text-small text-text-2">
                  {spenderAddress}
                </span>
              </span>
              <Badge tone={isSet ? "up" : "warn"}>{isSet ? "Set" : "Missing"}</Badge>
            </li>
          ))}
        </ul>
      </details>
      {transaction === null && !isComplete && <ApprovalsForm missing={missing} />}
    </Card>
  );
}
