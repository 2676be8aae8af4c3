import Link from "next/link";
import type { ReactNode } from "react";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import {
  Amount,
  LineSentence,
  showLine,
  type ShownTotals,
  showTotals,
  SignedAmount,
  type StatementLineWire,
} from "@/components/activity/line-parts";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatMonth } from "@/components/format/times";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { getStatementSheet } from "@/lib/activity/list-statement";
import type { Principal } from "@/lib/auth/principal";
import { StatementSheet } from "@/lib/schemas/statement";

const NEWEST = 6;

/** The newest changes of a paper account's cash, under the totals of their month. */
export async function RecentActivity({ principal }: { principal: Principal }) {
  const { zone } = await getDisplay();
  const sheet = await getStatementSheet(principal, {}, { limit: NEWEST }, zone);
  const {
    lines,
    months: [month],
  } = z.encode(StatementSheet, sheet);
  if (month === undefined) return null;
  return (
    <Card
      title="Recent activity"
      actions={
        <ButtonLink size="small" href="/activity">
          All activity
        </ButtonLink>
      }
      isFlush
    >
      <MonthTotals month={month.month} totals={month} />
      <ul className="divide-y divide-border border-t border-border">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </Card>
  );
}

/** How the month led from its first balance to its last, in the cents of the statement. */
function MonthTotals({ month, totals }: { month: string; totals: ShownTotals }) {
  const { opening, received, paid, rounding, closing } = showTotals(totals, false);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-3 pt-1 pb-3 sm:flex sm:gap-x-10 sm:px-4">
      {opening !== null && (
        <Figure label={`Start of ${formatMonth(month)}`}>
          <Amount usdc={opening} isExact={false} />
        </Figure>
      )}
      <Figure label="In">
        <SignedAmount usdc={received} isExact={false} />
      </Figure>
      <Figure label="Out">
        <SignedAmount usdc={-paid} isExact={false} />
      </Figure>
      {rounding !== 0 && (
        <Figure label="Rounding">
          <SignedAmount usdc={rounding} isExact={false} />
        </Figure>
      )}
      {closing !== null && (
        <Figure label="Cash now">
          <Amount usdc={closing} isExact={false} />
        </Figure>
      )}
    </dl>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="num font-[550]">{children}</dd>
    </div>
  );
}

function Line({ line }: { line: StatementLineWire }) {
  const { market, createdAt } = line;
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2.5 sm:px-4">
      <span className="min-w-0">
        <LineSentence line={line} />
        <span className="block truncate pl-6 text-small text-text-2">
          <TimeStamp at={createdAt} />
          {market && (
            <>
              {" · "}
              <Link href={`/markets/${market.slug}`} prefetch={false} className="hover:underline">
                {market.title}
              </Link>
            </>
          )}
        </span>
      </span>
      <span className="font-[550]">
        <SignedAmount usdc={showLine(line, false).amount} isExact={false} />
      </span>
    </li>
  );
}
