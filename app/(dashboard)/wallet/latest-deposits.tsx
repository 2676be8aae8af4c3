import { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { listStatement } from "@/lib/activity/list-statement";
import type { Principal } from "@/lib/auth/principal";
import { Statement } from "@/lib/schemas/statement";

const NEWEST = 5;

/** The newest deposits of a paper account, each with the cash after it. */
export async function LatestDeposits({ principal }: { principal: Principal }) {
  const page = await listStatement(principal, { type: "deposit" }, { limit: NEWEST });
  const { lines } = z.encode(Statement, page);
  return (
    <Card
      title="Latest deposits"
      actions={
        <ButtonLink size="small" href="/activity?type=deposit">
          All deposits
        </ButtonLink>
      }
      isFlush
    >
      <ul className="divide-y divide-border">
        {lines.map(({ id, amountUsdc, balanceUsdc, createdAt }) => (
          <li key={id} className="flex items-baseline justify-between gap-3 px-3 py-2.5 sm:px-4">
            <TimeStamp at={createdAt} />
            <span className="flex flex-wrap items-baseline justify-end gap-x-6 text-right">
              <span className="font-[550]">
                <Money usdc={amountUsdc} />
              </span>
              <span className="text-small text-text-2">
                cash after <Money usdc={balanceUsdc} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
