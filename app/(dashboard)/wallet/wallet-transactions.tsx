import { ApprovalsCard } from "@/app/(dashboard)/wallet/approvals-card";
import { AutomaticClaimsForm } from "@/app/(dashboard)/wallet/automatic-claims-form";
import { Card } from "@/components/ui/card";
import type { Principal } from "@/lib/auth/principal";
import { getAutomaticClaims } from "@/lib/portfolio/claim-automatically";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";

/** The cards for claims and for approvals of the live wallet. */
export async function WalletTransactions({ principal }: { principal: Principal }) {
  const unavailable = await explainNoRelay(principal.userId);
  if (unavailable !== null) {
    return (
      <Card title="Claims and approvals">
        <p className="text-text-2">{unavailable}</p>
      </Card>
    );
  }
  const isOn = await getAutomaticClaims(principal.userId);
  return (
    <>
      <Card title="Claims">
        <p className="mb-3 text-text-2">
          {isOn
            ? "Ante claims your wins within minutes of their market’s result. Polymarket pays the network fee."
            : "Claim wins on the portfolio page, or let Ante claim them. Polymarket pays the network fee."}{" "}
          Ante never signs a transfer or a withdrawal.
        </p>
        <AutomaticClaimsForm key={String(isOn)} isOn={isOn} />
      </Card>
      <ApprovalsCard principal={principal} />
    </>
  );
}
